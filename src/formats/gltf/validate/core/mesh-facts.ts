/** What nodes, skins and animations need to know of meshes. */
import { isObject, type JsonObject, memberAt } from '../../document/json-access.ts';
import { type CoreCheck, itemAt, itemsAt } from './findings.ts';

/**
 * Tests whether a primitive of a mesh has joints.
 *
 * @param mesh JSON of the mesh.
 * @returns True with JOINTS_0.
 */
export function hasJoints(mesh: JsonObject): boolean {
  return itemsAt(mesh, 'primitives').some((primitive) => {
    const attributes = isObject(primitive) ? memberAt(primitive, 'attributes') : undefined;
    return isObject(attributes) && memberAt(attributes, 'JOINTS_0') !== undefined;
  });
}

/**
 * Counts the morph targets of a mesh.
 *
 * @param mesh JSON of the mesh.
 * @returns Targets of its first primitive.
 */
export function morphTargetCount(mesh: JsonObject): number {
  const [first] = itemsAt(mesh, 'primitives');
  return isObject(first) ? itemsAt(first, 'targets').length : 0;
}

/**
 * Tests whether a node has a skin and a mesh with joints.
 *
 * @param check The running check.
 * @param node JSON of the node.
 * @returns True for a skinned mesh.
 */
export function isSkinned(check: CoreCheck, node: JsonObject): boolean {
  const mesh = itemAt(check, 'meshes', memberAt(node, 'mesh'));
  return mesh !== undefined && hasJoints(mesh) && itemAt(check, 'skins', memberAt(node, 'skin')) !== undefined;
}
