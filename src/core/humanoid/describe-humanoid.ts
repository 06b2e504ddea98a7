/** From a skeleton to a humanoid: bone map, reference pose, frame, unit, ground and heights, each with where it came from. */
import type { Clip } from '../animation/clip.ts';
import { type Issue, issue } from '../report/issue.ts';
import type { Skeleton } from '../skeleton/skeleton.ts';
import { BONE } from './bones.ts';
import { hangOnBones } from './hang-joints.ts';
import type { BoneMap, DeclaredHumanoid, Humanoid, Limb } from './humanoid.ts';
import { mapBones } from './mapping/map-bones.ts';
import { whyNotHumanoid } from './mapping/refuse.ts';
import type { BoundPoints } from './reference/bound-points.ts';
import { type PoseChoice, type Reference, referenceOf } from './reference/choose-reference.ts';
import { groundHeight, guessUnit, standsOnZero, type UnitSource } from './reference/ground.ts';
import { groundOfMotion } from './reference/motion-stance.ts';
import { highestBone, lowestFoot, raise } from './reference/reference-pose.ts';
import { STRIDE_LIMIT } from './reference/stance.ts';
import { deviationFromTPose } from './reference/t-pose.ts';

export interface DescribeOptions {
  /** What the format says. */
  readonly declared?: DeclaredHumanoid | null;
  /** A bone map of the caller's; it is believed, also where names or posture speak against it. */
  readonly map?: BoneMap;
  readonly pose?: PoseChoice;
  /** Whether the map is to say why, bone by bone (`map.choices`), which takes some milliseconds; not so by default. */
  readonly explain?: boolean;
  /** The motion that this body plays: its first frame may serve as reference pose, its feet show the ground. */
  readonly motion?: Clip | null;
  /** Clips that hold nothing but a pose (a T-pose that is kept as an animation): candidates for the pose that the estimator starts from. */
  readonly poses?: readonly Clip[];
  /** Vertices of the body, for soles and for hands without fingers; called only where joints leave a doubt. */
  readonly points?: () => BoundPoints | null;
  /** What the format or the file says is up, unit length; for a body in a chosen pose that shows no front itself. +Y by default. */
  readonly up?: ArrayLike<number> | null;
  /** Meters of one unit when the format or the file says so (glTF: 1); null when it does not. */
  readonly metersPerUnit?: number | null;
  /** Who says so; a field of a file (FBX) that makes no sense is a mistake worth a warning. The format by default. */
  readonly unitSource?: UnitSource;
}

/** A humanoid, or the reason why there is none. */
export type Description =
  | { readonly humanoid: Humanoid; readonly reason: null; readonly issues: readonly Issue[] }
  | { readonly humanoid: null; readonly reason: string; readonly issues: readonly Issue[] };

/** A limb of a declared pose further off than this is reported, degrees. */
const DECLARED_LIMIT = 20;
const Y_UP = [0, 1, 0];
/** What is said of joints that should hang on each other. */
const HUNG =
  'None of the joints that are bones hangs on another one, and as they stand they make no upright body: every one was taken to hang on ' +
  'the joint of the bone above it, as its rest transform is only right there. Write the joints as paths ("Hips/Spine"), as players read them.';
/** Hips lower than this above the ground, relative to the extent of the body, give no scale. */
const LEAST_HIPS = 0.01;

interface Mapped {
  readonly map: BoneMap;
  readonly issues: readonly Issue[];
  /** What about its shape is not human; null where it is, or was not looked at. */
  readonly shapeless: string | null;
}

function mapOf(skeleton: Skeleton, options: DescribeOptions): Mapped {
  if (options.map !== undefined) return { map: options.map, issues: [], shapeless: null };
  const declared = options.declared;
  if (!declared) return mapBones(skeleton, { motion: options.motion ?? null, explain: options.explain ?? false });
  const confidence = Float32Array.from(declared.nodes, (node) => (node >= 0 ? 1 : 0));
  return { map: { nodes: declared.nodes, confidence, from: declared.format }, issues: [], shapeless: null };
}

function reasonAgainst(skeleton: Skeleton, { map, shapeless }: Mapped, options: DescribeOptions): string | null {
  if (map.nodes[BONE.hips] < 0) return whyNotHumanoid(skeleton, map, undefined, shapeless) ?? 'it has no hips';
  if (options.map !== undefined || options.declared) return null;
  return whyNotHumanoid(skeleton, map, undefined, shapeless);
}

/**
 * Seats a reference pose whose feet are far from y = 0 on the ground of its motion, when that is y = 0: a BVH has its root at the
 * origin in the zero pose and at its true height in the motion. Returns by how much it was raised.
 */
function seatOnMotion(skeleton: Skeleton, nodes: Int32Array, motion: Clip, reference: Reference): number {
  const { positions } = reference.turned;
  const foot = lowestFoot(positions, nodes);
  const hips = positions[3 * BONE.hips + 1];
  if (reference.kind === 'declared' || standsOnZero(foot, hips)) return 0;
  const ground = groundOfMotion(skeleton, nodes, motion, reference.frame);
  if (!standsOnZero(ground, hips - foot + ground) || Math.abs(ground - foot) < Math.abs(ground)) return 0;
  raise(positions, nodes, ground - foot);
  return ground - foot;
}

const FEET = [BONE.leftFoot, BONE.rightFoot, BONE.leftToes, BONE.rightToes];

/** Height of the ground that a format gives, units of the file. */
function declaredGround({ ground, nodes }: DeclaredHumanoid, foot: number, hips: number): number {
  if (ground === undefined) return 0;
  const hasFeet = FEET.some((bone) => nodes[bone] >= 0);
  return !hasFeet || standsOnZero(foot - ground, hips - ground) ? ground : groundHeight(foot, hips);
}

function reportDeclared(deviation: Readonly<Partial<Record<Limb, number>>>): Issue[] {
  const off = Object.entries(deviation).filter(([, degrees]) => degrees > DECLARED_LIMIT);
  if (off.length === 0) return [];
  const limbs = off.map(([limb, degrees]) => `${limb} ${degrees.toFixed(1)}°`).join(', ');
  return [
    issue(
      'DECLARED_POSE_NOT_T',
      `The declared reference pose is obeyed although it is no T-pose: ${limbs} off. Choose another pose if limbs come out bent.`,
    ),
  ];
}

/** Legs as far off a T-pose as nobody stands at rest: arms and legs are made T all the same, the rest of the body is not. */
function reportStart({ kind, from }: Reference, deviation: Readonly<Partial<Record<Limb, number>>>): Issue[] {
  const { leftLeg = 0, rightLeg = 0 } = deviation;
  if (kind !== 'estimated' || Math.max(leftLeg, rightLeg) <= STRIDE_LIMIT) return [];
  return [
    issue(
      'POSE_NOT_AT_REST',
      `The reference pose was estimated from a pose of movement (${from}: left leg ${leftLeg.toFixed(0)}°, right leg ${rightLeg.toFixed(0)}° off a ` +
        'T-pose); shoulders and the curve of the trunk are those of it. A T-pose of the same rig in another file can be given as the pose.',
    ),
  ];
}

/**
 * Describes a skeleton as a humanoid. A skeleton that is none, or lacks the pose that was asked for, gives a reason in plain words
 * (never an exception). Reference pose in the order of design: the caller's, a declared one, else the best of bind, node and
 * first-frame pose put through the estimator.
 */
export function describeHumanoid(given: Skeleton, options: DescribeOptions = {}): Description {
  const mapped = mapOf(given, options);
  const { nodes } = mapped.map;
  const issues: Issue[] = [...mapped.issues];
  const hung = hangOnBones(given, nodes, options.up ?? Y_UP);
  const skeleton = hung ?? given;
  if (hung !== null) issues.push(issue('JOINT_HIERARCHY_INFERRED', HUNG));
  const against = reasonAgainst(skeleton, mapped, options);
  if (against !== null) return { humanoid: null, reason: against, issues };
  const reference = referenceOf(skeleton, nodes, options.pose ?? 'auto', {
    declared: options.declared ?? null,
    motion: options.motion ?? null,
    poses: options.poses ?? [],
    vertices: options.points ?? (() => null),
    up: options.up ?? null,
  });
  if (typeof reference === 'string') return { humanoid: null, reason: reference, issues };
  issues.push(...reference.issues);

  const { positions, rotations } = reference.turned;
  const raised = options.motion ? seatOnMotion(skeleton, nodes, options.motion, reference) : 0;
  const foot = lowestFoot(positions, nodes);
  const hips = positions[3 * BONE.hips + 1];
  const isDeclared = reference.kind === 'declared' && options.declared;
  const ground = isDeclared ? declaredGround(isDeclared, foot, hips) : groundHeight(foot, hips);
  const extent = highestBone(positions, nodes) - Math.min(foot, ground);
  const declaredUnit = options.metersPerUnit ?? null;
  const unitSource = options.unitSource ?? 'format';
  const metersPerUnit = guessUnit(extent, declaredUnit, unitSource);
  const hipsHeight = (hips - ground) * metersPerUnit;
  const deviationDegrees = deviationFromTPose(positions, nodes);
  const startDeviationDegrees =
    reference.start === positions ? deviationDegrees : deviationFromTPose(reference.start, nodes);
  if (reference.kind === 'declared') issues.push(...reportDeclared(deviationDegrees));
  issues.push(...reportStart(reference, startDeviationDegrees));
  if (metersPerUnit !== declaredUnit && declaredUnit !== null && unitSource === 'file') {
    issues.push(
      issue(
        'UNIT_IMPLAUSIBLE',
        `The file says that one unit is ${declaredUnit} m, which makes the body ${(extent * declaredUnit).toPrecision(3)} m ` +
          `tall; one unit is taken as ${Number(metersPerUnit.toPrecision(4))} m.`,
      ),
    );
  } else if (metersPerUnit !== declaredUnit) {
    issues.push(
      issue(
        'UNIT_GUESSED',
        `One unit is taken as ${Number(metersPerUnit.toPrecision(4))} m: the body is ${extent.toPrecision(3)} units tall.`,
      ),
    );
  }
  if (raised !== 0) {
    issues.push(
      issue(
        'GROUND_GUESSED',
        'The reference pose has its feet far from y = 0, but its motion walks there: it was seated on y = 0.',
      ),
    );
  } else if (ground !== 0) {
    issues.push(
      issue(
        'GROUND_GUESSED',
        `The ground is taken at y = ${(ground * metersPerUnit).toPrecision(4)} m, the height of the lowest foot.`,
      ),
    );
  }
  if (!(hipsHeight > LEAST_HIPS * extent * metersPerUnit)) {
    issues.push(
      issue(
        'HIPS_HEIGHT_ZERO',
        'The hips of the reference pose are not above its ground; hips translation is carried over unscaled.',
      ),
    );
  }
  for (let k = 0; k < positions.length; k++) positions[k] *= metersPerUnit;
  const humanoid: Humanoid = {
    skeleton,
    map: mapped.map,
    reference: {
      kind: reference.kind,
      from: reference.from,
      rotations,
      positions,
      deviationDegrees,
      startDeviationDegrees,
      ...(reference.findings === null ? {} : { findings: reference.findings }),
    },
    shape: reference.shape,
    frame: reference.frame,
    metersPerUnit,
    ground: ground * metersPerUnit,
    hipsHeight,
    height: highestBone(positions, nodes) - ground * metersPerUnit,
    issues,
  };
  return { humanoid, reason: null, issues };
}
