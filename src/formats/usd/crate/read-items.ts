/** Lists in binary USD files whose items hold no values: layer offsets, payloads, chosen variants, relocates. */
import type { FieldValue, LayerOffset, Reference } from '../layer/layer.ts';
import { emptyListOp } from '../layer/list-op.ts';
import { readCount, readDouble } from './bytes.ts';
import { type Crate, readPath, readString } from './crate.ts';
import { spend } from './limits.ts';
import { readNumbers } from './read-arrays.ts';
import { VERSION } from './value-types.ts';

/** What an item of a list takes in memory. */
const ITEM_BYTES = 48;

/** So many items that come next, each of at least so many bytes. */
export function readItems<Item>(crate: Crate, bytesEach: number, what: string, read: (crate: Crate) => Item): Item[] {
  const count = readCount(crate.source, bytesEach, what);
  spend(crate.budget, ITEM_BYTES * count);
  const items = new Array<Item>(count);
  for (let i = 0; i < count; i++) items[i] = read(crate);
  return items;
}

/** Where another layer's time is in this one. */
export function readLayerOffset(crate: Crate): LayerOffset {
  const offset = readDouble(crate.source);
  return { offset, scale: readDouble(crate.source) };
}

/** Payloads have offsets in time since 0.8. */
export function readPayload(crate: Crate): Reference {
  const asset = readString(crate);
  const path = readPath(crate);
  const time = crate.minor < VERSION.payloadOffsets ? { offset: 0, scale: 1 } : readLayerOffset(crate);
  return { asset, path, ...time, customData: new Map() };
}

/** A single payload, as files before 0.8 have them; without a file it says "none". */
export function readSinglePayload(crate: Crate): FieldValue {
  const payload = readPayload(crate);
  return { ...emptyListOp<Reference>('payload'), explicit: payload.asset === '' ? [] : [payload] };
}

/** Chosen variants by their sets. */
export function readSelections(crate: Crate): FieldValue {
  const pairs = readItems(crate, 8, 'chosen variants', (): [string, string] => {
    const set = readString(crate);
    return [set, readString(crate)];
  });
  return { type: 'variantSelections', selections: new Map(pairs) };
}

/** Pairs of paths. */
export function readRelocates(crate: Crate): FieldValue {
  const pairs = readItems(crate, 8, 'relocates', (): [string, string] => {
    const from = readPath(crate);
    return [from, readPath(crate)];
  });
  return { type: 'relocates', pairs };
}

/** A list of doubles that is no array. */
export function readDoubles(crate: Crate): FieldValue {
  const count = readCount(crate.source, 8, 'doubles');
  return { type: 'numbersOfDouble', numbers: readNumbers(crate, 'double', count) as Float64Array };
}
