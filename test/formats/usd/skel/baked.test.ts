import { describe, expect, it } from 'vitest';
import { pointExtents } from '../../../../src/core/deform/extents.ts';
import type { Issue } from '../../../../src/core/report/issue.ts';
import { readBindings, skelRoots } from '../../../../src/formats/usd/skel/bindings.ts';
import { deformPrim, planPrim } from '../../../../src/formats/usd/skel/deform-prim.ts';
import { toPrimSpace } from '../../../../src/formats/usd/skel/prim-space.ts';
import { readAnimatedSkeleton, sampleSkeleton } from '../../../../src/formats/usd/skel/skeleton-sample.ts';
import { numbersOf } from '../../../../src/formats/usd/skel/stage-reading.ts';
import type { Stage } from '../../../../src/formats/usd/stage/stage.ts';
import { attributeValue, timeSamplesOf } from '../../../../src/formats/usd/stage/values.ts';
import { asset, HAS_ASSETS } from '../../../assets.ts';
import { USD_BAKED } from '../../../tolerances.ts';
import { stageOfFile } from './scene.ts';

const TESTS = asset('conformance/usd/openusd/pxr/usd/usdSkel/testenv');

/** The largest difference to the baseline at all of its times; how many numbers were compared. */
function compare(
  baseline: Stage,
  prim: string,
  attribute: string,
  width: number,
  compute: (time: number) => ArrayLike<number> | null,
): number {
  let compared = 0;
  for (const time of timeSamplesOf(baseline, prim, attribute)) {
    const expected = numbersOf(attributeValue(baseline, prim, attribute, time), width);
    const found = compute(time);
    if (expected === null || found === null) throw new Error(`${prim}.${attribute} has no value at ${time}`);
    expect(found.length, `${prim}.${attribute} at ${time}`).toBe(expected.length);
    for (let i = 0; i < expected.length; i++) {
      if (!(Math.abs(found[i] - expected[i]) <= USD_BAKED)) {
        expect.fail(`${prim}.${attribute} at ${time}: number ${i} is ${found[i]}, expected ${expected[i]}`);
      }
    }
    compared += expected.length;
  }
  return compared;
}

function compareBaked(scene: Stage, baseline: Stage): Record<string, number> {
  const counts: Record<string, number> = { points: 0, normals: 0, transform: 0, extent: 0 };
  const issues: Issue[] = [];
  for (const { skeleton: path, animation, prims } of readBindings(scene, skelRoots(scene)[0]).bindings) {
    const skeleton = readAnimatedSkeleton(scene, path, animation, issues);
    if (skeleton === null) throw new Error(`${path} is not valid`);
    for (const bound of prims) {
      const deformer = planPrim(scene, bound, skeleton, issues);
      const at = (time: number): ReturnType<typeof toPrimSpace> => {
        const now = deformPrim(scene, deformer, sampleSkeleton(scene, skeleton, time, issues), time, issues);
        return toPrimSpace(scene, path, bound, now, time);
      };
      const add = (
        what: string,
        attribute: string,
        width: number,
        compute: (time: number) => ArrayLike<number> | null,
      ): void => {
        counts[what] += compare(baseline, bound.prim, attribute, width, compute);
      };
      add('points', 'points', 3, (time) => at(time).points);
      add('normals', 'normals', 3, (time) => at(time).normals);
      add('transform', 'xformOp:transform', 16, (time) => at(time).transform);
      // Curves have widths, which make their extent wider.
      if (bound.typeName !== 'Mesh') continue;
      add('extent', 'extent', 3, (time) => {
        const box = new Float64Array(6);
        pointExtents(box, 0, at(time).points);
        return box;
      });
    }
  }
  expect(issues).toEqual([]);
  return counts;
}

describe.skipIf(!HAS_ASSETS)('skinning that OpenUSD has baked', () => {
  it.each([
    ['lbs', 'lbs.baked', { points: 9360, normals: 4680, transform: 1440, extent: 540 }],
    ['lbs', 'lbs.bakedInterval', { points: 3120, normals: 1560, transform: 480, extent: 180 }],
    ['dqs', 'dqs.baked', { points: 9360, normals: 4680, transform: 1440, extent: 540 }],
    ['dqs', 'dqs.bakedInterval', { points: 3120, normals: 1560, transform: 480, extent: 180 }],
    ['blendshapes', 'blendshapes.baked', { points: 47553, normals: 0, transform: 0, extent: 786 }],
    [
      'blendshapesWithNormals',
      'blendshapesWithNormals.baked',
      { points: 5100, normals: 5100, transform: 0, extent: 102 },
    ],
  ])('of %s.usda is what %s.usda has, at all times', (scene, baseline, counts) => {
    const folder = `${TESTS}/testUsdSkelBakeSkinning`;
    const baked = stageOfFile(`${folder}/baseline/${baseline}.usda`);
    expect(compareBaked(stageOfFile(`${folder}/${scene}.usda`), baked)).toEqual(counts);
  });
});
