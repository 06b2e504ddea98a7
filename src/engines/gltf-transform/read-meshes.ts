/** Reads the meshes of a character of a glTF-Transform document. */
import type { Accessor, ExtensionProperty, Node, Primitive, Skin } from '@gltf-transform/core';
import { toTriangles } from '../../core/asset/triangles.ts';
import * as mat4 from '../../core/math/mat4.ts';
import { MATRIX_STRIDE } from '../../core/skeleton/skeleton.ts';
import { NODE_VISIBILITY } from '../../formats/gltf/extensions/khr-node-visibility.ts';
import { PRIMITIVE_MODES } from '../../formats/gltf/meshes/read-mesh.ts';
import { rigidMesh, type SceneMesh } from '../scene/scene-surface.ts';

/** Returns the numbers of an accessor: normalized integers as floats. */
function numbersOf(accessor: Accessor, width: number): Float32Array {
  const out = new Float32Array(width * accessor.getCount());
  const element: number[] = [];
  for (let k = 0; k < accessor.getCount(); k++) {
    accessor.getElement(k, element);
    for (let c = 0; c < width; c++) out[width * k + c] = element[c];
  }
  return out;
}

/** Returns the joints of a skin as indices of nodes, and its inverse bind matrices. */
function readJoints(skin: Skin, indexOf: ReadonlyMap<Node, number>): Pick<SceneMesh, 'joints' | 'inverseBind'> {
  const joints = Int32Array.from(skin.listJoints(), (joint) => indexOf.get(joint) ?? -1);
  const inverseBind = new Float64Array(MATRIX_STRIDE * joints.length);
  for (let joint = 0; joint < joints.length; joint++) mat4.identity(inverseBind, MATRIX_STRIDE * joint);
  const accessor = skin.getInverseBindMatrices();
  if (accessor !== null) inverseBind.set(numbersOf(accessor, MATRIX_STRIDE).subarray(0, inverseBind.length));
  return { joints, inverseBind };
}

/** Returns the triangles of a primitive, three vertices each; none of points and lines. */
function trianglesOf(primitive: Primitive, vertexCount: number): Uint32Array {
  const array = primitive.getIndices()?.getArray() ?? null;
  const indices = array === null ? null : Uint32Array.from(array);
  return toTriangles({ mode: PRIMITIVE_MODES[primitive.getMode()], indices, vertexCount }) ?? new Uint32Array(0);
}

/** The extension property of `KHRNodeVisibility`; its package is optional. */
interface Visibility extends ExtensionProperty {
  getVisible(): boolean;
}

function listHiding(node: Node): Node[] {
  const hiding: Node[] = [];
  for (let above: Node | null = node; above !== null; above = above.getParentNode()) {
    if (above.getExtension<Visibility>(NODE_VISIBILITY)?.getVisible() === false) hiding.push(above);
  }
  return hiding;
}

function readPrimitive(primitive: Primitive, node: Node, indexOf: ReadonlyMap<Node, number>): SceneMesh | null {
  const accessor = primitive.getAttribute('POSITION');
  if (accessor === null) return null;
  const positions = numbersOf(accessor, 3);
  const triangles = trianglesOf(primitive, accessor.getCount());
  const [indices, weights, skin] = [
    primitive.getAttribute('JOINTS_0'),
    primitive.getAttribute('WEIGHTS_0'),
    node.getSkin(),
  ];
  if (skin !== null && indices !== null && weights !== null) {
    const influences = { indices: numbersOf(indices, 4), weights: numbersOf(weights, 4) };
    return { positions, triangles, ...influences, ...readJoints(skin, indexOf), node: -1, hiddenBy: listHiding(node) };
  }
  const index = indexOf.get(node);
  if (index === undefined) return null;
  return rigidMesh({ positions, triangles, node: index, hiddenBy: listHiding(node) });
}

export function readMeshes(all: readonly Node[], nodes: readonly Node[]): SceneMesh[] {
  const indexOf = new Map(nodes.map((node, index) => [node, index]));
  return all.flatMap((node) => {
    const primitives = node.getMesh()?.listPrimitives() ?? [];
    return primitives.flatMap((primitive) => readPrimitive(primitive, node, indexOf) ?? []);
  });
}
