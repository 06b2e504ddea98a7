import { describe, expect, it } from 'vitest';
import { pointExtents } from '../../../../src/core/deform/extents.ts';
import * as mat4 from '../../../../src/core/math/mat4.ts';
import type { Issue } from '../../../../src/core/report/issue.ts';
import { readBindings, skelRoots } from '../../../../src/formats/usd/skel/bindings.ts';
import { deformPrim, planPrim } from '../../../../src/formats/usd/skel/deform/deform-prim.ts';
import { readAnimatedSkeleton, sampleSkeleton } from '../../../../src/formats/usd/skel/skeleton-sample.ts';
import { numbersOf } from '../../../../src/formats/usd/skel/typed-values.ts';
import { attributeValue, timeSamplesOf } from '../../../../src/formats/usd/stage/attribute-values.ts';
import type { Stage } from '../../../../src/formats/usd/stage/stage.ts';
import { asset, HAS_ASSETS } from '../../../support/assets.ts';
import { USD_BAKED, USD_GROUND_TRUTH } from '../../../support/tolerances.ts';
import { type PrimSpaceResult, toPrimSpace } from './prim-space.ts';
import { stageOfFile } from './scene.ts';

const TESTS = asset('conformance/usd/openusd/pxr/usd/usdSkel/testenv');
const ARM = asset('conformance/usd/openusd/pxr/usdImaging/usdImagingGL/testenv/testUsdImagingGLUsdSkel');

/** The largest difference to the baseline at all of its times; how many numbers were compared. */
function compare(
  baseline: Stage,
  prim: string,
  attribute: string,
  width: number,
  compute: (time: number) => ArrayLike<number> | null,
  tolerance = USD_BAKED,
): number {
  let compared = 0;
  for (const time of timeSamplesOf(baseline, prim, attribute)) {
    const expected = numbersOf(attributeValue(baseline, prim, attribute, time), width);
    const found = compute(time);
    if (expected === null || found === null) throw new Error(`${prim}.${attribute} has no value at ${time}`);
    expect(found.length, `${prim}.${attribute} at ${time}`).toBe(expected.length);
    for (let i = 0; i < expected.length; i++) {
      if (!(Math.abs(found[i] - expected[i]) <= tolerance)) {
        expect.fail(`${prim}.${attribute} at ${time}: number ${i} is ${found[i]}, expected ${expected[i]}`);
      }
    }
    compared += expected.length;
  }
  return compared;
}

function compareBaked(scene: Stage, baseline: Stage): Record<string, number> {
  const counts: Record<string, number> = { points: 0, normals: 0, transform: 0, extent: 0, hint: 0 };
  const issues: Issue[] = [];
  const boxes: ((time: number) => number[])[] = [];
  const [root] = skelRoots(scene);
  for (const { skeleton: path, animation, prims } of readBindings(scene, root).bindings) {
    const { skeleton, issues: found } = readAnimatedSkeleton(scene, path, animation);
    issues.push(...found);
    if (skeleton === null) throw new Error(`${path} is not valid`);
    for (const bound of prims) {
      const deformer = planPrim(scene, bound, skeleton);
      issues.push(...deformer.issues);
      const at = (time: number): PrimSpaceResult => {
        const sample = sampleSkeleton(scene, skeleton, time);
        const now = deformPrim(scene, deformer, sample, time);
        issues.push(...sample.issues, ...now.issues);
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
      add('extent', 'extent', 3, (time) => {
        const box = new Float64Array(6);
        pointExtents(box, 0, at(time).points);
        return box;
      });
      boxes.push((time) => placedBox(at(time)));
    }
  }
  counts.hint += compare(baseline, root, 'extentsHint', 3, (time) => {
    const box = new Float64Array(6);
    pointExtents(box, 0, Float64Array.from(boxes.flatMap((boxAt) => boxAt(time))));
    return box;
  });
  expect(issues).toEqual([]);
  return counts;
}

/** Corners of the box of a baked prim in the space of its parent. Those without points are a sphere, a cube and a cylinder as the schema has them: from −1 to 1. */
function placedBox({ points, transform }: PrimSpaceResult): number[] {
  if (transform === null) return Array.from(points);
  const corners = [-1, 1].flatMap((x) => [-1, 1].flatMap((y) => [-1, 1].flatMap((z) => [x, y, z])));
  const placed = Float64Array.from(corners);
  for (let at = 0; at < placed.length; at += 3) mat4.transformPoint(placed, at, transform, 0, placed, at);
  return [...placed];
}

describe.skipIf(!HAS_ASSETS)('skinning compared with baked OpenUSD results', () => {
  it.each([
    ['lbs', 'lbs.baked', { points: 9360, normals: 4680, transform: 1440, extent: 720, hint: 180 }],
    ['lbs', 'lbs.bakedInterval', { points: 3120, normals: 1560, transform: 480, extent: 240, hint: 60 }],
    ['dqs', 'dqs.baked', { points: 9360, normals: 4680, transform: 1440, extent: 720, hint: 180 }],
    ['dqs', 'dqs.bakedInterval', { points: 3120, normals: 1560, transform: 480, extent: 240, hint: 60 }],
    ['blendshapes', 'blendshapes.baked', { points: 47553, normals: 0, transform: 0, extent: 786, hint: 0 }],
    [
      'blendshapesWithNormals',
      'blendshapesWithNormals.baked',
      { points: 5100, normals: 5100, transform: 0, extent: 102, hint: 0 },
    ],
  ])('matches %s.usda to the baked %s.usda at all times', (scene, baseline, counts) => {
    const folder = `${TESTS}/testUsdSkelBakeSkinning`;
    const baked = stageOfFile(`${folder}/baseline/${baseline}.usda`);
    expect(compareBaked(stageOfFile(`${folder}/${scene}.usda`), baked)).toEqual(counts);
    // It has the root as an Xform: all that was bound is bound no more.
    expect(skelRoots(baked)).toEqual([]);
  });

  it('matches arm.usda to arm_baked.usda by usdview', () => {
    const counts = { points: 360, normals: 0, transform: 0, extent: 60, hint: 0 };
    expect(compareBaked(stageOfFile(`${ARM}/arm.usda`), stageOfFile(`${ARM}/arm_baked.usda`))).toEqual(counts);
  });

  it('matches blendshapes.usda to its ground truth', () => {
    const scene = stageOfFile(`${TESTS}/testUsdSkelBakeSkinning/blendshapes.usda`);
    const [{ skeleton: path, animation, prims }] = readBindings(scene, '/TestPlane').bindings;
    const { skeleton } = readAnimatedSkeleton(scene, path, animation);
    if (skeleton === null) throw new Error(`${path} is not valid`);
    const deformer = planPrim(scene, prims[0], skeleton);
    const points = (time: number): Float64Array =>
      deformPrim(scene, deformer, sampleSkeleton(scene, skeleton, time), time).points;
    expect(compare(scene, '/GroundTruth/Mesh', 'points', 3, points, USD_GROUND_TRUTH)).toBe(41019);
  });
});
