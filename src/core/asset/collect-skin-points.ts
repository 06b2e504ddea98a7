import { OFFSET_STRIDE, type SkinPoints } from '../deform/skin-points.ts';
import { MATRIX_STRIDE } from '../skeleton/skeleton.ts';
import type { AssetSkeleton } from './asset.ts';
import type { Geometry, MeshInstance, MeshPrimitive } from './geometry.ts';
import { mapToSkeleton, partsOfSkeleton, visitRigidVertices } from './skeleton-vertices.ts';
import { toTriangles } from './triangles.ts';

/** Points while they are collected: arrays of the largest possible size, and how much of them is filled. */
interface Collected {
  readonly starts: Int32Array;
  readonly nodes: Int32Array;
  readonly offsets: Float64Array;
  readonly rigid: Uint8Array;
  readonly triangles: Int32Array[];
  points: number;
  influences: number;
}

function allocate({ meshes }: Geometry, { skinned, rigid }: ReturnType<typeof partsOfSkeleton>): Collected {
  let [points, influences] = [0, 0];
  for (const { primitive } of skinned) {
    points += primitive.vertexCount;
    influences += primitive.vertexCount * (primitive.influences?.jointsPerVertex ?? 0);
  }
  for (const { mesh } of rigid) {
    for (const { vertexCount } of meshes[mesh].primitives) {
      points += vertexCount;
      influences += vertexCount;
    }
  }
  return {
    starts: new Int32Array(points + 1),
    nodes: new Int32Array(influences),
    offsets: new Float64Array(OFFSET_STRIDE * influences),
    rigid: new Uint8Array(points),
    triangles: [],
    points: 0,
    influences: 0,
  };
}

/** Adds a weighted position in the space of a node to the point that is being collected. */
function addInfluence(out: Collected, node: number, weight: number, x: number, y: number, z: number): void {
  const at = OFFSET_STRIDE * out.influences;
  out.nodes[out.influences++] = node;
  out.offsets[at] = weight * x;
  out.offsets[at + 1] = weight * y;
  out.offsets[at + 2] = weight * z;
  out.offsets[at + 3] = weight;
}

/** Ends the point whose influences were added. */
function endPoint(out: Collected, isRigid: boolean): void {
  out.rigid[out.points++] = isRigid ? 1 : 0;
  out.starts[out.points] = out.influences;
}

/** Tells whether a primitive is bound to one joint as a whole, as formats without rigid meshes bind weapons. */
function isBoundToOneJoint({ influences }: MeshPrimitive): boolean {
  if (influences === null || influences.jointsPerVertex !== 1) return false;
  return influences.kind === 'constant' || influences.indices.every((joint) => joint === influences.indices[0]);
}

/** Adds the triangles of a primitive whose corners were all collected; `points` has the point of every vertex, −1 without one. */
function addTriangles(out: Collected, primitive: MeshPrimitive, points: Int32Array): void {
  const corners = toTriangles(primitive);
  if (corners === null) return;
  const triangles = new Int32Array(corners.length);
  let end = 0;
  for (let k = 0; k < corners.length; k += 3) {
    const a = points[corners[k]];
    const b = points[corners[k + 1]];
    const c = points[corners[k + 2]];
    if (!(a >= 0 && b >= 0 && c >= 0)) continue;
    triangles[end++] = a;
    triangles[end++] = b;
    triangles[end++] = c;
  }
  out.triangles.push(triangles.subarray(0, end));
}

/** Adds the vertices of a skinned primitive; those that do not move with the skeleton are left out. */
function addSkinned(
  out: Collected,
  primitive: MeshPrimitive,
  { joints, inverseBindMatrices }: Geometry['skins'][number],
  nodeOf: readonly number[],
): void {
  const { influences, positions, vertexCount } = primitive;
  const m = inverseBindMatrices;
  if (influences === null) return;
  const { indices, weights, jointsPerVertex, kind } = influences;
  const points = new Int32Array(vertexCount).fill(-1);
  const isRigid = isBoundToOneJoint(primitive);
  const nodeOfJoint = Int32Array.from(joints, (joint) => nodeOf[joint] ?? -1);
  for (let vertex = 0; vertex < vertexCount; vertex++) {
    const first = kind === 'constant' ? 0 : vertex * jointsPerVertex;
    let sum = 0;
    for (let k = first; k < first + jointsPerVertex; k++) {
      if (weights[k] > 0 && nodeOfJoint[indices[k]] >= 0) sum += weights[k];
    }
    if (!(sum > 0)) continue;
    const x = positions[3 * vertex];
    const y = positions[3 * vertex + 1];
    const z = positions[3 * vertex + 2];
    for (let k = first; k < first + jointsPerVertex; k++) {
      const joint = indices[k];
      const weight = weights[k] / sum;
      if (!(weight > 0 && nodeOfJoint[joint] >= 0)) continue;
      // As mat4.transformPoint, which is called with so many types of arrays that it is slow.
      const i = MATRIX_STRIDE * joint;
      const boundX = m[i] * x + m[i + 4] * y + m[i + 8] * z + m[i + 12];
      const boundY = m[i + 1] * x + m[i + 5] * y + m[i + 9] * z + m[i + 13];
      const boundZ = m[i + 2] * x + m[i + 6] * y + m[i + 10] * z + m[i + 14];
      addInfluence(out, nodeOfJoint[joint], weight, boundX, boundY, boundZ);
    }
    points[vertex] = out.points;
    endPoint(out, isRigid);
  }
  addTriangles(out, primitive, points);
}

function addRigid(out: Collected, geometry: Geometry, instance: MeshInstance, nodeOf: readonly number[]): void {
  let point = out.points;
  visitRigidVertices(geometry, instance, nodeOf, (node, [x, y, z]) => {
    addInfluence(out, node, 1, x, y, z);
    endPoint(out, true);
  });
  if (out.points === point) return;
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

function joinTriangles(lists: readonly Int32Array[]): Int32Array {
  const joined = new Int32Array(lists.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const list of lists) {
    joined.set(list, at);
    at += list.length;
  }
  return joined;
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
  const parts = partsOfSkeleton(geometry, nodeOf);
  const { skinned, rigid } = parts;
  const out = allocate(geometry, parts);
  for (const { primitive, skin } of skinned) addSkinned(out, primitive, geometry.skins[skin], nodeOf);
  for (const instance of rigid) addRigid(out, geometry, instance, nodeOf);
  if (out.influences === 0) return null;
  return {
    starts: out.starts.subarray(0, out.points + 1),
    nodes: out.nodes.subarray(0, out.influences),
    offsets: out.offsets.subarray(0, OFFSET_STRIDE * out.influences),
    rigid: out.rigid.subarray(0, out.points),
    radii: new Float64Array(out.points),
    triangles: joinTriangles(out.triangles),
  };
}
