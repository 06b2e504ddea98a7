/** A foot of both characters while its changes are being found. */
import * as vec3 from '../../math/vec3.ts';
import { FREE_EXTENSION } from '../constants.ts';
import type { LegFrames } from '../frames/character-frames.ts';
import { smoothstep } from '../paths/ease.ts';
import { smoothMaximum } from '../paths/smooth.ts';
import type { Timing } from '../paths/timing.ts';
import type { FootLimits, FootPath } from './foot-goals.ts';
import { extensionAt } from './reach.ts';

/** Greatest extension of a leg that is not as straight in either motion: beyond it the angle of the knee changes much with the distance. */
const STRAIGHT_EXTENSION = 0.993;
/** Greatest extension of a leg that would have to reach much further than it can: the knee of a leg that is straight for a moment bends too fast before and after. */
const STRAINED_EXTENSION = 0.97;
/** Wanted extensions: up to the first a leg is not strained, from the second on it is. */
const WITHIN_REACH = 1.05;
const OUT_OF_REACH = 1.2;
/** Standard deviation with which the strain is smoothed, seconds. */
const STRAIN_SIGMA = 0.1;
/** Least length of a leg in a frame, relative to its length in the reference pose: one that a damaged motion folds into a point reaches nowhere. */
const LEAST_LENGTH = 1e-3;

/** How far a leg is stretched in every frame, measured once. */
interface LegStretch {
  /** Length of the leg of the target, meters. */
  readonly lengths: Float64Array;
  /** Distance from hip to ankle relative to the length of the leg: of both characters the greater one. */
  readonly longest: Float64Array;
  /** Of both characters the smaller one. */
  readonly shortest: Float64Array;
}

/** Measures how far a leg is stretched. */
export function measureStretch(from: LegFrames, to: LegFrames): LegStretch {
  const count = to.hip.length / 3;
  const [lengths, longest, shortest] = [new Float64Array(count), new Float64Array(count), new Float64Array(count)];
  for (let frame = 0; frame < count; frame++) {
    const [source, target] = [extensionAt(from, frame), extensionAt(to, frame)];
    lengths[frame] = Math.max(legLengthAt(to, frame), LEAST_LENGTH * to.leg.length);
    longest[frame] = Math.max(source, target);
    shortest[frame] = Math.min(source, target);
  }
  return { lengths, longest, shortest };
}

export interface Foot {
  readonly from: LegFrames;
  /** The leg of the target after plain retargeting. */
  readonly to: LegFrames;
  /** How far both legs are stretched. */
  readonly stretch: LegStretch;
  /** How much it bears the body, 0…1 per frame: hips are raised and lowered for it by as much. */
  readonly bearing: Float64Array;
  readonly path: FootPath;
  /** Positions that it must keep to; changed as they are found. */
  readonly limits: FootLimits;
  /** Height of its lowest point above the ground without its vertical offset, meters per frame: of plain retargeting, corrected for the rotation of the shin. */
  readonly clearance: Float64Array;
  /** How much the steps of the source are too long for the leg, 0…1 per frame. */
  readonly strain: Float64Array;
  /** Vertical offset from plain retargeting that the foot wants, meters per frame. */
  lifts: Float64Array;
  /** Horizontal offset from plain retargeting: x and z per frame, meters. */
  shift: Float64Array;
}

function legLengthAt({ hip, knee, ankle }: LegFrames, frame: number): number {
  return vec3.distance(hip, 3 * frame, knee, 3 * frame) + vec3.distance(knee, 3 * frame, ankle, 3 * frame);
}

/**
 * Finds the raised hip joint, and where the ankle goes.
 *
 * @param hip Receives the hip joint, xyz.
 * @param goal Receives the wanted position of the ankle, xyz.
 * @param raise How much the hips are raised, meters per frame.
 * @param lifts Vertical offset of the foot from plain retargeting, meters per frame.
 */
export function findHipAndGoal(
  hip: Float64Array,
  goal: Float64Array,
  { to, shift }: Pick<Foot, 'to' | 'shift'>,
  raise: Float64Array,
  lifts: Float64Array,
  frame: number,
): void {
  vec3.copy(hip, 0, to.hip, 3 * frame);
  hip[1] += raise[frame];
  vec3.copy(goal, 0, to.ankle, 3 * frame);
  goal[0] += shift[2 * frame];
  goal[1] += lifts[frame];
  goal[2] += shift[2 * frame + 1];
}

/**
 * Returns the extension that a leg may have in a frame: that of either character, or {@link FREE_EXTENSION}; at most 1.
 *
 * @returns Distance from hip to ankle relative to the length of the leg.
 */
function freeExtension({ stretch }: Foot, frame: number): number {
  return Math.min(1, Math.max(FREE_EXTENSION, stretch.longest[frame]));
}

const hip = new Float64Array(3);
const goal = new Float64Array(3);

/** Finds how much the steps of the source are too long for a leg. */
export function findStrain(foot: Omit<Foot, 'strain'>, { step, loops }: Timing): Float64Array {
  const { stretch, path, lifts } = foot;
  const unraised = new Float64Array(lifts.length);
  const strain = new Float64Array(lifts.length);
  for (let frame = 0; frame < strain.length; frame++) {
    findHipAndGoal(hip, goal, foot, unraised, lifts, frame);
    const extension = vec3.distance(goal, 0, hip, 0) / stretch.lengths[frame];
    strain[frame] = path.touching[frame] * smoothstep(WITHIN_REACH, OUT_OF_REACH, extension);
  }
  return strain.some((one) => one > 0) ? smoothMaximum(strain, STRAIN_SIGMA, step, loops) : strain;
}

/**
 * Returns the extension that a leg which neither character stretches as far approaches where its foot is out of reach: the distance from hip to ankle
 * relative to the length of the leg.
 */
export function straightExtension({ strain }: Foot, frame: number): number {
  return STRAIGHT_EXTENSION - strain[frame] * (STRAIGHT_EXTENSION - STRAINED_EXTENSION);
}

/**
 * Returns how far a leg may reach in a frame: as far as that of either character; less where the steps of the source are too long for it. The
 * distance from hip to ankle, meters.
 */
export function reachAt(foot: Foot, frame: number): number {
  const free = freeExtension(foot, frame);
  return (free - foot.strain[frame] * Math.max(0, free - STRAINED_EXTENSION)) * foot.stretch.lengths[frame];
}
