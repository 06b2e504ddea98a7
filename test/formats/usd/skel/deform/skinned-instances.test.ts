import { describe, expect, it } from 'vitest';
import type { Issue } from '../../../../../src/core/report/issue.ts';
import { readBindings } from '../../../../../src/formats/usd/skel/bindings.ts';
import { type DeformedPrim, deformPrim, planPrim } from '../../../../../src/formats/usd/skel/deform/deform-prim.ts';
import {
  deformSkinnedInstances,
  planSkinnedInstances,
  type SkinnedInstancePrim,
} from '../../../../../src/formats/usd/skel/deform/skinned-instances.ts';
import { readAnimatedSkeleton, sampleSkeleton } from '../../../../../src/formats/usd/skel/skeleton-sample.ts';
import type { Stage } from '../../../../../src/formats/usd/stage/stage.ts';
import { bytesPerCall } from '../../../../allocation/bytes-per-call.ts';
import { NO_ALLOCATION } from '../../../../tolerances.ts';
import { messagesOf, stageOf } from '../scene.ts';
import { type InstancedSceneOptions, instancedSceneText } from './instanced-scene.ts';

/** The skinned instances at the last of the times, by the path of the prim. */
function skinnedAt(stage: Stage, times: readonly number[]) {
  const skinned = planSkinnedInstances(stage);
  const issues: Issue[] = [...skinned.issues];
  for (const time of times) {
    deformSkinnedInstances(stage, skinned, time);
    issues.push(...skinned.timeIssues);
  }
  const prims = new Map(
    skinned.instances.flatMap((m) => m.prims.map((prim) => [prim.deformer.bound.prim, prim] as const)),
  );
  return { skinned, prims, issues };
}

/** The same prim for itself, with nothing shared. */
function alone(stage: Stage, root: string, time: number): DeformedPrim {
  const [{ skeleton, animation, prims }] = readBindings(stage, root).bindings;
  const { skeleton: animated } = readAnimatedSkeleton(stage, skeleton, animation);
  if (animated === null) throw new Error('the skeleton is not valid');
  const sample = sampleSkeleton(stage, animated, time);
  return deformPrim(stage, planPrim(stage, prims[0], animated), sample, time);
}

function scene(count: number, options: InstancedSceneOptions = {}): Stage {
  return stageOf(instancedSceneText(count, options));
}

function meshesOf(prims: ReadonlyMap<string, SkinnedInstancePrim>): Set<unknown> {
  return new Set([...prims.values()].map(({ deformer }) => deformer.mesh));
}

const COUNT = 100;

describe('planSkinnedInstances and deformSkinnedInstances', () => {
  it('share all common data; every instance has its own points', () => {
    const stage = scene(COUNT);
    const { skinned, prims, issues } = skinnedAt(stage, [0, 3.7]);
    expect(messagesOf(issues)).toEqual([]);
    expect(prims.size).toBe(COUNT);
    const shared = [...prims.values()].map(({ deformer: { mesh } }) => {
      const { vertices, influences, plan, geomBind } = mesh.geometry!;
      return [mesh, vertices.positions, vertices.normals, influences?.indices, influences?.weights, plan, geomBind];
    });
    for (const one of shared) for (const [k, data] of one.entries()) expect(data).toBe(shared[0][k]);
    const [first, ...others] = skinned.instances.map(({ pose }) => pose);
    for (const pose of others) {
      expect(pose.skeleton.definition).toBe(first.skeleton.definition);
      expect(pose.skinningBuffer).not.toBe(first.skinningBuffer);
    }
    const seen = new Set<string>();
    for (const [path, { buffers }] of prims) {
      const expected = alone(stage, path.replace(/\/M$/, ''), 3.7);
      expect(buffers.result).toEqual(expected);
      seen.add(buffers.result.points.join(' '));
    }
    expect(seen.size).toBe(COUNT);
  });

  it('use the points of the layer itself as rest points', () => {
    const stage = scene(2);
    const { prims } = skinnedAt(stage, [0]);
    const { sites } = stage.primsByPath.get('/Crowd/I1/M')!;
    const field = sites[0].stack.layers[0].layer.specs.get('/Proto/M.points')?.fields.get('default');
    expect(prims.get('/Crowd/I1/M')?.deformer.mesh.geometry?.vertices.positions).toBe((field as never)['numbers']);
  });

  it.each<[string, InstancedSceneOptions]>([
    ['dual quaternions', { mesh: 'uniform token primvars:skel:skinningMethod = "dualQuaternion"' }],
    ['joints in an order of the mesh', { mesh: 'uniform token[] skel:joints = ["a/b", "x"]' }],
    [
      'points and influences that change over time',
      {
        mesh: `point3f[] points.timeSamples = { 0: [(0,0,0), (0,1,0), (0,2,0)], 10: [(0,0,0), (0,1,1), (0,2,4)] }
          float[] primvars:skel:jointWeights.timeSamples = { 0: [1,0,1,0,1,0], 10: [1,0,0,1,0,1] }`,
      },
    ],
    [
      'normals of face corners',
      {
        mesh: 'int[] faceVertexIndices = [2, 1, 0, 0]',
        normals: 'normal3f[] normals = [(0,0,1), (1,0,0), (0,1,0), (0,0,1)] (interpolation = "faceVarying")',
      },
    ],
    ['a skinning method that nobody knows', { mesh: 'uniform token primvars:skel:skinningMethod = "other"' }],
  ])('match each instance deformed alone, with %s', (_, options) => {
    const stage = scene(3, options);
    const { prims } = skinnedAt(stage, [0, 10, 4.25]);
    expect(meshesOf(prims).size).toBe(1);
    for (const [path, { buffers }] of prims)
      expect(buffers.result).toEqual(alone(stage, path.replace(/\/M$/, ''), 4.25));
  });

  it('do not share the mesh of an instance with opinions on inherited bindings', () => {
    const order = (index: number): string => (index === 1 ? 'uniform token[] skel:joints = ["a/b", "a"]' : '');
    const stage = scene(3, { instance: order });
    const { prims } = skinnedAt(stage, [5]);
    expect(meshesOf(prims).size).toBe(2);
    for (const [path, { buffers }] of prims) expect(buffers.result).toEqual(alone(stage, path.replace(/\/M$/, ''), 5));
  });

  it('do not allocate', async () => {
    const perCall = await bytesPerCall(new URL('skinned-instances.probe.ts', import.meta.url));
    expect(perCall).toBeLessThan(NO_ALLOCATION);
  });
});
