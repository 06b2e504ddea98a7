/** Geometry of crowd instances: vertices with the rows of their joints. */
import {
  BufferAttribute,
  BufferGeometry,
  InstancedBufferAttribute,
  InstancedBufferGeometry,
  type InterleavedBufferAttribute,
  Matrix4,
} from 'three';
import { MATRIX_STRIDE } from '../../../core/skeleton/skeleton.ts';
import type { CrowdTarget } from '../../../playback/crowd/crowd-plan.ts';
import { attributeFloats } from '../read-attribute.ts';
import type { CrowdPart } from './crowd-parts.ts';

/** Skinned joints of a vertex. */
const INFLUENCES = 4;

type VertexAttribute = BufferAttribute | InterleavedBufferAttribute;

interface CrowdGeometrySource {
  readonly part: CrowdPart;
  readonly target: CrowdTarget;
  /** The bind matrix that all joints of the mesh share, 16 floats; null if they differ. */
  readonly bindMatrix: Float32Array | null;
  readonly capacity: number;
}

/** Returns the joint indices and the weights of all vertices, 4 a vertex: of a rigid mesh, its one joint. */
function influencesOf({ mesh, jointCount }: CrowdPart): { joints: Float32Array; weights: Float32Array } {
  const { position, skinIndex, skinWeight } = mesh.geometry.attributes as Record<string, VertexAttribute | undefined>;
  if ('isSkinnedMesh' in mesh && jointCount > 0 && skinIndex !== undefined && skinWeight !== undefined) {
    return { joints: attributeFloats(skinIndex, INFLUENCES), weights: attributeFloats(skinWeight, INFLUENCES) };
  }
  const count = INFLUENCES * (position?.count ?? 0);
  return {
    joints: new Float32Array(count),
    weights: Float32Array.from({ length: count }, (_, k) => (k % INFLUENCES === 0 ? 1 : 0)),
  };
}

function flipped(index: BufferAttribute | null, vertexCount: number): BufferAttribute {
  const order = index === null ? Uint32Array.from({ length: vertexCount }, (_, k) => k) : index.array.slice();
  for (let k = 0; k + 2 < order.length; k += 3) [order[k + 1], order[k + 2]] = [order[k + 2], order[k + 1]];
  return new BufferAttribute(order, 1);
}

export function createCrowdGeometry({
  part,
  target,
  bindMatrix,
  capacity,
}: CrowdGeometrySource): InstancedBufferGeometry {
  const { mesh, firstJoint } = part;
  const { attributes, index, groups } = mesh.geometry;
  const geometry = new InstancedBufferGeometry();
  const plain = new BufferGeometry();
  for (const name of ['position', 'normal'] as const) {
    const attribute = attributes[name] as VertexAttribute | undefined;
    if (attribute !== undefined) plain.setAttribute(name, new BufferAttribute(attributeFloats(attribute, 3), 3));
  }
  if (bindMatrix !== null) plain.applyMatrix4(new Matrix4().fromArray(bindMatrix));
  for (const [name, attribute] of Object.entries(plain.attributes)) geometry.setAttribute(name, attribute);
  for (const name of ['uv', 'uv1', 'uv2', 'uv3', 'color']) {
    if (attributes[name] !== undefined) geometry.setAttribute(name, attributes[name]);
  }
  const { joints, weights } = influencesOf(part);
  const rows = joints.map((joint) => target.jointRows[firstJoint + joint]);
  geometry.setAttribute('crowdRows', new BufferAttribute(rows, INFLUENCES));
  geometry.setAttribute('crowdWeights', new BufferAttribute(weights, INFLUENCES));
  if (bindMatrix === null) {
    const indices = joints.map((joint) => firstJoint + joint);
    geometry.setAttribute('crowdJoints', new BufferAttribute(indices, INFLUENCES));
  }
  geometry.setAttribute('crowdInstance', new InstancedBufferAttribute(new Float32Array(2 * capacity), 2));
  // Instances have no matrix whose determinant could tell three.js that a mesh is mirrored.
  const first = new Matrix4().fromArray(target.bindMatrices, MATRIX_STRIDE * firstJoint);
  geometry.setIndex(first.determinant() < 0 ? flipped(index, plain.attributes['position'].count) : index);
  for (const { start, count, materialIndex } of groups) geometry.addGroup(start, count, materialIndex);
  return geometry;
}
