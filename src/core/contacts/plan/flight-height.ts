import { SIDES } from '../../humanoid/bones.ts';
import type { CharacterFrames } from '../frames/character-frames.ts';
import { smoothstep } from '../paths/ease.ts';
import { smooth, smoothMaximum } from '../paths/smooth.ts';
import type { Timing } from '../paths/timing.ts';
import type { ContactPlan } from './contact-plan.ts';
import type { HeightWish } from './hips-goals.ts';

/** Heights above that of the source, relative to the leg: up to the first nothing is done, from the second on all of it is removed. */
const UNSEEN = 0.01;
const FLOATING = 0.05;
/** Heights of the lowest point of the source, relative to its leg: up to the first the source is on the ground, from the second on it is in the air. */
const GROUNDED = 0.005;
const AIRBORNE = 0.03;
/** Standard deviation with which the time in the air is extended: contacts of the feet take over gradually, seconds. */
const AROUND = 0.1;
/** Standard deviation with which the height is smoothed, seconds. With half of it, the run of Sophia on Xbot is 1.46 times as jerky as with `--contacts off`; with this, 0.96 times. */
const HEIGHT_SIGMA = 0.06;

/** Height of the lowest point of a character above the ground, meters. */
function lowestAt({ legs, clearance }: CharacterFrames, frame: number): number {
  const { left, right } = legs;
  return Math.min(clearance[frame], left?.clearance[frame] ?? Infinity, right?.clearance[frame] ?? Infinity);
}

/**
 * Finds how far a character in the air is raised: at most 0. Its hips rise by as much as those of the source, scaled. Where legs that stretch lift
 * the hips of the source, as in jumps and blows of stylized characters, legs of constant length would leave the ground; the lowest point may only
 * be as high as that of the source, scaled. Returns meters above plain retargeting, and how much they are wanted, per frame.
 */
export function findFlightHeight(
  { mode, retarget }: ContactPlan,
  source: CharacterFrames,
  target: CharacterFrames,
  { step, loops }: Timing,
): HeightWish {
  const heights = new Float64Array(source.grid.count);
  const weights = new Float64Array(source.grid.count);
  const lengthOf = ({ legs }: CharacterFrames): number =>
    Math.max(0, ...SIDES.map((side) => legs[side]?.leg.length ?? 0));
  const [sourceLeg, targetLeg] = [lengthOf(source), lengthOf(target)];
  if (mode === 'ground' || !(sourceLeg > 0 && targetLeg > 0)) return { heights, weights };
  const inAir = new Float64Array(heights.length);
  for (let frame = 0; frame < inAir.length; frame++)
    inAir[frame] = smoothstep(GROUNDED, AIRBORNE, lowestAt(source, frame) / sourceLeg);
  const around = smoothMaximum(inAir, AROUND, step, loops);
  for (let frame = 0; frame < heights.length; frame++) {
    const excess = lowestAt(target, frame) - Math.max(0, retarget.hipsScale * lowestAt(source, frame));
    if (!(around[frame] > 0 && excess > UNSEEN * targetLeg && Number.isFinite(excess))) continue;
    weights[frame] = around[frame] * smoothstep(UNSEEN, FLOATING, excess / targetLeg);
    heights[frame] = -excess * weights[frame];
  }
  if (!weights.some((weight) => weight > 0)) return { heights, weights };
  const [smoothHeights, smoothWeights] = [heights, weights].map((values) => smooth(values, HEIGHT_SIGMA, step, loops));
  return { heights: smoothHeights, weights: smoothWeights };
}
