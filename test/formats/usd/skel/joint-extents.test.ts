import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import * as vec3 from '../../../../src/core/math/vec3.ts';
import { extentPadding, jointsExtent, skelRootExtent } from '../../../../src/formats/usd/skel/joint-extents.ts';
import { readAnimatedSkeleton, sampleSkeleton } from '../../../../src/formats/usd/skel/skeleton-sample.ts';
import { numbersOf } from '../../../../src/formats/usd/skel/typed-values.ts';
import { attributeValue, timeSamplesOf } from '../../../../src/formats/usd/stage/attribute-values.ts';
import { openStage } from '../../../../src/formats/usd/stage/open-stage.ts';
import { parseUsda } from '../../../../src/formats/usd/text/parse-usda.ts';
import { asset, HAS_ASSETS } from '../../../support/assets.ts';
import { expectNear } from '../../../support/near.ts';
import { USD_REFERENCE } from '../../../support/tolerances.ts';
import { boundPrims, stageOf, stageOfFile } from './scene.ts';

const at = (x: number, y: number, z: number): number[] => [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, y, z, 1];
const row = (x: number, y: number, z: number): string => `((1,0,0,0),(0,1,0,0),(0,0,1,0),(${x},${y},${z},1))`;

const SCENE = `
def Xform "World"
{
    double3 xformOp:translate = (100, 0, 0)
    uniform token[] xformOpOrder = ["xformOp:translate"]
    def SkelRoot "Root" (prepend apiSchemas = ["SkelBindingAPI"])
    {
        rel skel:skeleton = </World/Root/Skel>
        double3 xformOp:translate = (0, 50, 0)
        uniform token[] xformOpOrder = ["xformOp:translate"]
        def Skeleton "Skel"
        {
            double3 xformOp:translate = (0, 0, 7)
            uniform token[] xformOpOrder = ["xformOp:translate"]
            uniform token[] joints = ["A", "A/B"]
            uniform matrix4d[] bindTransforms = [${row(0, 0, 0)}, ${row(0, 2, 0)}]
            uniform matrix4d[] restTransforms = [${row(0, 0, 0)}, ${row(0, 2, 0)}]
        }
        def Mesh "Body" { BODY }
    }
}`;

function rotated(vector: readonly number[], rotation: readonly number[]): Float64Array {
  const out = new Float64Array(3);
  vec3.rotate(out, 0, rotation, 0, vector, 0);
  return out;
}

describe('joint extents', () => {
  it('jointsExtent: bounds the joint origins, padded and transformed', () => {
    const skel = [...at(1, 2, 3), ...at(-1, 5, 0)];
    expect([...jointsExtent(skel)]).toEqual([-1, 2, 0, 1, 5, 3]);
    expect([...jointsExtent(skel, 2)]).toEqual([-3, 0, -2, 3, 7, 5]);
    expect([...jointsExtent(skel, 0, at(10, 0, 0))]).toEqual([9, 2, 0, 11, 5, 3]);
  });

  it('extentPadding: is the largest excess of the prim at rest, in bind space', () => {
    const body = `
      float3[] extent = [(-1, -0.5, -1), (1, 2, 1)]
      matrix4d primvars:skel:geomBindTransform = ${row(0, 0, 3)}`;
    const stage = stageOf(
      SCENE.replace('BODY', `${body}\n`).replace('"Body"', '"Body" (prepend apiSchemas = ["SkelBindingAPI"])'),
    );
    const bound = boundPrims(stage).get('/World/Root/Body');
    if (bound === undefined) throw new Error('Body is not bound');
    expect(extentPadding(stage, bound, [...at(0, 0, 0), ...at(0, 2, 0)])).toBe(4);
    expect([...(skelRootExtent(stage, '/World/Root', 'default') ?? [])]).toEqual([-4, -4, 3, 4, 6, 11]);
  });

  it('skelRootExtent: bounds all skeletons of a root without bindings', () => {
    const stage = stageOf(SCENE.replace('def Mesh "Body" { BODY }', ''));
    expect([...(skelRootExtent(stage, '/World/Root', 'default') ?? [])]).toEqual([0, 0, 7, 0, 2, 7]);
    expect(skelRootExtent(stageOf('def SkelRoot "R" {\n}'), '/R', 'default')).toBeNull();
  });

  it.skipIf(!HAS_ASSETS)('skelRootExtent (testUsdSkelRoot): matches all frames of root.usda', () => {
    const folder = 'conformance/usd/openusd/pxr/usd/usdSkel/testenv/testUsdSkelRoot';
    const layer = parseUsda(readFileSync(asset(folder, 'root.usda'), 'utf8'));
    const stage = openStage(layer);
    const { startTimeCode, endTimeCode } = stage.metrics;
    expect([startTimeCode, endTimeCode]).toEqual([1, 30]);
    for (let time = 1; time <= 30; time++) {
      // The first joint cycles the axes and is at −1, the second at 0; it turns the third, which is 1 away. The box of the mesh sticks out by half a unit.
      const turns = numbersOf(attributeValue(stage, '/Root/Skeleton/Animation', 'rotations', time), 4) ?? [];
      const [y, z, x] = rotated([1, 0, 0], Array.from(turns).slice(4, 8));
      const expected = [
        [Math.min(0, x), Math.min(-1, y), Math.min(0, z)],
        [Math.max(0, x), y, Math.max(0, z)],
      ];
      const [low, high] = expected.map((corner, side) => corner.map((value) => value + (side === 0 ? -0.5 : 0.5)));
      expectNear(skelRootExtent(stage, '/Root', time) ?? [], [...low, ...high], USD_REFERENCE);
    }
    const baseline = readFileSync(asset(folder, 'baseline/root.computedExtents.usda'), 'utf8');
    expect(layer.specs).toEqual(parseUsda(baseline).specs);
  });

  it.skipIf(!HAS_ASSETS)('jointsExtent: matches the extents OpenUSD authored, at all 30 frames', () => {
    const folder = 'conformance/usd/openusd/pxr/usd/usdSkel/testenv/testUsdSkelBakeSkinning';
    const stage = stageOfFile(asset(folder, 'lbs.usda'));
    const animation = '/Root/Skeleton/Animation';
    const { skeleton } = readAnimatedSkeleton(stage, '/Root/Skeleton', animation);
    if (skeleton === null) throw new Error('the skeleton is not valid');
    const times = timeSamplesOf(stage, animation, 'extent');
    expect(times.length).toBe(30);
    for (const time of times) {
      const box = jointsExtent(sampleSkeleton(stage, skeleton, time).skel ?? []);
      const expected = numbersOf(attributeValue(stage, animation, 'extent', time), 3) ?? [];
      for (let c = 0; c < 6; c++) expect(Math.abs(box[c] - expected[c])).toBeLessThan(USD_REFERENCE);
    }
  });
});
