import { describe, expect, test } from 'vitest';
import { describeContactSurface } from '../../../../src/core/contacts/surface/contact-surface.ts';
import {
  type BoneRadii,
  COLUMNS,
  depthInside,
  ROWS,
  radiusToward,
} from '../../../../src/core/contacts/surface/radius-map.ts';
import { mirrorSkinPoints, type SkinPoints } from '../../../../src/core/deform/skin-points.ts';
import { BONE, BONES } from '../../../../src/core/humanoid/bones.ts';
import { mirrorHumanoid } from '../../../../src/core/humanoid/mirror-humanoid.ts';
import { demoBody } from '../../../contacts/demo-pair.ts';
import { tPoseHumanoid } from '../../../support/make/tiny-humanoid.ts';
import { expectNear } from '../../../support/near.ts';
import { plainRadii } from '../../../support/reference/plain-radii.ts';
import { EXACT } from '../../../support/tolerances.ts';

const HALF = [0.2, 0.15, 0.1] as const;

/** A closed box around the hips of the tiny humanoid, 40 × 30 × 20 cm, and one triangle below its left foot. */
function boxAroundHips(): SkinPoints {
  const { map } = tPoseHumanoid();
  const corners = Array.from({ length: 8 }, (_, k) => HALF.map((half, c) => (((k >> c) & 1) === 1 ? half : -half)));
  const faces = [
    [0, 4, 6, 2],
    [1, 3, 7, 5],
    [0, 1, 5, 4],
    [2, 6, 7, 3],
    [0, 2, 3, 1],
    [4, 5, 7, 6],
  ].flatMap(([a, b, c, d]) => [a, b, c, a, c, d]);
  const foot = [
    [0, -0.1, 0],
    [0.1, -0.1, 0],
    [0, -0.1, 0.1],
  ];
  const nodes = [...corners.map(() => map.nodes[BONE.hips]), ...foot.map(() => map.nodes[BONE.leftFoot])];
  return {
    starts: Int32Array.from({ length: nodes.length + 1 }, (_, k) => k),
    nodes: Int32Array.from(nodes),
    offsets: Float64Array.from([...corners, ...foot].flatMap((point) => [...point, 1])),
    rigid: new Uint8Array(nodes.length),
    radii: new Float64Array(nodes.length),
    triangles: Int32Array.from([...faces, 8, 10, 9]),
  };
}

function radiiOf(bone: number, skin = boxAroundHips()): BoneRadii {
  return describeContactSurface(tPoseHumanoid(), skin).radii[bone]!;
}

describe('measureRadii', () => {
  test('measures a box: half of its sides, its corners, and rounded ends within it', () => {
    const hips = radiiOf(BONE.hips);
    const row = hips.radii.subarray(COLUMNS * 5, COLUMNS * 6);
    expect(row[0]).toBeCloseTo(HALF[0], 12);
    expect(row[COLUMNS / 4]).toBeCloseTo(HALF[2], 12);
    expect(row[1]).toBeCloseTo(HALF[0] / Math.cos(Math.PI / 8), 12);
    expect(hips.radii[0]).toBeCloseTo(HALF[1] + hips.from, 12);
    expect(hips.radii[ROWS * COLUMNS - 1]).toBeCloseTo(HALF[1] - hips.to, 12);
    expect(Math.hypot(...hips.center)).toBeCloseTo(0, 12);
  });

  test('has no radii where there is no surface', () => {
    const surface = describeContactSurface(tPoseHumanoid(), boxAroundHips());
    expect(surface.radii.flatMap((one) => (one === null ? [] : BONES[one.bone]))).toEqual(['hips']);
  });

  test('an open end is flat', async () => {
    const { surface } = await demoBody();
    const forearm = surface.radii[BONE.leftLowerArm]!;
    expect(forearm.radii[0]).toBeLessThan(forearm.radii[COLUMNS * 4]);
    expect(forearm.to - forearm.from).toBeGreaterThan(0.2);
  });

  test('has the furthest triangle of the bone in every direction, as a search of all triangles finds it', async () => {
    const { humanoid, skin, surface } = await demoBody();
    for (const bone of [BONE.chest, BONE.head, BONE.leftUpperArm, BONE.rightLowerLeg, BONE.leftHand]) {
      const found = surface.radii[bone]!;
      const wanted = plainRadii(humanoid, skin, found);
      expect(wanted.filter((radius) => radius >= 0).length).toBeGreaterThan(COLUMNS);
      for (const [k, radius] of wanted.entries()) if (radius >= 0) expect(found.radii[k]).toBeCloseTo(radius, 9);
    }
  });

  test('commutes with mirroring', async () => {
    const body = await demoBody();
    const mirrored = describeContactSurface(mirrorHumanoid(body.humanoid), mirrorSkinPoints(body.skin));
    for (const [name, other] of [
      ['leftUpperArm', 'rightUpperArm'],
      ['rightUpperLeg', 'leftUpperLeg'],
      ['head', 'head'],
    ] as const) {
      const [a, b] = [body.surface.radii[BONE[name]]!, mirrored.radii[BONE[other]]!];
      expect(b.from).toBeCloseTo(a.from, 9);
      for (let k = 0; k < ROWS * COLUMNS; k++) {
        const [row, column] = [Math.floor(k / COLUMNS), k % COLUMNS];
        // Directions of arms are to the front and up; those of other bones start at +X.
        const same = /Arm/.test(name) ? column : (COLUMNS + COLUMNS / 2 - column) % COLUMNS;
        expect(b.radii[COLUMNS * row + same]).toBeCloseTo(a.radii[k], 9);
      }
    }
  });
});

describe('estimateRadii', () => {
  test('gives capsules to the bones of a character without a mesh', () => {
    const { radii } = describeContactSurface(tPoseHumanoid(), null);
    const thigh = radii[BONE.leftUpperLeg]!;
    expect([thigh.from, thigh.to]).toEqual([0, 0.5]);
    expect(new Set(thigh.radii).size).toBe(1);
    expect(radii[BONE.leftFoot]).toBeNull();
  });
});

describe('depthInside', () => {
  test('is the distance to the surface, positive inside, with the direction from the axis', () => {
    const hips = radiiOf(BONE.hips);
    const direction = new Float64Array(4);
    expect(depthInside(direction, 0, hips, [0.05, 0, 0], 0)).toBeCloseTo(0.15, 12);
    expectNear(direction, [1, 0, 0, HALF[0]], EXACT);
    expect(depthInside(direction, 0, hips, [0, 0, -0.3], 0)).toBeCloseTo(-0.2, 12);
    expectNear(direction.subarray(0, 3), [0, 0, -1], EXACT);
    expect(depthInside(direction, 0, hips, [0, 0.4, 0], 0)).toBeCloseTo(-0.25, 12);
    expectNear(direction.subarray(0, 3), [0, 1, 0], EXACT);
  });

  test('is continuous at the rounded ends', () => {
    const hips = radiiOf(BONE.hips);
    const direction = new Float64Array(4);
    for (const height of [hips.from, hips.to]) {
      const [below, above] = [-1e-9, 1e-9].map((step) =>
        depthInside(direction, 0, hips, [0.07, height + step, 0.03], 0),
      );
      expect(above).toBeCloseTo(below, 7);
    }
  });

  test('radiusToward: the distance of the skin in a direction', () => {
    expect(radiusToward(radiiOf(BONE.hips), 0, [0, 0.7, -1], 0)).toBeCloseTo(HALF[2], 12);
  });
});
