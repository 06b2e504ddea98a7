import type { FieldValue, ListOp, Spec } from '../layer/layer.ts';
import { explicitListOp } from '../layer/list-op.ts';
import type { DictionaryValue, Value } from '../layer/value.ts';
import { composeListOps } from './compose-list-ops.ts';
import { opinionsAt } from './prim-index.ts';
import { primAt, type Stage } from './stage.ts';

/** Maximum nesting of merged dictionaries. Deeper ones are taken from the strongest opinion. */
const MAX_DEPTH = 50;

/** Merges two dictionaries recursively. The stronger entry wins. */
export function mergeDictionaries(strong: DictionaryValue, weak: DictionaryValue, depth: number = 0): DictionaryValue {
  const entries = new Map<string, Value>(weak.entries);
  for (const [name, value] of strong.entries) {
    const below = entries.get(name);
    const isMerged = value.type === 'dictionary' && below?.type === 'dictionary' && depth < MAX_DEPTH;
    entries.set(name, isMerged ? mergeDictionaries(value, below, depth + 1) : value);
  }
  return { type: 'dictionary', entries };
}

/**
 * Composes a field of several specs: list edits are applied, dictionaries are merged, and of other values the strongest wins. Returns the value;
 * lists as an explicit list edit. Null if no spec has the field.
 */
function composeField(specs: readonly Spec[], field: string): FieldValue | null {
  const values = specs.flatMap((spec) => spec.fields.get(field) ?? []);
  if (values.length === 0) return null;
  const [strongest] = values;
  if (strongest.type === 'dictionary') {
    const dictionaries = values.filter((value) => value.type === 'dictionary');
    return dictionaries.reduceRight((weak, strong) => mergeDictionaries(strong, weak));
  }
  if (strongest.type === 'listOp') {
    const { of } = strongest;
    const edits = values.filter((value) => value.type === 'listOp' && value.of === of) as ListOp<unknown>[];
    const keyOf = (item: unknown): string =>
      typeof item === 'object' ? JSON.stringify({ ...item, customData: 0 }) : String(item);
    const items = composeListOps(edits, keyOf) ?? [];
    return explicitListOp(of, items) as FieldValue;
  }
  return strongest;
}

/** Reads a composed metadata field of a prim (`kind`, `customData`, …). Returns the value; null if it is not authored or the prim does not exist. */
export function primMetadata(stage: Stage, path: string, field: string): FieldValue | null {
  const prim = primAt(stage, path);
  return prim === null
    ? null
    : composeField(
        opinionsAt(prim.sites).map(({ spec }) => spec),
        field,
      );
}

/**
 * Reads a composed metadata field of a property (`interpolation`, `elementSize`, …). Values and targets are not metadata. Returns the value; null
 * if it is not authored.
 */
export function propertyMetadata(stage: Stage, path: string, name: string, field: string): FieldValue | null {
  const prim = primAt(stage, path);
  return prim === null
    ? null
    : composeField(
        opinionsAt(prim.sites, name).map(({ spec }) => spec),
        field,
      );
}
