import { OFFSET_STRIDE, type SkinPoints } from '../../deform/skin-points.ts';
import type { Humanoid } from '../../humanoid/humanoid.ts';
import * as mat4 from '../../math/mat4.ts';
import { MATRIX_STRIDE } from '../../skeleton/skeleton.ts';

const inverse = new Float64Array(MATRIX_STRIDE);
const moved = new Float64Array(3);

/**
 * Moves the influences of a point to the nearest of some nodes at or above theirs, so that the point stays where it is in the reference pose.
 * `matrices`: matrices of all nodes in the reference pose, canonical frame.
 */
export function rebindPoint(
  { skeleton: { parents } }: Humanoid,
  { starts, nodes: influences, offsets }: SkinPoints,
  point: number,
  nodes: ReadonlySet<number>,
  main: number,
  matrices: Float64Array,
): Map<number, number[]> {
  const merged = new Map<number, number[]>();
  for (let i = starts[point]; i < starts[point + 1]; i++) {
    let node = influences[i];
    while (node >= 0 && !nodes.has(node)) node = parents[node];
    if (node < 0) node = main;
    const at = OFFSET_STRIDE * i;
    const weight = offsets[at + 3];
    for (let c = 0; c < 3; c++) moved[c] = offsets[at + c] / weight;
    if (node !== influences[i] && mat4.invertAffine(inverse, 0, matrices, MATRIX_STRIDE * node)) {
      mat4.transformPoint(moved, 0, matrices, MATRIX_STRIDE * influences[i], moved, 0);
      mat4.transformPoint(moved, 0, inverse, 0, moved, 0);
    }
    const sum = merged.get(node) ?? [0, 0, 0, 0];
    const added = [...moved, 1].map((value, c) => sum[c] + weight * value);
    merged.set(node, added);
  }
  return merged;
}
