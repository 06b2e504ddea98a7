import { describe, expect, it } from 'vitest';
import type { Clip, Track } from '../../../src/core/animation/clip.ts';
import { sampleClip } from '../../../src/core/animation/sample.ts';
import * as quat from '../../../src/core/math/quat.ts';
import { planRetarget } from '../../../src/core/retarget/plan.ts';
import { retargetRotation } from '../../../src/core/retarget/retarget-pose.ts';
import {
  constantOf,
  rotationProducts,
  sampleProduct,
  trackCount,
} from '../../../src/core/retarget/rotation-products.ts';
import { tableOf } from '../../../src/core/retarget/track-table.ts';
import { restPose } from '../../../src/core/skeleton/pose.ts';
import { makeRandom } from '../../../src/demo/random.ts';
import { randomClip } from '../../make/random-clip.ts';
import { randomRig } from '../../make/random-rig.ts';
import { LAW_F64 } from '../../tolerances.ts';

function pairOf(seed: number) {
  const random = makeRandom(seed);
  const source = randomRig(random).humanoid;
  const target = randomRig(random).humanoid;
  return { source, plan: planRetarget(source, target), clip: randomClip(random, source) };
}

/** The clip with its first key alone in all rotations that `isStill` takes, as often as there were keys. */
function stilled(clip: Clip, isStill: (track: Track) => boolean): Clip {
  const still = (track: Track): Track => {
    if (track.path !== 'rotation' || !isStill(track)) return track;
    const isCubic = track.interpolation === 'CUBICSPLINE';
    const first = isCubic ? 4 : 0;
    const stride = isCubic ? 12 : 4;
    const out = new Float64Array(track.values.length);
    for (let key = 0; key < track.times.length; key++) {
      for (let c = 0; c < 4; c++) out[key * stride + first + c] = track.values[first + c];
    }
    return { ...track, values: out };
  };
  return { ...clip, tracks: clip.tracks.map(still) };
}

/** The largest angle between products and the products over a whole pose, over all bones at some times. */
function largestError({ source, plan }: ReturnType<typeof pairOf>, clip: Clip): number {
  const products = rotationProducts(plan, tableOf(clip, plan.sourceParents.length));
  const own = new Float64Array(4);
  const other = new Float64Array(4);
  let largest = 0;
  for (const time of [0, 0.21, 0.5, 1.3]) {
    const local = restPose(source.skeleton);
    sampleClip(clip, time, local);
    for (let k = 0; k < plan.bones.length; k++) {
      sampleProduct(own, 0, products, k, time);
      retargetRotation(other, 0, plan, k, local);
      largest = Math.max(largest, quat.angleBetween(own, 0, other, 0));
    }
  }
  return largest;
}

describe('rotationProducts', () => {
  it('gives at every time what the plan gives of the whole pose', () => {
    for (let seed = 1; seed <= 20; seed++) {
      const pair = pairOf(seed);
      expect(largestError(pair, pair.clip)).toBeLessThan(LAW_F64);
    }
  });

  it('gives the same where some or all tracks do not turn, splines included', () => {
    for (let seed = 1; seed <= 20; seed++) {
      const pair = pairOf(seed);
      expect(
        largestError(
          pair,
          stilled(pair.clip, ({ target }) => target % 2 === 0),
        ),
      ).toBeLessThan(LAW_F64);
      expect(
        largestError(
          pair,
          stilled(pair.clip, () => true),
        ),
      ).toBeLessThan(LAW_F64);
    }
  });

  it('keeps the tracks that turn, and folds everything else into constants', () => {
    const { plan, clip } = pairOf(3);
    const nodeCount = plan.sourceParents.length;
    const all = rotationProducts(plan, tableOf(clip, nodeCount));
    const none = rotationProducts(
      plan,
      tableOf(
        stilled(clip, () => true),
        nodeCount,
      ),
    );
    expect(all.tracks.length).toBeGreaterThan(0);
    expect(none.tracks).toEqual([]);
    for (let k = 0; k < plan.bones.length; k++) {
      const onPath = Array.from(plan.pathNodes.subarray(plan.pathStart[k], plan.pathStart[k + 1]));
      const turning = clip.tracks.filter(({ path, target }) => path === 'rotation' && onPath.includes(target));
      expect(trackCount(all, k)).toBe(turning.length);
      expect(constantOf(all, k)).toBe(4 * (all.first[k] + k));
      expect(constantOf(none, k)).toBe(4 * k);
    }
  });
});
