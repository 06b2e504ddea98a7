/** Blends joint matrices by weight, once per bundle of a skin plan. */
import { MATRIX_STRIDE } from '../skeleton/skeleton.ts';
import type { SkinPlan } from './skin-plan.ts';

/** Floats per blended matrix: four columns of three. */
export const BLENDED_STRIDE = 12;
/** Bundles per block. The blended matrices of one block fit into the L1 cache. */
export const BLOCK_BUNDLES = 128;

/**
 * Computes `Σ weight · matrix` over the joints of each bundle in a range. The last row of the matrices is ignored.
 *
 * @param matrices {@link MATRIX_STRIDE} floats per joint of the skin, column-major.
 * @param out Receives {@link BLENDED_STRIDE} floats per bundle, from index 0.
 */
export function blendMatrices(
  plan: SkinPlan,
  first: number,
  end: number,
  matrices: Float64Array,
  out: Float64Array,
): void {
  const { starts, sameJointsEnds } = plan;
  for (let bundle = first; bundle < end; ) {
    const stop = Math.min(end, sameJointsEnds[bundle]);
    const o = (bundle - first) * BLENDED_STRIDE;
    const count = starts[bundle + 1] - starts[bundle];
    if (count === 2) blendTwo(plan, bundle, stop, matrices, out, o);
    else if (count === 4) blendFour(plan, bundle, stop, matrices, out, o);
    else blendMany(plan, bundle, stop, matrices, out, o);
    bundle = stop;
  }
}

/** Blends bundles that share the same two joints, whose matrices are read once. */
function blendTwo(
  plan: SkinPlan,
  first: number,
  end: number,
  matrices: Float64Array,
  out: Float64Array,
  o: number,
): void {
  const { joints, weights } = plan;
  let i = plan.starts[first];
  const a = joints[i] * MATRIX_STRIDE;
  const b = joints[i + 1] * MATRIX_STRIDE;
  const a0 = matrices[a];
  const a1 = matrices[a + 1];
  const a2 = matrices[a + 2];
  const a4 = matrices[a + 4];
  const a5 = matrices[a + 5];
  const a6 = matrices[a + 6];
  const a8 = matrices[a + 8];
  const a9 = matrices[a + 9];
  const a10 = matrices[a + 10];
  const a12 = matrices[a + 12];
  const a13 = matrices[a + 13];
  const a14 = matrices[a + 14];
  const b0 = matrices[b];
  const b1 = matrices[b + 1];
  const b2 = matrices[b + 2];
  const b4 = matrices[b + 4];
  const b5 = matrices[b + 5];
  const b6 = matrices[b + 6];
  const b8 = matrices[b + 8];
  const b9 = matrices[b + 9];
  const b10 = matrices[b + 10];
  const b12 = matrices[b + 12];
  const b13 = matrices[b + 13];
  const b14 = matrices[b + 14];
  for (let at = o, bundle = first; bundle < end; bundle++, i += 2, at += BLENDED_STRIDE) {
    const wa = weights[i];
    const wb = weights[i + 1];
    out[at] = wa * a0 + wb * b0;
    out[at + 1] = wa * a1 + wb * b1;
    out[at + 2] = wa * a2 + wb * b2;
    out[at + 3] = wa * a4 + wb * b4;
    out[at + 4] = wa * a5 + wb * b5;
    out[at + 5] = wa * a6 + wb * b6;
    out[at + 6] = wa * a8 + wb * b8;
    out[at + 7] = wa * a9 + wb * b9;
    out[at + 8] = wa * a10 + wb * b10;
    out[at + 9] = wa * a12 + wb * b12;
    out[at + 10] = wa * a13 + wb * b13;
    out[at + 11] = wa * a14 + wb * b14;
  }
}

/** Blends bundles that share the same four joints, whose matrices are read once. */
function blendFour(
  plan: SkinPlan,
  first: number,
  end: number,
  matrices: Float64Array,
  out: Float64Array,
  o: number,
): void {
  const { joints, weights } = plan;
  let i = plan.starts[first];
  const a = joints[i] * MATRIX_STRIDE;
  const b = joints[i + 1] * MATRIX_STRIDE;
  const c = joints[i + 2] * MATRIX_STRIDE;
  const d = joints[i + 3] * MATRIX_STRIDE;
  const a0 = matrices[a];
  const a1 = matrices[a + 1];
  const a2 = matrices[a + 2];
  const a4 = matrices[a + 4];
  const a5 = matrices[a + 5];
  const a6 = matrices[a + 6];
  const a8 = matrices[a + 8];
  const a9 = matrices[a + 9];
  const a10 = matrices[a + 10];
  const a12 = matrices[a + 12];
  const a13 = matrices[a + 13];
  const a14 = matrices[a + 14];
  const b0 = matrices[b];
  const b1 = matrices[b + 1];
  const b2 = matrices[b + 2];
  const b4 = matrices[b + 4];
  const b5 = matrices[b + 5];
  const b6 = matrices[b + 6];
  const b8 = matrices[b + 8];
  const b9 = matrices[b + 9];
  const b10 = matrices[b + 10];
  const b12 = matrices[b + 12];
  const b13 = matrices[b + 13];
  const b14 = matrices[b + 14];
  const c0 = matrices[c];
  const c1 = matrices[c + 1];
  const c2 = matrices[c + 2];
  const c4 = matrices[c + 4];
  const c5 = matrices[c + 5];
  const c6 = matrices[c + 6];
  const c8 = matrices[c + 8];
  const c9 = matrices[c + 9];
  const c10 = matrices[c + 10];
  const c12 = matrices[c + 12];
  const c13 = matrices[c + 13];
  const c14 = matrices[c + 14];
  const d0 = matrices[d];
  const d1 = matrices[d + 1];
  const d2 = matrices[d + 2];
  const d4 = matrices[d + 4];
  const d5 = matrices[d + 5];
  const d6 = matrices[d + 6];
  const d8 = matrices[d + 8];
  const d9 = matrices[d + 9];
  const d10 = matrices[d + 10];
  const d12 = matrices[d + 12];
  const d13 = matrices[d + 13];
  const d14 = matrices[d + 14];
  for (let at = o, bundle = first; bundle < end; bundle++, i += 4, at += BLENDED_STRIDE) {
    const wa = weights[i];
    const wb = weights[i + 1];
    const wc = weights[i + 2];
    const wd = weights[i + 3];
    out[at] = wa * a0 + wb * b0 + wc * c0 + wd * d0;
    out[at + 1] = wa * a1 + wb * b1 + wc * c1 + wd * d1;
    out[at + 2] = wa * a2 + wb * b2 + wc * c2 + wd * d2;
    out[at + 3] = wa * a4 + wb * b4 + wc * c4 + wd * d4;
    out[at + 4] = wa * a5 + wb * b5 + wc * c5 + wd * d5;
    out[at + 5] = wa * a6 + wb * b6 + wc * c6 + wd * d6;
    out[at + 6] = wa * a8 + wb * b8 + wc * c8 + wd * d8;
    out[at + 7] = wa * a9 + wb * b9 + wc * c9 + wd * d9;
    out[at + 8] = wa * a10 + wb * b10 + wc * c10 + wd * d10;
    out[at + 9] = wa * a12 + wb * b12 + wc * c12 + wd * d12;
    out[at + 10] = wa * a13 + wb * b13 + wc * c13 + wd * d13;
    out[at + 11] = wa * a14 + wb * b14 + wc * c14 + wd * d14;
  }
}

/** Blends bundles with any number of joints. */
function blendMany(
  plan: SkinPlan,
  first: number,
  end: number,
  matrices: Float64Array,
  out: Float64Array,
  o: number,
): void {
  const { starts, joints, weights } = plan;
  for (let at = o, bundle = first; bundle < end; bundle++, at += BLENDED_STRIDE) {
    let sum0 = 0;
    let sum1 = 0;
    let sum2 = 0;
    let sum4 = 0;
    let sum5 = 0;
    let sum6 = 0;
    let sum8 = 0;
    let sum9 = 0;
    let sum10 = 0;
    let sum12 = 0;
    let sum13 = 0;
    let sum14 = 0;
    for (let i = starts[bundle]; i < starts[bundle + 1]; i++) {
      const weight = weights[i];
      const m = joints[i] * MATRIX_STRIDE;
      sum0 += weight * matrices[m];
      sum1 += weight * matrices[m + 1];
      sum2 += weight * matrices[m + 2];
      sum4 += weight * matrices[m + 4];
      sum5 += weight * matrices[m + 5];
      sum6 += weight * matrices[m + 6];
      sum8 += weight * matrices[m + 8];
      sum9 += weight * matrices[m + 9];
      sum10 += weight * matrices[m + 10];
      sum12 += weight * matrices[m + 12];
      sum13 += weight * matrices[m + 13];
      sum14 += weight * matrices[m + 14];
    }
    out[at] = sum0;
    out[at + 1] = sum1;
    out[at + 2] = sum2;
    out[at + 3] = sum4;
    out[at + 4] = sum5;
    out[at + 5] = sum6;
    out[at + 6] = sum8;
    out[at + 7] = sum9;
    out[at + 8] = sum10;
    out[at + 9] = sum12;
    out[at + 10] = sum13;
    out[at + 11] = sum14;
  }
}
