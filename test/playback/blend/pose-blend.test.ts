import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as quat from '../../../src/core/math/quat.ts';
import {
  type AnimatedNodes,
  addPose,
  beginBlend,
  blendPose,
  createPoseBlend,
  finishBlend,
  mixRotations,
  type PoseInput,
} from '../../../src/playback/blend/pose-blend.ts';
import { lawRuns } from '../../support/law-runs.ts';
import { FLOAT32_POSE } from '../../support/tolerances.ts';

/** A pose of nodes that are rotated about x and moved along y. */
function poseOf(...nodes: readonly (readonly [number, number])[]): Float32Array {
  return Float32Array.from(
    nodes.flatMap(([degrees, y]) => {
      const half = (degrees * Math.PI) / 360;
      return [0, y, 0, Math.sin(half), 0, 0, Math.cos(half), 1, 1, 1];
    }),
  );
}

/** Degrees about x, and y, of each node. */
function readPose(pose: Float32Array): number[][] {
  return Array.from({ length: pose.length / 10 }, (_, node) => {
    const degrees = (2 * Math.atan2(pose[10 * node + 3], pose[10 * node + 6]) * 180) / Math.PI;
    return [Math.round(degrees * 1e3) / 1e3, Math.round(pose[10 * node + 1] * 1e5) / 1e5];
  });
}

const both = Int32Array.of(0, 1);
const nodes: AnimatedNodes = { translation: both, rotation: both, scale: both };
const layer = (weight: number, changes: Partial<PoseInput> = {}): PoseInput => ({
  nodes,
  weight,
  mask: null,
  ...changes,
});
const base = poseOf([0, 0], [0, 0]);
const up = poseOf([40, 1], [80, 2]);
const down = poseOf([-20, 3], [0, 6]);

describe('pose blends', () => {
  it('without poses show the base pose', () => {
    const blend = createPoseBlend(base);
    blend.pose.fill(7);
    beginBlend(blend);
    finishBlend(blend);
    expect(blend.pose).toEqual(base);
  });

  it('leave the rest to the base pose where weights add up to less than 1', () => {
    const blend = createPoseBlend(base);
    beginBlend(blend);
    blendPose(blend, up, layer(0.25));
    finishBlend(blend);
    expect(readPose(blend.pose)).toEqual([
      [10, 0.25],
      [20, 0.5],
    ]);
  });

  it('take weights above 1 as relative', () => {
    const blend = createPoseBlend(base);
    beginBlend(blend);
    blendPose(blend, up, layer(3));
    blendPose(blend, down, layer(1));
    finishBlend(blend);
    expect(readPose(blend.pose)).toEqual([
      [25, 1.5],
      [60, 3],
    ]);
  });

  it('apply masks per node', () => {
    const blend = createPoseBlend(base);
    beginBlend(blend);
    blendPose(blend, up, layer(1, { mask: Float32Array.of(1, 0) }));
    blendPose(blend, down, layer(1, { mask: Float32Array.of(0, 0.5) }));
    finishBlend(blend);
    expect(readPose(blend.pose)).toEqual([
      [40, 1],
      [0, 3],
    ]);
  });

  it('ignore nodes and paths that a pose does not animate', () => {
    const none = new Int32Array(0);
    const blend = createPoseBlend(base);
    beginBlend(blend);
    blendPose(
      blend,
      up,
      layer(1, { nodes: { translation: none, rotation: Int32Array.of(1), scale: Int32Array.of(0) } }),
    );
    finishBlend(blend);
    expect(readPose(blend.pose)).toEqual([
      [0, 0],
      [80, 0],
    ]);
  });

  it('add additive poses in proportion to their weights, after all others', () => {
    const blend = createPoseBlend(base);
    const difference = poseOf([30, 1], [10, 2]);
    for (let at = 7; at < difference.length; at += 10) difference.fill(0, at, at + 3);
    beginBlend(blend);
    addPose(blend, difference, layer(0.5));
    blendPose(blend, up, layer(1));
    addPose(blend, difference, layer(1, { mask: Float32Array.of(1, 0) }));
    finishBlend(blend);
    expect(readPose(blend.pose)).toEqual([
      [85, 2.5],
      [85, 3],
    ]);
    expect([...blend.pose.slice(7, 10)]).toEqual([1, 1, 1]);
    beginBlend(blend);
    blendPose(blend, up, layer(1));
    finishBlend(blend);
    expect(readPose(blend.pose)[0]).toEqual([40, 1]);
  });

  it('give unit quaternions', () => {
    const blend = createPoseBlend(base);
    beginBlend(blend);
    blendPose(blend, up, layer(0.4));
    blendPose(blend, down, layer(0.3));
    finishBlend(blend);
    expect(Math.abs(quat.dot(blend.pose, 3, blend.pose, 3) - 1)).toBeLessThan(FLOAT32_POSE);
  });
});

const unit = fc
  .array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 4, maxLength: 4 })
  .filter((q) => Math.hypot(...q) > 0.1)
  .map((q) => q.map((value) => value / Math.hypot(...q)));
/** The second quaternion is anywhere, or close to the first. */
const pair = fc.tuple(unit, unit, fc.boolean()).map(([a, b, isClose]) => {
  const c = isClose ? a.map((value, k) => value + 1e-4 * b[k]) : b;
  return [a, c.map((value) => value / Math.hypot(...c))] as const;
});

it('mixRotations: equals quat.slerp', () => {
  fc.assert(
    fc.property(pair, fc.double({ min: 0, max: 1, noNaN: true }), ([a, b], t) => {
      // Opposite rotations have no shorter arc.
      fc.pre(Math.abs(a.reduce((sum, value, k) => sum + value * b[k], 0)) > 1e-3);
      const out = new Float32Array([9, ...a, 9, ...a]);
      mixRotations(out, new Float32Array([0, ...b, 0, ...b]), 5, 1, new Float64Array([t, 0]));
      const expected = new Float64Array(4);
      quat.slerp(expected, 0, a, 0, b, 0, t);
      if (t > 0) expect(quat.angleBetween(out, 1, expected, 0)).toBeLessThan(FLOAT32_POSE);
      expect([out[0], ...out.slice(5)]).toEqual([9, 9, ...new Float32Array(a)]);
    }),
    { numRuns: lawRuns() },
  );
});
