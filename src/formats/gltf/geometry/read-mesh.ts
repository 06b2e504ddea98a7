/** Meshes of a document: glTF 2.0 section 3.7. */
import type { Mesh, MeshPrimitive, MorphTarget, PrimitiveMode } from '../../../core/asset/geometry.ts';
import { FormatError } from '../../../core/report/format-error.ts';
import { readAccessor } from '../accessor.ts';
import { type DracoPrimitive, decodeDraco } from '../decode-draco.ts';
import { DRACO_EXTENSION } from '../draco.ts';
import {
  arrayAt,
  indexAt,
  integerAt,
  type JsonObject,
  listItem,
  nameOfValue,
  objectAt,
  objectItem,
  required,
  stringAt,
} from '../schema.ts';
import { accessorError } from '../stored-elements.ts';
import { note } from './geometry-findings.ts';
import { areBelow, type GeometryReading, noteExtensions } from './geometry-reading.ts';
import { madeArray } from './made-arrays.ts';
import { morphTargetNames } from './morph-names.ts';
import { readMorphTarget, STILL_TARGET } from './read-morph-targets.ts';
import { readVertices } from './read-vertices.ts';

/** By the numbers of glTF. */
const MODES: readonly PrimitiveMode[] = [
  'points',
  'lines',
  'line-loop',
  'line-strip',
  'triangles',
  'triangle-strip',
  'triangle-fan',
];

/**
 * A mesh. `jointCount` is that of the skins it is used with, Infinity without; `placeOf` gives the place of a material of
 * the file in the list of those that are kept. Parts without positions are noted and left out. FormatError GLTF_SCHEMA,
 * GLTF_REFERENCE, GLTF_ACCESSOR, GLTF_COMPRESSION, GLTF_LIMIT and those of `viewBytes`.
 */
export function readMesh(
  reading: GeometryReading,
  index: number,
  jointCount: number,
  placeOf: (material: number) => number,
): Mesh {
  const pointer = `/meshes/${index}`;
  const mesh = listItem(reading.doc.json, 'meshes', index);
  noteExtensions(reading, 'meshExtension', mesh, pointer, []);
  const list = arrayAt(mesh, 'primitives', pointer);
  const read: { primitive: MeshPrimitive; pointer: string }[] = [];
  for (let i = 0; i < list.length; i++) {
    const where = `${pointer}/primitives/${i}`;
    const primitive = readPrimitive(reading, objectItem(list, i, `${pointer}/primitives`), where, jointCount, placeOf);
    if (primitive === null) note(reading.findings, 'primitive', '', where);
    else read.push({ primitive, pointer: where });
  }
  const targetCount = read.reduce((most, { primitive }) => Math.max(most, primitive.morphTargets.length), 0);
  const primitives = read.map(({ primitive, pointer: where }) => {
    const { morphTargets } = primitive;
    if (morphTargets.length === targetCount) return primitive;
    note(reading.findings, 'target', '', where);
    const missing = new Array<MorphTarget>(targetCount - morphTargets.length).fill(STILL_TARGET);
    return { ...primitive, morphTargets: [...morphTargets, ...missing] };
  });
  return {
    name: stringAt(mesh, 'name', pointer) ?? '',
    primitives,
    morphNames: morphTargetNames(mesh, targetCount) ?? new Array<string>(targetCount).fill(''),
    morphWeights: readMorphWeights(reading, mesh, pointer, targetCount) ?? new Float64Array(targetCount),
  };
}

/**
 * The `weights` of a mesh or a node, as many as there are targets: 0 for those that are missing. Null where it has none.
 * FormatError GLTF_SCHEMA.
 */
export function readMorphWeights(
  { findings }: GeometryReading,
  owner: JsonObject,
  pointer: string,
  targetCount: number,
): Float64Array | null {
  if (!Object.hasOwn(owner, 'weights')) return null;
  const given = arrayAt(owner, 'weights', pointer);
  given.forEach((weight, i) => {
    if (Number.isFinite(weight)) return;
    const where = `${pointer}/weights/${i}`;
    const message = `${where} is ${nameOfValue(weight)}, expected a finite number`;
    throw new FormatError('GLTF_SCHEMA', message, { pointer: where });
  });
  if (given.length !== targetCount) note(findings, 'weight', '', pointer);
  return Float64Array.from({ length: targetCount }, (_, i) => (given[i] as number | undefined) ?? 0);
}

function readPrimitive(
  reading: GeometryReading,
  primitive: JsonObject,
  pointer: string,
  jointCount: number,
  placeOf: (material: number) => number,
): MeshPrimitive | null {
  const { doc } = reading;
  noteExtensions(reading, 'meshExtension', primitive, pointer, [DRACO_EXTENSION]);
  const attributes = required(objectAt(primitive, 'attributes', pointer), 'attributes', pointer);
  if (!Object.hasOwn(attributes, 'POSITION')) return null;
  const number = integerAt(primitive, 'mode', pointer) ?? 4;
  const draco = decodeDraco(doc, primitive, pointer);
  const mode = draco === null ? MODES[number] : 'triangles';
  if (mode === undefined) {
    const message = `${pointer}/mode is ${number}, expected 0 to 6`;
    throw new FormatError('GLTF_SCHEMA', message, { pointer: `${pointer}/mode` });
  }
  const vertices = readVertices(reading, attributes, `${pointer}/attributes`, draco, jointCount);
  if (vertices === null) return null;
  const { vertexCount } = vertices;
  const targets = arrayAt(primitive, 'targets', pointer);
  const material = indexAt(primitive, 'material', pointer, doc.json, 'materials');
  return {
    mode,
    ...vertices,
    indices: readIndices(reading, primitive, pointer, draco, vertexCount),
    morphTargets: targets.map((_, i) => {
      const target = objectItem(targets, i, `${pointer}/targets`);
      return readMorphTarget(reading, target, `${pointer}/targets/${i}`, vertexCount);
    }),
    material: material === undefined ? -1 : placeOf(material),
  };
}

/** FormatError GLTF_ACCESSOR when an index is no vertex, which the value that would restart a strip is not either. */
function readIndices(
  reading: GeometryReading,
  primitive: JsonObject,
  pointer: string,
  draco: DracoPrimitive | null,
  vertexCount: number,
): Uint32Array | null {
  if (draco !== null) return draco.indices;
  const { doc } = reading;
  const index = indexAt(primitive, 'indices', pointer, doc.json, 'accessors');
  if (index === undefined) return null;
  const { array, type, componentType } = readAccessor(doc, index);
  const where = `/accessors/${index}`;
  const isWhole = array instanceof Uint16Array || array instanceof Uint32Array || array instanceof Uint8Array;
  if (!isWhole || type !== 'SCALAR') {
    const reason = `its type is ${type} of ${componentType}, indices are SCALAR of 5121, 5123 or 5125`;
    throw accessorError(reason, where);
  }
  if (!areBelow(reading, array, vertexCount)) {
    const wrong = array.find((vertex) => vertex >= vertexCount);
    throw accessorError(`an index is ${wrong}, the mesh of ${pointer} has ${vertexCount} vertices`, where);
  }
  if (array instanceof Uint32Array) return array;
  return madeArray(doc, 'indices', [array], 4 * array.length, where, () => new Uint32Array(array));
}
