/** Reads lists without nested values from binary USD files: layer offsets, payloads, variant selections, relocates. */
import type { FieldValue, LayerOffset, Reference } from '../layer/layer.ts';
import { emptyListOp } from '../layer/list-op.ts';
import { readCount, readDouble } from './byte-reader.ts';
import { reserveMemory } from './crate-limits.ts';
import { type CrateReader, readIndexedPath, readIndexedString } from './crate-reader.ts';
import { VERSION } from './data-types.ts';
import { readNumbers } from './read-arrays.ts';

/** Memory of a list item. */
const ITEM_BYTES = 48;

/** Reads a count and that many items. */
export function readItems<Item>(
  crate: CrateReader,
  bytesEach: number,
  what: string,
  read: (crate: CrateReader) => Item,
): Item[] {
  const count = readCount(crate.source, bytesEach, what);
  reserveMemory(crate.budget, ITEM_BYTES * count);
  const items = new Array<Item>(count);
  for (let i = 0; i < count; i++) items[i] = read(crate);
  return items;
}

export function readLayerOffset(crate: CrateReader): LayerOffset {
  const offset = readDouble(crate.source);
  return { offset, scale: readDouble(crate.source) };
}

/** Reads a payload of a list op. Payloads have layer offsets since version 0.8. */
export function readPayload(crate: CrateReader): Reference {
  const asset = readIndexedString(crate);
  const path = readIndexedPath(crate);
  const time = crate.minor < VERSION.payloadOffsets ? { offset: 0, scale: 1 } : readLayerOffset(crate);
  return { asset, path, ...time, customData: new Map() };
}

/** Reads the single payload of files before version 0.8. An empty asset path means "no payload". */
export function readSinglePayload(crate: CrateReader): FieldValue {
  const payload = readPayload(crate);
  return { ...emptyListOp<Reference>('payload'), explicit: payload.asset === '' ? [] : [payload] };
}

export function readSelections(crate: CrateReader): FieldValue {
  const pairs = readItems(crate, 8, 'variant selections', (): [string, string] => {
    const set = readIndexedString(crate);
    return [set, readIndexedString(crate)];
  });
  return { type: 'variantSelections', selections: new Map(pairs) };
}

export function readRelocates(crate: CrateReader): FieldValue {
  const pairs = readItems(crate, 8, 'relocates', (): [string, string] => {
    const from = readIndexedPath(crate);
    return [from, readIndexedPath(crate)];
  });
  return { type: 'relocates', pairs };
}

/** Reads a vector of doubles, which is not an array type. */
export function readDoubles(crate: CrateReader): FieldValue {
  const count = readCount(crate.source, 8, 'doubles');
  return { type: 'doubles', numbers: readNumbers(crate, 'double', count) as Float64Array };
}
