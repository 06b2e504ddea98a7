/** Damages binary and packaged USD files: values and names of the layer, sections of the file, entries of the package. */
import { pick, type Random } from '../../../src/demo/random.ts';
import { parseUsdc } from '../../../src/formats/usd/crate/parse-usdc.ts';
import { serializeUsdc } from '../../../src/formats/usd/crate/serialize-usdc.ts';
import type { Layer } from '../../../src/formats/usd/layer/layer.ts';
import { EXTREME_NUMBERS, EXTREME_TEXTS } from './extreme-values.ts';
import { mutateBytes } from './mutate-bytes.ts';

/** A text or number somewhere in a layer, and how to replace it. */
interface Slot {
  readonly value: string | number;
  set(value: unknown): void;
}

function slotsOf(value: unknown, set: (value: unknown) => void, out: Slot[]): void {
  if (typeof value === 'string' || typeof value === 'number') out.push({ value, set });
  else if (value instanceof Map) {
    for (const [key, item] of value) {
      out.push({
        value: key,
        set: (other) => {
          value.delete(key);
          value.set(other, item);
        },
      });
      slotsOf(item, (other) => value.set(key, other), out);
    }
  } else if (Array.isArray(value)) {
    for (const [k, item] of value.entries())
      slotsOf(
        item,
        (other) => {
          value[k] = other;
        },
        out,
      );
  } else if (value instanceof Float32Array || value instanceof Float64Array || value instanceof Int32Array) {
    for (let k = 0; k < Math.min(4, value.length); k++)
      out.push({
        value: value[k],
        set: (other) => {
          value.fill(other as number, k);
        },
      });
  } else if (typeof value === 'object' && value !== null && !ArrayBuffer.isView(value)) {
    const object = value as Record<string, unknown>;
    for (const key of Object.keys(object))
      if (key !== 'type')
        slotsOf(
          object[key],
          (other) => {
            object[key] = other;
          },
          out,
        );
  }
}

/** Replaces a few texts and numbers of a layer. */
function mutateLayer(random: Random, layer: Layer): void {
  const slots: Slot[] = [];
  slotsOf(layer.specs, () => undefined, slots);
  for (let k = random() < 0.7 ? 1 : 3; k > 0 && slots.length > 0; k--) {
    const slot = pick(random, slots);
    const numbers = [...EXTREME_NUMBERS, Number.NaN, Number.POSITIVE_INFINITY];
    slot.set(typeof slot.value === 'number' ? pick(random, numbers) : otherText(random, slot.value));
  }
}

/** Replaces a text, or the last name of a path. */
function otherText(random: Random, text: string): string {
  const name = pick(random, EXTREME_TEXTS);
  const end = text.lastIndexOf('/') + 1;
  return end > 0 && random() < 0.8 ? text.slice(0, end) + name : name;
}

/**
 * Damages a binary USD file.
 *
 * @param random Random source.
 * @param bytes The file.
 * @returns The damaged file.
 */
export function mutateUsdc(random: Random, bytes: Uint8Array): Uint8Array {
  if (random() < 0.5) return mutateBytes(random, bytes);
  // Arrays of a layer are views of its file, and the seed must stay as it is.
  const layer = parseUsdc(bytes.slice());
  mutateLayer(random, layer);
  try {
    return serializeUsdc(layer);
  } catch {
    // Not every change can be written.
    return mutateBytes(random, bytes);
  }
}

/** Offsets of the records of a zip: local headers, the table of contents and its end. */
function zipRecords(bytes: Uint8Array): number[] {
  const found: number[] = [];
  for (let at = 0; at + 4 <= bytes.length; at++)
    if (bytes[at] === 0x50 && bytes[at + 1] === 0x4b && bytes[at + 2] < 8 && bytes[at + 3] === bytes[at + 2] + 1)
      found.push(at);
  return found;
}

/**
 * Damages a package: a field of a zip record, or its first file.
 *
 * @param random Random source.
 * @param bytes The package.
 * @returns The damaged package.
 */
export function mutateUsdz(random: Random, bytes: Uint8Array): Uint8Array {
  if (random() < 0.6) return mutateBytes(random, bytes);
  const records = zipRecords(bytes);
  if (records.length === 0) return mutateBytes(random, bytes);
  const at = pick(random, records);
  const end = Math.min(bytes.length, at + 46);
  const out = bytes.slice();
  out.set(mutateBytes(random, bytes.subarray(at + 4, end), true), at + 4);
  return out;
}
