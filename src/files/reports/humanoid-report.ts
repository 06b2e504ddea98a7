/** Humanoids as JSON: printed by `inspect`, and by `retarget` for its source and target. */
import type { AssetSkeleton } from '../../core/asset/asset.ts';
import { BONE_COUNT, BONES, type BoneName } from '../../core/humanoid/bones.ts';
import type {
  BoneMap,
  DeclaredPose,
  Humanoid,
  Limb,
  PartFinding,
  ReferenceKind,
  ReferencePose,
} from '../../core/humanoid/humanoid.ts';
import { headingDeviation, palmDeviation, type SideAngles } from '../../core/humanoid/t-pose/palm-and-heading.ts';
import * as quat from '../../core/math/quat.ts';
import * as vec3 from '../../core/math/vec3.ts';
import type { RadiiReport, SolesReport } from './surface-report.ts';

/** The node of a bone. */
export interface BoneReport {
  /** Index in the file: glTF node, BVH joint. */
  readonly node: number;
  /** Name of the node. */
  readonly name: string;
  /** 0…1; 1 for bones that the format declares or the caller supplies. */
  readonly confidence: number;
  /** Why the node was chosen, in words; only in maps that were detected. */
  readonly why?: string;
  /** The next best node; missing without another candidate. */
  readonly runnerUp?: RunnerUp;
}

/** The second-best node of a bone. */
interface RunnerUp {
  /** Index in the file. */
  readonly node: number;
  /** Name of the node. */
  readonly name: string;
  /** Confidence of this choice, 0…1. */
  readonly confidence: number;
}

/** The reference pose, which motion is measured from. Angles in degrees, lengths in meters. */
export interface ReferencePoseReport {
  /** How the pose was found. */
  readonly kind: ReferenceKind;
  /** The pose that it is, or was estimated from: `vrm0`, `bind`, `node`, `frame:0`, or a file. */
  readonly from: string;
  /** Deviation of each limb from a T-pose, of its worst bone. */
  readonly deviationDegrees: Readonly<Partial<Record<Limb, number>>>;
  /** Angle between the palms and the ground direction; only hands whose joints show it. */
  readonly palmDegrees: SideAngles;
  /** Angle between the feet and the front; only feet whose joints show it. */
  readonly headingDegrees: SideAngles;
  /** Deviation of each limb in the pose that the estimator started from. */
  readonly startDeviationDegrees: Readonly<Partial<Record<Limb, number>>>;
  /** What the estimator decided for every part, with confidence (0…1) and reason; missing in other poses. */
  readonly findings?: readonly PartFinding[];
  /** World rotation per bone, xyzw, canonical frame (facing +Z, up +Y). */
  readonly rotations: Readonly<Partial<Record<BoneName, Quaternion>>>;
  /** Position of the hips, canonical frame. */
  readonly hips: Vector;
}

/** A vector of three numbers. */
type Vector = readonly [x: number, y: number, z: number];
/** A quaternion, xyzw. */
export type Quaternion = readonly [x: number, y: number, z: number, w: number];

/** A direction in the axes of the file. */
export interface DirectionReport {
  /** `+X`, `-Z` … when the direction is within one degree of an axis, else null. */
  readonly axis: string | null;
  /** The direction, unit length. */
  readonly vector: Vector;
}

/**
 * A declared pose that was straightened, as it is, with the heights measured in it.
 *
 * @inline
 */
interface DeclaredPoseReport extends ReferencePoseReport {
  /** Height of the ground in the canonical frame, meters. */
  readonly ground: number;
  /** Height of the highest joint above the ground, meters. */
  readonly heightMeters: number;
  /** Height of the hips above the ground, meters. */
  readonly hipsHeight: number;
}

/** A humanoid of a file. */
export interface HumanoidReport {
  /** Name of the skeleton. */
  readonly skeleton: string;
  /** Index among the skeletons of the file. */
  readonly skeletonIndex: number;
  /** Tells humanoids from other skeletons. */
  readonly humanoid: true;
  /** Source of the bone map: a format, `given` for a user-supplied map, or a naming convention. */
  readonly mapFrom: string;
  /** The bones that are present. */
  readonly bones: Readonly<Partial<Record<BoneName, BoneReport>>>;
  /** The reference pose. */
  readonly referencePose: ReferencePoseReport;
  /**
   * The declared pose, where the reference pose is that pose straightened. Motion between a VRM Animation and a VRM is measured from it.
   */
  readonly declaredPose?: DeclaredPoseReport;
  /** The front of the character. */
  readonly facing: DirectionReport;
  /** The up direction of the character. */
  readonly up: DirectionReport;
  /** Rotation from the axes of the file to the canonical frame, xyzw. */
  readonly frame: Quaternion;
  /** Meters per unit of length of the file. */
  readonly metersPerUnit: number;
  /** Height of the ground in the canonical frame, meters. */
  readonly ground: number;
  /** Height of the highest joint above the ground in the reference pose, meters. */
  readonly heightMeters: number;
  /** Height of the hips above the ground in the reference pose, meters. */
  readonly hipsHeight: number;
  /** What stands on the ground; only in reports of `inspect`. */
  readonly soles?: SolesReport;
  /** How far the skin is from the axes of the bones, meters; only in reports of `inspect`. */
  readonly radii?: RadiiReport;
  /** Part of the area of the meshes around the bones that is cloth, which arms may touch, from 0 to 1; only in reports of `inspect`. */
  readonly cloth?: number;
}

const ONE_DEGREE = Math.PI / 180;

function round(value: number, decimals: number): number {
  const factor = 10 ** decimals;
  return Math.round(value * factor) / factor + 0;
}

/** Adding 0 replaces −0, which JSON cannot express. */
function vectorAt(values: ArrayLike<number>, at: number): Vector {
  return [values[at] + 0, values[at + 1] + 0, values[at + 2] + 0];
}

function quaternionAt(values: ArrayLike<number>, at: number): Quaternion {
  return [values[at] + 0, values[at + 1] + 0, values[at + 2] + 0, values[at + 3] + 0];
}

function directionReport(frame: Float64Array, canonical: Vector): DirectionReport {
  const toFile = quat.conjugated(frame);
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

function degreesReport<T extends SideAngles | Readonly<Partial<Record<Limb, number>>>>(degrees: T): T {
  return Object.fromEntries(Object.entries(degrees).map(([part, value]) => [part, round(value, 3)])) as T;
}

function findingsReport(findings: readonly PartFinding[]): PartFinding[] {
  return findings.map(({ part, confidence, reason }) => ({ part, confidence: round(confidence, 3), reason }));
}

export function reportBones(
  { nodes, confidence, choices }: BoneMap,
  { skeleton, sourceNodes }: AssetSkeleton,
): Partial<Record<BoneName, BoneReport>> {
  const bones: Partial<Record<BoneName, BoneReport>> = {};
  const toReport = (node: number, certainty: number): RunnerUp => {
    return { node: sourceNodes[node], name: skeleton.names[node], confidence: round(certainty, 3) };
  };
  for (const [bone, name] of BONES.entries()) {
    if (nodes[bone] < 0) continue;
    const choice = choices?.[bone] ?? null;
    bones[name] = {
      ...toReport(nodes[bone], confidence[bone]),
      ...(choice === null ? {} : { why: choice.why }),
      ...(choice === null || choice.runnerUp < 0
        ? {}
        : { runnerUp: toReport(choice.runnerUp, choice.runnerUpConfidence) }),
    };
  }
  return bones;
}

function referencePoseReport(map: BoneMap, reference: ReferencePose): ReferencePoseReport {
  const rotations: Partial<Record<BoneName, Quaternion>> = {};
  for (let bone = 0; bone < BONE_COUNT; bone++) {
    if (map.nodes[bone] >= 0) rotations[BONES[bone]] = quaternionAt(reference.rotations, 4 * bone);
  }
  return {
    kind: reference.kind,
    from: reference.from,
    deviationDegrees: degreesReport(reference.deviationDegrees),
    palmDegrees: degreesReport(palmDeviation(reference.positions, map.nodes)),
    headingDegrees: degreesReport(headingDeviation(reference.positions, map.nodes)),
    startDeviationDegrees: degreesReport(reference.startDeviationDegrees),
    ...(reference.findings === undefined ? {} : { findings: findingsReport(reference.findings) }),
    rotations,
    hips: vectorAt(reference.positions, 0),
  };
}

function declaredPoseReport(map: BoneMap, { reference, ground, height, hipsHeight }: DeclaredPose): DeclaredPoseReport {
  return { ...referencePoseReport(map, reference), ground, heightMeters: height, hipsHeight };
}

/**
 * Reports a humanoid. Rotations and lengths are not rounded, so that programs can compute with them.
 *
 * @param part Its skeleton.
 * @param index Index among the skeletons of the file.
 * @returns The report.
 */
export function reportHumanoid(humanoid: Humanoid, part: AssetSkeleton, index: number): HumanoidReport {
  const { map, reference, declaredPose, frame } = humanoid;
  return {
    skeleton: part.skeleton.name,
    skeletonIndex: index,
    humanoid: true,
    mapFrom: map.from,
    bones: reportBones(map, part),
    referencePose: referencePoseReport(map, reference),
    ...(declaredPose === undefined ? {} : { declaredPose: declaredPoseReport(map, declaredPose) }),
    facing: directionReport(frame, [0, 0, 1]),
    up: directionReport(frame, [0, 1, 0]),
    frame: quaternionAt(frame, 0),
    metersPerUnit: humanoid.metersPerUnit,
    ground: humanoid.ground,
    heightMeters: humanoid.height,
    hipsHeight: humanoid.hipsHeight,
  };
}
