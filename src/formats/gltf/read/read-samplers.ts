/** Reads and validates animation samplers: key times and values. glTF 2.0 sections 3.11, 5.8 and Appendix C. */
import { type Interpolation, type Keys, PATH_WIDTH, type TrackPath } from '../../../core/animation/clip.ts';
import { repairIssue, repairTrack, separateKeys } from '../../../core/animation/repair-track.ts';
import { FormatError } from '../../../core/report/format-error.ts';
import { type Issue, issue } from '../../../core/report/issue.ts';
import { type AccessorType, accessorInfo, floatsOf, readAccessor, readFloats } from '../accessors/accessor.ts';
import type { GltfDocument } from '../document/document.ts';
import { describeValue, indexAt, type JsonObject, required, stringAt } from '../document/json-access.ts';

/** Cache for the samplers of one document: each combination of accessors is read once. */
export interface SamplerReader {
  readonly doc: GltfDocument;
  readonly issues: Issue[];
  /** Keys by accessors, interpolation and path; null for unusable keys. Channels share them, and they may be views into the file: do not write to them. */
  readonly keys: Map<string, Keys | null>;
  /** Key times by input accessor. */
  readonly times: Map<number, Float32Array>;
  /** Last finite time by input accessor, in seconds. */
  readonly lastTimes: Map<number, number>;
  /** Input accessors whose repaired keys were reported. */
  readonly repairedInputs: Set<number>;
  /** Bytes by buffer view: all keys of a file are usually in one. */
  readonly views: Map<number, Uint8Array>;
  keyCount: number;
}

export function createSamplerReader(doc: GltfDocument, issues: Issue[]): SamplerReader {
  return {
    doc,
    issues,
    keys: new Map(),
    times: new Map(),
    lastTimes: new Map(),
    repairedInputs: new Set(),
    views: new Map(),
    keyCount: 0,
  };
}

/** Returns the last finite key time of a sampler, seconds; 0 without a finite time. */
export function lastTime(reader: SamplerReader, sampler: JsonObject, pointer: string): number {
  const input = accessorAt(reader, sampler, 'input', pointer);
  let last = reader.lastTimes.get(input);
  if (last === undefined) {
    last = 0;
    for (const time of inputTimes(reader, input)) if (time > last && time < Number.POSITIVE_INFINITY) last = time;
    reader.lastTimes.set(input, last);
  }
  return last;
}

/**
 * Reads the keys of a translation, rotation or scale. `repairTrack` makes them valid (issue KEYS_REPAIRED). Returns keys; null (issue
 * GLTF_ANIMATION) without usable keys, or for an output of the wrong type or length. Throws FormatError GLTF_SCHEMA, GLTF_REFERENCE, GLTF_ACCESSOR;
 * errors of `readAccessor`.
 */
export function readTrackKeys(
  reader: SamplerReader,
  sampler: JsonObject,
  pointer: string,
  path: TrackPath,
  node: number,
): Keys | null {
  const type = path === 'rotation' ? 'VEC4' : 'VEC3';
  return readKeys(reader, sampler, pointer, { kind: path, type, width: PATH_WIDTH[path] }, (keys, input) => {
    const { track, issues } = repairTrack({ target: node, path, ...keys }, { pointer: `/accessors/${input}` });
    if (track === null || !reader.repairedInputs.has(input)) reader.issues.push(...issues);
    if (issues.length > 0) reader.repairedInputs.add(input);
    return track;
  });
}

/**
 * Reads the keys of morph weights. Keys with times that are negative or decrease, or with values that are not finite, are dropped, and keys at the
 * same time separated (issue KEYS_REPAIRED). Returns null as {@link readTrackKeys}.
 */
export function readWeightKeys(
  reader: SamplerReader,
  sampler: JsonObject,
  pointer: string,
  targetCount: number,
): Keys | null {
  const wanted: WantedKeys = { kind: `weights ${targetCount}`, type: 'SCALAR', width: targetCount };
  return readKeys(reader, sampler, pointer, wanted, (keys, input) => {
    const usable = validKeys(keys);
    const { keys: kept, times, separated } = separateKeys(keys, keys.values.length / keys.times.length, usable);
    const repairs = { dropped: keys.times.length - usable.length, merged: usable.length - kept.length, separated };
    if (kept.length === keys.times.length && separated === 0) return keys;
    reader.issues.push(
      repairIssue(repairs, keys.times.length, 'A track of morph weights', { pointer: `/accessors/${input}` }),
    );
    return kept.length === 0 ? null : keepKeys(keys, kept, times);
  });
}

interface WantedKeys {
  /** Kind of the keys: samplers are read once for each. */
  readonly kind: string;
  readonly type: AccessorType;
  readonly width: number;
}

function readKeys(
  reader: SamplerReader,
  sampler: JsonObject,
  pointer: string,
  { kind, type, width }: WantedKeys,
  repair: (keys: Keys, input: number) => Keys | null,
): Keys | null {
  const input = accessorAt(reader, sampler, 'input', pointer);
  const output = accessorAt(reader, sampler, 'output', pointer);
  const interpolation = interpolationAt(sampler, pointer);
  const key = `${input} ${output} ${interpolation} ${kind}`;
  const times = inputTimes(reader, input);
  countKeys(reader, times.length, pointer);
  const known = reader.keys.get(key);
  if (known !== undefined) return known;

  const needed = times.length * width * (interpolation === 'CUBICSPLINE' ? 3 : 1);
  const data = readAccessor(reader.doc, output, reader.views);
  const values = floatsOf(reader.doc, data, `/accessors/${output}`);
  let found: Keys | null = null;
  let reason = 'it has no usable key';
  if (data.type !== type) reason = `its output has type ${data.type}, expected ${type}`;
  else if (values.length !== needed) {
    reason = `its output has ${values.length} components, but ${times.length} keys with ${interpolation} need ${needed}`;
  } else found = repair({ interpolation, times, values }, input);
  if (found === null) {
    reader.issues.push(
      issue('GLTF_ANIMATION', `The sampler cannot be used: ${reason}; its channels were dropped`, { pointer }),
    );
  }
  reader.keys.set(key, found);
  return found;
}

/** Bytes that a key takes at least: a rotation of four bytes, whose time other channels share. */
const BYTES_PER_KEY = 4;

/** Counts the keys of a channel. Throws FormatError GLTF_LIMIT for more than the file can hold and its limits allow. */
function countKeys(reader: SamplerReader, keys: number, pointer: string): void {
  const { doc } = reader;
  reader.keyCount += keys;
  if (reader.keyCount <= doc.limits.keys) return;
  const resources = Array.from(doc.resources.values(), ({ length }) => length);
  const own = doc.source?.bytes.length ?? 0;
  const bytes = resources.reduce((sum, length) => sum + length, own + doc.cache.decodedBytes);
  const most = doc.limits.keys + Math.floor(bytes / BYTES_PER_KEY);
  if (reader.keyCount <= most) return;
  const message = `The channels of the file have more than ${most} keys, because they share samplers; remove channels, or allow more with the option limits.keys of parseGltf`;
  throw new FormatError('GLTF_LIMIT', message, { pointer });
}

function accessorAt({ doc }: SamplerReader, sampler: JsonObject, key: 'input' | 'output', pointer: string): number {
  return required(indexAt(sampler, key, pointer, doc.json, 'accessors'), key, pointer);
}

function interpolationAt(sampler: JsonObject, pointer: string): Interpolation {
  const value = stringAt(sampler, 'interpolation', pointer) ?? 'LINEAR';
  if (value === 'LINEAR' || value === 'STEP' || value === 'CUBICSPLINE') return value;
  const where = `${pointer}/interpolation`;
  const message = `${where} is ${describeValue(value)}, expected LINEAR, STEP or CUBICSPLINE`;
  throw new FormatError('GLTF_SCHEMA', message, { pointer: where });
}

function inputTimes({ doc, times }: SamplerReader, input: number): Float32Array {
  const known = times.get(input);
  if (known !== undefined) return known;
  const { type } = accessorInfo(doc, input);
  if (type !== 'SCALAR') {
    const pointer = `/accessors/${input}`;
    const message = `${pointer} contains key times but has type ${type}, expected SCALAR`;
    throw new FormatError('GLTF_ACCESSOR', message, { pointer });
  }
  const read = readFloats(doc, input);
  times.set(input, read);
  return read;
}

/** Indices of the keys with valid times (finite, at least 0, not decreasing) and finite values. */
function validKeys({ times, values }: Keys): number[] {
  const stride = values.length / times.length;
  const kept: number[] = [];
  let last = 0;
  for (let key = 0; key < times.length; key++) {
    if (!(times[key] >= last && times[key] < Number.POSITIVE_INFINITY)) continue;
    let isValid = true;
    for (let c = key * stride; c < (key + 1) * stride; c++) isValid &&= Number.isFinite(values[c]);
    if (!isValid) continue;
    kept.push(key);
    last = times[key];
  }
  return kept;
}

function keepKeys({ interpolation, times, values }: Keys, kept: readonly number[], keptTimes: readonly number[]): Keys {
  const stride = values.length / times.length;
  const out = new Float32Array(kept.length * stride);
  kept.forEach((key, i) => {
    out.set(values.subarray(key * stride, (key + 1) * stride), i * stride);
  });
  return { interpolation, times: Float32Array.from(keptTimes), values: out };
}
