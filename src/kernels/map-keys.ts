/** Retargeting of whole clips in WebAssembly SIMD. It computes in float32, the type of the keys; its twin in TypeScript in float64. */
import type { Floats } from '../core/math/floats.ts';
import { mapRotationTracks, type RotationMapper } from '../core/retarget/map-keys.ts';
import { MATRIX_STRIDE } from '../core/skeleton/skeleton.ts';
import { moduleBytes } from './compile-module.ts';
import { MAP_KEYS_WASM } from './map-keys.wasm.ts';

type MapRotations = (trackCount: number, counts: number, matrices: number, values: number) => void;

const PAGE_BYTES = 65536;
const FLOAT_BYTES = 4;
const MATRIX_BYTES = FLOAT_BYTES * MATRIX_STRIDE;
/** Bytes in front of the first block. */
const FIRST = 64;
/**
 * Numbers of a matrix below this size count as zero: they are rounding errors of the plan. Their products with the rounding errors of keys would be subnormal
 * numbers, which processors multiply a hundred times more slowly.
 */
const ZERO = 1e-12;
/** Most floats that are mapped at once: 16 MiB of keys. Longer lists are mapped in TypeScript. */
const MOST_FLOATS = 2 ** 22;

/** Writes the 4×4 of entry `k` as number `row`. */
function writeMatrix(floats: Float32Array, row: number, matrices: Float64Array, k: number): void {
  const to = FIRST / FLOAT_BYTES + MATRIX_STRIDE * row;
  const from = MATRIX_STRIDE * k;
  for (let i = 0; i < MATRIX_STRIDE; i++) {
    const value = matrices[from + i];
    floats[to + i] = value > ZERO || value < -ZERO ? value : 0;
  }
}

/**
 * Creates the kernel that maps rotation keys, for `retargetClip`. The module is tiny and is compiled at once. Its values differ from those of the default, which
 * computes in float64, by less than 4e-7 of the length of a key. Tracks in float64 are mapped as by default.
 *
 * @returns The mapper; null where WebAssembly SIMD is missing, or where the Content-Security-Policy of the page lacks `wasm-unsafe-eval`.
 * @throws {Error} If compiling fails for a different reason.
 * @example
 * const mapRotations = createRotationMapper();
 * const walk = retargetClip(plan, clip, { ...(mapRotations && { mapRotations }) });
 */
export function createRotationMapper(): RotationMapper | null {
  const bytes = moduleBytes(MAP_KEYS_WASM);
  if (bytes === null) return null;
  const memory = new WebAssembly.Memory({ initial: 1 });
  let instance: WebAssembly.Instance;
  try {
    instance = new WebAssembly.Instance(new WebAssembly.Module(bytes), { env: { memory } });
  } catch (error) {
    if (error instanceof WebAssembly.CompileError) return null;
    throw error;
  }
  const run = instance.exports['mapRotations'] as MapRotations;
  let { buffer } = memory;
  let floats = new Float32Array(buffer);
  let ints = new Uint32Array(buffer);
  const ensure = (size: number): void => {
    if (size <= buffer.byteLength) return;
    memory.grow(Math.ceil((size - buffer.byteLength) / PAGE_BYTES));
    buffer = memory.buffer;
    floats = new Float32Array(buffer);
    ints = new Uint32Array(buffer);
  };
  return (tracks, matrices) => {
    let count = 0;
    let length = 0;
    for (let k = 0; k < tracks.length; k++) {
      const track = tracks[k];
      if (track === undefined) continue;
      if (!(track.values instanceof Float32Array)) return mapRotationTracks(tracks, matrices);
      count++;
      length += track.values.length;
    }
    if (length > MOST_FLOATS) return mapRotationTracks(tracks, matrices);
    const countsAt = FIRST + MATRIX_BYTES * count;
    const valuesAt = (countsAt + FLOAT_BYTES * count + 15) & ~15;
    const end = valuesAt + FLOAT_BYTES * length;
    ensure(end);
    for (let k = 0, row = 0, at = valuesAt / FLOAT_BYTES; k < tracks.length; k++) {
      const track = tracks[k];
      if (track === undefined) continue;
      const { values } = track;
      writeMatrix(floats, row, matrices, k);
      ints[countsAt / FLOAT_BYTES + row] = values.length / 4;
      floats.set(values, at);
      at += values.length;
      row++;
    }
    run(count, countsAt, FIRST, valuesAt);
    const block = buffer.slice(valuesAt, end);
    const mapped: (Floats | undefined)[] = [];
    for (let k = 0, start = 0; k < tracks.length; k++) {
      const track = tracks[k];
      if (track === undefined) {
        mapped.push(undefined);
        continue;
      }
      const { length: size } = track.values;
      mapped.push(new Float32Array(block, start, size));
      start += FLOAT_BYTES * size;
    }
    return mapped;
  };
}

/**
 * Creates a mapper that compiles the kernel when it is first called.
 *
 * @returns The mapper, which works everywhere: without WebAssembly SIMD it maps keys in TypeScript.
 */
export function createLazyRotationMapper(): RotationMapper {
  let mapper: RotationMapper | null = null;
  return (tracks, matrices) => {
    mapper ??= createRotationMapper() ?? mapRotationTracks;
    return mapper(tracks, matrices);
  };
}
