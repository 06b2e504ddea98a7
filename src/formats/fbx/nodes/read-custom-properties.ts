import type { CustomProperties } from '../../../core/asset/geometry.ts';
import { type Issue, issue } from '../../../core/report/issue.ts';
import { type FbxUserProperty, userProperties } from '../document/object-properties.ts';
import { numberOf } from '../document/records.ts';
import type { ModelForest } from './read-models.ts';

/** Reads the user properties of all Models. `issues` receives FBX_GEOMETRY for those that are neither texts, numbers, booleans nor vectors. */
export function readCustomProperties({ models }: ModelForest, issues: Issue[]): Map<number, CustomProperties> {
  const out = new Map<number, CustomProperties>();
  const dropped: string[] = [];
  for (const [node, { record }] of models.entries()) {
    const properties: [string, CustomProperties[string]][] = [];
    for (const property of userProperties(record)) {
      const value = readValue(property);
      if (value !== null) properties.push([property.name, value]);
      // Compounds and references have no value of their own.
      else if (property.values.length > 0) dropped.push(property.name);
    }
    if (properties.length > 0) out.set(node, Object.fromEntries(properties));
  }
  if (dropped.length > 0) {
    const message =
      `${dropped.length} user properties (the first is ${JSON.stringify(dropped[0])}) are neither texts, numbers, booleans nor vectors of 2 to 4 numbers; ` +
      'they were left out.';
    issues.push(issue('FBX_GEOMETRY', message));
  }
  return out;
}

function readValue({ type, values }: FbxUserProperty): CustomProperties[string] | null {
  const [first, second] = values;
  if (typeof first === 'string') return values.length === 1 ? first : null;
  // An enumeration has its items behind the index.
  if (typeof second === 'string') return second.split('~')[numberOf(first) ?? -1] ?? numberOf(first) ?? null;
  const numbers = values.flatMap((value) => numberOf(value) ?? []);
  if (numbers.length !== values.length || numbers.length === 0 || numbers.length > 4) return null;
  if (numbers.length > 1) return numbers;
  return type.toLowerCase() === 'bool' ? numbers[0] !== 0 : numbers[0];
}
