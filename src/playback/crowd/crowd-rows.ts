/** Computes the transforms of crowd characters from the deltas of their moment. */
import { MATRIX_STRIDE } from '../../core/skeleton/skeleton.ts';
import {
  CROWD_MATRIX_STRIDE,
  CROWD_ROWS,
  CROWD_TRANSLATION_STRIDE,
  type CrowdTarget,
  type CrowdTopology,
  STILL_ROW,
} from './crowd-plan.ts';

/** Floats per bone of a table: three columns of D(a) − D(b), a the bone above b. */
const TABLE_STRIDE = 9;

export function createCrowdTable(topology: CrowdTopology): Float32Array {
  return new Float32Array(TABLE_STRIDE * topology.bones.length);
}

/**
 * Computes the differences of the deltas of neighboring bones: what all characters of a topology share at a moment. `deltas` has 16 floats per row
 * from `d` on.
 */
export function fillCrowdTable(table: Float32Array, topology: CrowdTopology, deltas: Float32Array, d: number): void {
  const { bones, parents } = topology;
  for (let k = 0, at = 0; k < bones.length; k++) {
    const a = d + MATRIX_STRIDE * (parents[k] < 0 ? STILL_ROW : parents[k]);
    const b = d + MATRIX_STRIDE * bones[k];
    for (let column = 0; column < 12; column += 4) {
      table[at++] = deltas[a + column] - deltas[b + column];
      table[at++] = deltas[a + column + 1] - deltas[b + column + 1];
      table[at++] = deltas[a + column + 2] - deltas[b + column + 2];
    }
  }
}

/** Computes the translations of a character: 4 floats per row at `o` of `out`. Rows of bones that the target lacks are left unchanged. */
export function crowdTranslations(
  out: Float32Array,
  o: number,
  topology: CrowdTopology,
  target: CrowdTarget,
  table: Float32Array,
  deltas: Float32Array,
  d: number,
): void {
  const { bones, parents } = topology;
  const { positions, hipsScale } = target;
  // The translation of the hips is that of the still row plus their offset in the delta table.
  let px = hipsScale * deltas[d + 12];
  let py = hipsScale * deltas[d + 13];
  let pz = hipsScale * deltas[d + 14];
  for (let k = 0; k < bones.length; k++) {
    const x = positions[3 * k];
    const y = positions[3 * k + 1];
    const z = positions[3 * k + 2];
    const t = TABLE_STRIDE * k;
    if (k > 0) {
      const p = o + CROWD_TRANSLATION_STRIDE * parents[k];
      px = out[p];
      py = out[p + 1];
      pz = out[p + 2];
    }
    const at = o + CROWD_TRANSLATION_STRIDE * bones[k];
    out[at] = px + table[t] * x + table[t + 3] * y + table[t + 6] * z;
    out[at + 1] = py + table[t + 1] * x + table[t + 4] * y + table[t + 7] * z;
    out[at + 2] = pz + table[t + 2] * x + table[t + 5] * y + table[t + 8] * z;
    out[at + 3] = 1;
  }
}

/**
 * Writes the complete matrices of a character, rotation of the deltas and translation of the character: 12 floats per row at `o` of `out`, 3×4,
 * row-major.
 */
export function crowdMatrices(
  out: Float32Array,
  o: number,
  topology: CrowdTopology,
  translations: Float32Array,
  t: number,
  deltas: Float32Array,
  d: number,
): void {
  const { bones } = topology;
  for (let k = 0; k < bones.length; k++) {
    const at = o + CROWD_MATRIX_STRIDE * bones[k];
    const from = t + CROWD_TRANSLATION_STRIDE * bones[k];
    const delta = d + MATRIX_STRIDE * bones[k];
    for (let row = 0; row < 3; row++) {
      out[at + 4 * row] = deltas[delta + row];
      out[at + 4 * row + 1] = deltas[delta + 4 + row];
      out[at + 4 * row + 2] = deltas[delta + 8 + row];
      out[at + 4 * row + 3] = translations[from + row];
    }
  }
}

/** Writes what never changes in the buffers of a character: the identity of the still row, and of bones that the target lacks. */
export function resetCrowdRows(translations: Float32Array, t: number, matrices: Float32Array | null, o: number): void {
  for (let row = 0; row < CROWD_ROWS; row++) {
    const at = t + CROWD_TRANSLATION_STRIDE * row;
    translations.fill(0, at, at + 3);
    translations[at + 3] = 1;
    if (matrices === null) continue;
    const m = o + CROWD_MATRIX_STRIDE * row;
    matrices.fill(0, m, m + CROWD_MATRIX_STRIDE);
    matrices[m] = 1;
    matrices[m + 5] = 1;
    matrices[m + 10] = 1;
  }
}
