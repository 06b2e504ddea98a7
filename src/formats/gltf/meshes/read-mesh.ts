/** Meshes: glTF 2.0 section 3.7. */
import type { Mesh, MeshPrimitive, MorphTarget, PrimitiveMode } from '../../../core/asset/geometry.ts';
import { FormatError } from '../../../core/report/format-error.ts';
import { readAccessor } from '../accessors/accessor.ts';
import { type DracoPrimitive, decodeDraco } from '../accessors/decode-draco.ts';
import { accessorError } from '../accessors/stored-elements.ts';
import { DRACO_EXTENSION } from '../document/draco.ts';
import {
  arrayAt,
  describeValue,
  indexAt,
  integerAt,
  type JsonObject,
  listItem,
  objectAt,
  objectsAt,
  required,
  stringAt,
} from '../document/json-access.ts';
import { derivedArray } from './derived-arrays.ts';
import { countIssue } from './geometry-issues.ts';
import { areBelow, countExtensions, type GeometryReader } from './geometry-reader.ts';
import { morphTargetNames } from './morph-target-names.ts';
import { EMPTY_TARGET, readMorphTarget } from './read-morph-targets.ts';
import { readVertices } from './read-vertices.ts';

export const PRIMITIVE_MODES: readonly PrimitiveMode[] = [
  'points',
  'lines',
  'line-loop',
  'line-strip',
  'triangles',
  'triangle-strip',
  'triangle-fan',
];

/**
 * Reads a mesh. Primitives without positions are left out. Throws FormatError GLTF_SCHEMA, GLTF_REFERENCE, GLTF_ACCESSOR, GLTF_COMPRESSION,
 * GLTF_LIMIT and those of `viewBytes`.
 */
export function readMesh(
  reader: GeometryReader,
  index: number,
  jointCount: number,
  indexOf: (material: number) => number,
): Mesh {
  const pointer = `/meshes/${index}`;
  const mesh = listItem(reader.doc.json, 'meshes', index);
  countExtensions(reader, 'meshExtension', mesh, pointer, []);
  const read: { primitive: MeshPrimitive; pointer: string }[] = [];
  for (const { json, pointer: where } of objectsAt(mesh, 'primitives', pointer)) {
    const primitive = readPrimitive(reader, json, where, jointCount, indexOf);
    if (primitive === null) countIssue(reader.issueCounts, 'primitive', '', where);
    else read.push({ primitive, pointer: where });
  }
  const targetCount = read.reduce((most, { primitive }) => Math.max(most, primitive.morphTargets.length), 0);
  const primitives = read.map(({ primitive, pointer: where }) => {
    const { morphTargets } = primitive;
    if (morphTargets.length === targetCount) return primitive;
    countIssue(reader.issueCounts, 'target', '', where);
    const missing = new Array<MorphTarget>(targetCount - morphTargets.length).fill(EMPTY_TARGET);
    return { ...primitive, morphTargets: [...morphTargets, ...missing] };
  });
  return {
    name: stringAt(mesh, 'name', pointer) ?? '',
    primitives,
    morphNames: morphTargetNames(mesh, targetCount) ?? new Array<string>(targetCount).fill(''),
    morphWeights: readMorphWeights(reader, mesh, pointer, targetCount) ?? new Float64Array(targetCount),
  };
}

/**
 * Reads the `weights` of a mesh or a node, padded with 0 or truncated to the number of targets. Returns a weight per target; null where the owner
 * has none. Throws FormatError GLTF_SCHEMA for a weight that is not a finite number.
 */
export function readMorphWeights(
  { issueCounts }: GeometryReader,
  owner: JsonObject,
  pointer: string,
  targetCount: number,
): Float64Array | null {
  if (!Object.hasOwn(owner, 'weights')) return null;
  const weights = arrayAt(owner, 'weights', pointer);
  weights.forEach((weight, i) => {
    if (Number.isFinite(weight)) return;
    const where = `${pointer}/weights/${i}`;
    const message = `${where} is ${describeValue(weight)}, expected a finite number.`;
    throw new FormatError('GLTF_SCHEMA', message, { pointer: where });
  });
  if (weights.length !== targetCount) countIssue(issueCounts, 'weight', '', pointer);
  return Float64Array.from({ length: targetCount }, (_, i) => (weights[i] as number | undefined) ?? 0);
}

function readPrimitive(
  reader: GeometryReader,
  primitive: JsonObject,
  pointer: string,
  jointCount: number,
  indexOf: (material: number) => number,
): MeshPrimitive | null {
  const { doc } = reader;
  countExtensions(reader, 'meshExtension', primitive, pointer, [DRACO_EXTENSION]);
  const attributes = required(objectAt(primitive, 'attributes', pointer), 'attributes', pointer);
  if (!Object.hasOwn(attributes, 'POSITION')) return null;
  const number = integerAt(primitive, 'mode', pointer) ?? 4;
  const draco = decodeDraco(doc, primitive, pointer);
  const mode = draco === null ? PRIMITIVE_MODES[number] : 'triangles';
  if (mode === undefined) {
    const message = `${pointer}/mode is ${number}, expected 0 to 6.`;
    throw new FormatError('GLTF_SCHEMA', message, { pointer: `${pointer}/mode` });
  }
  const vertices = readVertices(reader, attributes, `${pointer}/attributes`, draco, jointCount);
  if (vertices === null) return null;
  const { vertexCount } = vertices;
  const targets = reader.isPlain ? [] : objectsAt(primitive, 'targets', pointer);
  const material = reader.isPlain ? undefined : indexAt(primitive, 'material', pointer, doc.json, 'materials');
  return {
    mode,
    ...vertices,
    indices: readIndices(reader, primitive, pointer, draco, vertexCount),
    morphTargets: Array.from(targets, ({ json, pointer: where }) => readMorphTarget(reader, json, where, vertexCount)),
    material: material === undefined ? -1 : indexOf(material),
  };
}

/** Vertex indices. A FormatError GLTF_ACCESSOR for indices past the last vertex, which includes the primitive restart value. */
function readIndices(
  reader: GeometryReader,
  primitive: JsonObject,
  pointer: string,
  draco: DracoPrimitive | null,
  vertexCount: number,
): Uint32Array | null {
  if (draco !== null) return draco.indices;
  const { doc } = reader;
  const index = indexAt(primitive, 'indices', pointer, doc.json, 'accessors');
  if (index === undefined) return null;
  const { array, type, componentType } = readAccessor(doc, index);
  const where = `/accessors/${index}`;
  const isUnsigned = array instanceof Uint16Array || array instanceof Uint32Array || array instanceof Uint8Array;
  if (!isUnsigned || type !== 'SCALAR') {
    const reason = `its type is ${type} of ${componentType}, expected SCALAR of 5121, 5123 or 5125 for indices`;
    throw accessorError(reason, where);
  }
  if (!areBelow(reader, array, vertexCount)) {
    const invalid = array.find((vertex) => vertex >= vertexCount);
    throw accessorError(`it has index ${invalid}, but ${pointer} has ${vertexCount} vertices`, where);
  }
  if (array instanceof Uint32Array) return array;
  return derivedArray(doc, 'indices', [array], 4 * array.length, where, () => new Uint32Array(array));
}
