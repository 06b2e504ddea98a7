import { describe, expect, it } from 'vitest';
import * as mat4 from '../../../../src/core/math/mat4.ts';
import type { Issue } from '../../../../src/core/report/issue.ts';
import { parentsFromPaths } from '../../../../src/core/skeleton/topology.ts';
import { skeletonAnimation } from '../../../../src/formats/usd/skel/bindings.ts';
import { skelTransforms } from '../../../../src/formats/usd/skel/joint-transforms.ts';
import {
  type AnimatedSkeleton,
  readAnimatedSkeleton,
  sampleSkeleton,
} from '../../../../src/formats/usd/skel/skeleton-sample.ts';
import type { Stage } from '../../../../src/formats/usd/stage/stage.ts';
import { localToWorld } from '../../../../src/formats/usd/stage/xform-ops.ts';
import { expectNear } from '../../../support/near.ts';
import { EXACT_CHAIN, USD_REFERENCE } from '../../../support/tolerances.ts';
import { componentsText, matrixText, randomFrames, randomMatrices } from './random-poses.ts';
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
  const { skeleton, issues } = readAnimatedSkeleton(stage, '/S', animation);
  if (skeleton === null) throw new Error('the skeleton is not valid');
  const sampled = sampleSkeleton(stage, skeleton, 'default');
  const { local, skel, skinning, restRelative, weights } = sampled;
  const messages = messagesOf([...issues, ...sampled.issues]);
  return { x: [local, skel, skinning, restRelative].map(xOf), weights, messages };
}

/** The scene of OpenUSD's test: the animation lacks the last joint, and the root moves. */
function queryScene(frames: number, more = '', components = ''): QueryScene {
  const order = ['/A', '/A/B', '/A/B/C', '/D', '/D/E/F'];
  const rest = randomMatrices(order.length, 1);
  const parents = parentsFromPaths(order);
  const bind = skelTransforms(parents, flat(rest));
  const roots = randomMatrices(frames, 2);
  const animated = randomFrames(frames, order.length - 1, 1000);
  const names = (joints: readonly string[]): string => joints.map((joint) => `"${joint}"`).join(', ');
  const matrices = (numbers: ArrayLike<number>): string =>
    order.map((_, i) => matrixText(Array.from(numbers).slice(16 * i, 16 * i + 16))).join(', ');
  const stage = stageOf(`
    def SkelRoot "SkelRoot" (prepend apiSchemas = ["SkelBindingAPI"]) {
      rel skel:skeleton = </SkelRoot/Skel>
      rel skel:animationSource = </SkelRoot/Anim>
      matrix4d xformOp:transform.timeSamples = { ${roots.map((matrix, t) => `${t}: ${matrixText(matrix)}`).join(', ')} }
      uniform token[] xformOpOrder = ["xformOp:transform"]
      def SkelAnimation "Anim" ${more} {
        uniform token[] joints = [${names(order.slice(0, -1))}]
        ${components || componentsText(animated)}
      }
      def Skeleton "Skel" {
        uniform token[] joints = [${names(order)}]
        uniform matrix4d[] bindTransforms = [${matrices(bind)}]
        uniform matrix4d[] restTransforms = [${matrices(flat(rest))}]
      }
    }`);
  const issues: Issue[] = [];
  const read = readAnimatedSkeleton(stage, '/SkelRoot/Skel', skeletonAnimation(stage, '/SkelRoot/Skel'));
  const { skeleton } = read;
  issues.push(...read.issues);
  if (skeleton === null) throw new Error('the skeleton is not valid');
  return { stage, skeleton, rest, roots, animated, issues };
}

interface QueryScene {
  readonly stage: Stage;
  readonly skeleton: AnimatedSkeleton;
  readonly rest: Float64Array[];
  readonly roots: Float64Array[];
  readonly animated: Float64Array[][];
  readonly issues: Issue[];
}

function flat(matrices: readonly ArrayLike<number>[]): number[] {
  return matrices.flatMap((matrix) => Array.from(matrix));
}

/** `first`, then the others: row vectors, as OpenUSD multiplies. */
function product(first: ArrayLike<number>, ...others: ArrayLike<number>[]): Float64Array {
  const out = Float64Array.from(first);
  for (const other of others) mat4.multiply(out, 0, other, 0, out, 0);
  return out;
}

function inverse(matrix: ArrayLike<number>): Float64Array {
  const out = new Float64Array(16);
  if (!mat4.invertAffine(out, 0, matrix, 0)) throw new Error('a random matrix has no inverse');
  return out;
}

/** Five local matrices as those of the skeleton of the scene. */
function toSkel([a, ab, abc, d, def]: readonly ArrayLike<number>[]): Float64Array[] {
  return [product(a), product(ab, a), product(abc, ab, a), product(d), product(def, d)];
}

describe('testUsdSkelSkeletonQuery', () => {
  it('computes local, skeleton, world and rest-relative matrices of a sparse animation below a moving root, at ten frames', () => {
    const { stage, skeleton, rest, roots, animated, issues } = queryScene(10);
    expect(skeleton.animation?.prim).toBe('/SkelRoot/Anim');
    for (let t = 0; t < 10; t++) {
      const { local, skel, restRelative, issues: found } = sampleSkeleton(stage, skeleton, t);
      issues.push(...found);
      const locals = [...animated[t], rest[4]];
      expectNear(local ?? [], flat(locals), USD_REFERENCE);
      expectNear(skel ?? [], flat(toSkel(locals)), USD_REFERENCE);
      const relative = locals.map((matrix, joint) => product(matrix, inverse(rest[joint])));
      expectNear(restRelative ?? [], flat(relative), USD_REFERENCE);
      const placement = localToWorld(stage, '/SkelRoot/Skel', t);
      expectNear(placement, roots[t], USD_REFERENCE);
      const world = Array.from({ length: 5 }, (_, joint) =>
        product((skel ?? []).slice(16 * joint, 16 * joint + 16), placement),
      );
      expectNear(flat(world), flat(toSkel(locals).map((matrix) => product(matrix, roots[t]))), USD_REFERENCE);
    }
    expect(issues).toEqual([]);
  });

  it('computes the rest pose in local, skeleton and world space', () => {
    const { stage, skeleton, rest, roots } = queryScene(10);
    const still = { ...skeleton, animation: null, map: null };
    for (let t = 0; t < 10; t++) {
      const { local, skel } = sampleSkeleton(stage, still, t);
      expectNear(local ?? [], flat(rest), 0);
      expectNear(skel ?? [], flat(toSkel(rest)), EXACT_CHAIN);
      expectNear(localToWorld(stage, '/SkelRoot', t), roots[t], USD_REFERENCE);
    }
  });

  it('uses the rest pose if the animation is inactive or a component is blocked', () => {
    const components = componentsText(randomFrames(10, 4, 5));
    const inactive = queryScene(10, '(active = false)');
    const blocked = queryScene(10, '', components.replace(/translations\.timeSamples = {.*}/, 'translations = None'));
    expect(inactive.skeleton.animation).toBeNull();
    expect(blocked.skeleton.animation?.prim).toBe('/SkelRoot/Anim');
    for (const { stage, skeleton, rest, issues } of [inactive, blocked]) {
      for (const t of [5, 10]) {
        const { local, issues: found } = sampleSkeleton(stage, skeleton, t);
        issues.push(...found);
        expectNear(local ?? [], flat(rest), 0);
      }
      expect(issues).toEqual([]);
    }
  });
});

describe('sampleSkeleton', () => {
  it('computes local, skeleton, skinning and rest-relative matrices of the animation', () => {
    expect(sample(scene(FULL), '/A')).toEqual({ x: [9, 9, 8, 4], weights: null, messages: [] });
  });

  it('uses the rest pose without an animation, scales or joints', () => {
    expect(sample(scene(FULL), null).x).toEqual([5, 5, 4, 0]);
    expect(sample(scene(FULL.replace(/half3.*/, '')), '/A').x).toEqual([5, 5, 4, 0]);
    expect(sample(scene(FULL.replace('"a"', '"b"')), '/A').x).toEqual([5, 5, 4, 0]);
    expect(sample(scene('float[] blendShapeWeights = [0.5]'), '/A')).toEqual({
      x: [5, 5, 4, 0],
      weights: Float32Array.of(0.5),
      messages: [],
    });
  });

  it('does not require a rest pose if every joint is animated', () => {
    const { x, messages } = sample(scene(FULL, '[]'), '/A');
    expect(x).toEqual([9, 9, 8, null]);
    expect(messages).toEqual([
      'Skeleton /S: restTransforms has 0 matrices for 1 joints; author one per joint. Transforms that need this data are not computed.',
    ]);
  });

  it('readAnimatedSkeleton: returns null for an invalid skeleton', () => {
    const stage = stageOf('def Skeleton "S" {\n uniform token[] joints = ["a/b", "a"]\n}');
    expect(readAnimatedSkeleton(stage, '/S', null).skeleton).toBeNull();
  });
});
