import { describe, expect, test } from 'vitest';
import {
  bindModelPose,
  frameTimes,
  restModelPose,
  sampleModelPose,
  toModelPose,
} from '../../../../src/core/humanoid/t-pose/model-pose.ts';
import { localToModelMatrices } from '../../../../src/core/skeleton/pose.ts';
import { clipOf, tinyHumanoid, track } from '../../../support/make/tiny-humanoid.ts';
import { expectNear, expectSameRotation } from '../../../support/near.ts';
import { aboutAxis, product, read } from '../../../support/reference/plain.ts';
import { EXACT, EXACT_CHAIN } from '../../../support/tolerances.ts';

const X = aboutAxis([1, 0, 0], 0.5);
const Z = aboutAxis([0, 0, 1], Math.PI / 2);
const body = tinyHumanoid(
  { name: 'root', at: [0, 0, 1], turn: Z, scale: [2, 3, 1] },
  { name: 'hips', parent: 'root', at: [1, 0, 0], turn: X },
);
const { skeleton } = body;

describe('toModelPose', () => {
  test('returns world positions with scale and world rotations without scale', () => {
    const { positions, rotations, from, local } = toModelPose(
      'given',
      skeleton.parents,
      Float64Array.from(skeleton.rest),
    );
    expectNear(read(positions, 3, 3), [0, 2, 1], EXACT);
    expectSameRotation(read(rotations, 4, 4), product(Z, X), EXACT);
    expect(from).toBe('given');
    expect(local).toEqual(skeleton.rest);
  });
});

describe('toModelPose of coinciding nodes', () => {
  const above = (distance: number, far = 0): number[] => {
    const { skeleton } = tinyHumanoid(
      { name: 'root', at: [1, 2, far], turn: X },
      { name: 'hips', parent: 'root', at: [0, distance, 0] },
      { name: 'spine', parent: 'hips', at: [0, 0.1, 0] },
    );
    const { positions } = toModelPose('given', skeleton.parents, Float64Array.from(skeleton.rest));
    return read(positions, 3, 3);
  };

  test('places a node where its parent is when only rounding is between them', () => {
    expect(above(2e-7)).toEqual([1, 2, 0]);
    expect(above(1e-5)).not.toEqual([1, 2, 0]);
  });

  test('keeps the places of the nodes of a rig far from the origin', () => {
    expect(above(0.1, 4.5e6)).not.toEqual([1, 2, 4.5e6]);
    expect(above(1e-5, 4.5e6)).toEqual([1, 2, 4.5e6]);
  });
});

describe('restModelPose', () => {
  test('returns the rest pose in float64', () => {
    const single = { ...skeleton, rest: Float32Array.from(skeleton.rest) };
    expect(restModelPose(single).local).toEqual(Float64Array.from(single.rest));
    expect(restModelPose(single).from).toBe('node');
  });
});

describe('bindModelPose', () => {
  test('returns the pose of the bind matrices', () => {
    const bind = new Float64Array(32);
    const local = Float64Array.from(skeleton.rest);
    local.set([0, 5, 0], 10);
    localToModelMatrices(bind, skeleton.parents, local);
    const pose = bindModelPose({ ...skeleton, bind })!;
    expect(pose.from).toBe('bind');
    expectNear(read(pose.positions, 3, 3), [-15, 0, 1], EXACT_CHAIN);
  });

  test('returns null without bind matrices', () => {
    expect(bindModelPose(skeleton)).toBeNull();
  });
});

describe('frameTimes and sampleModelPose', () => {
  const clip = clipOf(
    track(
      body,
      'root',
      'translation',
      'LINEAR',
      [0, 2],
      [
        [0, 0, 0],
        [4, 0, 0],
      ],
    ),
    track(body, 'hips', 'rotation', 'STEP', [0, 1, 2], [[0, 0, 0, 1], X, X]),
  );

  test('frameTimes returns the key times of the track with the most keys', () => {
    expect(Array.from(frameTimes(clip))).toEqual([0, 1, 2]);
    expect(frameTimes(clipOf())).toHaveLength(0);
  });

  test('sampleModelPose keeps the rest pose of nodes without tracks', () => {
    const pose = sampleModelPose(skeleton, clip, 1, 'frame:1');
    expect(pose.from).toBe('frame:1');
    expectNear(read(pose.positions, 0, 3), [2, 0, 0], EXACT);
    expectSameRotation(read(pose.rotations, 0, 4), Z, EXACT);
    expectSameRotation(read(pose.rotations, 4, 4), product(Z, X), EXACT);
  });
});
