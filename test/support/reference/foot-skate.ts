/**
 * Measures how far feet slide and penetrate the ground: Q6 and Q7 of the quality measures that need no ground truth. A
 * foot is its toe joint, or its ankle where one of the two characters has no toes. Heights are relative to that joint
 * in the reference pose of the character: soles differ in thickness, and heights above the ground would compare shoes.
 * A dancer slides on purpose in both motions, so only the ratio to the source says something about retargeting.
 */
import type { Clip } from '../../../src/core/animation/clip.ts';
import { BONE, SIDES } from '../../../src/core/humanoid/bones.ts';
import type { Humanoid } from '../../../src/core/humanoid/humanoid.ts';
import { legLength } from '../../../src/core/retarget/hips-scale.ts';
import { createMotionSampler, sampleMotion } from './motion-sampler.ts';

/**
 * A foot below this height, as a fraction of the leg length, is planted. From there to twice this height it counts less
 * and less.
 */
export const PLANTED_HEIGHT = 0.025;

/** Options of {@link measureFootSkate}. */
export interface FootSkateOptions {
  /** Samples per second; 60 by default. */
  readonly fps?: number;
}

/** What the feet of one motion do. Heights and distances in percent of the height of the character. */
export interface FootMeasure {
  /**
   * Q6: mean speed of planted feet along the ground, % per second: `‖v‖ · clamp(2 − 2^(y/H), 0, 1)` with y the height
   * of the foot and H 2.5 % of the leg length (Zhang et al., Mode-Adaptive Neural Networks, 2018), over all samples and
   * both feet.
   */
  readonly skate: number;
  /**
   * Q7: depth of the feet below their reference height, %: the mean over all samples and both feet, and the maximum.
   */
  readonly penetration: {
    /** Mean over all samples and both feet. */
    readonly mean: number;
    /** Maximum of both feet. */
    readonly max: number;
  };
}

/** The feet of a motion before and after retargeting. */
export interface FootSkateMeasure {
  /** The feet of the source. */
  readonly source: FootMeasure;
  /** The feet of the target. */
  readonly target: FootMeasure;
  /** Skate of the target divided by that of the source; null when the feet of the source do not slide at all. */
  readonly skateRatio: number | null;
}

/** The foot joints that both characters have. */
function footBones(humanoids: readonly Humanoid[]): number[] {
  return SIDES.flatMap((side) => {
    const isPresent = (bone: number): boolean => humanoids.every(({ map }) => map.nodes[bone] >= 0);
    const toes = BONE[`${side}Toes`];
    const foot = BONE[`${side}Foot`];
    if (isPresent(toes)) return [toes];
    return isPresent(foot) ? [foot] : [];
  });
}

/** Length of thigh and shin of the longer leg in the reference pose, meters; without legs the hips height. */
function longestLeg(humanoid: Humanoid): number {
  const longest = Math.max(0, ...SIDES.map((side) => legLength(humanoid, side) ?? 0));
  return longest > 0 ? longest : humanoid.hipsHeight;
}

/**
 * Weighs a foot by its height (Zhang et al., Mode-Adaptive Neural Networks, 2018).
 *
 * @param height Height of the foot above its height in the reference pose.
 * @param limit Height from which on a foot is less and less planted.
 * @returns 1 on the ground or below it, `2 − 2^(height/limit)` above it, 0 from the limit on.
 */
export function plantedWeight(height: number, limit: number): number {
  return Math.min(1, Math.max(0, 2 - 2 ** (height / limit)));
}

function measureFeet(
  humanoid: Humanoid,
  clip: Clip,
  feet: readonly number[],
  duration: number,
  fps: number,
): FootMeasure {
  const sampler = createMotionSampler(humanoid, clip);
  const { positions } = humanoid.reference;
  const plantedHeight = PLANTED_HEIGHT * longestLeg(humanoid);
  const before = new Float64Array(sampler.positions.length);
  const steps = Math.max(1, Math.floor(duration * fps));
  const percent = 100 / humanoid.height;
  let slid = 0;
  let depthSum = 0;
  let deepest = 0;
  sampleMotion(sampler, 0);
  for (let step = 1; step <= steps; step++) {
    before.set(sampler.positions);
    sampleMotion(sampler, step / fps);
    for (const foot of feet) {
      const at = 3 * foot;
      const speed = Math.hypot(sampler.positions[at] - before[at], sampler.positions[at + 2] - before[at + 2]) * fps;
      const height = (sampler.positions[at + 1] + before[at + 1]) / 2 - positions[at + 1];
      slid += speed * plantedWeight(height, plantedHeight);
      const depth = Math.max(0, positions[at + 1] - sampler.positions[at + 1]);
      depthSum += depth;
      deepest = Math.max(deepest, depth);
    }
  }
  const count = Math.max(1, steps * feet.length);
  return {
    skate: (slid * percent) / count,
    penetration: { mean: (depthSum * percent) / count, max: deepest * percent },
  };
}

/**
 * Compares how far the feet slide and penetrate the ground before and after retargeting, over the duration of the
 * source. Speeds are differences between consecutive samples.
 *
 * @param source The source character.
 * @param sourceClip Its clip.
 * @param target The target character.
 * @param targetClip The retargeted clip.
 * @param options Sampling rate.
 * @returns Both measures and their ratio; skates are 0 when one of the characters has no feet.
 */
export function measureFootSkate(
  source: Humanoid,
  sourceClip: Clip,
  target: Humanoid,
  targetClip: Clip,
  { fps = 60 }: FootSkateOptions = {},
): FootSkateMeasure {
  const feet = footBones([source, target]);
  const { duration } = sourceClip;
  const before = measureFeet(source, sourceClip, feet, duration, fps);
  const after = measureFeet(target, targetClip, feet, duration, fps);
  return { source: before, target: after, skateRatio: before.skate > 0 ? after.skate / before.skate : null };
}
