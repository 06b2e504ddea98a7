/** Plans skinning once per mesh: the joints that move each vertex. */
import type { Influences } from './influences.ts';

/** A skinning plan. Plain data. */
export interface SkinPlan {
  /** Vertices of the mesh. */
  readonly vertexCount: number;
  /** Joints of the skin. */
  readonly jointCount: number;
  /** Vertex v has the influences `starts[v]` … `starts[v + 1] − 1`; one more entry than vertices. */
  readonly starts: Int32Array;
  /** Joint of every influence, ascending within a vertex, so that the order in the file does not matter. */
  readonly joints: Int32Array;
  /** Weight of every influence, not 0. */
  readonly weights: Float64Array;
}

/**
 * Plans the skinning of a mesh. Weights are used unchanged and need not add up to 1. Influences with weight 0 are dropped, whatever their joint.
 *
 * @param influences Influences of the mesh.
 * @param vertexCount Vertices of the mesh.
 * @param jointCount Joints of the skin.
 * @returns A plan for `skinLinear`.
 * @throws RangeError For influences of a different number of vertices, a weight that is not finite, or a joint that is not in the skin.
 * @experimental
 * @example
 * const { influences, positions } = primitive; // a skinned one of a Geometry
 * const plan = planSkin(influences, positions.length / 3, skin.joints.length);
 */
export function planSkin(influences: Influences, vertexCount: number, jointCount: number): SkinPlan {
  const { kind, jointsPerVertex, indices, weights } = influences;
  const expected = (kind === 'constant' ? 1 : vertexCount) * jointsPerVertex;
  if (indices.length !== expected || indices.length !== weights.length) {
    throw new RangeError(
      `There are ${indices.length} joint indices and ${weights.length} weights, ${jointsPerVertex} per vertex (${kind}); expected ${expected} for ${vertexCount} vertices.`,
    );
  }
  const plan = {
    vertexCount,
    jointCount,
    starts: new Int32Array(vertexCount + 1),
    joints: new Int32Array(vertexCount * jointsPerVertex),
    weights: new Float64Array(vertexCount * jointsPerVertex),
  };
  let end = 0;
  for (let vertex = 0; vertex < vertexCount; vertex++) {
    const start = end;
    const from = kind === 'constant' ? 0 : vertex * jointsPerVertex;
    for (let i = from; i < from + jointsPerVertex; i++) {
      const weight = weights[i];
      const joint = indices[i];
      if (weight === 0) continue;
      if (!Number.isFinite(weight)) {
        throw new RangeError(`Vertex ${vertex} has weight ${weight}; expected a finite number.`);
      }
      if (!(joint >= 0 && joint < jointCount)) {
        throw new RangeError(`Vertex ${vertex} is skinned to joint ${joint}; expected one of 0…${jointCount - 1}.`);
      }
      let to = end++;
      while (to > start) {
        const former = plan.joints[to - 1];
        if (former < joint || (former === joint && plan.weights[to - 1] >= weight)) break;
        plan.joints[to] = former;
        plan.weights[to] = plan.weights[to - 1];
        to--;
      }
      plan.joints[to] = joint;
      plan.weights[to] = weight;
    }
    plan.starts[vertex + 1] = end;
  }
  return { ...plan, joints: plan.joints.subarray(0, end), weights: plan.weights.subarray(0, end) };
}
