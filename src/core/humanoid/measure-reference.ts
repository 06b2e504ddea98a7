import type { Clip } from '../animation/clip.ts';
import { type Issue, issue } from '../report/issue.ts';
import type { Skeleton } from '../skeleton/skeleton.ts';
import { BONE } from './bones.ts';
import { isHipsHeightUsable } from './hips-height.ts';
import type { DeclaredHumanoid, Humanoid, Limb } from './humanoid.ts';
import { pelvisPosition } from './pelvis.ts';
import { FEET, highestBoneHeight, lowestFootHeight, moveBones } from './t-pose/bone-pose.ts';
import type { FileReferencePose } from './t-pose/find-reference-pose.ts';
import { MAX_REST_DEVIATION } from './t-pose/leg-stance.ts';
import { findMotionGround } from './t-pose/motion-statistics.ts';
import { deviationFromTPose } from './t-pose/t-pose-chains.ts';
import { guessUnit, type UnitSource } from './t-pose/unit.ts';

/** Range of heights, as fractions of the hips height, in which a foot joint counts as standing on y = 0: soles are thick, shoes have heels. */
const LOWEST_ON_GROUND = -0.05;
const HIGHEST_ON_GROUND = 0.4;
/** The same above which the motion is asked whether the feet are so high or the pose floats: ankles of people without toes are at 0.1. */
const HIGHEST_UNASKED = 0.12;

/** Checks whether a character stands on the ground y = 0. `hips`: height of the hips, same unit. */
export function isOnZeroGround(foot: number, hips: number): boolean {
  return hips > 0 && foot >= LOWEST_ON_GROUND * hips && foot <= HIGHEST_ON_GROUND * hips;
}

/** Finds the height of the ground. `hips`: height of the hips, same unit. */
export function findGroundHeight(foot: number, hips: number): number {
  return isOnZeroGround(foot, hips) ? 0 : foot;
}

/** Bones whose joints are below the hips: without them the lowest joint, such as the hips of a map that is being made, is no ground. */
const BELOW_HIPS = [...FEET, BONE.leftLowerLeg, BONE.rightLowerLeg];

/** Degrees that each limb deviates from a T-pose; only limbs that are present. */
type LimbDegrees = Readonly<Partial<Record<Limb, number>>>;

interface MeasureOptions {
  /** The motion of the character, whose feet show the ground; null without. */
  readonly motion: Clip | null;
  /** Meters per unit that the format or the file declares; null when neither does. */
  readonly metersPerUnit: number | null;
  /** Whether the format or the file declares the unit. */
  readonly unitSource: UnitSource;
}

export interface ReferenceMeasures extends Pick<Humanoid, 'metersPerUnit' | 'ground' | 'hipsHeight' | 'height'> {
  readonly deviationDegrees: LimbDegrees;
  /** Deviation of the pose that the estimator started from. */
  readonly startDeviationDegrees: LimbDegrees;
  /** What is unusual: the pose it was estimated from, unit, ground and hips, in this order. */
  readonly issues: readonly Issue[];
}

/**
 * Moves a reference pose whose feet are far from y = 0 onto the ground of its motion, when that ground is y = 0. A BVH has its root at the
 * origin or where the take began in the zero pose, and at its true height in the motion. Returns the offset.
 */
function alignWithMotion(skeleton: Skeleton, nodes: Int32Array, motion: Clip, reference: FileReferencePose): number {
  const { positions } = reference.pose;
  const foot = lowestFootHeight(positions, nodes);
  const hips = pelvisPosition(nodes, positions)[1];
  const isStanding = isOnZeroGround(foot, hips) && foot <= HIGHEST_UNASKED * hips;
  if (!isGroundChecked(reference.declared) || isStanding) return 0;
  const ground = findMotionGround(skeleton, nodes, motion, reference.frame);
  if (!isOnZeroGround(ground, hips - foot + ground) || Math.abs(ground - foot) < Math.abs(ground)) return 0;
  moveBones(positions, nodes, [0, ground - foot, 0]);
  return ground - foot;
}

/** Tells whether a motion may show that a reference pose is not on its ground: not of humanoid clips and joint positions, whose rigs are ours, and not without feet. */
function isGroundChecked(declared: DeclaredHumanoid | null): boolean {
  if (declared?.format === 'points') return false;
  return declared === null || (declared.format !== 'ext' && FEET.some((bone) => declared.nodes[bone] >= 0));
}

/** Height of the ground of a file that declares nothing, units of the file. */
function estimatedGround(nodes: Int32Array, foot: number, hips: number): number {
  const isOpen = hips > 0 && BELOW_HIPS.every((bone) => nodes[bone] < 0);
  return isOpen ? 0 : findGroundHeight(foot, hips);
}

function declaredGround({ ground, nodes }: DeclaredHumanoid, foot: number, hips: number): number {
  if (ground === undefined) return 0;
  const hasFeet = FEET.some((bone) => nodes[bone] >= 0);
  return !hasFeet || isOnZeroGround(foot - ground, hips - ground) ? ground : findGroundHeight(foot, hips);
}

/** Reports an estimate from poses in motion: limbs become an exact T, but trunk, neck, head, wrists and feet are those of the motion. */
function reportStart({ kind, from, declared, isMoving }: FileReferencePose, deviation: LimbDegrees): Issue[] {
  const { leftLeg = 0, rightLeg = 0 } = deviation;
  const isStride = kind === 'estimated' && declared === null && Math.max(leftLeg, rightLeg) > MAX_REST_DEVIATION;
  if (!isMoving && !isStride) return [];
  const limbs = Object.entries(deviation).filter(([limb]) => /Arm|Leg/.test(limb));
  const listed = limbs.map(([limb, degrees]) => `${limb} ${degrees.toFixed(0)}°`).join(', ');
  return [
    issue(
      'POSE_NOT_AT_REST',
      `The reference pose was estimated from a pose in motion (${from}, from a T-pose: ${listed}). ` +
        `Trunk, neck, head, wrists and feet come from that pose${isMoving ? ', and the front of the file is taken as that of the rig' : ''}. ` +
        'Supply a T-pose of the same rig from another file as the reference pose if they come out bent.',
    ),
  ];
}

/** Any of these bones, together with hips, shows how tall a character is. */
const BONES_OF_HEIGHT = [BONE.head, BONE.neck, BONE.leftFoot, BONE.rightFoot, BONE.leftLowerLeg, BONE.rightLowerLeg];

/** Reports a unit other than the declared one. `extent`: height of the character in units of the file. */
function reportUnit(
  metersPerUnit: number,
  extent: number,
  { metersPerUnit: declared, unitSource }: MeasureOptions,
): Issue[] {
  if (metersPerUnit === declared) return [];
  const unit = `${Number(metersPerUnit.toPrecision(4))} m`;
  if (declared !== null && unitSource === 'file') {
    return [
      issue(
        'UNIT_IMPLAUSIBLE',
        `The file declares one unit as ${declared} m, which makes the character ${(extent * declared).toPrecision(3)} m tall. ` +
          `One unit was taken as ${unit}, the most plausible scale. Correct the unit in the file if the size is wrong.`,
      ),
    ];
  }
  return [
    issue(
      'UNIT_GUESSED',
      `The character is ${extent.toPrecision(3)} units tall, and no plausible unit is declared. One unit was taken as ${unit}. ` +
        'Scale the character to meters in the file if the size is wrong.',
    ),
  ];
}

/** Reports a ground that was not found at y = 0. `ground`: meters. */
function reportGround(isMoved: boolean, ground: number): Issue[] {
  if (isMoved) {
    return [
      issue(
        'GROUND_GUESSED',
        'The feet of the reference pose are far from y = 0, but the motion walks on y = 0. The reference pose was moved onto y = 0. ' +
          'Choose a frame of the motion as the reference pose if the height is wrong.',
      ),
    ];
  }
  if (ground === 0) return [];
  return [
    issue(
      'GROUND_GUESSED',
      `The feet of the reference pose are not at y = 0. The ground was taken at y = ${ground.toPrecision(4)} m, the height of the lowest foot. ` +
        'Move the character onto y = 0 in the file if the height is wrong.',
    ),
  ];
}

function reportHips(hipsHeight: number, extent: number): Issue[] {
  if (isHipsHeightUsable(hipsHeight, extent)) return [];
  return [
    issue(
      'HIPS_HEIGHT_ZERO',
      `The hips of the reference pose are ${hipsHeight.toPrecision(3)} m above the ground; expected more than 1 % of the height. ` +
        'Hips translation is copied without scaling. Choose a reference pose in which the character is upright.',
    ),
  ];
}

/**
 * Measures a reference pose and converts it in place: its positions are moved onto the ground of the motion where needed and scaled to meters.
 * `reference`: the reference pose in units of the file; its positions become meters. `options`: the declared unit and the motion.
 */
export function measureReference(
  skeleton: Skeleton,
  nodes: Int32Array,
  reference: FileReferencePose,
  options: MeasureOptions,
): ReferenceMeasures {
  const { positions } = reference.pose;
  const raised = options.motion === null ? 0 : alignWithMotion(skeleton, nodes, options.motion, reference);
  const foot = lowestFootHeight(positions, nodes);
  const hips = pelvisPosition(nodes, positions)[1];
  const { declared } = reference;
  const ground = declared === null ? estimatedGround(nodes, foot, hips) : declaredGround(declared, foot, hips);
  const extent = highestBoneHeight(positions, nodes) - Math.min(foot, ground);
  // Upper legs alone, as in humanoid clips of a few bones, say nothing about the size of the character.
  const isWhole = BONES_OF_HEIGHT.some((bone) => nodes[bone] >= 0);
  const metersPerUnit = guessUnit(isWhole ? extent : 0, options.metersPerUnit, options.unitSource);
  const hipsHeight = (hips - ground) * metersPerUnit;
  const deviationDegrees = deviationFromTPose(positions, nodes);
  const startDeviationDegrees =
    reference.start === positions ? deviationDegrees : deviationFromTPose(reference.start, nodes);
  for (let k = 0; k < positions.length; k++) positions[k] *= metersPerUnit;
  return {
    metersPerUnit,
    ground: ground * metersPerUnit,
    hipsHeight,
    height: highestBoneHeight(positions, nodes) - ground * metersPerUnit,
    deviationDegrees,
    startDeviationDegrees,
    issues: [
      ...reportStart(reference, startDeviationDegrees),
      ...reportUnit(metersPerUnit, extent, options),
      ...reportGround(raised !== 0, ground * metersPerUnit),
      ...reportHips(hipsHeight, extent * metersPerUnit),
    ],
  };
}
