/** What joins a Mesh prim to a Skeleton: joint influences and blend shapes. */
import type { MeshPrimitive, MorphTarget } from '../../../core/asset/geometry.ts';
import { expandConstantInfluences } from '../../../core/deform/edit-influences.ts';
import type { Influences } from '../../../core/deform/influences.ts';
import type { Layer } from '../layer/layer.ts';
import { applyBindingApi, setInfluences } from '../skel/author-influences.ts';
import { authorAttribute } from '../skel/author-property.ts';
import { addPrim } from './add-prim.ts';
import { authorRelationship } from './author-prims.ts';
import { arrayOf, single, texts, UNIFORM } from './author-values.ts';

/** Binds a prim to a Skeleton, by its path. */
export function bindToSkeleton(layer: Layer, prim: string, skeleton: string): void {
  applyBindingApi(layer, prim);
  authorRelationship(layer, prim, 'skel:skeleton', [skeleton]);
}

/** Sets the influences of a prim, along a joint order of its own or (null) that of its Skeleton, and how it comes into the bind pose; null for as it is. */
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

/** One joint that holds all vertices: a prop, which moves as a whole. */
export function rigidInfluences(joint: number, vertexCount: number): Influences {
  const indices = new Int32Array(vertexCount).fill(joint);
  return { kind: 'vertex', jointsPerVertex: 1, indices, weights: new Float32Array(vertexCount).fill(1) };
}

/**
 * Influences along the joints of a Skeleton or of a mesh, a run for each vertex, of those along the joints of a skin (`joints`: where each of them is there).
 * Constant ones are written out: UsdSkel shows the same, and players that take all influences for those of vertices do too. Places with no weight, or with a
 * joint that the skin does not have, get joint 0 and weight 0.
 */
export function influencesAlong(influences: Influences, joints: Int32Array, vertexCount: number): Influences {
  const { jointsPerVertex, indices: given, weights: held } = expandConstantInfluences(influences, vertexCount);
  const indices = new Int32Array(given.length);
  const weights = new Float32Array(given.length);
  for (let i = 0; i < given.length; i++) {
    const weight = held[i];
    if (weight === 0 || given[i] >= joints.length) continue;
    indices[i] = joints[given[i]];
    weights[i] = weight;
  }
  return { kind: 'vertex', jointsPerVertex, indices, weights };
}

/** A blend shape of a mesh. */
export interface NamedShape {
  /** What animations call it: unique among the blend shapes of a Skeleton. */
  readonly token: string;
  /** The name that it was given; may be empty. */
  readonly name: string;
}

/** Adds the morph targets of a primitive as BlendShape prims below its Mesh. Tangents have no place in them. */
export function addBlendShapes(
  layer: Layer,
  prim: string,
  { morphTargets, vertexCount }: MeshPrimitive,
  shapes: readonly NamedShape[],
): void {
  const paths = shapes.map(({ name, token }, t) => {
    const path = addPrim(layer, prim, name === '' ? token : name, 'Shape', 'BlendShape');
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

/** Offsets of the vertices that have any; all vertices without indices. A shape without offsets has an empty list, which does nothing. */
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
