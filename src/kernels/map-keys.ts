/** Retargeting of whole clips in WebAssembly SIMD: the same results as in TypeScript, to the last bit. */
import type { Track } from '../core/animation/clip.ts';
import type { Floats } from '../core/math/floats.ts';
import { mapRotationTracks, type RotationMapper } from '../core/retarget/map-keys.ts';
import { MATRIX_STRIDE } from '../core/skeleton/skeleton.ts';
import { moduleBytes } from './compile-module.ts';
import { MAP_KEYS_WASM } from './map-keys.wasm.ts';

type MapRotations = (trackCount: number, counts: number, matrices: number, values: number, out: number) => void;

const PAGE_BYTES = 65536;
const MATRIX_BYTES = 8 * MATRIX_STRIDE;
const FLOAT_BYTES = 4;
/** Bytes in front of the first block. */
const FIRST = 64;
/** Most floats that are mapped at once: 16 MiB of keys. Longer lists are mapped in TypeScript. */
const MOST_FLOATS = 2 ** 22;
/** Keys after which compiling the kernel pays: it takes as long as mapping them in TypeScript. */
const COMPILE_KEYS = 50_000;

/**
 * Creates the kernel that maps rotation keys, for `retargetClip`. The module is tiny and is compiled at once.
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
  let floats = new Float32Array(memory.buffer);
  let ints = new Uint32Array(memory.buffer);
  let doubles = new Float64Array(memory.buffer);
  const ensure = (size: number): void => {
    if (size <= memory.buffer.byteLength) return;
    memory.grow(Math.ceil((size - memory.buffer.byteLength) / PAGE_BYTES));
    floats = new Float32Array(memory.buffer);
    ints = new Uint32Array(memory.buffer);
    doubles = new Float64Array(memory.buffer);
  };
  return (tracks, matrices) => {
    let length = 0;
    let isSingle = true;
    for (const { values } of tracks) {
      length += values.length;
      isSingle &&= values instanceof Float32Array;
    }
    if (!isSingle || length > MOST_FLOATS) return mapRotationTracks(tracks, matrices);
    const countsAt = FIRST + MATRIX_BYTES * tracks.length;
    const valuesAt = Math.ceil((countsAt + FLOAT_BYTES * tracks.length) / 16) * 16;
    const outAt = valuesAt + FLOAT_BYTES * length;
    ensure(outAt + FLOAT_BYTES * length);
    doubles.set(matrices, FIRST / 8);
    let at = valuesAt / FLOAT_BYTES;
    for (let t = 0; t < tracks.length; t++) {
      const { values } = tracks[t];
      ints[countsAt / FLOAT_BYTES + t] = values.length / 4;
      floats.set(values, at);
      at += values.length;
    }
    run(tracks.length, countsAt, FIRST, valuesAt, outAt);
    const block = memory.buffer.slice(outAt, outAt + FLOAT_BYTES * length);
    let start = 0;
    return tracks.map(({ values }): Floats => {
      const from = start;
      start += FLOAT_BYTES * values.length;
      return new Float32Array(block, from, values.length);
    });
  };
}

/**
 * Creates a mapper that compiles the kernel once it has enough to do: short jobs are faster without.
 *
 * @returns The mapper, which works everywhere.
 */
export function createLazyRotationMapper(): RotationMapper {
  let keys = 0;
  let mapper: RotationMapper | null = null;
  return (tracks: readonly Track[], matrices: Float64Array) => {
    for (const { times } of tracks) keys += times.length;
    if (mapper === null && keys >= COMPILE_KEYS) mapper = createRotationMapper() ?? mapRotationTracks;
    return (mapper ?? mapRotationTracks)(tracks, matrices);
  };
}
