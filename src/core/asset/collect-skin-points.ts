/** Collects the vertices of a file as points that move with the nodes of one of its skeletons. */
import type { SkinPoints } from '../contacts/surface/skin-points.ts';
import * as mat4 from '../math/mat4.ts';
import { MATRIX_STRIDE } from '../skeleton/skeleton.ts';
import type { AssetSkeleton } from './asset.ts';
import type { Geometry, MeshInstance, MeshPrimitive } from './geometry.ts';
import { mapToSkeleton, visitRigidVertices } from './skeleton-vertices.ts';
import { toTriangles } from './triangles.ts';

interface Collected {
  readonly starts: number[];
  readonly nodes: number[];
  readonly offsets: number[];
  readonly rigid: number[];
  readonly triangles: number[];
}

/** Tells whether a primitive is bound to one joint as a whole, as formats without rigid meshes bind weapons. */
function isBoundToOneJoint({ influences }: MeshPrimitive): boolean {
  if (influences === null || influences.jointsPerVertex !== 1) return false;
  return influences.kind === 'constant' || influences.indices.every((joint) => joint === influences.indices[0]);
}

/** Adds one vertex of a skinned primitive; one that does not move with the skeleton is left out. */
function addSkinnedVertex(
  out: Collected,
  { influences, positions }: MeshPrimitive,
  vertex: number,
  { joints, inverseBindMatrices }: Geometry['skins'][number],
  nodeOf: readonly number[],
  isRigid: boolean,
): void {
  if (influences === null) return;
  const { indices, weights, jointsPerVertex, kind } = influences;
  const first = kind === 'constant' ? 0 : vertex * jointsPerVertex;
  let sum = 0;
  for (let k = first; k < first + jointsPerVertex; k++) {
    if (weights[k] > 0 && (nodeOf[joints[indices[k]]] ?? -1) >= 0) sum += weights[k];
  }
  if (!(sum > 0)) return;
  const point = new Float64Array(3);
  for (let k = first; k < first + jointsPerVertex; k++) {
    const joint = indices[k];
    const node = nodeOf[joints[joint]] ?? -1;
    const weight = weights[k] / sum;
    if (!(weight > 0) || node < 0) continue;
    mat4.transformPoint(point, 0, inverseBindMatrices, MATRIX_STRIDE * joint, positions, 3 * vertex);
    out.nodes.push(node);
    out.offsets.push(weight * point[0], weight * point[1], weight * point[2], weight);
  }
  out.rigid.push(isRigid ? 1 : 0);
  out.starts.push(out.nodes.length);
}

/** Adds the triangles of a primitive whose corners were all collected; `points` has the point of every vertex, −1 without one. */
function addTriangles(out: Collected, primitive: MeshPrimitive, points: Int32Array): void {
  const corners = toTriangles(primitive) ?? [];
  for (let k = 0; k < corners.length; k += 3) {
    const [a, b, c] = [points[corners[k]], points[corners[k + 1]], points[corners[k + 2]]];
    if (a >= 0 && b >= 0 && c >= 0) out.triangles.push(a, b, c);
  }
}

function addSkinned(
  out: Collected,
  primitive: MeshPrimitive,
  skin: Geometry['skins'][number],
  nodeOf: readonly number[],
): void {
  const points = new Int32Array(primitive.vertexCount);
  const isRigid = isBoundToOneJoint(primitive);
  for (let vertex = 0; vertex < primitive.vertexCount; vertex++) {
    const before = out.starts.length - 1;
    addSkinnedVertex(out, primitive, vertex, skin, nodeOf, isRigid);
    points[vertex] = out.starts.length - 1 > before ? before : -1;
  }
  addTriangles(out, primitive, points);
}

function addRigid(out: Collected, geometry: Geometry, instance: MeshInstance, nodeOf: readonly number[]): void {
  let point = out.starts.length - 1;
  visitRigidVertices(geometry, instance, nodeOf, (node, [x, y, z]) => {
    out.nodes.push(node);
    out.offsets.push(x, y, z, 1);
    out.rigid.push(1);
    out.starts.push(out.nodes.length);
  });
  if (out.starts.length - 1 === point) return;
  for (const primitive of geometry.meshes[instance.mesh].primitives) {
    const first = point;
    addTriangles(
      out,
      primitive,
      Int32Array.from({ length: primitive.vertexCount }, (_, vertex) => first + vertex),
    );
    point += primitive.vertexCount;
  }
}

/**
 * Collects the vertices that move with the nodes of a skeleton, and their triangles: skinned ones, then those of rigid meshes.
 *
 * @param geometry Geometry of the file.
 * @param part A skeleton of the same file.
 * @returns The vertices as points; null when none moves with the skeleton.
 */
export function collectSkinPoints(geometry: Geometry, part: AssetSkeleton): SkinPoints | null {
  const nodeOf = mapToSkeleton(geometry, part);
  const out: Collected = { starts: [0], nodes: [], offsets: [], rigid: [], triangles: [] };
  for (const { skin, mesh } of geometry.instances) {
    if (skin < 0) continue;
    for (const primitive of geometry.meshes[mesh].primitives) addSkinned(out, primitive, geometry.skins[skin], nodeOf);
  }
  for (const instance of geometry.instances) if (instance.skin < 0) addRigid(out, geometry, instance, nodeOf);
  if (out.nodes.length === 0) return null;
  return {
    starts: Int32Array.from(out.starts),
    nodes: Int32Array.from(out.nodes),
    offsets: Float64Array.from(out.offsets),
    rigid: Uint8Array.from(out.rigid),
    radii: new Float64Array(out.starts.length - 1),
    triangles: Int32Array.from(out.triangles),
  };
}
