import { expect, test } from 'vitest';
import type { Clip } from '../../../src/core/animation/clip.ts';
import { sampleClip } from '../../../src/core/animation/sample.ts';
import { BONE, BONES, isFingerBone } from '../../../src/core/humanoid/bones.ts';
import * as quat from '../../../src/core/math/quat.ts';
import { countSpikes } from '../../../src/core/measure/smoothness.ts';
import { PATH_OFFSET, POSE_STRIDE } from '../../../src/core/skeleton/skeleton.ts';
import { type DemoBody, demoBody } from '../../contacts/demo-pair.ts';
import { motionOf, smoothnessOf } from '../../contacts/ruler-of.ts';
import { plainJerk } from '../../support/reference/contact-figures.ts';

/** When the left knee of the walk is bent, seconds. */
const BENT = 0.6;
const FPS = 20;

/** Holds a pose of the walk for one sample, and rotates a node by a half turn about an axis of its own until the next one. */
function halfTurn({ humanoid, walk }: DemoBody, node: number, axis: readonly number[]): Clip {
  const pose = Float64Array.from(humanoid.skeleton.rest);
  sampleClip(walk, BENT, pose);
  const turn = Float64Array.of(...axis.map((v) => v / Math.hypot(...axis)), 0);
  const tracks = Array.from(humanoid.skeleton.parents, (_, target) => {
    const at = POSE_STRIDE * target + PATH_OFFSET.rotation;
    const values = new Float64Array(8);
    quat.copy(values, 0, pose, at);
    quat.copy(values, 4, pose, at);
    if (target === node) quat.multiply(values, 4, values, 4, turn, 0);
    return { target, path: 'rotation', interpolation: 'LINEAR', times: Float64Array.of(0, 1 / FPS), values } as const;
  });
  return { name: '', duration: 1 / FPS, tracks };
}

test('jerk equals its slow twin, and a walk has no flips', async () => {
  const { humanoid, walk } = await demoBody();
  const bones = BONES.map((_, bone) => bone).filter(
    (bone) => humanoid.map.nodes[bone] >= 0 && !isFingerBone(BONES[bone]) && !/Eye|jaw/.test(BONES[bone]),
  );
  const { jerk, flips } = smoothnessOf(humanoid, walk, FPS);
  const own = motionOf({ humanoid, clip: walk }).body.height * humanoid.metersPerUnit;
  // The ruler measures heights from the feet to the joint of the head.
  expect((jerk * own) / humanoid.height).toBeCloseTo(plainJerk(humanoid, walk, bones, FPS), 4);
  expect(flips).toBe(0);
});

test('flips: a bent knee that rotates by a half turn about its thigh is one', async () => {
  const body = await demoBody();
  const { map, skeleton } = body.humanoid;
  const shin = POSE_STRIDE * map.nodes[BONE.leftLowerLeg];
  const along = Array.from(skeleton.rest.slice(shin, shin + 3));
  expect(smoothnessOf(body.humanoid, halfTurn(body, map.nodes[BONE.leftUpperLeg], along), FPS).flips).toBe(1);
});

test('flips: a character that rotates around as a whole between two samples flips no knee and no elbow', async () => {
  const body = await demoBody();
  const hips = body.humanoid.map.nodes[BONE.hips];
  expect(smoothnessOf(body.humanoid, halfTurn(body, hips, [0, 1, 0]), FPS).flips).toBe(0);
});

test('spikes: a motion has none beyond its own usual changes of angular velocity', async () => {
  const { humanoid, walk } = await demoBody();
  const smooth = smoothnessOf(humanoid, walk, FPS);
  expect(countSpikes(smooth, smooth)).toBe(0);
  const most = Math.max(...smooth.jolts);
  expect(countSpikes({ ...smooth, jolts: Float64Array.of(4 * most + 100) }, smooth)).toBe(1);
});
