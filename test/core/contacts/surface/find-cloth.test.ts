import { beforeAll, describe, expect, it } from 'vitest';
import { describeContactSurface } from '../../../../src/core/contacts/surface/contact-surface.ts';
import { selectPoints } from '../../../../src/core/deform/skin-points.ts';
import { BONE } from '../../../../src/core/humanoid/bones.ts';
import type { Humanoid } from '../../../../src/core/humanoid/humanoid.ts';
import { ADULT, CHIBI, HEAVY, type Proportions } from '../../../../src/demo/figure/proportions.ts';
import { CLOTHES, dress, SEWN, type Sheet, solidRing } from '../../../contacts/clothes.ts';
import { type DemoBody, demoBody } from '../../../contacts/demo-pair.ts';
import { IS_FULL_RUN, sampledCases } from '../../../support/law-runs.ts';

const BODIES: readonly (readonly [string, Proportions])[] = [
  ['an adult', ADULT],
  ['a heavy adult', HEAVY],
  ['a chibi', CHIBI],
];

/** Widens a sheet around the hips, by a factor per row. */
const widen =
  ({ reference: { positions } }: Humanoid, factor: (down: number) => number) =>
  (sheet: Sheet): Sheet =>
    sheet.map((row, down) =>
      row.map(({ at, bone }) => {
        const [x, , z] = positions.subarray(3 * BONE.hips);
        return { at: [x + factor(down) * (at[0] - x), at[1], z + factor(down) * (at[2] - z)] as const, bone };
      }),
    );

describe.each(BODIES)('describeContactSurface: %s', (_, proportions) => {
  let body: DemoBody;
  beforeAll(async () => {
    body = await demoBody(proportions);
  });

  it.each(sampledCases(Object.keys(CLOTHES)))('has the same radii with and without: %s', (kind) => {
    const undressed = { humanoid: body.humanoid, skin: body.skin, radii: body.surface.radii };
    const sheets = CLOTHES[kind](undressed);
    const { radii, trunkEnd } = describeContactSurface(body.humanoid, dress(undressed, sheets));
    expect(sheets.length).toBeGreaterThan(0);
    expect(radii).toEqual(body.surface.radii);
    expect(trunkEnd).toBe(body.surface.trunkEnd);
  });

  it.each(sampledCases(Object.keys(SEWN)))(
    'has the same radii with and without, in one mesh with the body: %s',
    (kind) => {
      const undressed = { humanoid: body.humanoid, skin: body.skin, radii: body.surface.radii };
      const { seam, sheets } = SEWN[kind];
      const dressed = describeContactSurface(body.humanoid, dress(undressed, sheets(undressed), seam));
      expect(dressed.radii).toEqual(body.surface.radii);
    },
  );

  it.each([['top'], [undefined]] as const)(
    'has the same radii with and without a skirt wider by half, seam: %s',
    (seam) => {
      const undressed = { humanoid: body.humanoid, skin: body.skin, radii: body.surface.radii };
      const skirt = CLOTHES.skirt(undressed).map(widen(body.humanoid, (down) => 1 + (0.5 * down) / 12));
      expect(describeContactSurface(body.humanoid, dress(undressed, skirt, seam)).radii).toEqual(body.surface.radii);
    },
  );
});

it('describeContactSurface: a skirt is as much cloth on a character that stands beside the middle of its scene', async () => {
  const shareAt = async (x: number): Promise<number> => {
    const { humanoid, skin, surface } = await demoBody(ADULT, { move: [x, 0, 0], turn: 0, scale: 1 });
    const undressed = { humanoid, skin, radii: surface.radii };
    return describeContactSurface(humanoid, dress(undressed, CLOTHES.skirt(undressed))).cloth.share;
  };
  expect(await shareAt(3)).toBeCloseTo(await shareAt(0), 3);
});

it('describeContactSurface: cloth does not depend on the last digits of points that exporters split', async () => {
  const { humanoid, skin, surface } = await demoBody();
  const undressed = { humanoid, skin, radii: surface.radii };
  const dressed = dress(undressed, CLOTHES.skirt(undressed));
  const split = selectPoints(dressed, Array.from(dressed.triangles));
  const triangles = dressed.triangles.map((_, corner) => corner);
  const shareOf = (step: number): number => {
    // Up to 2 µm: a hundredth of what counts as one corner.
    const offsets = split.offsets.map((value, k) => (k % 4 < 3 ? value + 1e-7 * ((k * step) % 17) : value));
    return describeContactSurface(humanoid, { ...split, triangles, offsets }).cloth.share;
  };
  const shares = [0, 3, 5, 7].map(shareOf);
  expect(shares[0]).toBeGreaterThan(0);
  for (const share of shares) expect(share).toBeCloseTo(shares[0], 4);
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

it.runIf(IS_FULL_RUN)('describeContactSurface: 150 skirts over each other are cloth', async () => {
  const { humanoid, skin, surface } = await demoBody();
  const undressed = { humanoid, skin, radii: surface.radii };
  const skirts = Array.from({ length: 150 }, (_, k) =>
    CLOTHES.skirt(undressed).map(widen(humanoid, () => 1 + 0.004 * k)),
  );
  expect(describeContactSurface(humanoid, dress(undressed, skirts.flat())).radii).toEqual(surface.radii);
});
