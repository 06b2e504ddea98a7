/** Humanoids as JSON: what `inspect` prints, and `retarget` of its source and target. */
import type { AssetSkeleton } from '../core/asset/asset.ts';
import { BONE_COUNT, BONES, type BoneName } from '../core/humanoid/bones.ts';
import type { BoneMap, Humanoid, Limb, PartFinding, ReferenceKind } from '../core/humanoid/humanoid.ts';
import { headingDeviation, palmDeviation, type Sides } from '../core/humanoid/reference/palm-and-heading.ts';
import * as quat from '../core/math/quat.ts';
import * as vec3 from '../core/math/vec3.ts';

/** The node of a bone. */
export interface BoneReport {
  /** Index in the file: glTF node, BVH joint. */
  readonly node: number;
  readonly name: string;
  /** 0…1; 1 where the format or the caller says so. */
  readonly confidence: number;
  /** What spoke for the node, in words; only of maps that were found, not of declared or given ones. */
  readonly why?: string;
  /** The next best node; missing where no other came into question. */
  readonly runnerUp?: RunnerUp;
}

/** A node that came second. */
export interface RunnerUp {
  /** Index in the file. */
  readonly node: number;
  readonly name: string;
  /** 0…1, as sure as that one would be. */
  readonly confidence: number;
}

/** The pose that all motion is measured from. Angles in degrees, lengths in meters. */
export interface ReferencePoseReport {
  readonly kind: ReferenceKind;
  /** The pose that it is or was estimated from: `vrm0`, `bind`, `node`, `frame:0`, or a file. */
  readonly from: string;
  /** How far the directions of a limb are off a T-pose, its worst bone. */
  readonly deviationDegrees: Readonly<Partial<Record<Limb, number>>>;
  /** How far palms face off the ground, and feet point off the front; only those whose joints show it. */
  readonly palmDegrees: Sides;
  readonly headingDegrees: Sides;
  /** How far the directions of the limbs are off in the pose that the estimator started from. */
  readonly startDeviationDegrees: Readonly<Partial<Record<Limb, number>>>;
  /** What was decided about every part of an estimated pose, how sure it is (0…1) and why; missing in all others. */
  readonly findings?: readonly PartFinding[];
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
  readonly metersPerUnit: number;
  /** Height of the ground in the canonical frame, meters. */
  readonly ground: number;
  /** Heights above the ground in the reference pose, meters: of the highest joint and of the hips. */
  readonly heightMeters: number;
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

function degreesReport<T extends Sides | Readonly<Partial<Record<Limb, number>>>>(degrees: T): T {
  return Object.fromEntries(Object.entries(degrees).map(([part, value]) => [part, round(value, 3)])) as T;
}

function findingsReport(findings: readonly PartFinding[]): PartFinding[] {
  return findings.map(({ part, confidence, reason }) => ({ part, confidence: round(confidence, 3), reason }));
}

/** The bones of a map that are there, with why each was chosen where the map tells. */
export function reportBones(
  { nodes, confidence, choices }: BoneMap,
  { skeleton, sourceNodes }: AssetSkeleton,
): Partial<Record<BoneName, BoneReport>> {
  const bones: Partial<Record<BoneName, BoneReport>> = {};
  const about = (node: number, sure: number): RunnerUp => {
    return { node: sourceNodes[node], name: skeleton.names[node], confidence: round(sure, 3) };
  };
  for (const [bone, name] of BONES.entries()) {
    if (nodes[bone] < 0) continue;
    const choice = choices?.[bone] ?? null;
    bones[name] = {
      ...about(nodes[bone], confidence[bone]),
      ...(choice === null ? {} : { why: choice.why }),
      ...(choice === null || choice.runnerUp < 0
        ? {}
        : { runnerUp: about(choice.runnerUp, choice.runnerUpConfidence) }),
    };
  }
  return bones;
}

/** The JSON of a humanoid. Rotations and lengths keep all their digits: others measure with them. */
export function reportHumanoid(humanoid: Humanoid, part: AssetSkeleton, index: number): HumanoidReport {
  const { map, reference, frame } = humanoid;
  const rotations: Partial<Record<BoneName, Quaternion>> = {};
  for (let bone = 0; bone < BONE_COUNT; bone++) {
    if (map.nodes[bone] >= 0) rotations[BONES[bone]] = quaternionAt(reference.rotations, 4 * bone);
  }
  return {
    skeleton: part.skeleton.name,
    skeletonIndex: index,
    humanoid: true,
    mapFrom: map.from,
    bones: reportBones(map, part),
    referencePose: {
      kind: reference.kind,
      from: reference.from,
      deviationDegrees: degreesReport(reference.deviationDegrees),
      palmDegrees: degreesReport(palmDeviation(reference.positions, map.nodes)),
      headingDegrees: degreesReport(headingDeviation(reference.positions, map.nodes)),
      startDeviationDegrees: degreesReport(reference.startDeviationDegrees),
      ...(reference.findings === undefined ? {} : { findings: findingsReport(reference.findings) }),
      rotations,
      hips: vectorAt(reference.positions, 0),
    },
    facing: directionReport(frame, [0, 0, 1]),
    up: directionReport(frame, [0, 1, 0]),
    frame: quaternionAt(frame, 0),
    metersPerUnit: humanoid.metersPerUnit,
    ground: humanoid.ground,
    heightMeters: humanoid.height,
    hipsHeight: humanoid.hipsHeight,
  };
}
