/** What UsdSkel asks of a composed stage: prims by their type, values by theirs. */
import type { Floats } from '../../../core/math/floats.ts';
import type { FieldValue } from '../layer/layer.ts';
import { parentPath } from '../layer/paths.ts';
import { TUPLE_WIDTH } from '../layer/value.ts';
import { childrenOf, isUsable, primAt, type Stage } from '../stage/stage.ts';
import { attributeValue } from '../stage/attribute-values.ts';

/** Type name of an active prim, empty without one; null where there is no prim or an inactive one. */
export function typeNameAt(stage: Stage, path: string): string | null {
  const prim = primAt(stage, path);
  return prim?.isActive ? prim.typeName : null;
}

/** Whether a path is out of sight because its prim or one above is inactive. */
export function isInactive(stage: Stage, path: string): boolean {
  for (let at = path; at !== '/' && at !== ''; at = parentPath(at)) {
    const prim = primAt(stage, at);
    if (prim !== null) return !prim.isActive;
  }
  return false;
}

/** Paths of the usable prims right below a prim (`/`: the uppermost), the last one first: as a stack wants them. */
export function childrenReversed(stage: Stage, path: string): string[] {
  return childrenOf(stage, path)
    .filter(isUsable)
    .map((child) => child.path)
    .reverse();
}

/** Real numbers of a value of tuples of `width` numbers, or null for another type; 64-bit integers are none. */
export function numbersOf(value: FieldValue | null, width: number): Floats | Int32Array | null {
  if (value === null || !('numbers' in value) || value.type === 'doubles') return null;
  const { type, numbers } = value;
  if (type === 'bool' || TUPLE_WIDTH[type] !== width) return null;
  if (numbers instanceof Float32Array || numbers instanceof Float64Array || numbers instanceof Int32Array)
    return numbers;
  return numbers instanceof Uint32Array || numbers instanceof Uint8Array ? Float64Array.from(numbers) : null;
}

/** Texts of a token or string value; null for another type. */
export function textsOf(value: FieldValue | null): readonly string[] | null {
  return value !== null && (value.type === 'token' || value.type === 'string') ? value.texts : null;
}

/** Tokens of an attribute at the default time, which joints and blend shapes have; null without. */
export function readTokens(stage: Stage, prim: string, attribute: string): readonly string[] | null {
  return textsOf(attributeValue(stage, prim, attribute, 'default'));
}
