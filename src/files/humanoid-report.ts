/** Humanoids as JSON: what `inspect` prints, and `retarget` of its source and target. */
import type { AssetSkeleton } from '../core/asset/asset.ts';
import { BONE_COUNT, BONES, type BoneName } from '../core/humanoid/bones.ts';
import type { Humanoid, Limb, ReferenceKind } from '../core/humanoid/humanoid.ts';
import * as quat from '../core/math/quat.ts';
import * as vec3 from '../core/math/vec3.ts';

/** The node of a bone. */
export interface BoneReport {
  /** Index in the file: glTF node, BVH joint. */
  readonly node: number;
  readonly name: string;
  /** 0…1; 1 where the format or the caller says so. */
  readonly confidence: number;
}

/** The pose that all motion is measured from. Angles in degrees, lengths in metres. */
export interface ReferencePoseReport {
  readonly kind: ReferenceKind;
  /** The pose that it is or was estimated from: `vrm0`, `bind`, `node`, `frame:0`, or a file. */
  readonly from: string;
  /** How far the directions of a limb are off a T-pose, its worst bone. */
  readonly deviationDegrees: Readonly<Partial<Record<Limb, number>>>;
  /** The same of the pose that the estimator started from. */
  readonly startDeviationDegrees: Readonly<Partial<Record<Limb, number>>>;
  /** World rotation per bone, xyzw, canonical frame (facing +Z, up +Y). */
  readonly rotations: Readonly<Partial<Record<BoneName, Quaternion>>>;
  /** Position of the hips, canonical frame. */
  readonly hips: Vector;
}

export type Vector = readonly [x: number, y: number, z: number];
export type Quaternion = readonly [x: number, y: number, z: number, w: number];

/** A direction in the axes of the file. */
export interface DirectionReport {
  /** `+X`, `-Z` … when the direction is within one degree of an axis, else null. */
  readonly axis: string | null;
  readonly vector: Vector;
}

/** A humanoid of a file. */
export interface HumanoidReport {
  /** Name of the skeleton and its index among the skeletons of the file. */
  readonly skeleton: string;
  readonly skeletonIndex: number;
  readonly humanoid: true;
  /** Where the bone map comes from: a format, `given`, or a naming convention. */
  readonly mapFrom: string;
  readonly bones: Readonly<Partial<Record<BoneName, BoneReport>>>;
  readonly referencePose: ReferencePoseReport;
  readonly facing: DirectionReport;
  readonly up: DirectionReport;
  /** Turns directions of the file's axes into the canonical frame, xyzw. */
  readonly frame: Quaternion;
  readonly metresPerUnit: number;
  /** Height of the ground in the canonical frame, metres. */
  readonly ground: number;
  /** Heights above the ground in the reference pose, metres: of the highest joint and of the hips. */
  readonly heightMetres: number;
  readonly hipsHeight: number;
}

const ONE_DEGREE = Math.PI / 180;

/** Rounded to so many decimals, without −0. */
function round(value: number, decimals: number): number {
  const factor = 10 ** decimals;
  return Math.round(value * factor) / factor + 0;
}

/** Adding 0 turns −0, which JSON cannot hold, into 0. */
function vectorAt(values: ArrayLike<number>, at: number): Vector {
  return [values[at] + 0, values[at + 1] + 0, values[at + 2] + 0];
}

function quaternionAt(values: ArrayLike<number>, at: number): Quaternion {
  return [values[at] + 0, values[at + 1] + 0, values[at + 2] + 0, values[at + 3] + 0];
}

/** The direction that the frame turns to `canonical`. */
function directionReport(frame: Float64Array, canonical: Vector): DirectionReport {
  const toFile = new Float64Array(4);
  quat.conjugate(toFile, 0, frame, 0);
  const direction = new Float64Array(3);
  vec3.rotate(direction, 0, toFile, 0, canonical, 0);
  let axis: string | null = null;
  for (const [k, name] of ['X', 'Y', 'Z'].entries()) {
    const unit = [0, 0, 0];
    unit[k] = Math.sign(direction[k]);
    if (unit[k] !== 0 && vec3.angleBetween(unit, 0, direction, 0) <= ONE_DEGREE) {
      axis = `${unit[k] > 0 ? '+' : '-'}${name}`;
    }
  }
  return { axis, vector: [round(direction[0], 6), round(direction[1], 6), round(direction[2], 6)] };
}

function degreesReport(degrees: Readonly<Partial<Record<Limb, number>>>): Partial<Record<Limb, number>> {
  return Object.fromEntries(Object.entries(degrees).map(([limb, value]) => [limb, round(value, 3)]));
}

/** The JSON of a humanoid. Rotations and lengths keep all their digits: others measure with them. */
export function reportHumanoid(
  humanoid: Humanoid,
  { skeleton, sourceNodes }: AssetSkeleton,
  index: number,
): HumanoidReport {
  const { map, reference, frame } = humanoid;
  const bones: Partial<Record<BoneName, BoneReport>> = {};
  const rotations: Partial<Record<BoneName, Quaternion>> = {};
  for (let bone = 0; bone < BONE_COUNT; bone++) {
    const node = map.nodes[bone];
    if (node < 0) continue;
    bones[BONES[bone]] = {
      node: sourceNodes[node],
      name: skeleton.names[node],
      confidence: round(map.confidence[bone], 3),
    };
    rotations[BONES[bone]] = quaternionAt(reference.rotations, 4 * bone);
  }
  return {
    skeleton: skeleton.name,
    skeletonIndex: index,
    humanoid: true,
    mapFrom: map.from,
    bones,
    referencePose: {
      kind: reference.kind,
      from: reference.from,
      deviationDegrees: degreesReport(reference.deviationDegrees),
      startDeviationDegrees: degreesReport(reference.startDeviationDegrees),
      rotations,
      hips: vectorAt(reference.positions, 0),
    },
    facing: directionReport(frame, [0, 0, 1]),
    up: directionReport(frame, [0, 1, 0]),
    frame: quaternionAt(frame, 0),
    metresPerUnit: humanoid.metresPerUnit,
    ground: humanoid.ground,
    heightMetres: humanoid.height,
    hipsHeight: humanoid.hipsHeight,
  };
}
