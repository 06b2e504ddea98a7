import { describe, expect, it } from 'vitest';
import type { Issue } from '../../../../src/core/report/issue.ts';
import { readAnimatedSkeleton, sampleSkeleton } from '../../../../src/formats/usd/skel/skeleton-sample.ts';
import { messagesOf, stageOf } from './scene.ts';

const move = (x: number): string => `((1,0,0,0),(0,1,0,0),(0,0,1,0),(${x},0,0,1))`;
const scene = (animation: string, rest = `[${move(5)}]`) =>
  stageOf(`
    def Skeleton "S" {
      uniform token[] joints = ["a"]
      uniform matrix4d[] bindTransforms = [${move(1)}]
      uniform matrix4d[] restTransforms = ${rest}
    }
    def SkelAnimation "A" {
      ${animation}
    }`);
const FULL = `
  uniform token[] joints = ["a"]
  float3[] translations = [(9, 0, 0)]
  quatf[] rotations = [(1, 0, 0, 0)]
  half3[] scales = [(1, 1, 1)]`;

function xOf(matrices: Float64Array | null): number | null {
  return matrices === null ? null : matrices[12];
}

function sample(stage: ReturnType<typeof scene>, animation: string | null) {
  const issues: Issue[] = [];
  const skeleton = readAnimatedSkeleton(stage, '/S', animation, issues);
  if (skeleton === null) throw new Error('the skeleton is not valid');
  const { local, skel, skinning, restRelative, weights } = sampleSkeleton(stage, skeleton, 'default', issues);
  return { x: [local, skel, skinning, restRelative].map(xOf), weights, messages: messagesOf(issues) };
}

describe('a skeleton at a time', () => {
  it('has local, skeleton, skinning and rest-relative matrices of its animation', () => {
    expect(sample(scene(FULL), '/A')).toEqual({ x: [9, 9, 8, 4], weights: null, messages: [] });
  });

  it('rests without an animation, or with one that lacks scales or joints', () => {
    expect(sample(scene(FULL), null).x).toEqual([5, 5, 4, 0]);
    expect(sample(scene(FULL.replace(/half3.*/, '')), '/A').x).toEqual([5, 5, 4, 0]);
    expect(sample(scene(FULL.replace('"a"', '"b"')), '/A').x).toEqual([5, 5, 4, 0]);
    expect(sample(scene('float[] blendShapeWeights = [0.5]'), '/A')).toEqual({
      x: [5, 5, 4, 0],
      weights: Float32Array.of(0.5),
      messages: [],
    });
  });

  it('needs no rest pose where every joint is animated', () => {
    const { x, messages } = sample(scene(FULL, '[]'), '/A');
    expect(x).toEqual([9, 9, 8, null]);
    expect(messages).toEqual([
      'Skeleton /S: restTransforms has 0 matrices for 1 joints; give one for each; until then what needs it is not computed.',
    ]);
  });

  it('is none where the skeleton is not valid', () => {
    const stage = stageOf('def Skeleton "S" {\n uniform token[] joints = ["a/b", "a"]\n}');
    expect(readAnimatedSkeleton(stage, '/S', null, [])).toBeNull();
  });
});
