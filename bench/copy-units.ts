/**
 * Copy units: the time of copying 64 bytes within the second-level cache, with `Float32Array.set`. Costs in copy units hardly depend on the machine.
 */
import type { Contender } from './measure.ts';

/** Bytes of a copy unit: a 4×4 of float32. */
const UNIT_BYTES = 64;
/** Floats of each of the two buffers: together half of a usual second-level cache. */
const BUFFER_FLOATS = 65536;

const from = new Float32Array(BUFFER_FLOATS).fill(1);
const to = new Float32Array(BUFFER_FLOATS);

/** Returns a contender that takes as long as a number of copy units. */
export function copyUnits(count: number, name: string): Contender {
  const floats = (count * UNIT_BYTES) / 4;
  const whole = Math.floor(floats / BUFFER_FLOATS);
  const rest = from.subarray(0, floats - whole * BUFFER_FLOATS);
  const run = (): void => {
    for (let k = 0; k < whole; k++) to.set(from);
    to.set(rest);
  };
  return { name, run };
}
