import fc from 'fast-check';
import { expect, it } from 'vitest';
import { planSkin } from '../../src/core/deform/skin-plan.ts';
import { groupVertices } from '../../src/kernels/skin-groups.ts';
import { lawRuns } from '../law-runs.ts';

const MATRICES = 3072;
const MATRIX_BYTES = 64;
const VECTOR_BYTES = 12;
const GROUP_WORDS = 24;

/** A weight by joint; the weights of a joint that occurs several times are added. */
type Weights = Record<number, number>;

function weightsOf(pairs: readonly (readonly [number, number])[]): Weights {
  const weights: Weights = {};
  for (const [joint, weight] of pairs) if (weight !== 0) weights[joint] = (weights[joint] ?? 0) + weight;
  return weights;
}

/** The influences of every vertex that groups and bundles state; entries of a group that repeat a vertex must agree. */
function stated({ groups, rest }: ReturnType<typeof groupVertices>): Map<number, Weights> {
  const found = new Map<number, Weights>();
  const floats = new Float32Array(groups.buffer, groups.byteOffset, groups.length);
  for (let at = 0; at < groups.length; at += GROUP_WORDS) {
    const joints = [...groups.subarray(at, at + 4)].map((address) => (address - MATRICES) / MATRIX_BYTES);
    const inGroup = new Map<number, Weights>();
    for (let k = 0; k < 4; k++) {
      const vertex = groups[at + 20 + k] / VECTOR_BYTES;
      const weights = weightsOf(joints.map((joint, i) => [joint, floats[at + 4 + 4 * i + k]]));
      if (inGroup.has(vertex)) expect(weights).toEqual(inGroup.get(vertex));
      inGroup.set(vertex, weights);
    }
    for (const [vertex, weights] of inGroup) {
      expect(found.has(vertex)).toBe(false);
      found.set(vertex, weights);
    }
  }
  for (let bundle = 0; bundle < rest.starts.length - 1; bundle++) {
    const range = Array.from(
      { length: rest.starts[bundle + 1] - rest.starts[bundle] },
      (_, i) => rest.starts[bundle] + i,
    );
    const weights = weightsOf(range.map((i) => [rest.joints[i] / MATRIX_BYTES, rest.weights[i]]));
    for (const offset of rest.vertices.subarray(rest.vertexStarts[bundle], rest.vertexStarts[bundle + 1])) {
      expect(found.has(offset / VECTOR_BYTES)).toBe(false);
      found.set(offset / VECTOR_BYTES, weights);
    }
  }
  return found;
}

/** Weights that are exact in float32, so that sums do not depend on the order. */
const weight = fc.integer({ min: 0, max: 64 }).map((units) => units / 64);
/** Vertices with 3 to 5 influences of few joints, so that many vertices share them. */
const anyInfluences = fc
  .tuple(fc.constantFrom(1, 4, 5), fc.integer({ min: 3, max: 5 }))
  .chain(([joints, count]) =>
    fc.array(fc.array(fc.tuple(fc.nat(joints - 1), weight), { minLength: count, maxLength: count }), { maxLength: 60 }),
  );

it('groupVertices: every vertex keeps its influences, in one group or one bundle', () => {
  fc.assert(
    fc.property(anyInfluences, (influences) => {
      const flat = influences.flat();
      const plan = planSkin(
        {
          kind: 'vertex',
          jointsPerVertex: influences[0]?.length ?? 4,
          indices: Uint16Array.from(flat, ([joint]) => joint),
          weights: Float32Array.from(flat, ([, one]) => one),
        },
        influences.length,
        5,
      );
      const found = stated(groupVertices(plan, MATRICES));
      expect(found.size).toBe(influences.length);
      influences.forEach((pairs, vertex) => {
        expect(found.get(vertex)).toEqual(weightsOf(pairs));
      });
    }),
    { seed: 17, numRuns: lawRuns(300) },
  );
});

it('groupVertices: seven vertices with the same four joints are two groups, a lone one is not grouped', () => {
  const joints = [...Array.from({ length: 7 }, () => [0, 1, 2, 3]), [1, 2, 3, 4]];
  const plan = planSkin(
    {
      kind: 'vertex',
      jointsPerVertex: 4,
      indices: Uint16Array.from(joints.flat()),
      weights: Float32Array.from(joints.flatMap((_, v) => [0.1 * (v + 1), 0.2, 0.3, 0.4])),
    },
    joints.length,
    5,
  );
  const { groups, rest } = groupVertices(plan, MATRICES);
  expect(groups.length / GROUP_WORDS).toBe(2);
  expect([...rest.vertices]).toEqual([7 * VECTOR_BYTES]);
});
