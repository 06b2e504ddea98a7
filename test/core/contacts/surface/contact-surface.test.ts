import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { describeContactSurface, leaveOutHelpers } from '../../../../src/core/contacts/surface/contact-surface.ts';

import { referenceMatrices } from '../../../../src/core/contacts/surface/reference-matrices.ts';
import { countPoints, type SkinPoints, selectPoints, skinAllPoints } from '../../../../src/core/deform/skin-points.ts';
import { BONE, BONES, type BoneName, isBoneName } from '../../../../src/core/humanoid/bones.ts';
import { ADULT, CHIBI } from '../../../../src/demo/figure/proportions.ts';
import { demoBody } from '../../../contacts/demo-pair.ts';
import { tPoseHumanoid } from '../../../support/make/tiny-humanoid.ts';

describe('describeContactSurface', () => {
  test('finds the soles of a mesh: their length, height and side', async () => {
    const { humanoid, surface } = await demoBody();
    expect(surface.from).toBe('skin');
    for (const side of ['left', 'right'] as const) {
      const sole = surface.soles[side]!;
      const z = Array.from(sole.outline).filter((_, k) => k % 2 === 1);
      const x = Array.from(sole.outline).filter((_, k) => k % 2 === 0);
      expect(Math.max(...z) - Math.min(...z)).toBeCloseTo(ADULT.foot, 1);
      expect(sole.ankleHeight).toBeCloseTo(ADULT.ankle, 2);
      expect(Math.sign(x[0])).toBe(side === 'left' ? 1 : -1);
      const bones = new Set(surface.bones.slice(sole.from, sole.to));
      expect([...bones].every((bone) => BONES[bone].startsWith(side))).toBe(true);
    }
    expect(surface.floor).toBe(humanoid.ground);
    expect(countPoints(surface.points)).toBeLessThan(4000);
  });

  test('is as high as the skin of the head, however large that is', async () => {
    for (const proportions of [ADULT, CHIBI]) {
      const { humanoid, skin, surface } = await demoBody(proportions);
      const heights = skinAllPoints(skin, referenceMatrices(humanoid)).filter((_, k) => k % 3 === 1);
      expect(surface.height).toBeCloseTo(Math.max(...heights) - surface.floor, 2);
      expect(surface.height).toBeGreaterThan(humanoid.height);
    }
  });

  test('is no higher for what stands up behind the shoulders', async () => {
    const { humanoid, skin, surface } = await demoBody();
    const nodes = (['spine', 'chest', 'upperChest'] as const).map((name) => humanoid.map.nodes[BONE[name]]);
    const offsets = skin.offsets.slice();
    const ofChest = Array.from(skin.starts.subarray(0, -1), (start, point) => [start, skin.starts[point + 1]]).filter(
      ([start, end]) => skin.nodes.subarray(start, end).every((node) => nodes.includes(node)),
    );
    for (const [start, end] of ofChest) for (let k = start; k < end; k++) offsets[4 * k + 1] += offsets[4 * k + 3];
    expect(ofChest.length).toBeGreaterThan(0);
    expect(describeContactSurface(humanoid, { ...skin, offsets }).height).toBeCloseTo(surface.height, 6);
  });

  test('orders points: trunk, arms, feet', async () => {
    const { surface } = await demoBody();
    const parts = Array.from(surface.bones, (bone) => BONES[bone]);
    expect(parts.slice(0, surface.trunkEnd).some((name) => /Hand|Arm|Foot|Toes/.test(name))).toBe(false);
    expect(
      parts
        .slice(surface.trunkEnd, surface.armsEnd)
        .every((name) => /Arm|Hand|Thumb|Index|Middle|Ring|Little/.test(name)),
    ).toBe(true);
    expect(parts.slice(surface.armsEnd).every((name) => /Foot|Toes/.test(name))).toBe(true);
  });

  test('estimates soles on the ground and thickness from joints without a mesh', () => {
    const humanoid = tPoseHumanoid();
    const surface = describeContactSurface(humanoid, null);
    expect(surface.from).toBe('joints');
    expect(surface.soles.left!.ankleHeight).toBeCloseTo(0.1, 9);
    expect(surface.soles.left!.ballHeight).toBeCloseTo(0.02, 9);
    expect(surface.bones.slice(0, surface.trunkEnd)).toContain(BONE.hips);
    expect(surface.points.radii[0]).toBeGreaterThan(0.05);
  });

  test('a foot without toes rolls about a ball ahead of it, wherever it points', () => {
    const [x, z] = [0.09, 0.12];
    const tip = { name: 'leftEnd', at: [x, -0.08, z] };
    const humanoid = tPoseHumanoid({ leftToes: tip, rightToes: { name: 'rightEnd', at: [-x, -0.08, z] } });
    expect(humanoid.map.nodes[BONE.leftToes]).toBe(-1);
    const foot = humanoid.map.nodes[BONE.leftFoot];
    const corners = [0, 1, 1.2].flatMap((far) => [
      [far * x - 0.02, -0.1, far * z],
      [far * x + 0.02, -0.1, far * z],
    ]);
    const skin: SkinPoints = {
      starts: Int32Array.from({ length: 7 }, (_, k) => k),
      nodes: new Int32Array(6).fill(foot),
      offsets: Float64Array.from(corners.flatMap((corner) => [...corner, 1])),
      rigid: new Uint8Array(6),
      radii: new Float64Array(6),
      triangles: new Int32Array(0),
    };
    for (const points of [null, skin]) {
      const { ball } = describeContactSurface(humanoid, points).soles.left!;
      expect(ball[2]).toBeGreaterThan(0.05);
      expect(ball[0] / ball[2]).toBeCloseTo(x / z, points === null ? 6 : 1);
    }
  });

  test('has no sole where one foot has no skin', async () => {
    const { humanoid, surface } = await demoBody();
    const rest = Array.from({ length: surface.soles.right!.from }, (_, point) => point);
    const oneFooted = describeContactSurface(humanoid, selectPoints(surface.points, rest));
    expect(oneFooted.from).toBe('skin');
    expect(oneFooted.soles.left).not.toBeNull();
    expect(oneFooted.soles.right).toBeNull();
  });

  test('has no sole where a leg is incomplete', () => {
    const humanoid = tPoseHumanoid();
    const nodes = humanoid.map.nodes.slice();
    nodes[BONE.leftLowerLeg] = -1;
    const surface = describeContactSurface({ ...humanoid, map: { ...humanoid.map, nodes } }, null);
    expect(surface.soles.left).toBeNull();
    expect(surface.soles.right).not.toBeNull();
  });
});

/** A box: its lowest and its highest corner in the space of a node. */
type Box = readonly [low: readonly number[], high: readonly number[]];

const FACES = [
  [0, 4, 6, 2],
  [1, 3, 7, 5],
  [0, 1, 5, 4],
  [2, 6, 7, 3],
  [0, 2, 3, 1],
  [4, 5, 7, 6],
].flatMap(([a, b, c, d]) => [a, b, c, a, c, d]);

/** Boxes as rigid meshes of bones. */
function boxes(list: readonly (readonly [BoneName, Box])[], rigid: 0 | 1 = 1): SkinPoints {
  const { map } = tPoseHumanoid();
  const corners = list.flatMap(([name, box]) =>
    Array.from({ length: 8 }, (_, k) => ({
      node: map.nodes[BONE[name]],
      at: [0, 1, 2].map((c) => box[(k >> c) & 1][c]),
    })),
  );
  return {
    starts: Int32Array.from({ length: corners.length + 1 }, (_, k) => k),
    nodes: Int32Array.from(corners, ({ node }) => node),
    offsets: Float64Array.from(corners.flatMap(({ at }) => [...at, 1])),
    rigid: new Uint8Array(corners.length).fill(rigid),
    radii: new Float64Array(corners.length),
    triangles: Int32Array.from(list.flatMap((_, n) => FACES.map((corner) => 8 * n + corner))),
  };
}

/** The axes of a joint as three sticks that start beside it. */
const sticks = (name: BoneName, length: number, width: number): (readonly [BoneName, Box])[] =>
  [0, 1, 2].map((axis) => {
    const high = [0, 1, 2].map((c) => (c === axis ? length : c === (axis + 1) % 3 ? width : 0));
    const low = high.map((value, c) => (value === 0 && c !== axis ? -width : 0));
    return [name, [low, high]];
  });

/** Bones of the points after {@link leaveOutHelpers}, without repetition. */
function kept(skin: SkinPoints, name: BoneName): number[] {
  const humanoid = tPoseHumanoid();
  const bones = new Int16Array(countPoints(skin)).fill(BONE[name]);
  const positions = skinAllPoints(skin, referenceMatrices(humanoid));
  return [...new Set(leaveOutHelpers(humanoid, skin, bones, positions))];
}

const NAMES = fc.constantFrom<BoneName>('hips', 'head', 'leftUpperArm', 'rightHand', 'leftLowerLeg', 'rightFoot');
const LENGTH = fc.double({ min: 0.01, max: 10, noNaN: true });

describe('leaveOutHelpers', () => {
  test('leaves out axes of joints, of any size', () => {
    fc.assert(
      fc.property(NAMES, LENGTH, fc.double({ min: 0.01, max: 0.4, noNaN: true }), (name, length, width) => {
        expect(kept(boxes(sticks(name, length, width * length)), name)).toEqual([-1]);
      }),
    );
  });

  test('keeps boxes, wherever they are beside their bone', () => {
    const offset = fc.tuple(...[0, 1, 2].map(() => fc.double({ min: -1, max: 1, noNaN: true })));
    fc.assert(
      fc.property(NAMES, fc.tuple(LENGTH, LENGTH, LENGTH), offset, (name, size, low) => {
        const box: Box = [low, low.map((value, c) => value + size[c])];
        expect(kept(boxes([[name, box]]), name)).toEqual([BONE[name]]);
      }),
    );
  });

  test('keeps skinned meshes, which are cut at the borders of their bones', () => {
    expect(kept(boxes(sticks('hips', 0.25, 0.1), 0), 'hips')).toEqual([BONE.hips]);
  });
});

describe('describeContactSurface: meshes of helpers', () => {
  const names = tPoseHumanoid().skeleton.names.filter(isBoneName);

  test('axes of joints touch the ground, but have no thickness', () => {
    const surface = describeContactSurface(tPoseHumanoid(), boxes(names.flatMap((name) => sticks(name, 0.25, 0.1))));
    expect(surface.radii.filter((one) => one !== null)).toEqual([]);
    expect(surface.soles.left).not.toBeNull();
    expect(surface.bones).toContain(BONE.hips);
  });

  test('measures a character of boxes', () => {
    const half = [0.05, 0.05, 0.05];
    const box: Box = [half.map((value) => -value), half];
    const surface = describeContactSurface(tPoseHumanoid(), boxes(names.map((name) => [name, box])));
    expect(surface.from).toBe('skin');
    expect(surface.radii[BONE.leftUpperArm]!.largest).toBeLessThan(0.05 * Math.sqrt(3));
  });
});
