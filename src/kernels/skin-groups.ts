/** Sorts the vertices of a skin for the kernel: groups of four vertices that share four joints, and the rest. */
import type { SkinPlan } from '../core/deform/skin-plan.ts';

/** Vertices of a group, and their joints. */
const FOUR = 4;
/** Vertices that fill a group by repeating the last one; fewer take less time one by one. */
const LEAST = 3;
/** Words of 4 bytes per group: 4 joints, the weights of 4 vertices for each of them, and the 4 vertices. */
const GROUP_WORDS = 24;
const MATRIX_BYTES = 64;
const VECTOR_BYTES = 12;

/** Bundles of vertices, as in {@link SkinPlan}; joints and vertices are byte offsets. */
export interface KernelBundles {
  /** First influence of every bundle, and the number of influences. */
  readonly starts: Int32Array;
  /** Byte offset of the matrix of every influence from that of joint 0. */
  readonly joints: Uint32Array;
  /** Weight of every influence. */
  readonly weights: Float32Array;
  /** First entry of `vertices` for every bundle, and the number of entries. */
  readonly vertexStarts: Int32Array;
  /** Byte offset of every vertex. */
  readonly vertices: Uint32Array;
}

/** The vertices of a plan, each in one of the two lists. */
export interface SkinGroups {
  /** Words of all groups: addresses of matrices, weights as float32, and byte offsets of vertices. */
  readonly groups: Uint32Array;
  /** Vertices that are in no group. */
  readonly rest: KernelBundles;
}

/**
 * Groups the vertices of a plan. Adjacent bundles with the same four joints make groups; the vertices of a group need not have the same weights.
 *
 * @param plan The plan of the mesh, from `planSkin`.
 * @param matricesAt Address of the joint matrices, bytes.
 * @returns Groups and the rest.
 */
export function groupVertices(plan: SkinPlan, matricesAt: number): SkinGroups {
  const { starts, sameJointsEnds, vertexStarts, vertices, bundles } = plan;
  const most = Math.ceil(vertices.length / LEAST);
  const groups = new Uint32Array(GROUP_WORDS * most);
  const weightsOfGroups = new Float32Array(groups.buffer);
  const rest = {
    starts: [0],
    joints: [] as number[],
    weights: [] as number[],
    vertexStarts: [0],
    vertices: [] as number[],
  };
  let end = 0;
  const addGroup = (entry: number, last: number): void => {
    for (let k = 0; k < FOUR; k++) {
      const at = Math.min(entry + k, last);
      const influence = starts[bundles[at]];
      groups[end + k] = matricesAt + MATRIX_BYTES * plan.joints[starts[bundles[entry]] + k];
      for (let joint = 0; joint < FOUR; joint++) {
        weightsOfGroups[end + FOUR * (joint + 1) + k] = plan.weights[influence + joint];
      }
      groups[end + GROUP_WORDS - FOUR + k] = VECTOR_BYTES * vertices[at];
    }
    end += GROUP_WORDS;
  };
  const addRest = (bundle: number, first: number): void => {
    for (let i = starts[bundle]; i < starts[bundle + 1]; i++) {
      rest.joints.push(MATRIX_BYTES * plan.joints[i]);
      rest.weights.push(plan.weights[i]);
    }
    rest.starts.push(rest.joints.length);
    for (let at = first; at < vertexStarts[bundle + 1]; at++) rest.vertices.push(VECTOR_BYTES * vertices[at]);
    rest.vertexStarts.push(rest.vertices.length);
  };

  for (let bundle = 0; bundle < starts.length - 1; ) {
    const runEnd = sameJointsEnds[bundle];
    const stop = vertexStarts[runEnd];
    let entry = vertexStarts[bundle];
    if (starts[bundle + 1] - starts[bundle] === FOUR) {
      for (; stop - entry >= LEAST; entry += FOUR) addGroup(entry, stop - 1);
    }
    for (; bundle < runEnd; bundle++) {
      const first = Math.max(entry, vertexStarts[bundle]);
      if (first < vertexStarts[bundle + 1]) addRest(bundle, first);
    }
  }
  return {
    groups: groups.slice(0, end),
    rest: {
      starts: Int32Array.from(rest.starts),
      joints: Uint32Array.from(rest.joints),
      weights: Float32Array.from(rest.weights),
      vertexStarts: Int32Array.from(rest.vertexStarts),
      vertices: Uint32Array.from(rest.vertices),
    },
  };
}
