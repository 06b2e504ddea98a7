/**
 * How much feet slide and sink: the measures Q6 and Q7 of retargeting without ground truth. A foot is its toe joint, or its ankle where one of
 * the two bodies has no toes. Heights are measured from where that joint is in the body's own reference pose: soles are of different
 * thickness, and a height above the ground itself would compare shoes. What a dancer slides on purpose is in both motions, so that
 * only the ratio to the source says something about retargeting.
 */
import type { Clip } from '../animation/clip.ts';
import { BONE } from '../humanoid/bones.ts';
import type { Humanoid } from '../humanoid/humanoid.ts';
import * as vec3 from '../math/vec3.ts';
import { play, playerOf } from './player.ts';

/** A foot lower than this, relative to the length of the leg, stands; from there to twice as high it counts less and less. */
const STANDING = 0.025;

export interface FootSkateOptions {
  /** Moments a second at which the feet are looked at. */
  readonly fps?: number;
}

/** What the feet of one motion do. Heights and ways in percent of the height of the body. */
export interface FootMeasure {
  /**
   * Q6: mean speed along the ground of feet that stand, % a second: `‖v‖ · clamp(2 − 2^(y/H), 0, 1)` with y the height of the foot and H
   * 2.5 % of the length of the leg (Zhang et al., Mode-Adaptive Neural Networks, 2018), over all moments and both feet.
   */
  readonly skate: number;
  /** Q7: how deep the feet are below their reference height, %; the mean over all moments and both feet, and the most. */
  readonly sunk: { readonly mean: number; readonly max: number };
}

/** The feet of a motion and of what was made of it. */
export interface FootSkateMeasure {
  readonly source: FootMeasure;
  readonly target: FootMeasure;
  /** Skate of the target by that of the source; null where the feet of the source do not slide at all. */
  readonly skateRatio: number | null;
}

/** Joints that stand for the feet of both bodies. */
function footBones(bodies: readonly Humanoid[]): number[] {
  return (['left', 'right'] as const).flatMap((side) => {
    const isThere = (bone: number): boolean => bodies.every(({ map }) => map.nodes[bone] >= 0);
    const toes = BONE[`${side}Toes`];
    const foot = BONE[`${side}Foot`];
    if (isThere(toes)) return [toes];
    return isThere(foot) ? [foot] : [];
  });
}

/** Length of thigh and shin in the reference pose, meters; of the longer leg, or of the hips above the ground without legs. */
function legLength({ reference, map, hipsHeight }: Humanoid): number {
  let longest = 0;
  for (const side of ['left', 'right'] as const) {
    const [thigh, shin, foot] = [BONE[`${side}UpperLeg`], BONE[`${side}LowerLeg`], BONE[`${side}Foot`]];
    if (map.nodes[thigh] < 0 || map.nodes[shin] < 0 || map.nodes[foot] < 0) continue;
    const { positions } = reference;
    const length =
      vec3.distance(positions, 3 * thigh, positions, 3 * shin) +
      vec3.distance(positions, 3 * shin, positions, 3 * foot);
    longest = Math.max(longest, length);
  }
  return longest > 0 ? longest : hipsHeight;
}

function measureFeet(
  humanoid: Humanoid,
  clip: Clip,
  feet: readonly number[],
  duration: number,
  fps: number,
): FootMeasure {
  const player = playerOf(humanoid, clip);
  const { positions } = humanoid.reference;
  const standing = STANDING * legLength(humanoid);
  const before = new Float64Array(player.points.length);
  const steps = Math.max(1, Math.floor(duration * fps));
  const percent = 100 / humanoid.height;
  let slid = 0;
  let sunk = 0;
  let deepest = 0;
  play(player, 0);
  for (let step = 1; step <= steps; step++) {
    before.set(player.points);
    play(player, step / fps);
    for (const foot of feet) {
      const at = 3 * foot;
      const speed = Math.hypot(player.points[at] - before[at], player.points[at + 2] - before[at + 2]) * fps;
      const height = (player.points[at + 1] + before[at + 1]) / 2 - positions[at + 1];
      slid += speed * Math.min(1, Math.max(0, 2 - 2 ** (height / standing)));
      const depth = Math.max(0, positions[at + 1] - player.points[at + 1]);
      sunk += depth;
      deepest = Math.max(deepest, depth);
    }
  }
  const count = Math.max(1, steps * feet.length);
  return { skate: (slid * percent) / count, sunk: { mean: (sunk * percent) / count, max: deepest * percent } };
}

/**
 * Compares how feet slide and sink in a motion and in what was made of it, over the duration of the source. Speeds are differences of
 * positions from one moment to the next. Both skates are 0 when one of the bodies has no feet.
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
