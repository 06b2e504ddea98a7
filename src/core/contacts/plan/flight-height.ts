/** How high a character is in the air: as high above the ground as its source, whatever made the hips of the source rise. */
import { SIDES } from '../../humanoid/bones.ts';
import type { CharacterFrames } from '../frames/character-frames.ts';
import { smoothstep } from '../paths/ease.ts';
import { smooth } from '../paths/smooth.ts';
import type { Timing } from '../paths/timing.ts';
import type { ContactPlan } from './contact-plan.ts';

/** Heights above that of the source, relative to the leg: up to the first nothing is done, from the second on all of it is removed. */
const UNSEEN = 0.03;
const FLOATING = 0.1;
/** Heights of the lowest point of the source, relative to its leg: up to the first the source is on the ground, from the second on it is in the air. */
const GROUNDED = 0.005;
const IN_AIR = 0.03;
/** Standard deviation with which the height is smoothed, seconds. */
const SIGMA = 0.06;

/** Height of the lowest point of a character above the ground, meters. */
function lowestAt({ legs, clearance }: CharacterFrames, frame: number): number {
  const feet = SIDES.map((side) => legs[side]?.clearance[frame] ?? Number.POSITIVE_INFINITY);
  return Math.min(clearance[frame], ...feet);
}

/**
 * Finds how far a character in the air is raised: at most 0. Its hips rise by as much as those of the source, scaled. Where legs that stretch lift the hips of the source,
 * as in jumps and blows of stylized characters, legs of constant length would leave the ground; the lowest point may only be as high as that of the source, scaled.
 *
 * @param plan From `planContacts`.
 * @param source The source in all frames.
 * @param target The target in all frames, after plain retargeting.
 * @param timing How the frames follow each other.
 * @returns Meters per frame.
 */
export function findFlightHeight(
  { mode, retarget }: ContactPlan,
  source: CharacterFrames,
  target: CharacterFrames,
  { step, loops }: Timing,
): Float64Array {
  const heights = new Float64Array(source.grid.count);
  const lengthOf = ({ legs }: CharacterFrames): number =>
    Math.max(0, ...SIDES.map((side) => legs[side]?.leg.length ?? 0));
  const [sourceLeg, targetLeg] = [lengthOf(source), lengthOf(target)];
  if (mode === 'ground' || !(sourceLeg > 0 && targetLeg > 0)) return heights;
  for (let frame = 0; frame < heights.length; frame++) {
    const height = lowestAt(source, frame);
    const excess = lowestAt(target, frame) - Math.max(0, retarget.hipsScale * height);
    if (!(excess > UNSEEN * targetLeg && Number.isFinite(excess))) continue;
    const inAir = smoothstep(GROUNDED, IN_AIR, height / sourceLeg);
    if (inAir === 0) continue;
    heights[frame] = -excess * inAir * smoothstep(UNSEEN, FLOATING, excess / targetLeg);
  }
  return heights.some((height) => height < 0) ? smooth(heights, SIGMA, step, loops) : heights;
}
