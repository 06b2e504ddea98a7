import { describe, expect, it } from 'vitest';
import * as quat from '../../../src/core/math/quat.ts';
import { createPoseFromPoints } from '../../../src/core/points/live-pose.ts';
import { motionFromPoints, type PointMotion } from '../../../src/core/points/motion-from-points.ts';
import { localToModelMatrices, modelPositions } from '../../../src/core/skeleton/pose.ts';
import { POSE_STRIDE, type Skeleton } from '../../../src/core/skeleton/skeleton.ts';
import { bytesPerCall } from '../../allocation/bytes-per-call.ts';
import { IS_FULL_RUN } from '../../support/law-runs.ts';
import { FIGURE_JOINTS, walkingFigure } from '../../support/make/point-figure.ts';
import { BOXED_NUMBERS } from '../../support/tolerances.ts';

const RATE = 30;
const FRAMES = 60;
const SIZE = 3 * FIGURE_JOINTS.length;

const walking = (): PointMotion & { positions: Float64Array } => ({
  joints: 'smpl22',
  positions: Float64Array.from(walkingFigure(FRAMES, RATE)),
  frameRate: RATE,
});
const frameOf = (positions: Float64Array, frame: number): Float64Array =>
  positions.slice(SIZE * frame, SIZE * (frame + 1));

function place({ parents, names }: Skeleton, pose: Float64Array, bone: string): Float64Array {
  const matrices = new Float64Array(16 * parents.length);
  const positions = new Float64Array(3 * parents.length);
  localToModelMatrices(matrices, parents, pose);
  modelPositions(positions, matrices);
  return positions.subarray(3 * names.indexOf(bone), 3 * names.indexOf(bone) + 3);
}

function angle(u: ArrayLike<number>, v: ArrayLike<number>): number {
  const dot = u[0] * v[0] + u[1] * v[1] + u[2] * v[2];
  return (Math.acos(Math.min(1, dot / Math.hypot(u[0], u[1], u[2]) / Math.hypot(v[0], v[1], v[2]))) * 180) / Math.PI;
}

describe('createPoseFromPoints', () => {
  it('gives limbs the directions of their joints in every frame, from bone lengths of the first', () => {
    const { positions } = walking();
    const live = createPoseFromPoints({ joints: 'smpl22', positions: frameOf(positions, 0), frameRate: RATE });
    for (let frame = 0; frame < FRAMES; frame++) {
      const points = frameOf(positions, frame);
      live.update(points, 1 / RATE);
      for (const [from, to, start, end] of [
        ['leftLowerArm', 'leftHand', 'left_elbow', 'left_wrist'],
        ['rightUpperLeg', 'rightLowerLeg', 'right_hip', 'right_knee'],
      ]) {
        const [a, b] = [from, to].map((bone) => place(live.skeleton, live.pose, bone).slice());
        const [p, q] = [start, end].map((joint) => 3 * FIGURE_JOINTS.indexOf(joint));
        const given = [0, 1, 2].map((c) => points[q + c] - points[p + c]);
        // acos near 1 has an error of 1e-6 degrees.
        expect(
          angle(
            given,
            b.map((value, c) => value - a[c]),
          ),
        ).toBeLessThan(1e-4);
      }
    }
  });

  it('has the rotations of the whole motion, but for the twist of what the frames before do not show', () => {
    const motion = walking();
    const { clip } = motionFromPoints(motion);
    const live = createPoseFromPoints(motion);
    const angles: number[] = [];
    for (let frame = 0; frame < FRAMES; frame++) {
      live.update(frameOf(motion.positions, frame), 1 / RATE);
      for (const { target, path, values } of clip.tracks) {
        if (path === 'rotation')
          angles.push(quat.angleBetween(live.pose, POSE_STRIDE * target + 3, values, 4 * frame) * (180 / Math.PI));
      }
    }
    angles.sort((a, b) => a - b);
    expect(angles[angles.length >> 1]).toBeLessThan(0.01);
    expect(angles[angles.length - 1]).toBeLessThan(15);
  });

  it('keeps the offset of a joint that is missing or uncertain from the joint above', () => {
    const motion = walking();
    const live = createPoseFromPoints(motion);
    const first = frameOf(motion.positions, 0);
    live.update(first, 1 / RATE);
    const before = live.pose.slice();
    const wrist = FIGURE_JOINTS.indexOf('left_wrist');
    const missing = first.slice().fill(Number.NaN, 3 * wrist, 3 * wrist + 3);
    live.update(missing, 1 / RATE);
    const confidences = Float64Array.from(FIGURE_JOINTS, (_, joint) => (joint === wrist ? 0.1 : 0.9));
    const wrong = first.slice().fill(7, 3 * wrist, 3 * wrist + 3);
    const hand = place(live.skeleton, live.pose, 'leftHand').slice();
    live.update(wrong, 1 / RATE, confidences);
    const kept = place(live.skeleton, live.pose, 'leftHand');
    const was = place(live.skeleton, before, 'leftHand');
    for (let c = 0; c < 3; c++) {
      expect(hand[c]).toBeCloseTo(was[c], 6);
      expect(kept[c]).toBeCloseTo(was[c], 6);
    }
  });

  it('puts a body whose hips are the origin on the ground', () => {
    const { positions } = walking();
    const centered = positions.map((value, k) => value - positions[SIZE * Math.floor(k / SIZE) + (k % 3)]);
    const live = createPoseFromPoints({ joints: 'smpl22', positions: centered, frameRate: RATE });
    for (let frame = 0; frame < FRAMES; frame += 7) {
      live.update(frameOf(centered, frame), 1 / RATE);
      const heights = ['leftToes', 'rightToes', 'leftFoot', 'rightFoot'].map(
        (bone) =>
          place(live.skeleton, live.pose, bone)[1] - place(live.skeleton, live.skeleton.rest as Float64Array, bone)[1],
      );
      expect(Math.min(...heights)).toBeCloseTo(0, 2);
    }
  });

  it('stays finite over pauses, repeated times and frames without any point', () => {
    const motion = walking();
    const live = createPoseFromPoints(motion);
    live.update(frameOf(motion.positions, 0), 0);
    live.update(frameOf(motion.positions, 1), 1e9);
    live.update(new Float64Array(SIZE).fill(Number.NaN), Number.NaN);
    live.update(frameOf(motion.positions, 2), -1);
    expect(live.pose.every(Number.isFinite)).toBe(true);
  });

  it.runIf(IS_FULL_RUN)('allocates no array or object, with the filter', async () => {
    expect(await bytesPerCall(new URL('live-pose.probe.ts', import.meta.url), BOXED_NUMBERS)).toBeLessThan(
      BOXED_NUMBERS,
    );
  });
});
