import type { Clip } from '../animation/clip.ts';
import { clipWithoutReflections } from '../animation/reflect-clip.ts';
import type { Floats } from '../math/floats.ts';
import { type Issue, issue } from '../report/issue.ts';
import { axisSign, findReflections, type PoseSigns, withoutReflections } from '../skeleton/reflections.ts';
import type { Skeleton } from '../skeleton/skeleton.ts';
import { BONE } from './bones.ts';
import { findShear } from './find-shear.ts';
import type { BoneMap, DeclaredHumanoid, DeclaredPose, Humanoid, ReferencePose } from './humanoid.ts';
import { inferJointHierarchy } from './infer-joint-hierarchy.ts';
import { withoutControls } from './mapping/deforming-rig.ts';
import { type BoneMapping, mapBones } from './mapping/map-bones.ts';
import { whyNotHumanoid } from './mapping/why-not-humanoid.ts';
import { measureReference, type ReferenceMeasures } from './measure-reference.ts';
import { reflected } from './straight-humanoid.ts';
import type { BoundVertices } from './t-pose/bound-vertices.ts';
import { once } from './t-pose/estimate-t-pose.ts';
import { type FileReferencePose, findReferencePose, type PoseChoice } from './t-pose/find-reference-pose.ts';
import { type ModelPose, toModelPose } from './t-pose/model-pose.ts';
import type { UnitSource } from './t-pose/unit.ts';

/** What is known about a skeleton besides its joints. Everything is optional. */
export interface DescribeOptions {
  /** The humanoid that the format declares (VRM, VRMA, EXT_skeleton_humanoid, KHR_character); null without. */
  readonly declared?: DeclaredHumanoid | null;
  /** A user-supplied bone map. It is used as it is, even where names or posture contradict it. */
  readonly map?: BoneMap;
  /** Which pose becomes the reference pose; `auto` by default. */
  readonly pose?: PoseChoice;
  /** Whether the map explains each bone (`map.choices`), which takes some milliseconds; false by default. */
  readonly explain?: boolean;
  /** A motion of this character. Its first frame is a candidate for the reference pose, and its feet show the ground. */
  readonly motion?: Clip | null;
  /** Clips that contain a single pose (a T-pose stored as an animation): candidates for the pose that the estimator starts from. */
  readonly poses?: readonly Clip[];
  /** The pose in which no node is rotated from its own axes, local, 10 floats per node (`AssetSkeleton.zeroPose`): the start where the file has no pose at rest. */
  readonly zeroPose?: Floats;
  /** Returns the vertices of the character, for soles and for hands without fingers. Called only where names or joints are ambiguous. */
  readonly vertices?: () => BoundVertices | null;
  /** The up axis that the format or the file declares, unit length; used for skeletons without a recognizable front. +Y by default. */
  readonly up?: ArrayLike<number> | null;
  /** Meters per unit when the format or the file declares it (glTF: 1); null otherwise. */
  readonly metersPerUnit?: number | null;
  /** Whether the format or a field of the file (FBX) declares the unit. An implausible field is reported. `format` by default. */
  readonly unitSource?: UnitSource;
}

/** A humanoid, or the reason why the skeleton is not one. */
export type HumanoidDescription =
  | {
      /** The humanoid. */
      readonly humanoid: Humanoid;
      /** Null: the skeleton is a humanoid. */
      readonly reason: null;
      /** What was unusual or guessed. */
      readonly issues: readonly Issue[];
    }
  | {
      /** Null: the skeleton is not a humanoid. */
      readonly humanoid: null;
      /** Why the skeleton is not a humanoid. */
      readonly reason: string;
      /** What was unusual or guessed. */
      readonly issues: readonly Issue[];
    };

const Y_UP = [0, 1, 0];

interface MappedSkeleton {
  /** The skeleton, with an inferred hierarchy where the file has none. */
  readonly skeleton: Skeleton;
  readonly isInferred: boolean;
  readonly map: BoneMap;
  /** Why the skeleton is not a humanoid; null when it is. */
  readonly reason: string | null;
  readonly issues: readonly Issue[];
}

function findMap(skeleton: Skeleton, options: DescribeOptions): Omit<BoneMapping, 'missing'> {
  if (options.map !== undefined) return { map: options.map, issues: [], shapeRefusal: null };
  const declared = options.declared;
  if (!declared) {
    const { motion = null, explain = false, vertices } = options;
    return mapBones(skeleton, { motion, explain, ...(vertices && { vertices }) });
  }
  const confidence = Float32Array.from(declared.nodes, (node) => (node >= 0 ? 1 : 0));
  return { map: { nodes: declared.nodes, confidence, from: declared.format }, issues: [], shapeRefusal: null };
}

/** Why a mapped skeleton is not a humanoid; null when it is. User-supplied and declared maps need only hips. */
function reasonAgainst(
  skeleton: Skeleton,
  { map, shapeRefusal }: Omit<BoneMapping, 'missing'>,
  options: DescribeOptions,
): string | null {
  if (map.nodes[BONE.hips] < 0) return whyNotHumanoid(skeleton, map, undefined, shapeRefusal) ?? 'it has no hips';
  if (options.map !== undefined || options.declared) return null;
  return whyNotHumanoid(skeleton, map, undefined, shapeRefusal);
}

/** Step 1: maps the bones, and infers the joint hierarchy where the file has none. */
function mapSkeleton(input: Skeleton, options: DescribeOptions): MappedSkeleton {
  const found = findMap(input, options);
  const { map } = found;
  const issues = [...found.issues];
  const inferred = inferJointHierarchy(input, map.nodes, options.up ?? Y_UP);
  if (inferred !== null) {
    issues.push(
      issue(
        'JOINT_HIERARCHY_INFERRED',
        'No bone joint is parented to another, and the rest pose of the flat hierarchy is not that of a person, or not that of the bind pose. Every bone was parented to its parent in ' +
          'the humanoid hierarchy. Write the joints as paths ("Hips/Spine"), as other readers require.',
      ),
    );
  }
  const skeleton = withoutControls(inferred ?? input, map.nodes, options.vertices ?? (() => null));
  return { skeleton, isInferred: inferred !== null, map, reason: reasonAgainst(skeleton, found, options), issues };
}

/** Step 2: finds the reference pose, in units of the file; a reason when the requested pose is missing or has no front. */
function poseSkeleton(
  { skeleton, map, isInferred }: MappedSkeleton,
  options: DescribeOptions,
): FileReferencePose | string {
  const { zeroPose } = options;
  const vertices = once(options.vertices ?? (() => null));
  return findReferencePose(skeleton, map.nodes, options.pose ?? 'auto', {
    declared: options.declared ?? null,
    motion: options.motion ?? null,
    poses: options.poses ?? [],
    zeroPose:
      // A hierarchy that was inferred has other local spaces than the file.
      zeroPose === undefined || isInferred
        ? null
        : toModelPose('joints without rotation', skeleton.parents, Float64Array.from(zeroPose)),
    vertices,
    up: options.up ?? null,
    isBound: () => options.vertices === undefined || vertices() !== null,
  });
}

/** Step 3: finds unit, ground and heights; the positions of the reference pose become meters. */
function measureSkeleton(
  { skeleton, map }: MappedSkeleton,
  reference: FileReferencePose,
  options: Pick<DescribeOptions, 'motion' | 'metersPerUnit' | 'unitSource'>,
): ReferenceMeasures {
  return measureReference(skeleton, map.nodes, reference, {
    motion: options.motion ?? null,
    metersPerUnit: options.metersPerUnit ?? null,
    unitSource: options.unitSource ?? 'format',
  });
}

/** A reference pose whose positions are in meters, with its deviations. */
function toReferencePose(
  { kind, from, pose, findings }: FileReferencePose,
  { deviationDegrees, startDeviationDegrees }: ReferenceMeasures,
): ReferencePose {
  const { rotations, positions } = pose;
  const found = findings === null ? {} : { findings };
  return { kind, from, rotations, positions, deviationDegrees, startDeviationDegrees, ...found };
}

/** The declared pose as it is, where the reference pose is that pose straightened. */
function keepDeclaredPose(
  mapped: MappedSkeleton,
  { declared, asDeclared }: FileReferencePose,
  { metersPerUnit }: ReferenceMeasures,
): { declaredPose?: DeclaredPose } {
  if (declared === null || asDeclared === null) return {};
  const measures = measureSkeleton(mapped, asDeclared, { metersPerUnit });
  const { ground, hipsHeight, height } = measures;
  const reference = toReferencePose(asDeclared, measures);
  return { declaredPose: { format: declared.format, reference, ground, hipsHeight, height } };
}

/** Degrees off a T-pose of both legs and of both arms from which a skeleton without names is an animal: humans who sit on a chair have 90 and 90. */
const ANIMAL_LEGS = 100;
const ANIMAL_ARMS = 60;

/** Explains why the pose of a skeleton that only its shape identifies is not human: an animal on its hind legs has the proportions, but not the pose. */
function whyNoHumanPose({ startDeviationDegrees }: ReferenceMeasures): string | null {
  const { leftLeg = 0, rightLeg = 0, leftArm = 0, rightArm = 0 } = startDeviationDegrees;
  const [legs, arms] = [Math.min(leftLeg, rightLeg), Math.min(leftArm, rightArm)];
  if (!(legs > ANIMAL_LEGS && arms > ANIMAL_ARMS)) return null;
  return `its shape: as a humanoid, its legs would be ${legs.toFixed(0)}° and its arms ${arms.toFixed(0)}° off a T-pose, as those of an animal are`;
}

/** Step 4: puts the humanoid together, with the issues of all steps in their order. */
function assembleHumanoid(mapped: MappedSkeleton, reference: FileReferencePose, measures: ReferenceMeasures): Humanoid {
  const { skeleton, map, issues } = mapped;
  const { basePose, frame } = reference;
  return {
    skeleton,
    map,
    reference: toReferencePose(reference, measures),
    ...keepDeclaredPose(mapped, reference, measures),
    basePose,
    frame,
    metersPerUnit: measures.metersPerUnit,
    ground: measures.ground,
    hipsHeight: measures.hipsHeight,
    height: measures.height,
    issues: [...issues, ...reference.issues, ...measures.issues, ...findShear(skeleton, map.nodes)],
  };
}

/**
 * Describes a skeleton as a humanoid: finds its bones, its reference pose, and its unit, ground and heights.
 *
 * The reference pose is the chosen one, else the declared one, else the best of bind, node and first-frame pose. The latter is corrected to an
 * exact T-pose; a pose that VRM or VRM Animation declares is, too, where it is within 25° of one.
 *
 * @param skeleton Any skeleton. An Asset holds those of its file (`asset.skeletons`).
 * @param options What the format, the file and the user know about it.
 * @returns The humanoid; or null with a reason when the skeleton is not a humanoid or the requested pose does not exist. Never throws for a
 *   non-humanoid skeleton.
 * @example
 * ```ts
 * const { skeleton, declared } = asset.skeletons[0];
 * const { humanoid, reason } = describeHumanoid(skeleton, { declared, metersPerUnit: asset.metersPerUnit });
 * if (humanoid === null) throw new Error(`Not a humanoid: ${reason}`);
 * console.log(humanoid.height, humanoid.reference.kind);
 * ```
 */
export function describeHumanoid(skeleton: Skeleton, options: DescribeOptions = {}): HumanoidDescription {
  const mapped = mapSkeleton(skeleton, options);
  if (mapped.reason !== null) return { humanoid: null, reason: mapped.reason, issues: mapped.issues };
  const signs = findReflections(mapped.skeleton);
  const straight = { ...mapped, skeleton: withoutReflections(mapped.skeleton, signs) };
  const known = signs === null ? options : reflectOptions(options, signs, straight.skeleton);
  const reference = poseSkeleton(straight, known);
  if (typeof reference === 'string') return { humanoid: null, reason: reference, issues: mapped.issues };
  const measures = measureSkeleton(straight, reference, known);
  const odd = straight.map.from === 'shape' ? whyNoHumanPose(measures) : null;
  if (odd !== null) return { humanoid: null, reason: odd, issues: mapped.issues };
  const described = assembleHumanoid(straight, reference, measures);
  const basePose = described.basePose === null ? null : reflected(described.basePose, signs);
  const humanoid = { ...described, skeleton: mapped.skeleton, basePose };
  return { humanoid, reason: null, issues: humanoid.issues };
}

/** What is known about a skeleton with negative scales, for the same skeleton without them. */
function reflectOptions(options: DescribeOptions, signs: PoseSigns, { parents, rest }: Skeleton): DescribeOptions {
  const { pose, motion, poses = [], zeroPose, vertices, declared } = options;
  const toModel = ({ from, local }: ModelPose): ModelPose => toModelPose(from, parents, reflected(local, signs));
  const toClip = (clip: Clip): Clip => clipWithoutReflections(clip, signs, rest);
  return {
    ...options,
    ...(motion ? { motion: toClip(motion) } : {}),
    poses: poses.map(toClip),
    ...(zeroPose === undefined ? {} : { zeroPose: reflected(zeroPose, signs) }),
    ...(typeof pose !== 'object'
      ? {}
      : { pose: 'start' in pose ? { start: toModel(pose.start) } : 'local' in pose ? toModel(pose) : pose }),
    ...(declared?.pose === undefined ? {} : { declared: { ...declared, pose: reflected(declared.pose, signs) } }),
    ...(vertices === undefined
      ? {}
      : {
          vertices: () => {
            const bound = vertices();
            return bound && reflectVertices(bound, signs);
          },
        }),
  };
}

/** Vertices in the spaces of the nodes of a skeleton without reflections. */
function reflectVertices(bound: BoundVertices, signs: PoseSigns): BoundVertices {
  const { positions, nodes } = bound;
  const converted = Float64Array.from(positions, (value, k) => {
    return value * axisSign(signs, nodes[Math.floor(k / 3)], k % 3);
  });
  return { ...bound, positions: converted };
}
