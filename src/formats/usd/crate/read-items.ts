/** Lists in binary USD files whose items hold no values: layer offsets, payloads, chosen variants, relocates. */
import type { FieldValue, LayerOffset, Reference } from '../layer/layer.ts';
import { emptyListOp } from '../layer/list-op.ts';
import { readCount, readDouble } from './byte-reader.ts';
import { type CrateReader, readIndexedPath, readIndexedString } from './crate-reader.ts';
import { reserveMemory } from './crate-limits.ts';
import { readNumbers } from './read-arrays.ts';
import { VERSION } from './data-types.ts';

/** What an item of a list takes in memory. */
const ITEM_BYTES = 48;

/** So many items that come next, each of at least so many bytes. */
export function readItems<Item>(crate: CrateReader, bytesEach: number, what: string, read: (crate: CrateReader) => Item): Item[] {
  const count = readCount(crate.source, bytesEach, what);
  reserveMemory(crate.budget, ITEM_BYTES * count);
  const items = new Array<Item>(count);
  for (let i = 0; i < count; i++) items[i] = read(crate);
  return items;
}

/** Where another layer's time is in this one. */
export function readLayerOffset(crate: CrateReader): LayerOffset {
  const offset = readDouble(crate.source);
  return { offset, scale: readDouble(crate.source) };
}

/** Payloads have offsets in time since 0.8. */
export function readPayload(crate: CrateReader): Reference {
  const asset = readIndexedString(crate);
  const path = readIndexedPath(crate);
  const time = crate.minor < VERSION.payloadOffsets ? { offset: 0, scale: 1 } : readLayerOffset(crate);
  return { asset, path, ...time, customData: new Map() };
}

/** A single payload, as files before 0.8 have them; without a file it says "none". */
export function readSinglePayload(crate: CrateReader): FieldValue {
  const payload = readPayload(crate);
  return { ...emptyListOp<Reference>('payload'), explicit: payload.asset === '' ? [] : [payload] };
}

/** Chosen variants by their sets. */
export function readSelections(crate: CrateReader): FieldValue {
  const pairs = readItems(crate, 8, 'chosen variants', (): [string, string] => {
    const set = readIndexedString(crate);
    return [set, readIndexedString(crate)];
  });
  return { type: 'variantSelections', selections: new Map(pairs) };
}

/** Pairs of paths. */
export function readRelocates(crate: CrateReader): FieldValue {
  const pairs = readItems(crate, 8, 'relocates', (): [string, string] => {
    const from = readIndexedPath(crate);
    return [from, readIndexedPath(crate)];
  });
  return { type: 'relocates', pairs };
}

/** A list of doubles that is no array. */
export function readDoubles(crate: CrateReader): FieldValue {
  const count = readCount(crate.source, 8, 'doubles');
  return { type: 'doubles', numbers: readNumbers(crate, 'double', count) as Float64Array };
}
