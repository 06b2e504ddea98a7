/**
 * A layer: the scene description of one file, before anything is composed. Every prim, property and variant has a spec under its path,
 * and all that a spec says is in its fields, known to us or not. Text and binary files are two spellings of this.
 */
import type { Issue } from '../../../core/report/issue.ts';
import type { Value } from './value.ts';

/** What a path stands for. */
export type SpecType = 'pseudoRoot' | 'prim' | 'attribute' | 'relationship' | 'variantSet' | 'variant';

/** Edits of a list by a layer, applied from the weakest opinion to the strongest. */
export interface ListOp<Item> {
  readonly type: 'listOp';
  readonly of:
    | 'token'
    | 'string'
    | 'path'
    | 'reference'
    | 'payload'
    | 'int'
    | 'uint'
    | 'int64'
    | 'uint64'
    | 'unregistered';
  /** In the place of everything weaker, when not null; the other lists are then empty. An empty list says "none". */
  readonly explicit: readonly Item[] | null;
  readonly added: readonly Item[];
  readonly prepended: readonly Item[];
  readonly appended: readonly Item[];
  readonly deleted: readonly Item[];
  readonly ordered: readonly Item[];
}

/** Time codes of another layer in this one: `here = offset + scale · there`. */
export interface LayerOffset {
  readonly offset: number;
  readonly scale: number;
}

/** An arc to a prim of this or another layer. */
export interface Reference extends LayerOffset {
  /** Path of the file as written; empty for this layer. */
  readonly asset: string;
  /** Path of the prim; empty for the default prim. */
  readonly path: string;
  /** Of references only; empty for payloads. */
  readonly customData: Extract<Value, { type: 'dictionary' }>['entries'];
}

/** Values at times: rising time codes, a value each (a block ends what was before). */
export interface TimeSamples {
  readonly type: 'timeSamples';
  readonly times: Float64Array;
  readonly values: readonly Value[];
}

/** Field values that are no plain values. Enumerations are their words in text. */
export type FieldValue =
  | Value
  | TimeSamples
  | ListOp<string>
  | ListOp<Reference>
  | ListOp<number>
  | ListOp<bigint>
  | { readonly type: 'names'; readonly names: readonly string[] }
  | { readonly type: 'paths'; readonly paths: readonly string[] }
  | { readonly type: 'word'; readonly word: string }
  | { readonly type: 'layerOffsets'; readonly offsets: readonly LayerOffset[] }
  | { readonly type: 'doubles'; readonly numbers: Float64Array }
  | { readonly type: 'variantSelections'; readonly selections: ReadonlyMap<string, string> }
  | { readonly type: 'relocates'; readonly pairs: readonly (readonly [from: string, to: string])[] };

/** What a layer says about one path. */
export interface Spec {
  readonly type: SpecType;
  /**
   * Field values by the names that files use: `specifier` (word def, over, class), `typeName`, `default`, `timeSamples`, `primChildren` and
   * `properties` (names), … Lists of children are kept as fields, in the order of the file. Readers leave out what is so anyway: `custom` false,
   * `variability` varying of attributes and uniform of relationships; prims always have a `specifier`. Relocates of a layer are `layerRelocates`, of
   * a prim `relocates`.
   */
  readonly fields: Map<string, FieldValue>;
}

/** One file. */
export interface Layer {
  /**
   * Specs by path. `/` is the pseudo-root; `/A/B` a prim; `/A/B.points` a property; `/A{look=}` a variant set, `/A{look=red}` a variant, `/A{look=red}B` a
   * prim inside of it.
   */
  readonly specs: Map<string, Spec>;
  readonly issues: readonly Issue[];
}
