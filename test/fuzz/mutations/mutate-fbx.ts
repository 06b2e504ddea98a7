/** Damages binary FBX files: records, their order, values and arrays. */
import { pick, type Random } from '../../../src/demo/random.ts';
import type { FbxProperty, FbxRecord } from '../../../src/formats/fbx/document/fbx-tree.ts';
import { parseFbx } from '../../../src/formats/fbx/document/parse-fbx.ts';
import { fbxBinary } from '../../formats/fbx/fbx-bytes.ts';
import { EXTREME_NUMBERS, EXTREME_TEXTS } from './extreme-values.ts';

interface Editable {
  name: string;
  properties: FbxProperty[];
  types: string;
  records: Editable[];
}

function copyOf({ name, properties, types, records }: FbxRecord): Editable {
  return { name, properties: [...properties], types, records: records.map(copyOf) };
}

function otherArray(random: Random, value: Exclude<FbxProperty, number | bigint | boolean | string>): FbxProperty {
  const copy = value.slice();
  if (copy.length === 0) return copy;
  const way = random();
  if (way < 0.25) return copy.slice(0, Math.floor(random() * copy.length));
  const at = Math.floor(random() * copy.length);
  if (copy instanceof BigInt64Array)
    copy[at] = pick(random, [0n, -1n, 2n ** 63n - 1n, -(2n ** 62n), 46186158000n * 10n ** 6n]);
  else copy[at] = pick(random, [...EXTREME_NUMBERS, Number.NaN, Number.POSITIVE_INFINITY]);
  if (way < 0.4) copy.fill(copy[at] as never);
  return copy;
}

function otherProperty(random: Random, value: FbxProperty): FbxProperty {
  if (random() < 0.1) return pick<FbxProperty>(random, [0, 1n, true, 'x', new Float64Array(0), new Int32Array(3)]);
  if (typeof value === 'number') return pick(random, [...EXTREME_NUMBERS, value + 1, value - 1]);
  if (typeof value === 'bigint') return pick(random, [0n, -1n, value + 1n, 2n ** 63n - 1n, -(2n ** 63n)]);
  if (typeof value === 'boolean') return !value;
  if (typeof value === 'string') return pick(random, EXTREME_TEXTS);
  return otherArray(random, value);
}

function mutateRecords(random: Random, records: Editable[]): void {
  let list = records;
  let at = Math.floor(random() * list.length);
  while (list[at].records.length > 0 && random() < 0.9) {
    list = list[at].records;
    at = Math.floor(random() * list.length);
  }
  const record = list[at];
  const way = random();
  if (way < 0.08) list.splice(at, 1);
  else if (way < 0.16) list.splice(at, 0, copyOf(pick(random, list)));
  else if (way < 0.2) record.name = pick(random, EXTREME_TEXTS);
  else if (way < 0.25) record.properties.reverse();
  else if (way < 0.3) record.properties.pop();
  else if (record.properties.length > 0) {
    const k = Math.floor(random() * record.properties.length);
    record.properties[k] = otherProperty(random, record.properties[k]);
  }
}

/**
 * Damages the records of a binary FBX file.
 *
 * @param random Random source.
 * @param bytes The file.
 * @returns The damaged file.
 */
export function mutateFbx(random: Random, bytes: Uint8Array): Uint8Array {
  const { version, records } = parseFbx(bytes);
  const copy = records.map(copyOf);
  for (let k = random() < 0.7 ? 1 : 3; k > 0 && copy.length > 0; k--) mutateRecords(random, copy);
  return fbxBinary({ version, records: copy });
}
