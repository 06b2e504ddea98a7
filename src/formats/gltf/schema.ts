/**
 * Checked access to glTF JSON. The JSON is a stranger's: a value is looked at only through these functions, which give
 * a value of the right type or a FormatError with a JSON pointer. Pointers are put together only when something is
 * wrong.
 */
import { FormatError } from '../../core/report/format-error.ts';

/** A JSON object as JSON.parse gives it: nothing is known about its members. */
export type JsonObject = { [key: string]: unknown };

/** Names of the top-level arrays that indices point into. */
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

/** Whether a JSON value is an object (not null, not an array). */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** JSON pointer (RFC 6901) of a member or item of what `pointer` points to. */
export function pointerTo(pointer: string, key: string | number): string {
  return `${pointer}/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/** What a JSON value is, for messages: `a string`, `an array`, `-1`. */
export function nameOfValue(value: unknown): string {
  if (value === null) return 'null';
  if (value === undefined) return 'nothing';
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'object') return 'an object';
  if (typeof value === 'string') return value.length > 40 ? 'a long string' : JSON.stringify(value);
  return String(value);
}

function schemaError(expected: string, value: unknown, pointer: string, key: string | number): FormatError {
  const where = pointerTo(pointer, key);
  return new FormatError('GLTF_SCHEMA', `${where} is ${nameOfValue(value)}, expected ${expected}`, { pointer: where });
}

/** The object's own member, undefined when there is none: names of the file never reach Object.prototype. */
export function memberAt(object: JsonObject, key: string): unknown {
  const value = object[key];
  // What objects inherit are functions and objects: of other values it need not be asked, which is much faster.
  if (typeof value !== 'object' && typeof value !== 'function') return value;
  return Object.hasOwn(object, key) ? value : undefined;
}

/** A member that must be there. FormatError GLTF_SCHEMA when `value` is undefined. */
export function required<T>(value: T | undefined, key: string, pointer: string): T {
  if (value === undefined) throw schemaError('a value: it is required', undefined, pointer, key);
  return value;
}

/** An object member, undefined when absent. FormatError GLTF_SCHEMA when it is something else. */
export function objectAt(object: JsonObject, key: string, pointer: string): JsonObject | undefined {
  const value = memberAt(object, key);
  if (value === undefined || isObject(value)) return value;
  throw schemaError('an object', value, pointer, key);
}

const NONE: readonly unknown[] = Object.freeze([]);

/** An array member, empty when absent. FormatError GLTF_SCHEMA when it is something else. */
export function arrayAt(object: JsonObject, key: string, pointer: string): readonly unknown[] {
  const value = memberAt(object, key);
  if (value === undefined) return NONE;
  if (Array.isArray(value)) return value;
  throw schemaError('an array', value, pointer, key);
}

/** A string member, undefined when absent. FormatError GLTF_SCHEMA when it is something else. */
export function stringAt(object: JsonObject, key: string, pointer: string): string | undefined {
  const value = memberAt(object, key);
  if (value === undefined || typeof value === 'string') return value;
  throw schemaError('a string', value, pointer, key);
}

/** A boolean member, undefined when absent. FormatError GLTF_SCHEMA when it is something else. */
export function booleanAt(object: JsonObject, key: string, pointer: string): boolean | undefined {
  const value = memberAt(object, key);
  if (value === undefined || typeof value === 'boolean') return value;
  throw schemaError('true or false', value, pointer, key);
}

/** A finite number member, undefined when absent. FormatError GLTF_SCHEMA when it is something else. */
export function numberAt(object: JsonObject, key: string, pointer: string): number | undefined {
  const value = memberAt(object, key);
  if (value === undefined || (typeof value === 'number' && Number.isFinite(value))) return value;
  throw schemaError('a finite number', value, pointer, key);
}

/**
 * A safe integer member of at least `min`, undefined when absent. FormatError GLTF_SCHEMA when it is something else.
 */
export function integerAt(object: JsonObject, key: string, pointer: string, min = 0): number | undefined {
  const value = memberAt(object, key);
  if (value === undefined || (Number.isSafeInteger(value) && (value as number) >= min)) return value as number;
  throw schemaError(`an integer of at least ${min}`, value, pointer, key);
}

/**
 * An array member of exactly `length` finite numbers, undefined when absent. FormatError GLTF_SCHEMA when it is not
 * that.
 */
export function numbersAt(object: JsonObject, key: string, pointer: string, length: number): number[] | undefined {
  const value = memberAt(object, key);
  if (value === undefined) return undefined;
  if (Array.isArray(value) && value.length === length && value.every((item) => Number.isFinite(item))) return value;
  throw schemaError(`an array of ${length} finite numbers`, value, pointer, key);
}

/**
 * A member that is an index into a top-level array, undefined when absent. FormatError GLTF_SCHEMA when it is not an
 * integer of at least 0, GLTF_REFERENCE when it points past the end.
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

/** An array member of indices into a top-level array, empty when absent. Errors as with {@link indexAt}. */
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

function checkIndex(index: number, json: JsonObject, list: GltfList, pointer: string): void {
  const length = arrayAt(json, list, '').length;
  if (index < length) return;
  throw new FormatError('GLTF_REFERENCE', `${pointer} is ${index}, but the file has only ${length} ${list}`, {
    pointer,
  });
}

/**
 * Item of an array, which must be an object; `pointer` is that of the array. FormatError GLTF_SCHEMA when it is not.
 */
export function objectItem(array: readonly unknown[], index: number, pointer: string): JsonObject {
  const value = array[index];
  if (isObject(value)) return value;
  throw schemaError('an object', value, pointer, index);
}

/**
 * Item of a top-level array: `listItem(json, 'nodes', 3)`. FormatError GLTF_REFERENCE when there is none, GLTF_SCHEMA
 * when it is not an object.
 */
export function listItem(json: JsonObject, list: GltfList, index: number): JsonObject {
  const items = arrayAt(json, list, '');
  if (index >= items.length) checkIndex(index, json, list, `/${list}/${index}`);
  return objectItem(items, index, `/${list}`);
}

/** A top-level array to append to; made when absent. FormatError GLTF_SCHEMA when it is something else. */
export function growingList(json: JsonObject, list: GltfList): unknown[] {
  const items = arrayAt(json, list, '');
  if (items !== NONE) return items as unknown[];
  const made: unknown[] = [];
  json[list] = made;
  return made;
}
