import type { MeshPrimitive, MorphTarget } from '../../../../core/asset/geometry.ts';
import { expandConstantInfluences } from '../../../../core/deform/edit-influences.ts';
import type { Influences } from '../../../../core/deform/influences.ts';
import { addPrim } from '../../author/add-prim.ts';
import { applyBindingApi, setInfluences } from '../../author/author-influences.ts';
import { authorRelationship } from '../../author/author-prims.ts';
import { authorAttribute } from '../../author/author-property.ts';
import { arrayOf, single, text, texts, UNIFORM } from '../../author/author-values.ts';
import type { Layer } from '../../layer/layer.ts';

/** Binds a prim to a Skeleton. `layer` is changed in place. */
export function bindToSkeleton(layer: Layer, prim: string, skeleton: string): void {
  applyBindingApi(layer, prim);
  authorRelationship(layer, prim, 'skel:skeleton', [skeleton]);
}

/**
 * Sets the joint influences of a prim. `layer` is changed in place. `joints`: joint order of the prim; null for that of its Skeleton. `geomBind`: prim
 * space to skeleton space in the bind pose, 16 floats; null for the identity.
 */
export function bindToJoints(
  layer: Layer,
  prim: string,
  influences: Influences,
  joints: readonly string[] | null,
  geomBind: Float64Array | null,
): void {
  setInfluences(layer, prim, influences);
  if (joints !== null) authorAttribute(layer, prim, 'skel:joints', 'token[]', texts('token', joints), UNIFORM);
  if (geomBind === null) return;
  authorAttribute(layer, prim, 'primvars:skel:geomBindTransform', 'matrix4d', single('matrix4d', ...geomBind));
}

/** Creates influences with which one joint moves all vertices rigidly. */
export function rigidInfluences(joint: number, vertexCount: number): Influences {
  const indices = new Int32Array(vertexCount).fill(joint);
  return { kind: 'vertex', jointsPerVertex: 1, indices, weights: new Float32Array(vertexCount).fill(1) };
}

/**
 * Maps the joint indices of influences to another joint order. Constant influences are expanded to one run per vertex, because some renderers ignore
 * the interpolation. Influences without weight or with an invalid joint become joint 0 with weight 0.
 */
export function remapInfluences(influences: Influences, joints: Int32Array, vertexCount: number): Influences {
  const expanded = expandConstantInfluences(influences, vertexCount);
  const { jointsPerVertex } = expanded;
  const indices = new Int32Array(expanded.indices.length);
  const weights = new Float32Array(expanded.indices.length);
  for (let i = 0; i < indices.length; i++) {
    const weight = expanded.weights[i];
    if (weight === 0 || expanded.indices[i] >= joints.length) continue;
    indices[i] = joints[expanded.indices[i]];
    weights[i] = weight;
  }
  return { kind: 'vertex', jointsPerVertex, indices, weights };
}

export interface BlendShapeNames {
  /** Name in `skel:blendShapes` and in animations; unique in a mesh, and shared by meshes of a Skeleton whose shapes move alike. */
  readonly token: string;
  /** Name of the morph target; may be empty. */
  readonly name: string;
}

/**
 * Adds the morph targets of a primitive as BlendShape prims below its Mesh. Tangent offsets are dropped: BlendShape cannot store them. `layer` is
 * changed in place.
 */
export function addBlendShapes(
  layer: Layer,
  prim: string,
  { morphTargets, vertexCount }: MeshPrimitive,
  shapes: readonly BlendShapeNames[],
): void {
  const paths = shapes.map(({ name, token }, t) => {
    const path = addPrim(layer, prim, name || token, 'Shape', 'BlendShape');
    // Without a display name, a shape is called by its token, which differs where meshes move shapes of one name in different ways.
    if (name !== '' && token !== name) layer.specs.get(path)?.fields.set('displayName', text('string', name));
    writeBlendShape(layer, path, morphTargets[t], vertexCount);
    return path;
  });
  applyBindingApi(layer, prim);
  const tokens = texts(
    'token',
    shapes.map(({ token }) => token),
  );
  authorAttribute(layer, prim, 'skel:blendShapes', 'token[]', tokens, UNIFORM);
  authorRelationship(layer, prim, 'skel:blendShapeTargets', paths);
}

/** Writes the non-zero offsets of a blend shape; `pointIndices` are omitted if all vertices are offset. Without offsets the list is empty. */
function writeBlendShape(layer: Layer, path: string, target: MorphTarget | undefined, vertexCount: number): void {
  const { vertices = null, positions = null, normals = null } = target ?? {};
  const count = vertices?.length ?? vertexCount;
  const changes = (numbers: Float32Array | null, row: number): boolean =>
    numbers !== null && (numbers[3 * row] !== 0 || numbers[3 * row + 1] !== 0 || numbers[3 * row + 2] !== 0);
  const rows: number[] = [];
  for (let row = 0; row < count; row++) {
    const vertex = vertices === null ? row : vertices[row];
    if (vertex < vertexCount && (changes(positions, row) || changes(normals, row))) rows.push(row);
  }
  const pick = (numbers: Float32Array | null): number[] =>
    numbers === null ? [] : rows.flatMap((row) => [numbers[3 * row], numbers[3 * row + 1], numbers[3 * row + 2]]);
  const author = (name: string, typeName: string, value: Parameters<typeof authorAttribute>[4]): void =>
    authorAttribute(layer, path, name, typeName, value, UNIFORM);
  author('offsets', 'vector3f[]', arrayOf('float3', pick(positions)));
  if (normals !== null && rows.some((row) => changes(normals, row))) {
    author('normalOffsets', 'vector3f[]', arrayOf('float3', pick(normals)));
  }
  const isAll = vertices === null && rows.length === vertexCount;
  if (!isAll && rows.length > 0) {
    author(
      'pointIndices',
      'int[]',
      arrayOf(
        'int',
        rows.map((row) => (vertices === null ? row : vertices[row])),
      ),
    );
  }
}
