/** Retargeting of whole clips in WebAssembly SIMD. It computes in float32, the type of the keys; its twin in TypeScript in float64. */
import { mapRotationTracks, type RotationMapper } from '../core/retarget/map-keys.ts';
import { MATRIX_STRIDE } from '../core/skeleton/skeleton.ts';
import { moduleBytes } from './compile-module.ts';
import { MAP_KEYS_WASM } from './map-keys.wasm.ts';

type MapRotations = (trackCount: number, counts: number, matrices: number, values: number) => void;

const PAGE_BYTES = 65536;
const FLOAT_BYTES = 4;
const MATRIX_BYTES = Float64Array.BYTES_PER_ELEMENT * MATRIX_STRIDE;
/** Bytes in front of the matrices. */
const FIRST = 64;
/** Most floats that are mapped at once: 16 MiB of keys. Longer lists are mapped in TypeScript. */
const MOST_FLOATS = 2 ** 22;

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
  let floats = new Float32Array(memory.buffer);
  let doubles = new Float64Array(memory.buffer);
  let ints = new Uint32Array(memory.buffer);
  const ensure = (size: number): void => {
    const missing = size - memory.buffer.byteLength;
    if (missing <= 0) return;
    memory.grow(Math.ceil(missing / PAGE_BYTES));
    floats = new Float32Array(memory.buffer);
    doubles = new Float64Array(memory.buffer);
    ints = new Uint32Array(memory.buffer);
  };
  return (out, tracks, matrices) => {
    if (!(out instanceof Float32Array) || out.length > MOST_FLOATS) {
      mapRotationTracks(out, tracks, matrices);
      return;
    }
    const count = tracks.length;
    const countsAt = FIRST + MATRIX_BYTES * count;
    const valuesAt = (countsAt + FLOAT_BYTES * count + 15) & ~15;
    ensure(valuesAt + FLOAT_BYTES * out.length);
    doubles.set(matrices.subarray(0, MATRIX_STRIDE * count), FIRST / Float64Array.BYTES_PER_ELEMENT);
    const first = valuesAt / FLOAT_BYTES;
    let end = first;
    for (let k = 0; k < count; k++) {
      const values = tracks[k]?.values;
      ints[countsAt / FLOAT_BYTES + k] = values === undefined ? 0 : values.length / 4;
      if (values === undefined) continue;
      floats.set(values, end);
      end += values.length;
    }
    run(count, countsAt, FIRST, valuesAt);
    out.set(floats.subarray(first, end));
  };
}

/**
 * Creates a mapper that compiles the kernel when it is first called.
 *
 * @returns The mapper, which works everywhere: without WebAssembly SIMD it maps keys in TypeScript.
 */
export function createLazyRotationMapper(): RotationMapper {
  let mapper: RotationMapper | null = null;
  return (out, tracks, matrices) => {
    mapper ??= createRotationMapper() ?? mapRotationTracks;
    mapper(out, tracks, matrices);
  };
}
