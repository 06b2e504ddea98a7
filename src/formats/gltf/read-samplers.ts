/** Samplers of animations: key times and values, checked. glTF 2.0 sections 3.11, 5.8 and Appendix C. */
import { type Interpolation, PATH_WIDTH, type TrackPath } from '../../core/animation/clip.ts';
import { mendTrack } from '../../core/animation/mend-track.ts';
import type { Floats } from '../../core/math/floats.ts';
import { FormatError } from '../../core/report/format-error.ts';
import { type Issue, issue } from '../../core/report/issue.ts';
import { type AccessorType, accessorInfo, floatsOf, readAccessor, readFloats } from './accessor.ts';
import type { GltfDocument } from './document.ts';
import { indexAt, type JsonObject, nameOfValue, required, stringAt } from './schema.ts';

/** Keys of one channel. The arrays may be views of the file and are shared between channels: do not write to them. */
export interface FileKeys {
  readonly interpolation: Interpolation;
  readonly times: Floats;
  readonly values: Floats;
}

/** Reads the samplers of one document, each combination of accessors once. */
export interface SamplerReader {
  readonly doc: GltfDocument;
  readonly issues: Issue[];
  /** By accessors, interpolation and path; null where they do not fit. */
  readonly keys: Map<string, FileKeys | null>;
  /** Key times by input accessor: most channels of an animation share one. */
  readonly times: Map<number, Float32Array>;
  /** Last finite time by input accessor. */
  readonly lastTimes: Map<number, number>;
  /** Input accessors whose keys were reported as mended. */
  readonly mendedInputs: Set<number>;
}

export function createSamplerReader(doc: GltfDocument, issues: Issue[]): SamplerReader {
  return { doc, issues, keys: new Map(), times: new Map(), lastTimes: new Map(), mendedInputs: new Set() };
}

/** Latest finite time of a sampler's keys, seconds, whatever it animates; 0 when there is none. FormatError as with {@link readTrackKeys}. */
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
 * Keys of a sampler that animates a translation, rotation or scale of a node of the file, made valid by `mendTrack`
 * (KEYS_REPAIRED). Null, reported as GLTF_ANIMATION, when no key is usable, the output has the wrong type, or the number of values is
 * not that of the keys. FormatError GLTF_SCHEMA, GLTF_REFERENCE, GLTF_ACCESSOR and those of `readAccessor`.
 */
export function readTrackKeys(
  reader: SamplerReader,
  sampler: JsonObject,
  pointer: string,
  path: TrackPath,
  node: number,
): FileKeys | null {
  const type = path === 'rotation' ? 'VEC4' : 'VEC3';
  return readKeys(reader, sampler, pointer, path, type, PATH_WIDTH[path], (keys, input) => {
    const { track, issues } = mendTrack({ target: node, path, ...keys }, { pointer: `/accessors/${input}` });
    if (track === null || !reader.mendedInputs.has(input)) reader.issues.push(...issues);
    if (issues.length > 0) reader.mendedInputs.add(input);
    return track;
  });
}

/**
 * Keys of a sampler that animates `targetCount` morph weights. Keys whose time does not rise from 0 on or with values that
 * are not finite are dropped (KEYS_REPAIRED). Null and errors as with {@link readTrackKeys}.
 */
export function readWeightKeys(
  reader: SamplerReader,
  sampler: JsonObject,
  pointer: string,
  targetCount: number,
): FileKeys | null {
  return readKeys(reader, sampler, pointer, `weights ${targetCount}`, 'SCALAR', targetCount, (keys, input) => {
    const kept = soundKeys(keys);
    if (kept.length === keys.times.length) return keys;
    const message = `${keys.times.length - kept.length} of ${keys.times.length} keys of morph weights were dropped: times must rise from 0 on, values be finite`;
    reader.issues.push(issue('KEYS_REPAIRED', message, { pointer: `/accessors/${input}` }));
    return kept.length === 0 ? null : keepKeys(keys, kept);
  });
}

function readKeys(
  reader: SamplerReader,
  sampler: JsonObject,
  pointer: string,
  kind: string,
  type: AccessorType,
  width: number,
  mend: (keys: FileKeys, input: number) => FileKeys | null,
): FileKeys | null {
  const input = accessorAt(reader, sampler, 'input', pointer);
  const output = accessorAt(reader, sampler, 'output', pointer);
  const interpolation = interpolationAt(sampler, pointer);
  const key = [input, output, interpolation, kind].join();
  const known = reader.keys.get(key);
  if (known !== undefined) return known;

  const times = inputTimes(reader, input);
  const needed = times.length * width * (interpolation === 'CUBICSPLINE' ? 3 : 1);
  const data = readAccessor(reader.doc, output);
  const values = floatsOf(reader.doc, data, `/accessors/${output}`);
  let found: FileKeys | null = null;
  let reason = 'no key is usable';
  if (data.type !== type) reason = `its output is of type ${data.type}, expected ${type}`;
  else if (values.length !== needed) {
    reason = `${times.length} keys with ${interpolation} need ${needed} output numbers, there are ${values.length}`;
  } else found = mend({ interpolation, times, values }, input);
  if (found === null) {
    reader.issues.push(issue('GLTF_ANIMATION', `The channels of a sampler were left out: ${reason}`, { pointer }));
  }
  reader.keys.set(key, found);
  return found;
}

function accessorAt({ doc }: SamplerReader, sampler: JsonObject, key: 'input' | 'output', pointer: string): number {
  return required(indexAt(sampler, key, pointer, doc.json, 'accessors'), key, pointer);
}

function interpolationAt(sampler: JsonObject, pointer: string): Interpolation {
  const value = stringAt(sampler, 'interpolation', pointer) ?? 'LINEAR';
  if (value === 'LINEAR' || value === 'STEP' || value === 'CUBICSPLINE') return value;
  const where = `${pointer}/interpolation`;
  const message = `${where} is ${nameOfValue(value)}, expected LINEAR, STEP or CUBICSPLINE`;
  throw new FormatError('GLTF_SCHEMA', message, { pointer: where });
}

function inputTimes({ doc, times }: SamplerReader, input: number): Float32Array {
  const known = times.get(input);
  if (known !== undefined) return known;
  const { type } = accessorInfo(doc, input);
  if (type !== 'SCALAR') {
    const pointer = `/accessors/${input}`;
    const message = `${pointer} holds key times but is of type ${type}, expected SCALAR`;
    throw new FormatError('GLTF_ACCESSOR', message, { pointer });
  }
  const read = readFloats(doc, input);
  times.set(input, read);
  return read;
}

/** Indices of keys with a finite time from 0 on, above the one before, and finite values. */
function soundKeys({ times, values }: FileKeys): number[] {
  const stride = values.length / times.length;
  const kept: number[] = [];
  let last = -1;
  for (let key = 0; key < times.length; key++) {
    if (!(times[key] >= 0 && times[key] > last && times[key] < Number.POSITIVE_INFINITY)) continue;
    let isSound = true;
    for (let c = key * stride; c < (key + 1) * stride; c++) isSound &&= Number.isFinite(values[c]);
    if (!isSound) continue;
    kept.push(key);
    last = times[key];
  }
  return kept;
}

function keepKeys({ interpolation, times, values }: FileKeys, kept: readonly number[]): FileKeys {
  const stride = values.length / times.length;
  const out = new Float32Array(kept.length * stride);
  kept.forEach((key, i) => {
    out.set(values.subarray(key * stride, (key + 1) * stride), i * stride);
  });
  return { interpolation, times: Float32Array.from(kept, (key) => times[key]), values: out };
}
