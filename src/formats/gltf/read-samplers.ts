/** Samplers of animations: key times and values, checked. glTF 2.0 sections 3.11, 5.8 and Appendix C. */
import type { Interpolation } from '../../core/animation/clip.ts';
import { FormatError } from '../../core/report/format-error.ts';
import { type Issue, issue } from '../../core/report/issue.ts';
import { accessorInfo, readFloats } from './accessor.ts';
import type { GltfDocument } from './document.ts';
import { indexAt, type JsonObject, nameOfValue, required, stringAt } from './schema.ts';

/** Keys of one channel. The arrays may be views of the file and are shared between channels: do not write to them. */
export interface FileKeys {
  readonly interpolation: Interpolation;
  readonly times: Float32Array;
  readonly values: Float32Array;
}

/** Times of an input accessor that rise. */
interface FileTimes {
  readonly times: Float32Array;
  /** Which keys were kept, null for all. */
  readonly kept: Int32Array | null;
}

/** Reads samplers of one document, each pair of accessors once. */
export interface SamplerReader {
  readonly doc: GltfDocument;
  readonly issues: Issue[];
  /** By input accessor. */
  readonly times: Map<number, FileTimes>;
  /** By accessors, interpolation and width; null where they do not fit. */
  readonly keys: Map<string, FileKeys | null>;
}

export function createSamplerReader(doc: GltfDocument, issues: Issue[]): SamplerReader {
  return { doc, issues, times: new Map(), keys: new Map() };
}

/** Seconds of the last key of a sampler, whatever it animates. Errors as with {@link readKeys}. */
export function lastTime(reader: SamplerReader, sampler: JsonObject, pointer: string): number {
  const input = required(indexAt(sampler, 'input', pointer, reader.doc.json, 'accessors'), 'input', pointer);
  return readTimes(reader, input).times.at(-1) ?? 0;
}

/**
 * Keys of a sampler with values of `width` floats. Keys whose time is not finite, negative or not above the one before, or
 * whose value is not finite, are dropped and reported as KEYS_MENDED. Null, reported as GLTF_ANIMATION, when nothing is
 * left, when input or output are not of the right type, or when the number of values is not that of the keys. FormatError
 * GLTF_SCHEMA, GLTF_REFERENCE and those of `readAccessor`.
 */
export function readKeys(
  reader: SamplerReader,
  sampler: JsonObject,
  pointer: string,
  width: number,
  isWeights: boolean,
): FileKeys | null {
  const { doc, issues, keys } = reader;
  const input = required(indexAt(sampler, 'input', pointer, doc.json, 'accessors'), 'input', pointer);
  const output = required(indexAt(sampler, 'output', pointer, doc.json, 'accessors'), 'output', pointer);
  const interpolation = interpolationAt(sampler, pointer);
  const key = [input, output, interpolation, width, isWeights].join();
  const known = keys.get(key);
  if (known !== undefined) return known;

  const { type } = accessorInfo(doc, output);
  const expectedType = isWeights ? 'SCALAR' : width === 4 ? 'VEC4' : 'VEC3';
  const { times, kept } = readTimes(reader, input);
  const values = readFloats(doc, output);
  const stride = width * (interpolation === 'CUBICSPLINE' ? 3 : 1);
  const keyCount = accessorInfo(doc, input).count;
  let reason = '';
  if (type !== expectedType) reason = `its output is of type ${type}, expected ${expectedType}`;
  else if (values.length !== keyCount * stride) {
    reason = `${keyCount} keys need ${keyCount * stride} output numbers, there are ${values.length}`;
  } else if (times.length === 0) reason = 'no key has a usable time';
  const found =
    reason === '' ? finiteKeys(reader, interpolation, times, keptValues(values, kept, stride), output) : null;
  if (found === null) {
    const message = `The channels of a sampler were left out: ${reason || 'no key has finite values'}`;
    issues.push(issue('GLTF_ANIMATION', message, { pointer }));
  }
  keys.set(key, found);
  return found;
}

function interpolationAt(sampler: JsonObject, pointer: string): Interpolation {
  const value = stringAt(sampler, 'interpolation', pointer) ?? 'LINEAR';
  if (value === 'LINEAR' || value === 'STEP' || value === 'CUBICSPLINE') return value;
  const where = `${pointer}/interpolation`;
  const message = `${where} is ${nameOfValue(value)}, expected LINEAR, STEP or CUBICSPLINE`;
  throw new FormatError('GLTF_SCHEMA', message, { pointer: where });
}

function readTimes(reader: SamplerReader, input: number): FileTimes {
  const known = reader.times.get(input);
  if (known !== undefined) return known;
  const pointer = `/accessors/${input}`;
  const { type } = accessorInfo(reader.doc, input);
  if (type !== 'SCALAR') {
    throw new FormatError('GLTF_ACCESSOR', `${pointer} holds key times but is of type ${type}, expected SCALAR`, {
      pointer,
    });
  }
  const times = readFloats(reader.doc, input);
  const kept = risingKeys(times);
  const found = kept.length === times.length ? { times, kept: null } : { times: times.filter(isIn(kept)), kept };
  if (found.kept !== null) {
    const dropped = times.length - kept.length;
    const message = `${dropped} of ${times.length} key times are not finite, negative or do not rise; these keys were dropped`;
    reader.issues.push(issue('KEYS_MENDED', message, { pointer }));
  }
  reader.times.set(input, found);
  return found;
}

function isIn(kept: Int32Array): (value: number, index: number) => boolean {
  let next = 0;
  return (_, index) => {
    if (kept[next] !== index) return false;
    next++;
    return true;
  };
}

/** Indices of keys with a finite time from 0 on, above the one before. */
function risingKeys(times: Float32Array): Int32Array {
  const kept = new Int32Array(times.length);
  let count = 0;
  let last = -1;
  for (let i = 0; i < times.length; i++) {
    const time = times[i];
    if (!(time >= 0 && time > last && time < Number.POSITIVE_INFINITY)) continue;
    kept[count++] = i;
    last = time;
  }
  return kept.subarray(0, count);
}

function keptValues(values: Float32Array, kept: Int32Array | null, stride: number): Float32Array {
  if (kept === null) return values;
  const out = new Float32Array(kept.length * stride);
  kept.forEach((key, i) => {
    out.set(values.subarray(key * stride, (key + 1) * stride), i * stride);
  });
  return out;
}

/** The keys whose values are all finite; null when there is none. */
function finiteKeys(
  reader: SamplerReader,
  interpolation: Interpolation,
  times: Float32Array,
  values: Float32Array,
  output: number,
): FileKeys | null {
  const stride = values.length / times.length;
  const kept = Int32Array.from(times.keys()).filter((key) => {
    for (let c = key * stride; c < (key + 1) * stride; c++) if (!Number.isFinite(values[c])) return false;
    return true;
  });
  if (kept.length === times.length) return { interpolation, times, values };
  const message = `${times.length - kept.length} of ${times.length} keys have values that are not finite; they were dropped`;
  reader.issues.push(issue('KEYS_MENDED', message, { pointer: `/accessors/${output}` }));
  if (kept.length === 0) return null;
  return { interpolation, times: times.filter(isIn(kept)), values: keptValues(values, kept, stride) };
}
