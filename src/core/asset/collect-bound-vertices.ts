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
}

function mainJoint({ influences }: MeshPrimitive, vertex: number): number {
  if (influences === null) return 0;
  const { indices, weights, jointsPerVertex, kind } = influences;
  const first = kind === 'constant' ? 0 : vertex * jointsPerVertex;
  let best = first;
  for (let k = first + 1; k < first + jointsPerVertex; k++) if (weights[k] > weights[best]) best = k;
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
  for (let vertex = 0; vertex < primitive.vertexCount; vertex++) {
    const joint = mainJoint(primitive, vertex);
    const node = nodeOf[joints[joint]] ?? -1;
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
  const out: Collected = { positions: [], nodes: [] };
  const { skinned, rigid } = partsOfSkeleton(geometry, nodeOf);
  for (const moved of skinned) addSkinned(out, moved, geometry, nodeOf);
  for (const instance of rigid) {
    visitRigidVertices(geometry, instance, nodeOf, (node, point) => {
      out.positions.push(...point);
      out.nodes.push(node);
    });
  }
  if (out.nodes.length === 0) return null;
  return { positions: Float32Array.from(out.positions), nodes: Int32Array.from(out.nodes) };
}
