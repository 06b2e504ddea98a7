import { describe, expect, test } from 'vitest';
import { findHandPairs, mapLocation, touchParts } from '../../../../src/core/contacts/hands/touch-parts.ts';
import { BONE, BONES } from '../../../../src/core/humanoid/bones.ts';
import { CHIBI } from '../../../../src/demo/figure/proportions.ts';
import { demoBody } from '../../../contacts/demo-pair.ts';

describe('findHandPairs', () => {
  test('pairs the same points of both hands', async () => {
    const [adult, chibi] = [await demoBody(), await demoBody(CHIBI)];
    const pairs = findHandPairs(adult, chibi);
    expect(pairs.map(({ source: { side } }) => side)).toEqual(['left', 'right']);
    for (const { points, targetPoints } of pairs) {
      expect(points.length).toBe(6);
      expect(points.map(({ bone }) => bone)).toEqual(targetPoints.map(({ bone }) => bone));
    }
  });

  test('pairs the end of a hand without fingers with the tip of the middle finger, and fingers with the end of such a hand', async () => {
    const adult = await demoBody();
    const nodes = adult.humanoid.map.nodes.map((node, bone) =>
      /Thumb|Index|Middle|Ring|Little/.test(BONES[bone]) ? -1 : node,
    );
    const mitten = { ...adult, humanoid: { ...adult.humanoid, map: { ...adult.humanoid.map, nodes } } };
    const [left] = findHandPairs(mitten, adult);
    expect(left.points.map(({ bone }) => BONES[bone])).toEqual(['leftHand', 'leftHand']);
    expect(left.targetPoints.map(({ bone }) => BONES[bone])).toEqual(['leftHand', 'leftMiddleDistal']);
    const [back] = findHandPairs(adult, mitten);
    expect(back.points.length).toBe(6);
    expect(back.targetPoints.every(({ bone }) => bone === BONE.leftHand)).toBe(true);
  });
});

describe('mapLocation', () => {
  test('is the same fraction of the same bone, or of the part where bones are missing', async () => {
    const [adult, chibi] = [await demoBody(), await demoBody(CHIBI)];
    const [part, others] = [adult, chibi].map(({ humanoid, surface }) => touchParts('left', humanoid, surface)[0]);
    for (const [k, radii] of part.entries()) {
      const along = radii.from + 0.3 * (radii.to - radii.from);
      const location = mapLocation({ radii, along }, part, adult.humanoid, others, chibi.humanoid);
      expect(location.radii).toBe(others[k]);
      expect((location.along - location.radii.from) / (location.radii.to - location.radii.from)).toBeCloseTo(0.3, 9);
    }
    // Without its lowest bone, the part starts at the next one.
    const shorter = others.slice(1);
    const low = mapLocation({ radii: part[0], along: part[0].from }, part, adult.humanoid, shorter, chibi.humanoid);
    expect(low.radii.bone).toBe(shorter[0].bone);
    expect(low.along).toBeCloseTo(low.radii.from, 9);
    const last = part[part.length - 1];
    const high = mapLocation({ radii: last, along: last.to }, part, adult.humanoid, shorter, chibi.humanoid);
    expect(high.radii.bone).toBe(last.bone);
    expect(high.along).toBeCloseTo(high.radii.to, 9);
  });
});
