import { expect, it } from 'vitest';
import { bonesOfPoints } from '../../../../src/core/contacts/surface/surface-bones.ts';
import type { SkinPoints } from '../../../../src/core/deform/skin-points.ts';
import { BONE, type BoneName } from '../../../../src/core/humanoid/bones.ts';
import type { Humanoid } from '../../../../src/core/humanoid/humanoid.ts';
import { demoBody } from '../../../contacts/demo-pair.ts';

/** Points with the weights of bones. */
function weighted({ map }: Humanoid, points: readonly (readonly (readonly [BoneName, number])[])[]): SkinPoints {
  const ends = points.map((_, k) => points.slice(0, k + 1).reduce((sum, { length }) => sum + length, 0));
  return {
    starts: Int32Array.of(0, ...ends),
    nodes: Int32Array.from(points.flat(), ([bone]) => map.nodes[BONE[bone]]),
    offsets: Float64Array.from(points.flat().flatMap(([, weight]) => [0, 0, 0, weight])),
    rigid: new Uint8Array(points.length),
    radii: new Float64Array(points.length),
    triangles: new Int32Array(0),
  };
}

it('bonesOfPoints: what is in the middle between both sides belongs to neither, whichever weight rounding makes larger', async () => {
  const { humanoid } = await demoBody();
  const points = weighted(humanoid, [
    [['leftUpperLeg', 1]],
    [
      ['hips', 0.2],
      ['leftUpperLeg', 0.4],
      ['rightUpperLeg', 0.4],
    ],
    [
      ['rightUpperLeg', 0.5000001],
      ['leftUpperLeg', 0.4999999],
    ],
    [
      ['leftUpperLeg', 0.45],
      ['rightUpperLeg', 0.55],
    ],
    [
      ['leftUpperLeg', 0.3],
      ['rightUpperLeg', 0.3],
      ['hips', 0.4],
    ],
  ]);
  expect([...bonesOfPoints(humanoid, points)]).toEqual([BONE.leftUpperLeg, -1, -1, BONE.rightUpperLeg, BONE.hips]);
});
