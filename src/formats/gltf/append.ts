/**
 * Append-only editing of binary data: what extensions refer to keeps its place and its index. glTF 2.0 sections 3.6.1,
 * 3.6.2.
 */
import { FormatError } from '../../core/report/format-error.ts';
import { type GltfDocument, type GrowingBuffer, growingBuffer } from './document.ts';
import { type AccessorType, type ComponentArray, type ComponentType, TYPE_WIDTH } from './element-layout.ts';
import { padding } from './glb.ts';
import { growingList, integerAt, listItem, required } from './schema.ts';

const NOTHING = new Uint8Array(0);

/** How an array is stored as an accessor. */
export interface AccessorLayout {
  readonly type: AccessorType;
  /** Integers stand for fractions (section 3.6.2.2). */
  readonly normalized?: boolean;
  /** Write `min` and `max`, as animation times and positions need them. */
  readonly minMax?: boolean;
  readonly name?: string;
}

/** An array and how it is stored. */
export interface NewAccessor extends AccessorLayout {
  /** Whole elements, without gaps. */
  readonly array: ComponentArray;
}

/**
 * Appends an accessor with a buffer view of its own and gives its index. `array` is copied. RangeError when it is
 * empty, holds no whole elements, or holds values that are not finite (glTF forbids them).
 */
export function appendAccessor(doc: GltfDocument, array: ComponentArray, layout: AccessorLayout): number {
  return appendAccessors(doc, [{ array, ...layout }])[0]!;
}

/**
 * Appends accessors that share one new buffer view, and gives their indices. They should be of one kind: times,
 * outputs, bind matrices. The view has no target and no stride. Errors as with {@link appendAccessor}; FormatError
 * where the file's buffers cannot be followed.
 */
export function appendAccessors(doc: GltfDocument, accessors: readonly NewAccessor[]): number[] {
  for (const accessor of accessors) checkAccessor(accessor);
  const offsets: number[] = [];
  let length = 0;
  for (const { array } of accessors) {
    offsets.push(length);
    length += array.byteLength + padding(array.byteLength);
  }
  if (length === 0) throw new RangeError('appendAccessors: there is nothing to append');
  const chunk = new Uint8Array(length);
  accessors.forEach(({ array }, i) => {
    chunk.set(new Uint8Array(array.buffer, array.byteOffset, array.byteLength), offsets[i]);
  });

  const bufferView = appendView(doc, chunk);
  const list = growingList(doc.json, 'accessors');
  return accessors.map((accessor, i) => list.push(accessorJson(accessor, bufferView, offsets[i]!)) - 1);
}

function checkAccessor({ array, type }: NewAccessor): void {
  const width = TYPE_WIDTH[type];
  if (array.length === 0 || array.length % width !== 0) {
    throw new RangeError(`appendAccessor: ${array.length} components are no whole elements of ${type}`);
  }
  if (type.startsWith('MAT') && !(array instanceof Float32Array)) {
    throw new RangeError('appendAccessor: matrices are stored as Float32Array');
  }
  if (!(array instanceof Float32Array)) return;
  // A sum of products with 0 is 0, unless NaN or an infinity is among them: one look instead of one a component.
  let zero = 0;
  for (let i = 0; i < array.length; i++) zero += array[i]! * 0;
  if (zero === 0) return;
  const wrong = array.findIndex((value) => !Number.isFinite(value));
  throw new RangeError(`appendAccessor: component ${wrong} is ${array[wrong]}`);
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

/** The glTF number of what an array holds. */
export function componentTypeOf(array: ComponentArray): ComponentType {
  if (array instanceof Float32Array) return 5126;
  if (array instanceof Uint32Array) return 5125;
  if (array instanceof Uint16Array) return 5123;
  if (array instanceof Int16Array) return 5122;
  return array instanceof Int8Array ? 5120 : 5121;
}

/** Bounds of each component, as stored (section 3.6.2.5). */
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

/** Appends a buffer view with these bytes, at a multiple of 4, and gives its index. The bytes are kept, not copied. */
export function appendView(doc: GltfDocument, chunk: Uint8Array): number {
  doc.growing ??= startGrowing(doc);
  const { growing } = doc;
  const byteOffset = growing.length + padding(growing.length);
  growing.chunks.set(byteOffset, chunk);
  growing.length = byteOffset + chunk.length;
  listItem(doc.json, 'buffers', growing.buffer)['byteLength'] = growing.length;
  const views = growingList(doc.json, 'bufferViews');
  const view: Record<string, unknown> = { buffer: growing.buffer };
  if (byteOffset > 0) view['byteOffset'] = byteOffset;
  view['byteLength'] = chunk.length;
  return views.push(view) - 1;
}

/**
 * Chooses the buffer that takes new data: that of the BIN chunk; in a GLB without buffers a new one. Else a new buffer
 * at the end, whose place is decided in printing: buffers of others are never touched, and a buffer without a uri may
 * be the placeholder of a compression.
 */
function startGrowing(doc: GltfDocument): GrowingBuffer {
  const buffers = growingList(doc.json, 'buffers');
  const isNew = buffers.length === 0;
  if (isNew) buffers.push({ byteLength: 0 });
  const first = listItem(doc.json, 'buffers', 0);
  const head = doc.bin ?? NOTHING;
  if (isNew) return growingBuffer(0, head);
  if (doc.bin === null || Object.hasOwn(first, 'uri')) {
    return growingBuffer(buffers.push({ byteLength: 0 }) - 1, NOTHING);
  }
  const named = required(integerAt(first, 'byteLength', '/buffers/0', 1), 'byteLength', '/buffers/0');
  if (doc.bin.length < named) {
    const message = `The BIN chunk has ${doc.bin.length} bytes, buffer 0 names ${named}; data cannot be appended`;
    throw new FormatError('GLTF_BUFFER', message, { pointer: '/buffers/0/byteLength' });
  }
  // Behind the whole chunk: what is hidden behind byteLength stays where it is.
  return growingBuffer(0, head);
}
