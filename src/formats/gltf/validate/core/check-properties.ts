/** Presence, type and range of properties, and whether indices resolve. glTF 2.0 section 5. */
import { describeValue, isObject, type JsonObject, memberAt, pointerTo } from '../../document/json-access.ts';
import { type CoreCheck, find, isNatural } from './findings.ts';
import { LISTS, ROOT, type Rule, type Rules } from './properties.ts';

/**
 * Checks the properties of the root, the asset and the lists that anyrig interprets.
 *
 * @param check The running check.
 */
export function checkProperties(check: CoreCheck): void {
  const { json } = check.doc;
  checkObject(check, json, '', ROOT);
  for (const [list, rules] of Object.entries(LISTS)) {
    const value = memberAt(json, list);
    if (value === undefined || !isFilledArray(check, value, `/${list}`)) continue;
    value.forEach((item, i) => {
      if (isObject(item)) checkObject(check, item, `/${list}/${i}`, rules);
      else mismatch(check, item, `/${list}/${i}`, 'object');
    });
  }
}

function mismatch(check: CoreCheck, value: unknown, pointer: string, type: string): void {
  find(check, 'TYPE_MISMATCH', pointer, `The value is ${describeValue(value)}, but its type must be ${type}.`);
}

function elementMismatch(check: CoreCheck, item: unknown, pointer: string, index: number, type: string): void {
  const message = `Element ${index} is ${describeValue(item)}, but its type must be ${type}.`;
  find(check, 'ARRAY_TYPE_MISMATCH', pointer, message);
}

function isFilledArray(check: CoreCheck, value: unknown, pointer: string): value is readonly unknown[] {
  if (!Array.isArray(value)) mismatch(check, value, pointer, 'array');
  else if (value.length === 0) find(check, 'EMPTY_ENTITY', pointer, 'The array is empty; remove it.');
  else return true;
  return false;
}

function checkObject(check: CoreCheck, object: JsonObject, pointer: string, rules: Rules): void {
  for (const key of Object.keys(object)) {
    if (Object.hasOwn(rules, key) || key === 'extensions' || key === 'extras') continue;
    find(check, 'UNEXPECTED_PROPERTY', pointerTo(pointer, key), 'glTF 2.0 does not define this property here.');
  }
  for (const [key, rule] of Object.entries(rules)) {
    const value = memberAt(object, key);
    const where = pointerTo(pointer, key);
    if (value === undefined) {
      if (rule.required)
        find(check, 'UNDEFINED_PROPERTY', pointer || '/', `The property ${key} is missing; it is required.`);
      continue;
    }
    if (rule.needs !== undefined && memberAt(object, rule.needs) === undefined) {
      find(check, 'UNSATISFIED_DEPENDENCY', where, `The property ${key} requires ${rule.needs}, which is missing.`);
    }
    checkValue(check, value, where, rule);
  }
}

function checkValue(check: CoreCheck, value: unknown, pointer: string, rule: Rule): void {
  switch (rule.is) {
    case 'any':
      break;
    case 'integer':
    case 'number':
      if (typeof value !== 'number' || (rule.is === 'integer' && !Number.isInteger(value)))
        mismatch(check, value, pointer, rule.is);
      else checkRange(check, value, pointer, rule);
      break;
    case 'boolean':
      if (typeof value !== 'boolean') mismatch(check, value, pointer, 'boolean');
      break;
    case 'string':
      if (typeof value !== 'string') mismatch(check, value, pointer, 'string');
      else if ('pattern' in rule && !rule.pattern.test(value)) {
        find(
          check,
          'PATTERN_MISMATCH',
          pointer,
          `The value is ${describeValue(value)}, expected ${rule.pattern.source}.`,
        );
      }
      break;
    case 'choice':
      if (typeof value !== typeof rule.of[0])
        mismatch(check, value, pointer, typeof rule.of[0] === 'number' ? 'integer' : 'string');
      else if (!rule.of.includes(value as string)) {
        find(
          check,
          'VALUE_NOT_IN_LIST',
          pointer,
          `The value is ${describeValue(value)}, expected one of ${rule.of.join(', ')}.`,
        );
      }
      break;
    case 'index':
      checkIndex(check, value, pointer, rule.of);
      break;
    case 'indices':
      checkIndices(check, value, pointer, rule.of);
      break;
    case 'numbers':
      checkNumbers(check, value, pointer, rule);
      break;
    case 'strings':
      if (isFilledArray(check, value, pointer)) checkStrings(check, value, pointer);
      break;
    case 'object':
      if (isObject(value)) checkObject(check, value, pointer, rule.rules);
      else mismatch(check, value, pointer, 'object');
      break;
    case 'objects':
      if (isFilledArray(check, value, pointer)) {
        value.forEach((item, i) => {
          if (isObject(item)) checkObject(check, item, `${pointer}/${i}`, rule.rules);
          else elementMismatch(check, item, pointer, i, 'object');
        });
      }
  }
}

function checkRange(
  check: CoreCheck,
  value: number,
  pointer: string,
  { min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY, multiple = 0 },
): void {
  if (!Number.isFinite(value) || value < min || value > max) {
    find(
      check,
      'VALUE_NOT_IN_RANGE',
      pointer,
      `The value ${value} is out of range, expected a finite number of ${min} to ${max}.`,
    );
  } else if (multiple > 0 && value % multiple !== 0) {
    find(check, 'VALUE_MULTIPLE_OF', pointer, `The value ${value} is not a multiple of ${multiple}.`);
  }
}

function checkIndex(check: CoreCheck, value: unknown, pointer: string, of: string): void {
  if (typeof value !== 'number') mismatch(check, value, pointer, 'integer');
  else if (!isNatural(value))
    find(check, 'INVALID_INDEX', pointer, `The index is ${value}, expected an integer of at least 0.`);
  else {
    const list = memberAt(check.doc.json, of);
    const count = Array.isArray(list) ? list.length : 0;
    if (value < count) return;
    find(check, 'UNRESOLVED_REFERENCE', pointer, `The index is ${value}, but the file has only ${count} ${of}.`);
  }
}

function checkIndices(check: CoreCheck, value: unknown, pointer: string, of: string): void {
  if (!isFilledArray(check, value, pointer)) return;
  const seen = new Set<unknown>();
  value.forEach((item, i) => {
    if (seen.has(item))
      find(check, 'DUPLICATE_ELEMENTS', `${pointer}/${i}`, `The index ${describeValue(item)} occurs twice.`);
    seen.add(item);
    checkIndex(check, item, `${pointer}/${i}`, of);
  });
}

function checkNumbers(
  check: CoreCheck,
  value: unknown,
  pointer: string,
  rule: { readonly lengths?: readonly number[]; readonly min?: number; readonly max?: number },
): void {
  if (!isFilledArray(check, value, pointer)) return;
  if (rule.lengths !== undefined && !rule.lengths.includes(value.length)) {
    const expected = rule.lengths.join(', ');
    find(check, 'ARRAY_LENGTH_NOT_IN_LIST', pointer, `The array has ${value.length} numbers, expected ${expected}.`);
  }
  value.forEach((item, i) => {
    if (typeof item !== 'number') elementMismatch(check, item, pointer, i, 'number');
    else checkRange(check, item, `${pointer}/${i}`, rule);
  });
}

function checkStrings(check: CoreCheck, value: readonly unknown[], pointer: string): void {
  value.forEach((item, i) => {
    if (typeof item !== 'string') elementMismatch(check, item, pointer, i, 'string');
    else if (value.indexOf(item) < i)
      find(check, 'DUPLICATE_ELEMENTS', `${pointer}/${i}`, `${describeValue(item)} occurs twice.`);
  });
}
