/** Refuses results that float32 cannot hold, which only damaged positions or matrices lead to. */
import { FormatError } from '../../../core/report/format-error.ts';

/**
 * Checks numbers that are about to be stored. `values`: the numbers as float32; null for none. Throws FormatError GLTF_ACCESSOR for numbers that
 * are not finite.
 */
export function requireFinite(values: Float32Array | null, message: string, pointer: string): void {
  if (values !== null && !values.every(Number.isFinite)) throw new FormatError('GLTF_ACCESSOR', message, { pointer });
}
