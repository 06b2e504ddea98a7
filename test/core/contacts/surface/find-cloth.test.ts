import { beforeAll, describe, expect, it } from 'vitest';
import { describeContactSurface } from '../../../../src/core/contacts/surface/contact-surface.ts';
import { BONE, BONES } from '../../../../src/core/humanoid/bones.ts';
import { ADULT, CHIBI, HEAVY, type Proportions } from '../../../../src/demo/figure/proportions.ts';
import { CLOTHES, dress, SEWN, solidRing } from '../../../contacts/clothes.ts';
import { type DemoBody, demoBody } from '../../../contacts/demo-pair.ts';

const BODIES: readonly (readonly [string, Proportions])[] = [
  ['an adult', ADULT],
  ['a heavy adult', HEAVY],
  ['a chibi', CHIBI],
];

const TRUNK = /hips|spine|chest|neck|head|UpperLeg/i;

describe.each(BODIES)('describeContactSurface: %s', (_, proportions) => {
  let body: DemoBody;
  beforeAll(async () => {
    body = await demoBody(proportions);
  });

  it.each(Object.keys(CLOTHES))('has the same radii with and without: %s', (kind) => {
    const undressed = { humanoid: body.humanoid, skin: body.skin, radii: body.surface.radii };
    const sheets = CLOTHES[kind](undressed);
    const { radii, trunkEnd } = describeContactSurface(body.humanoid, dress(undressed, sheets));
    expect(sheets.length).toBeGreaterThan(0);
    expect(radii).toEqual(body.surface.radii);
    expect(trunkEnd).toBe(body.surface.trunkEnd);
  });

  it.each(Object.keys(SEWN))('has nearly the same radii with and without, in one mesh with the body: %s', (kind) => {
    const undressed = { humanoid: body.humanoid, skin: body.skin, radii: body.surface.radii };
    const { seam, sheets } = SEWN[kind];
    const dressed = describeContactSurface(body.humanoid, dress(undressed, sheets(undressed), seam));
    const changes = body.surface.radii.flatMap((bare, bone) => {
      if (bare === null || !TRUNK.test(BONES[bone])) return [];
      const { radii } = dressed.radii[bone]!;
      return radii.reduce((sum, radius, k) => sum + Math.abs(radius - bare.radii[k]), 0) / radii.length / bare.largest;
    });
    // As the body, they add 0.2 to 0.6.
    expect(changes.reduce((sum, change) => sum + change, 0) / changes.length).toBeLessThan(0.08);
  });
});

it('describeContactSurface: a coat with no body below it is the body', async () => {
  const { humanoid, skin, surface } = await demoBody();
  const undressed = { humanoid, skin, radii: surface.radii };
  const coat = dress({ ...undressed, skin: { ...skin, triangles: new Int32Array(0) } }, CLOTHES.coat(undressed));
  expect(describeContactSurface(humanoid, coat).radii[BONE.chest]).not.toBeNull();
});

it('describeContactSurface: a solid around parts of the body is the body, and padding with air below is cloth', async () => {
  const { humanoid, skin, surface } = await demoBody();
  const undressed = { humanoid, skin, radii: surface.radii };
  const shareWith = (from: number, to: number): number =>
    describeContactSurface(humanoid, dress(undressed, [solidRing(undressed, from, to)])).cloth.share;
  expect(shareWith(-0.02, 0.05)).toBe(surface.cloth.share);
  expect(shareWith(0.02, 0.05)).toBeGreaterThan(surface.cloth.share + 0.05);
});
