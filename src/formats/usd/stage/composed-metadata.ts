/** Fields of prims and properties as all layers together have them. */
import type { FieldValue, ListOp, Spec } from '../layer/layer.ts';
import type { DictionaryValue, Value } from '../layer/value.ts';
import { boolField, textField } from './spec-fields.ts';
import { composeListOps } from './compose-list-ops.ts';
import { opinionsAt } from './prim-index.ts';
import { primAt, type Stage } from './stage.ts';

/** What layers say about a property, but for values and targets. */
export interface PropertyInfo {
  readonly name: string;
  readonly type: 'attribute' | 'relationship';
  /** `point3f[]`; empty for relationships. */
  readonly typeName: string;
  readonly variability: 'varying' | 'uniform';
  readonly isCustom: boolean;
}

/** Dictionaries nested deeper are taken from the strongest layer whole. */
const MAX_DEPTH = 50;

/** The entries of both; of an entry that both have, the stronger one; dictionaries in dictionaries alike. */
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
 * A field of several specs, strongest first: edits of lists one upon the other, dictionaries entry by entry, of all else the strongest. Null when none has
 * it. Lists come out as an explicit list edit.
 */
export function composeField(specs: readonly Spec[], field: string): FieldValue | null {
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
    const none: readonly unknown[] = [];
    const edit = {
      type: 'listOp',
      of,
      explicit: items,
      added: none,
      prepended: none,
      appended: none,
      deleted: none,
      ordered: none,
    };
    return edit as FieldValue;
  }
  return strongest;
}

/** A metadata field of a prim (`kind`, `customData`, …); null when no layer has it, or there is no such prim. */
export function primMetadata(stage: Stage, path: string, field: string): FieldValue | null {
  const prim = primAt(stage, path);
  return prim === null
    ? null
    : composeField(
        opinionsAt(prim.sites).map(({ spec }) => spec),
        field,
      );
}

/** A metadata field of a property (`interpolation`, `elementSize`, …); null when no layer has it. Values and targets are no metadata. */
export function propertyMetadata(stage: Stage, path: string, name: string, field: string): FieldValue | null {
  const prim = primAt(stage, path);
  return prim === null
    ? null
    : composeField(
        opinionsAt(prim.sites, name).map(({ spec }) => spec),
        field,
      );
}

/** What a property is; null when no layer speaks of it. */
export function propertyInfo(stage: Stage, path: string, name: string): PropertyInfo | null {
  const prim = primAt(stage, path);
  const opinions = prim === null ? [] : opinionsAt(prim.sites, name);
  const type = opinions[0]?.spec.type;
  if (type !== 'attribute' && type !== 'relationship') return null;
  const specs = opinions.map(({ spec }) => spec).filter((spec) => spec.type === type);
  const first = <Found>(read: (spec: Spec) => Found | null): Found | null => {
    for (const spec of specs) {
      const found = read(spec);
      if (found !== null) return found;
    }
    return null;
  };
  // The weakest layer is where a property is defined.
  const variability = specs.map((spec) => textField(spec, 'variability')).findLast((word) => word !== null);
  return {
    name,
    type,
    typeName: type === 'relationship' ? '' : (first((spec) => textField(spec, 'typeName')) ?? ''),
    variability: variability === 'uniform' ? 'uniform' : 'varying',
    isCustom: first((spec) => boolField(spec, 'custom')) ?? false,
  };
}
