/** Reads types of prims and values of expected types from a composed stage. */
import type { Floats } from '../../../core/math/floats.ts';
import type { FieldValue } from '../layer/layer.ts';
import { parentPath } from '../layer/paths.ts';
import { TUPLE_WIDTH } from '../layer/value.ts';
import { attributeValue } from '../stage/attribute-values.ts';
import { childrenOf, isUsable, primAt, type Stage } from '../stage/stage.ts';

/** Returns the schema type of an active prim, empty if it has none; null if the prim is missing or inactive. */
export function typeNameAt(stage: Stage, path: string): string | null {
  const prim = primAt(stage, path);
  return prim?.isActive ? prim.typeName : null;
}

/** Tests whether a path is hidden because its prim or an ancestor is inactive. */
export function isInactive(stage: Stage, path: string): boolean {
  for (let at = path; at !== '/' && at !== ''; at = parentPath(at)) {
    const prim = primAt(stage, at);
    if (prim !== null) return !prim.isActive;
  }
  return false;
}

/** Lists the children of a prim that are active, defined and not abstract, in reverse order for depth-first traversal with a stack. */
export function childrenReversed(stage: Stage, path: string): string[] {
  return childrenOf(stage, path)
    .filter(isUsable)
    .map((child) => child.path)
    .reverse();
}

/** Returns the numbers of a value with tuples of the given width. 64-bit integers are not converted. The numbers; null for another type. */
export function numbersOf(value: FieldValue | null, width: number): Floats | Int32Array | null {
  if (value === null || !('numbers' in value) || value.type === 'doubles') return null;
  const { type, numbers } = value;
  if (type === 'bool' || TUPLE_WIDTH[type] !== width) return null;
  if (numbers instanceof Float32Array || numbers instanceof Float64Array || numbers instanceof Int32Array)
    return numbers;
  return numbers instanceof Uint32Array || numbers instanceof Uint8Array ? Float64Array.from(numbers) : null;
}

/** Returns the texts of a token or string value; null for another type. */
export function textsOf(value: FieldValue | null): readonly string[] | null {
  return value !== null && (value.type === 'token' || value.type === 'string') ? value.texts : null;
}

/** Reads a token or string attribute at the default time. Returns the texts; null without a value. */
export function readTokens(stage: Stage, prim: string, attribute: string): readonly string[] | null {
  return textsOf(attributeValue(stage, prim, attribute, 'default'));
}
