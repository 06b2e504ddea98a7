/** The vertices of a geometry in world space, in the most obvious form: every vertex of every instance (glTF 2.0 sections 3.7.2.2, 3.7.3.3). */
import type { Geometry, MeshPrimitive } from '../../../src/core/asset/geometry.ts';
import { plus, times, type Vector } from './plain.ts';
import { type Influence, type Matrix, matrixOf, moved, normalized, rotatedBy } from './skinning.ts';

/** One instance of a primitive, 3 numbers per vertex. */
export interface WorldPrimitive {
  /** Name of the mesh; unnamed meshes are distinguished by their vertex data. */
  readonly meshName: string;
  readonly positions: number[];
  /** As players transform them: by the 3×3 part, normalized. */
  readonly normals: number[];
}

function multiply(a: Matrix, b: Matrix): Matrix {
  return [0, 4, 8, 12].flatMap((column) => {
    return [0, 1, 2, 3].map((row) => [0, 1, 2, 3].reduce((sum, k) => sum + a[4 * k + row] * b[column + k], 0));
  });
}

/** Returns the world matrix of every node in a pose of 10 numbers per node. */
export function worldMatrices(parents: ArrayLike<number>, pose: ArrayLike<number>): Matrix[] {
  const worlds: Matrix[] = [];
  for (let node = 0; node < parents.length; node++) {
    const [tx, ty, tz, qx, qy, qz, qw, sx, sy, sz] = Array.from({ length: 10 }, (_, c) => pose[10 * node + c]);
    const stretch = [sx, 0, 0, 0, 0, sy, 0, 0, 0, 0, sz, 0, 0, 0, 0, 1];
    const local = matrixOf({ rotation: [qx, qy, qz, qw], translation: [tx, ty, tz], stretch });
    worlds.push(parents[node] < 0 ? local : multiply(worlds[parents[node]], local));
  }
  return worlds;
}

function morphedVectors(
  { vertexCount, morphTargets }: MeshPrimitive,
  base: ArrayLike<number>,
  attribute: 'positions' | 'normals',
  weights: ArrayLike<number>,
): Vector[] {
  const out: Vector[] = Array.from({ length: vertexCount }, (_, v) => [base[3 * v], base[3 * v + 1], base[3 * v + 2]]);
  morphTargets.forEach((target, t) => {
    const deltas = target[attribute];
    for (let i = 0; deltas !== null && i < deltas.length / 3; i++) {
      const vertex = target.vertices === null ? i : target.vertices[i];
      out[vertex] = plus(out[vertex], times([deltas[3 * i], deltas[3 * i + 1], deltas[3 * i + 2]], weights[t]));
    }
  });
  return out;
}

function influencesOf({ influences }: MeshPrimitive, vertex: number): Influence[] {
  if (influences === null) return [];
  const { kind, jointsPerVertex, indices, weights } = influences;
  const first = kind === 'constant' ? 0 : vertex * jointsPerVertex;
  return Array.from({ length: jointsPerVertex }, (_, k) => [indices[first + k], weights[first + k]]);
}

/** Returns all primitives in a pose (the rest pose by default), in the order of the instances and their primitives. */
export function worldVertices(geometry: Geometry, pose: ArrayLike<number> = geometry.nodes.rest): WorldPrimitive[] {
  const worlds = worldMatrices(geometry.nodes.parents, pose);
  return geometry.instances.flatMap(({ node, mesh, skin, morphWeights }) => {
    const { name, primitives, morphWeights: meshWeights } = geometry.meshes[mesh];
    const joints = skin < 0 ? [] : Array.from(geometry.skins[skin].joints);
    const matrices = joints.map((joint, j) => {
      const inverseBind = Array.from(geometry.skins[skin].inverseBindMatrices.slice(16 * j, 16 * j + 16));
      return multiply(worlds[joint], inverseBind);
    });
    return primitives.map((primitive): WorldPrimitive => {
      const weights = morphWeights ?? meshWeights;
      const isBound = skin >= 0 && primitive.influences !== null;
      const matrixAt = (vertex: number): Matrix => {
        if (!isBound) return worlds[node];
        const influences = influencesOf(primitive, vertex);
        return matrices[0].map((_, c) => influences.reduce((sum, [j, weight]) => sum + weight * matrices[j][c], 0));
      };
      const points = morphedVectors(primitive, primitive.positions, 'positions', weights);
      const normals = primitive.normals && morphedVectors(primitive, primitive.normals, 'normals', weights);
      return {
        meshName: name,
        positions: points.flatMap((point, v) => [...moved(matrixAt(v), point)]),
        normals: (normals ?? []).flatMap((normal, v) => [...normalized(rotatedBy(matrixAt(v), normal))]),
      };
    });
  });
}
