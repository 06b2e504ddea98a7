import { describe, expect, it } from 'vitest';
import type { Issue } from '../../../../../src/core/report/issue.ts';
import { readBindings } from '../../../../../src/formats/usd/skel/bindings.ts';
import { type SkinnedInstancePrim, deformSkinnedInstances, planSkinnedInstances } from '../../../../../src/formats/usd/skel/deform/skinned-instances.ts';
import { type DeformedPrim, deformPrim, planPrim } from '../../../../../src/formats/usd/skel/deform/deform-prim.ts';
import { readAnimatedSkeleton, sampleSkeleton } from '../../../../../src/formats/usd/skel/skeleton-sample.ts';
import type { Stage } from '../../../../../src/formats/usd/stage/stage.ts';
import { bytesPerCall } from '../../../../allocation/bytes-per-call.ts';
import { NO_ALLOCATION } from '../../../../tolerances.ts';
import { type InstancedSceneOptions, instancedSceneText } from './instanced-scene.ts';
import { messagesOf, stageOf } from '../scene.ts';

/** A crowd at a time, by the path of the prim. */
function crowdAt(stage: Stage, times: readonly number[]) {
  const issues: Issue[] = [];
  const crowd = planSkinnedInstances(stage, issues);
  for (const time of times) deformSkinnedInstances(stage, crowd, time, issues);
  const prims = new Map(crowd.instances.flatMap((m) => m.prims.map((prim) => [prim.deformer.bound.prim, prim] as const)));
  return { crowd, prims, issues };
}

/** The same prim for itself, with nothing shared. */
function alone(stage: Stage, root: string, time: number): DeformedPrim {
  const issues: Issue[] = [];
  const [{ skeleton, animation, prims }] = readBindings(stage, root).bindings;
  const animated = readAnimatedSkeleton(stage, skeleton, animation, issues);
  if (animated === null) throw new Error('the skeleton is not valid');
  const sample = sampleSkeleton(stage, animated, time, issues);
  return deformPrim(stage, planPrim(stage, prims[0], animated, issues), sample, time, issues);
}

function scene(count: number, options: InstancedSceneOptions = {}): Stage {
  return stageOf(instancedSceneText(count, options));
}

function meshesOf(prims: ReadonlyMap<string, SkinnedInstancePrim>): Set<unknown> {
  return new Set([...prims.values()].map(({ deformer }) => deformer.mesh));
}

const COUNT = 100;

describe('a crowd of instances', () => {
  it('has one of all that its instances have in common, and the points of each alone', () => {
    const stage = scene(COUNT);
    const { crowd, prims, issues } = crowdAt(stage, [0, 3.7]);
    expect(messagesOf(issues)).toEqual([]);
    expect(prims.size).toBe(COUNT);
    const shared = [...prims.values()].map(({ deformer: { mesh } }) => {
      const { vertices, influences, plan, geomBind } = mesh.geometry!;
      return [mesh, vertices.positions, vertices.normals, influences?.indices, influences?.weights, plan, geomBind];
    });
    for (const one of shared) for (const [k, data] of one.entries()) expect(data).toBe(shared[0][k]);
    const [first, ...others] = crowd.instances.map(({ pose }) => pose);
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

  it('takes points at rest from the layer itself', () => {
    const stage = scene(2);
    const { prims } = crowdAt(stage, [0]);
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
  ])('moves as each instance alone with %s', (_, options) => {
    const stage = scene(3, options);
    const { prims } = crowdAt(stage, [0, 10, 4.25]);
    expect(meshesOf(prims).size).toBe(1);
    for (const [path, { buffers }] of prims) expect(buffers.result).toEqual(alone(stage, path.replace(/\/M$/, ''), 4.25));
  });

  it('has a mesh of its own where an instance says what its mesh inherits', () => {
    const order = (index: number): string => (index === 1 ? 'uniform token[] skel:joints = ["a/b", "a"]' : '');
    const stage = scene(3, { instance: order });
    const { prims } = crowdAt(stage, [5]);
    expect(meshesOf(prims).size).toBe(2);
    for (const [path, { buffers }] of prims) expect(buffers.result).toEqual(alone(stage, path.replace(/\/M$/, ''), 5));
  });

  it('skins without allocation', async () => {
    const perCall = await bytesPerCall(new URL('crowd.probe.ts', import.meta.url));
    expect(perCall).toBeLessThan(NO_ALLOCATION);
  });
});
