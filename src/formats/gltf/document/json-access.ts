/**
 * Type-checked access to glTF JSON. The JSON is untrusted: readers use only these functions, which return a value of the
 * expected type or throw a FormatError with a JSON pointer (RFC 6901).
 */
import { FormatError } from '../../../core/report/format-error.ts';
import { isObject } from '../../../core/text/is-object.ts';

/** A JSON object from JSON.parse; its members are unchecked. */
export type JsonObject = { [key: string]: unknown };

/** Top-level arrays that indices refer to. */
export type GltfList =
  | 'accessors'
  | 'animations'
  | 'buffers'
  | 'bufferViews'
  | 'images'
  | 'materials'
  | 'meshes'
  | 'nodes'
  | 'samplers'
  | 'scenes'
  | 'skins'
  | 'textures';

export { isObject };

/** Extends a JSON pointer (RFC 6901) by one key. */
export function pointerTo(pointer: string, key: string | number): string {
  return `${pointer}/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/** Describes a JSON value for messages: `"STEP"`, `an array`, `-1`. */
export function describeValue(value: unknown): string {
  if (value === null) return 'null';
  if (value === undefined) return 'nothing';
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'object') return 'an object';
  if (typeof value === 'string') return value.length > 40 ? 'a long string' : JSON.stringify(value);
  return String(value);
}

function schemaError(expected: string, value: unknown, pointer: string, key: string | number): FormatError {
  const where = pointerTo(pointer, key);
  return new FormatError('GLTF_SCHEMA', `${where} is ${describeValue(value)}, expected ${expected}`, {
    pointer: where,
  });
}

/** Returns an own member of an object. Names from the file never reach Object.prototype. Value, unchecked; undefined when absent. */
export function memberAt(object: JsonObject, key: string): unknown {
  const value = object[key];
  // Inherited members are functions or objects, so other values need no own-property check. This is much faster.
  if (typeof value !== 'object' && typeof value !== 'function') return value;
  return Object.hasOwn(object, key) ? value : undefined;
}

/** Requires a member to be present. Throws FormatError GLTF_SCHEMA when `value` is undefined. */
export function required<T>(value: T | undefined, key: string, pointer: string): T {
  if (value === undefined) throw schemaError('a value; this property is required', undefined, pointer, key);
  return value;
}

/** Returns an object member; undefined when absent. Throws FormatError GLTF_SCHEMA for a value of another type. */
export function objectAt(object: JsonObject, key: string, pointer: string): JsonObject | undefined {
  const value = memberAt(object, key);
  if (value === undefined || isObject(value)) return value;
  throw schemaError('an object', value, pointer, key);
}

const NONE: readonly unknown[] = Object.freeze([]);

/** Returns an array member. Throws FormatError GLTF_SCHEMA for a value of another type. */
export function arrayAt(object: JsonObject, key: string, pointer: string): readonly unknown[] {
  const value = memberAt(object, key);
  if (value === undefined) return NONE;
  if (Array.isArray(value)) return value;
  throw schemaError('an array', value, pointer, key);
}

/** Returns a string member; undefined when absent. Throws FormatError GLTF_SCHEMA for a value of another type. */
export function stringAt(object: JsonObject, key: string, pointer: string): string | undefined {
  const value = memberAt(object, key);
  if (value === undefined || typeof value === 'string') return value;
  throw schemaError('a string', value, pointer, key);
}

/** Returns a boolean member; undefined when absent. Throws FormatError GLTF_SCHEMA for a value of another type. */
export function booleanAt(object: JsonObject, key: string, pointer: string): boolean | undefined {
  const value = memberAt(object, key);
  if (value === undefined || typeof value === 'boolean') return value;
  throw schemaError('true or false', value, pointer, key);
}

/** Returns a finite number member; undefined when absent. Throws FormatError GLTF_SCHEMA for a value of another type. */
export function numberAt(object: JsonObject, key: string, pointer: string): number | undefined {
  const value = memberAt(object, key);
  if (value === undefined || (typeof value === 'number' && Number.isFinite(value))) return value;
  throw schemaError('a finite number', value, pointer, key);
}

/** Returns an integer member; undefined when absent. Throws FormatError GLTF_SCHEMA for anything but a safe integer ≥ `min`. */
export function integerAt(object: JsonObject, key: string, pointer: string, min = 0): number | undefined {
  const value = memberAt(object, key);
  if (value === undefined || (Number.isSafeInteger(value) && (value as number) >= min)) return value as number;
  throw schemaError(`an integer of at least ${min}`, value, pointer, key);
}

/**
 * Returns an array member of finite numbers; undefined when absent. Throws FormatError GLTF_SCHEMA for anything but an array of `length` finite
 * numbers.
 */
export function numbersAt(object: JsonObject, key: string, pointer: string, length: number): number[] | undefined {
  const value = memberAt(object, key);
  if (value === undefined) return undefined;
  if (Array.isArray(value) && value.length === length && value.every((item) => Number.isFinite(item))) return value;
  throw schemaError(`an array of ${length} finite numbers`, value, pointer, key);
}

/**
 * Returns a member that is an index into a top-level array; undefined when absent. Throws FormatError GLTF_SCHEMA for anything but an integer ≥ 0;
 * GLTF_REFERENCE for an index past the end.
 */
export function indexAt(
  object: JsonObject,
  key: string,
  pointer: string,
  json: JsonObject,
  list: GltfList,
): number | undefined {
  const index = integerAt(object, key, pointer);
  if (index !== undefined && index >= arrayAt(json, list, '').length) {
    checkIndex(index, json, list, pointerTo(pointer, key));
  }
  return index;
}

/** Returns an array member of indices into a top-level array. */
export function indicesAt(
  object: JsonObject,
  key: string,
  pointer: string,
  json: JsonObject,
  list: GltfList,
): readonly number[] {
  const items = arrayAt(object, key, pointer);
  const length = arrayAt(json, list, '').length;
  for (let i = 0; i < items.length; i++) {
    const index = items[i];
    if (Number.isSafeInteger(index) && (index as number) >= 0 && (index as number) < length) continue;
    const parent = pointerTo(pointer, key);
    if (!Number.isSafeInteger(index) || (index as number) < 0) {
      throw schemaError('an integer of at least 0', index, parent, i);
    }
    checkIndex(index as number, json, list, pointerTo(parent, i));
  }
  return items as readonly number[];
}

/** Checks that an index is not past the end of a list. Throws FormatError GLTF_REFERENCE for an index past the end. */
export function checkIndex(index: number, json: JsonObject, list: GltfList, pointer: string): void {
  const length = arrayAt(json, list, '').length;
  if (index < length) return;
  throw new FormatError('GLTF_REFERENCE', `${pointer} is ${index}, but the file has only ${length} ${list}`, {
    pointer,
  });
}

/** Returns an item of an array of objects. Throws FormatError GLTF_SCHEMA when the item is not an object. */
export function objectItem(array: readonly unknown[], index: number, pointer: string): JsonObject {
  const value = array[index];
  if (isObject(value)) return value;
  throw schemaError('an object', value, pointer, index);
}

/**
 * Lists the items of an array of objects with their pointers: `objectsAt(json, 'nodes', '')`. Items that are added meanwhile are left out. Throws
 * FormatError GLTF_SCHEMA when an item is not an object, once it is reached.
 */
export function* objectsAt(
  owner: JsonObject,
  key: string,
  pointer: string,
): Generator<{ json: JsonObject; pointer: string; index: number }> {
  const items = arrayAt(owner, key, pointer);
  const count = items.length;
  for (let index = 0; index < count; index++) {
    yield { json: objectItem(items, index, `${pointer}/${key}`), pointer: `${pointer}/${key}/${index}`, index };
  }
}

/**
 * Returns an item of a top-level array: `listItem(json, 'nodes', 3)`. Throws FormatError GLTF_REFERENCE for an index past the end; GLTF_SCHEMA when
 * the item is not an object.
 */
export function listItem(json: JsonObject, list: GltfList, index: number): JsonObject {
  const items = arrayAt(json, list, '');
  if (index >= items.length) checkIndex(index, json, list, `/${list}/${index}`);
  return objectItem(items, index, `/${list}`);
}

/**
 * Returns a top-level array to append to. Creates it when absent. `json`: JSON of the document; edited. Throws FormatError GLTF_SCHEMA for a value
 * of another type.
 */
export function ensureList(json: JsonObject, list: GltfList): unknown[] {
  const items = arrayAt(json, list, '');
  if (items !== NONE) return items as unknown[];
  const created: unknown[] = [];
  json[list] = created;
  return created;
}
