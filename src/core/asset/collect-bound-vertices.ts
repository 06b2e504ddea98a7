/** The vertices of a file as points that move with the nodes of a skeleton, for the estimator of the reference pose. */

import type { BoundVertices } from '../humanoid/t-pose/bound-vertices.ts';
import * as mat4 from '../math/mat4.ts';
import { MATRIX_STRIDE } from '../skeleton/skeleton.ts';
import type { AssetSkeleton } from './asset.ts';
import type { Geometry, MeshPrimitive } from './geometry.ts';
import { mapToSkeleton, partsOfSkeleton, type SkinnedPart, visitRigidVertices } from './skeleton-vertices.ts';

interface Collected {
  readonly positions: number[];
  readonly nodes: number[];
  readonly moves: Uint8Array;
}

/** Finds the joint that moves a vertex most, and marks the nodes of all joints that move it. */
function mainJoint(
  { influences }: MeshPrimitive,
  vertex: number,
  moves: Uint8Array,
  nodeOfJoint: (joint: number) => number,
): number {
  if (influences === null) {
    moves[nodeOfJoint(0)] = 1;
    return 0;
  }
  const { indices, weights, jointsPerVertex, kind } = influences;
  const first = kind === 'constant' ? 0 : vertex * jointsPerVertex;
  let best = first;
  for (let k = first; k < first + jointsPerVertex; k++) {
    if (weights[k] > weights[best]) best = k;
    if (weights[k] > 0) moves[nodeOfJoint(indices[k])] = 1;
  }
  return indices[best];
}

function addSkinned(
  out: Collected,
  { primitive, skin }: SkinnedPart,
  { skins }: Geometry,
  nodeOf: readonly number[],
): void {
  const { joints, inverseBindMatrices } = skins[skin];
  const point = new Float64Array(3);
  const nodeOfJoint = (joint: number): number => nodeOf[joints[joint]] ?? -1;
  for (let vertex = 0; vertex < primitive.vertexCount; vertex++) {
    const joint = mainJoint(primitive, vertex, out.moves, nodeOfJoint);
    const node = nodeOfJoint(joint);
    if (node < 0) continue;
    mat4.transformPoint(point, 0, inverseBindMatrices, MATRIX_STRIDE * joint, primitive.positions, 3 * vertex);
    out.positions.push(...point);
    out.nodes.push(node);
  }
}

/**
 * Collects the vertices that move with the nodes of a skeleton, each with its main joint. Returns positions in the local space of their node (3
 * floats per point) and node indices; null when no vertex moves with the skeleton.
 */
export function collectBoundVertices(geometry: Geometry, part: AssetSkeleton): BoundVertices | null {
  const nodeOf = mapToSkeleton(geometry, part);
  const out: Collected = { positions: [], nodes: [], moves: new Uint8Array(part.sourceNodes.length) };
  const { skinned, rigid } = partsOfSkeleton(geometry, nodeOf);
  for (const moved of skinned) addSkinned(out, moved, geometry, nodeOf);
  for (const instance of rigid) {
    visitRigidVertices(geometry, instance, nodeOf, (node, point) => {
      out.positions.push(...point);
      out.nodes.push(node);
      out.moves[node] = 1;
    });
  }
  if (out.nodes.length === 0) return null;
  return { positions: Float32Array.from(out.positions), nodes: Int32Array.from(out.nodes), moves: out.moves };
}
