/**
 * Appends accessors. Binary data is append-only, so existing indices and byte offsets, which unknown extensions may refer
 * to, stay valid. glTF 2.0 sections 3.6.1 and 3.6.2.
 */
import { FormatError } from '../../../core/report/format-error.ts';
import { createGrowingBuffer, type GltfDocument, type GrowingBuffer } from '../document/document.ts';
import { padding } from '../document/glb.ts';
import {
  checkIndex,
  ensureList,
  type GltfList,
  integerAt,
  isObject,
  type JsonObject,
  listItem,
  memberAt,
  required,
} from '../document/json-access.ts';
import { type AccessorType, type ComponentArray, type ComponentType, TYPE_WIDTH } from './element-layout.ts';

/** The items of a list that are objects, with their indices; empty for anything but a list. */
function itemsOf(object: JsonObject, key: string): [number, JsonObject][] {
  const list = memberAt(object, key);
  if (!Array.isArray(list)) return [];
  return [...list.entries()].filter((entry): entry is [number, JsonObject] => isObject(entry[1]));
}

/** Checks a member that should be an index; readers report anything but numbers. */
function checkMember(json: JsonObject, list: GltfList, index: unknown, pointer: string): void {
  if (typeof index === 'number') checkIndex(index, json, list, pointer);
}

/**
 * Checks that meshes refer to existing accessors, and accessors and images to existing buffer views: an index past the end would refer to what is
 * appended next. Throws FormatError GLTF_REFERENCE for an index past the end.
 */
export function checkReferences(json: JsonObject): void {
  for (const [m, mesh] of itemsOf(json, 'meshes')) {
    for (const [p, primitive] of itemsOf(mesh, 'primitives')) {
      const at = `/meshes/${m}/primitives/${p}`;
      checkMember(json, 'accessors', memberAt(primitive, 'indices'), `${at}/indices`);
      const attributes = memberAt(primitive, 'attributes');
      const sets = itemsOf(primitive, 'targets').map(([t, set]): [string, JsonObject] => [`${at}/targets/${t}`, set]);
      if (isObject(attributes)) sets.push([`${at}/attributes`, attributes]);
      for (const [pointer, set] of sets) {
        for (const [name, index] of Object.entries(set)) checkMember(json, 'accessors', index, `${pointer}/${name}`);
      }
    }
  }
  for (const list of ['accessors', 'images'] as const) {
    for (const [k, item] of itemsOf(json, list))
      checkMember(json, 'bufferViews', memberAt(item, 'bufferView'), `/${list}/${k}/bufferView`);
  }
}

const NO_BYTES = new Uint8Array(0);

export interface AccessorLayout {
  readonly type: AccessorType;
  /** True when integers encode fractions (section 3.6.2.2). False by default. */
  readonly normalized?: boolean;
  /** True to write `min` and `max`, which animation times and positions require. False by default. */
  readonly minMax?: boolean;
  readonly name?: string;
}

export interface NewAccessor extends AccessorLayout {
  readonly array: ComponentArray;
}

/**
 * Appends an accessor with its own buffer view.
 *
 * @param doc Document; edited.
 * @param array Tightly packed elements; copied.
 * @throws RangeError For an empty array, an incomplete element, or values that are not finite (glTF forbids them).
 * @throws FormatError when the buffers of the file are invalid, and GLTF_REFERENCE where the file refers to data that it has not.
 * @example
 * const times = appendAccessor(doc, Float32Array.of(0, 1), { type: 'SCALAR', minMax: true });
 */
export function appendAccessor(doc: GltfDocument, array: ComponentArray, layout: AccessorLayout): number {
  return appendAccessors(doc, [{ array, ...layout }])[0]!;
}

/**
 * Appends accessors that share one new buffer view without target and stride. They should have the same use: key times, sampler outputs or bind
 * matrices. `doc` is edited. Throws RangeError as {@link appendAccessor}, and for an empty list. Throws FormatError when the buffers of the file are
 * invalid, and GLTF_REFERENCE where the file refers to data that it has not.
 */
export function appendAccessors(doc: GltfDocument, accessors: readonly NewAccessor[]): number[] {
  for (const accessor of accessors) checkAccessor(accessor);
  const offsets: number[] = [];
  let length = 0;
  for (const { array } of accessors) {
    offsets.push(length);
    length += array.byteLength + padding(array.byteLength);
  }
  if (length === 0) throw new RangeError('appendAccessors: the list of accessors is empty');
  const chunk = new Uint8Array(length);
  accessors.forEach(({ array }, i) => {
    chunk.set(new Uint8Array(array.buffer, array.byteOffset, array.byteLength), offsets[i]);
  });

  const bufferView = appendView(doc, chunk);
  const list = ensureList(doc.json, 'accessors');
  return accessors.map((accessor, i) => list.push(accessorJson(accessor, bufferView, offsets[i]!)) - 1);
}

function checkAccessor({ array, type }: NewAccessor): void {
  const width = TYPE_WIDTH[type];
  if (array.length === 0 || array.length % width !== 0) {
    throw new RangeError(
      `appendAccessor: the array has ${array.length} components, expected a multiple of ${width} for ${type} and at least one element`,
    );
  }
  if (type.startsWith('MAT') && !(array instanceof Float32Array)) {
    throw new RangeError('appendAccessor: matrices must be a Float32Array');
  }
  if (!(array instanceof Float32Array)) return;
  // A sum of products with 0 is NaN if a component is NaN or infinite: one test instead of one per component.
  let zero = 0;
  for (let i = 0; i < array.length; i++) zero += array[i]! * 0;
  if (zero === 0) return;
  const wrong = array.findIndex((value) => !Number.isFinite(value));
  throw new RangeError(`appendAccessor: component ${wrong} is ${array[wrong]}, but components must be finite`);
}

function accessorJson(accessor: NewAccessor, bufferView: number, byteOffset: number): unknown {
  const { array, type, normalized, minMax, name } = accessor;
  const json: Record<string, unknown> = {};
  if (name !== undefined) json['name'] = name;
  json['bufferView'] = bufferView;
  if (byteOffset > 0) json['byteOffset'] = byteOffset;
  json['componentType'] = componentTypeOf(array);
  if (normalized) json['normalized'] = true;
  json['count'] = array.length / TYPE_WIDTH[type];
  json['type'] = type;
  if (minMax) Object.assign(json, bounds(array, TYPE_WIDTH[type]));
  return json;
}

export function componentTypeOf(array: ComponentArray): ComponentType {
  if (array instanceof Float32Array) return 5126;
  if (array instanceof Uint32Array) return 5125;
  if (array instanceof Uint16Array) return 5123;
  if (array instanceof Int16Array) return 5122;
  return array instanceof Int8Array ? 5120 : 5121;
}

/** Minimum and maximum of each component, as stored (section 3.6.2.5). */
function bounds(array: ComponentArray, width: number): { min: number[]; max: number[] } {
  const min = Array.from(array.subarray(0, width));
  const max = min.slice();
  for (let i = width; i < array.length; i++) {
    const component = i % width;
    const value = array[i]!;
    if (value < min[component]!) min[component] = value;
    if (value > max[component]!) max[component] = value;
  }
  return { min, max };
}

/**
 * Appends a buffer view at a multiple of 4 bytes. The bytes of `chunk` are not copied: do not change them afterwards. Throws FormatError when the
 * buffers of the file are invalid, and GLTF_REFERENCE where the file refers to data that it has not.
 */
export function appendView(doc: GltfDocument, chunk: Uint8Array): number {
  doc.growing ??= startGrowing(doc);
  const { growing } = doc;
  const byteOffset = growing.length + padding(growing.length);
  growing.chunks.set(byteOffset, chunk);
  growing.length = byteOffset + chunk.length;
  listItem(doc.json, 'buffers', growing.buffer)['byteLength'] = growing.length;
  const views = ensureList(doc.json, 'bufferViews');
  const view: Record<string, unknown> = { buffer: growing.buffer };
  if (byteOffset > 0) view['byteOffset'] = byteOffset;
  view['byteLength'] = chunk.length;
  return views.push(view) - 1;
}

/**
 * Chooses the buffer for appended data: buffer 0 if it is the BIN chunk or the file has no buffers, else a new last
 * buffer, whose uri `serializeGltf` sets, or which is a new last chunk of a GLB of version 3. Other existing buffers are never changed;
 * one without a uri may be the placeholder of a compression extension.
 */
function startGrowing(doc: GltfDocument): GrowingBuffer {
  checkReferences(doc.json);
  const buffers = ensureList(doc.json, 'buffers');
  const isNew = buffers.length === 0;
  const chunk = doc.chunks?.length;
  if (isNew && chunk === undefined) {
    buffers.push({ byteLength: 0 });
    return createGrowingBuffer(0, doc.bin ?? NO_BYTES);
  }
  const first = isNew ? {} : listItem(doc.json, 'buffers', 0);
  const isElsewhere = Object.hasOwn(first, 'uri') || (chunk !== undefined && Object.hasOwn(first, 'chunk'));
  if (isNew || doc.bin === null || isElsewhere) {
    const buffer = chunk === undefined ? { byteLength: 0 } : { byteLength: 0, chunk };
    return createGrowingBuffer(buffers.push(buffer) - 1, NO_BYTES);
  }
  const declared = required(integerAt(first, 'byteLength', '/buffers/0', 1), 'byteLength', '/buffers/0');
  if (doc.bin.length < declared) {
    const message = `The BIN chunk has ${doc.bin.length} bytes, but buffer 0 declares ${declared}; data cannot be appended to a damaged file`;
    throw new FormatError('GLTF_BUFFER', message, { pointer: '/buffers/0/byteLength' });
  }
  // Appended data starts after the whole chunk, so that bytes after byteLength keep their offset.
  return createGrowingBuffer(0, doc.bin);
}
