/** Geometry of crowd instances: vertices with the rows of their joints. */
import {
  BufferAttribute,
  BufferGeometry,
  InstancedBufferAttribute,
  InstancedBufferGeometry,
  type InterleavedBufferAttribute,
  Matrix4,
  type SkinnedMesh,
} from 'three';
import type { CrowdTarget } from '../../../core/runtime/crowd/crowd-plan.ts';
import { attributeFloats } from '../read-attribute.ts';

/** Skinned joints of a vertex. */
const INFLUENCES = 4;

type VertexAttribute = BufferAttribute | InterleavedBufferAttribute;

/** The inputs of {@link createCrowdGeometry}. */
interface CrowdGeometrySource {
  /** The mesh of the model. */
  readonly mesh: SkinnedMesh;
  /** The model. */
  readonly target: CrowdTarget;
  /** Index in `jointRows` of the first joint of the mesh. */
  readonly firstJoint: number;
  /** Greatest number of instances. */
  readonly capacity: number;
}

/**
 * Creates the geometry of the instances of one mesh.
 *
 * @param source The mesh and its model.
 * @returns The geometry, with the attribute `crowdInstance`: character and playhead of each instance.
 */
export function createCrowdGeometry({
  mesh,
  target,
  firstJoint,
  capacity,
}: CrowdGeometrySource): InstancedBufferGeometry {
  const { attributes, index, groups } = mesh.geometry;
  const geometry = new InstancedBufferGeometry();
  const plain = new BufferGeometry();
  for (const name of ['position', 'normal'] as const) {
    const attribute = attributes[name] as VertexAttribute | undefined;
    if (attribute !== undefined) plain.setAttribute(name, new BufferAttribute(attributeFloats(attribute, 3), 3));
  }
  if (target.bindMatrix !== null) plain.applyMatrix4(new Matrix4().fromArray(target.bindMatrix));
  for (const [name, attribute] of Object.entries(plain.attributes)) geometry.setAttribute(name, attribute);
  for (const name of ['uv', 'uv1', 'color']) {
    if (attributes[name] !== undefined) geometry.setAttribute(name, attributes[name]);
  }
  const joints = attributeFloats(attributes['skinIndex'] as VertexAttribute, INFLUENCES);
  const rows = joints.map((joint) => target.jointRows[firstJoint + joint]);
  geometry.setAttribute('crowdRows', new BufferAttribute(rows, INFLUENCES));
  geometry.setAttribute(
    'crowdWeights',
    new BufferAttribute(attributeFloats(attributes['skinWeight'] as VertexAttribute, INFLUENCES), INFLUENCES),
  );
  if (target.bindMatrix === null) {
    geometry.setAttribute(
      'crowdJoints',
      new BufferAttribute(
        joints.map((joint) => firstJoint + joint),
        INFLUENCES,
      ),
    );
  }
  geometry.setAttribute('crowdInstance', new InstancedBufferAttribute(new Float32Array(2 * capacity), 2));
  geometry.setIndex(index);
  for (const { start, count, materialIndex } of groups) geometry.addGroup(start, count, materialIndex);
  return geometry;
}
