/** Checks the lists of children: a binary file can list any names, a text file only valid ones, each once. */
import { isNamespacedName } from '../layer/check-names.ts';
import type { FieldValue } from '../layer/layer.ts';
import { isIdentifier, isVariantName } from '../layer/path-syntax.ts';

/** Which names are valid, by the field that lists them. */
const NAME_TESTS: ReadonlyMap<string, (name: string) => boolean> = new Map([
  ['primChildren', isIdentifier],
  ['properties', isNamespacedName],
  ['variantSetChildren', isIdentifier],
  ['variantChildren', (name: string) => name !== '' && isVariantName(name)],
]);

/**
 * Leaves out invalid and repeated names of children: an empty one would make a prim or variant set its own parent.
 *
 * @param field - Name of a field.
 * @param value - Its value.
 * @returns A value without these names; the same value where it has none of them, or does not list children.
 */
export function fitChildren(field: string, value: FieldValue): FieldValue {
  const isValid = NAME_TESTS.get(field);
  if (isValid === undefined || value.type !== 'names') return value;
  const valid = [...new Set(value.names)].filter(isValid);
  return valid.length === value.names.length ? value : { type: 'names', names: valid };
}
