import { expect, it } from 'vitest';
import { planSkeletonPose, poseSkeleton } from '../../../../src/formats/usd/skel/skeleton-pose.ts';
import { readAnimatedSkeleton, sampleSkeleton } from '../../../../src/formats/usd/skel/skeleton-sample.ts';
import { messagesOf, stageOf } from './scene.ts';

const move = (x: number): string => `((1,0,0,0),(0,1,0,0),(0,0,1,0),(${x},0,0,1))`;
const REST = `uniform matrix4d[] restTransforms = [${move(0)}, ${move(2)}]`;
const WHOLE = `
  uniform token[] joints = ["a", "a/b"]
  float3[] translations.timeSamples = { 0: [(0,0,0), (1,0,0)], 2: [(0,3,0), (1,1,0)] }
  quatf[] rotations = [(1,0,0,0), (0.8,0.6,0,0)]
  half3[] scales = [(1,1,1), (1,2,1)]
  uniform token[] blendShapes = ["smile"]
  float[] blendShapeWeights.timeSamples = { 0: [0], 2: [1] }`;

function skeletonOf(animation: string, rest = REST) {
  const stage = stageOf(`
    def Skeleton "S" {
      uniform token[] joints = ["a", "a/b"]
      uniform matrix4d[] bindTransforms = [${move(0)}, ${move(2)}]
      ${rest}
    }
    def SkelAnimation "A" {
      ${animation}
    }`);
  const { skeleton } = readAnimatedSkeleton(stage, '/S', '/A');
  if (skeleton === null) throw new Error('the skeleton is not valid');
  return { stage, skeleton };
}

it.each<[string, string, string?]>([
  ['all joints', WHOLE],
  ['one joint', WHOLE.replace('["a", "a/b"]', '["a/b", "x"]')],
  ['no joint of the skeleton', WHOLE.replace('["a", "a/b"]', '["x", "y"]')],
  ['samples of several sizes', WHOLE.replace('2: [(0,3,0), (1,1,0)]', '2: [(0,3,0)]')],
  ['a block', WHOLE.replace('2: [(0,3,0), (1,1,0)]', '2: None')],
  ['no scales', WHOLE.replace(/half3.*/, '')],
  ['blocked weights', WHOLE.replace('2: [1]', '2: None')],
  ['all joints, without a rest pose', WHOLE, ''],
  ['one joint, without a rest pose', WHOLE.replace('["a", "a/b"]', '["a/b", "x"]'), ''],
])('poseSkeleton: matches sampleSkeleton at each time, with an animation of %s', (_, animation, rest) => {
  const { stage, skeleton } = skeletonOf(animation, rest);
  const pose = planSkeletonPose(stage, skeleton);
  for (const time of [0, 0.6, 2, 5, 1]) {
    poseSkeleton(stage, pose, time);
    const expected = sampleSkeleton(stage, skeleton, time);
    expect([pose.skinning, pose.weights]).toEqual([expected.skinning, expected.weights]);
    expect(messagesOf(pose.issues)).toEqual(messagesOf(expected.issues));
  }
});
