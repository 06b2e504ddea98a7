/**
 * A layer: the scene description of one file, before composition. Every prim, property and variant has a spec at its path. The fields of a spec hold
 * all its data, known to anyrig or not. Text and binary files are two encodings of the same layer.
 */
import type { Issue } from '../../../core/report/issue.ts';
import type { Value } from './value.ts';

/** Types of specs. */
export type SpecType = 'pseudoRoot' | 'prim' | 'attribute' | 'relationship' | 'variantSet' | 'variant';

/** A list op: edits that a layer applies to the list of weaker layers. */
export interface ListOp<Item> {
  /** Always `listOp`. */
  readonly type: 'listOp';
  /** Type of the items. */
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
  /** Replaces the weaker list if not null; the other lists are then empty. An empty list means "no items". */
  readonly explicit: readonly Item[] | null;
  /** Items to append if missing. */
  readonly added: readonly Item[];
  /** Items to move or insert at the start. */
  readonly prepended: readonly Item[];
  /** Items to move or insert at the end. */
  readonly appended: readonly Item[];
  /** Items to remove. */
  readonly deleted: readonly Item[];
  /** Order of the named items; each is followed by the unnamed items that came after it. */
  readonly ordered: readonly Item[];
}

/** Maps the time codes of another layer to this one: `here = offset + scale · there`. */
export interface LayerOffset {
  /** Time codes of this layer. */
  readonly offset: number;
  /** Factor of time codes. */
  readonly scale: number;
}

/** A reference or payload: a composition arc to a prim of this or another layer. */
export interface Reference extends LayerOffset {
  /** Asset path as written; empty for this layer. */
  readonly asset: string;
  /** Path of the target prim; empty for the default prim. */
  readonly path: string;
  /** Custom data of a reference; empty for payloads. */
  readonly customData: Extract<Value, { type: 'dictionary' }>['entries'];
}

/** Values of an attribute over time. */
export interface TimeSamples {
  /** Always `timeSamples`. */
  readonly type: 'timeSamples';
  /** Ascending time codes. */
  readonly times: Float64Array;
  /** One value per time. A block means that the attribute has no value from then on. */
  readonly values: readonly Value[];
}

/** Value of a field. Besides plain values there are structural types; enumerations are stored as their word in text. */
export type FieldValue =
  | Value
  | TimeSamples
  | ListOp<string>
  | ListOp<Reference>
  | ListOp<number>
  | ListOp<bigint>
  | {
      /** Discriminates the types of values. */
      readonly type: 'names';
      /** The names, in order. */
      readonly names: readonly string[];
    }
  | {
      /** Discriminates the types of values. */
      readonly type: 'paths';
      /** The paths, in order. */
      readonly paths: readonly string[];
    }
  | {
      /** Discriminates the types of values. */
      readonly type: 'word';
      /** The word of the text format. */
      readonly word: string;
    }
  | {
      /** Discriminates the types of values. */
      readonly type: 'layerOffsets';
      /** One offset per sublayer. */
      readonly offsets: readonly LayerOffset[];
    }
  | {
      /** Discriminates the types of values. */
      readonly type: 'doubles';
      /** The numbers. */
      readonly numbers: Float64Array;
    }
  | {
      /** Discriminates the types of values. */
      readonly type: 'variantSelections';
      /** Selected variant by variant set. */
      readonly selections: ReadonlyMap<string, string>;
    }
  | {
      /** Discriminates the types of values. */
      readonly type: 'relocates';
      /** Source and target path per relocate. */
      readonly pairs: readonly (readonly [from: string, to: string])[];
    };

/** The data of a layer at one path. */
export interface Spec {
  /** Type of the spec. */
  readonly type: SpecType;
  /**
   * Field values by the names that files use: `specifier` (word def, over, class), `typeName`, `default`, `timeSamples`, `primChildren` and
   * `properties` (names), … Lists of children are fields too, in the order of the file. Readers drop defaults: `custom` false, `variability` varying
   * of attributes and uniform of relationships. Prims always have a `specifier`. Relocates of a layer are `layerRelocates`, of a prim `relocates`.
   */
  readonly fields: Map<string, FieldValue>;
}

/** The contents of one layer file. */
export interface Layer {
  /**
   * Specs by path. `/` is the pseudo-root; `/A/B` a prim; `/A/B.points` a property; `/A{look=}` a variant set, `/A{look=red}` a variant,
   * `/A{look=red}B` a prim inside of it.
   */
  readonly specs: Map<string, Spec>;
  /** Problems found while reading the file. */
  readonly issues: readonly Issue[];
}
