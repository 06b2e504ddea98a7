/** The lines of hips and shoulders. They hold still when limbs move, so they show the up axis and the front of a character. */
import type { Floats } from '../../math/floats.ts';
import * as vec3 from '../../math/vec3.ts';
import { BONE, type BoneName } from '../bones.ts';

/**
 * Computes the midpoint of two bones. Where one is absent, the other one counts alone. `out` receives the midpoint, xyz. `right`: name of the
 * second bone.
 */
export function midpoint(
  out: Float64Array,
  positions: Floats,
  nodes: ArrayLike<number>,
  left: BoneName,
  right: BoneName,
): boolean {
  const l = nodes[BONE[left]];
  const r = nodes[BONE[right]];
  if (l < 0 && r < 0) return false;
  vec3.lerp(out, 0, positions, 3 * (l < 0 ? r : l), positions, 3 * (r < 0 ? l : r), 0.5);
  return true;
}

/** Adds the line from the right to the left bone of a pair. Wide shoulders weigh more than narrow hips. */
function addSideLine(
  out: Float64Array,
  positions: Floats,
  nodes: ArrayLike<number>,
  left: BoneName,
  right: BoneName,
): void {
  const l = nodes[BONE[left]];
  const r = nodes[BONE[right]];
  if (l < 0 || r < 0) return;
  const line = new Float64Array(3);
  vec3.subtract(line, 0, positions, 3 * l, positions, 3 * r);
  vec3.add(out, 0, out, 0, line, 0);
}

export interface TrunkLines {
  /** From the midpoint of the hip joints to that of the shoulder joints; hips and head replace missing ones. */
  readonly up: Float64Array;
  readonly bottom: Float64Array;
  /** From right to left: hips and shoulders added up. */
  readonly side: Float64Array;
}

/** Finds the lines of hips and shoulders. Returns the lines; null when the upper or the lower end of the trunk is missing. */
export function findTrunkLines(positions: Floats, nodes: ArrayLike<number>): TrunkLines | null {
  const top = new Float64Array(3);
  const bottom = new Float64Array(3);
  if (!midpoint(bottom, positions, nodes, 'leftUpperLeg', 'rightUpperLeg')) {
    if (!midpoint(bottom, positions, nodes, 'hips', 'hips')) return null;
  }
  if (!midpoint(top, positions, nodes, 'leftUpperArm', 'rightUpperArm')) {
    if (!midpoint(top, positions, nodes, 'head', 'neck')) return null;
  }
  const up = new Float64Array(3);
  vec3.subtract(up, 0, top, 0, bottom, 0);
  const side = new Float64Array(3);
  addSideLine(side, positions, nodes, 'leftUpperLeg', 'rightUpperLeg');
  addSideLine(side, positions, nodes, 'leftUpperArm', 'rightUpperArm');
  return { up, bottom, side };
}
