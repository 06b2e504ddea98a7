/** Custom properties of prims: attributes in the namespace `userProperties`, as Blender and Maya write them. */
import type { CustomProperties } from '../../core/asset/geometry.ts';
import { type IssueTally, tallyIssue } from '../../core/report/issue-tally.ts';
import { authorAttribute } from './author/author-property.ts';
import { single, text } from './author/author-values.ts';
import type { Layer } from './layer/layer.ts';
import { isIdentifier } from './layer/path-syntax.ts';
import type { Value } from './layer/value.ts';
import { addFinding, type Findings } from './read/geometry-findings.ts';
import { restValue } from './read/rest-value.ts';
import { primAt, type Stage } from './stage/stage.ts';

const NAMESPACE = 'userProperties:';
const CUSTOM = { custom: single('bool', 1) };
const VECTORS = { 2: 'double2', 3: 'double3', 4: 'double4' } as const;

function toValue(property: CustomProperties[string]): Exclude<Value, { type: 'dictionary' }> {
  if (typeof property === 'string') return text('string', property);
  if (typeof property === 'boolean') return single('bool', Number(property));
  if (typeof property === 'number') return single((property | 0) === property ? 'int' : 'double', property);
  return single(VECTORS[property.length as keyof typeof VECTORS], ...property);
}

/** Authors custom properties on prims. Counts in `dropped`, by name, those that no prim can have: names of USD are identifiers. */
export function authorCustomProperties(
  layer: Layer,
  prims: readonly string[],
  properties: CustomProperties,
  dropped: IssueTally,
): void {
  for (const [name, property] of Object.entries(properties)) {
    const isName = name.split(':').every(isIdentifier);
    if (prims.length === 0 || !isName) tallyIssue(dropped, name);
    else {
      const value = toValue(property);
      for (const prim of prims) authorAttribute(layer, prim, `${NAMESPACE}${name}`, value.type, value, CUSTOM);
    }
  }
}

const UNREAD =
  'Attributes of userProperties are neither texts, numbers, booleans nor lists of 2 to 4 numbers and were dropped';

/** Reads the custom properties of a prim. */
export function readCustomProperties(stage: Stage, prim: string, findings: Findings): CustomProperties {
  const out: [string, CustomProperties[string]][] = [];
  for (const name of primAt(stage, prim)?.properties ?? []) {
    if (!name.startsWith(NAMESPACE)) continue;
    const value = restValue(stage, prim, name);
    const property = value === null ? null : fromValue(value);
    if (property !== null) out.push([name.slice(NAMESPACE.length), property]);
    else if (value !== null) addFinding(findings, 'GEOMETRY_DROPPED', UNREAD, prim);
  }
  return Object.fromEntries(out);
}

function fromValue(value: Value): CustomProperties[string] | null {
  if ('texts' in value) return value.texts.length === 1 ? value.texts[0] : null;
  if (!('numbers' in value) || value.numbers.length > 4 || value.numbers.length === 0) return null;
  const numbers = Array.from(value.numbers, Number);
  if (!numbers.every(Number.isFinite)) return null;
  if (numbers.length > 1) return numbers;
  return value.type === 'bool' ? numbers[0] !== 0 : numbers[0];
}
