import { describe, expect, it } from 'vitest';
import type { Clip, Track } from '../../../src/core/animation/clip.ts';
import { sampleClip } from '../../../src/core/animation/sample.ts';
import * as quat from '../../../src/core/math/quat.ts';
import { planRetarget } from '../../../src/core/retarget/plan-retarget.ts';
import { retargetRotation } from '../../../src/core/retarget/retarget-pose.ts';
import { createRotationProducts, sampleProduct } from '../../../src/core/retarget/rotation-products.ts';
import { createTrackTable } from '../../../src/core/retarget/track-table.ts';
import { restPose } from '../../../src/core/skeleton/pose.ts';
import { makeRandom } from '../../../src/demo/random.ts';
import { lawRuns } from '../../support/law-runs.ts';
import { randomClip } from '../../support/make/random-clip.ts';
import { randomRig } from '../../support/make/random-rig.ts';
import { LAW_F64 } from '../../support/tolerances.ts';

function pairOf(seed: number) {
  const random = makeRandom(seed);
  const source = randomRig(random).humanoid;
  const target = randomRig(random).humanoid;
  return { source, plan: planRetarget(source, target), clip: randomClip(random, source) };
}

/** Replaces every key of the chosen rotation tracks by the first key. */
function frozen(clip: Clip, isFrozen: (track: Track) => boolean): Clip {
  const freeze = (track: Track): Track => {
    if (track.path !== 'rotation' || !isFrozen(track)) return track;
    const isCubic = track.interpolation === 'CUBICSPLINE';
    const first = isCubic ? 4 : 0;
    const stride = isCubic ? 12 : 4;
    const out = new Float64Array(track.values.length);
    for (let key = 0; key < track.times.length; key++) {
      for (let c = 0; c < 4; c++) out[key * stride + first + c] = track.values[first + c];
    }
    return { ...track, values: out };
  };
  return { ...clip, tracks: clip.tracks.map(freeze) };
}

/** The largest angle between sampled products and retargeted poses, over all bones at some times. */
function largestError({ source, plan }: ReturnType<typeof pairOf>, clip: Clip): number {
  const products = createRotationProducts(plan, createTrackTable(clip, plan.sourceParents.length), [
    ...plan.bones.keys(),
  ]);
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

describe('createRotationProducts', () => {
  it('gives the rotations of retargetRotation at every time', () => {
    for (let seed = 1; seed <= lawRuns(20); seed++) {
      const pair = pairOf(seed);
      expect(largestError(pair, pair.clip)).toBeLessThan(LAW_F64);
    }
  });

  it('gives the same if some or all tracks are constant, splines included', () => {
    for (let seed = 1; seed <= lawRuns(20); seed++) {
      const pair = pairOf(seed);
      expect(
        largestError(
          pair,
          frozen(pair.clip, ({ target }) => target % 2 === 0),
        ),
      ).toBeLessThan(LAW_F64);
      expect(
        largestError(
          pair,
          frozen(pair.clip, () => true),
        ),
      ).toBeLessThan(LAW_F64);
    }
  });

  it('keeps the moving tracks and multiplies everything else into constants', () => {
    const { plan, clip } = pairOf(3);
    const nodeCount = plan.sourceParents.length;
    const bones = [...plan.bones.keys()];
    const all = createRotationProducts(plan, createTrackTable(clip, nodeCount), bones);
    const none = createRotationProducts(
      plan,
      createTrackTable(
        frozen(clip, () => true),
        nodeCount,
      ),
      bones,
    );
    expect(all.tracks.length).toBeGreaterThan(0);
    expect(none.tracks).toEqual([]);
    for (let k = 0; k < plan.bones.length; k++) {
      const onPath = Array.from(plan.pathNodes.subarray(plan.pathStart[k], plan.pathStart[k + 1]));
      const moving = clip.tracks.filter(({ path, target }) => path === 'rotation' && onPath.includes(target));
      expect(all.trackCounts[k]).toBe(moving.length);
      expect(all.start[k]).toBe(4 * (all.first[k] + k));
      expect(none.start[k]).toBe(4 * k);
    }
  });

  it('gives bones that are left out neither tracks nor constants', () => {
    const { plan, clip } = pairOf(3);
    const table = createTrackTable(clip, plan.sourceParents.length);
    const one = createRotationProducts(plan, table, [2]);
    expect(one.tracks.length).toBe(one.trackCounts[2]);
    expect(one.trackCounts.filter((_, k) => k !== 2).every((count) => count === 0)).toBe(true);
    expect(one.start.every((start) => start === 0)).toBe(true);
  });
});
