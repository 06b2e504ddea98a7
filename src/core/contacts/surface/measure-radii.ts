/** Measures the radius map of a character from its meshes: rays from the axes of the bones to the furthest triangle. */

import type { SkinPoints } from '../../deform/skin-points.ts';
import { BONE_COUNT } from '../../humanoid/bones.ts';
import type { Humanoid } from '../../humanoid/humanoid.ts';
import { castRays, createLocalPoints, localTriangles } from './axis-rays.ts';
import { boneAxes, radiiBone } from './bone-axes.ts';
import { COLUMNS, completeRadii, END_ROWS, MIDDLE_ROWS, type RadiusMap } from './radius-map.ts';

/** Height of an end that no triangle closes, relative to the radius beside it. The neighboring bone continues there. */
const OPEN_END = 0.25;

/** Fills the gaps of a row between its hits; returns false for a row without hits. */
function fillRow(radii: Float64Array, row: number): boolean {
  const hits = radii.slice(COLUMNS * row, COLUMNS * (row + 1));
  let missed = 0;
  for (let column = 0; column < COLUMNS; column++) if (hits[column] < 0) missed++;
  if (missed === COLUMNS) return false;
  if (missed === 0) return true;
  const at = (column: number): number => hits[(column + COLUMNS) % COLUMNS];
  for (let column = 0; column < COLUMNS; column++) {
    if (hits[column] >= 0) continue;
    let [before, after] = [1, 1];
    while (at(column - before) < 0) before++;
    while (at(column + after) < 0) after++;
    radii[COLUMNS * row + column] = (at(column - before) * after + at(column + after) * before) / (before + after);
  }
  return true;
}

function fillGaps(radii: Float64Array): boolean {
  const [first, last] = [END_ROWS, END_ROWS + MIDDLE_ROWS - 1];
  const known: number[] = [];
  for (let row = first; row <= last; row++) if (fillRow(radii, row)) known.push(row);
  if (known.length === 0) return false;
  for (let row = first; row <= last; row++) {
    if (known.includes(row)) continue;
    const nearest = known.reduce((best, one) => (Math.abs(one - row) < Math.abs(best - row) ? one : best));
    radii.copyWithin(COLUMNS * row, COLUMNS * nearest, COLUMNS * (nearest + 1));
  }
  for (const [beside, step] of [
    [first, -1],
    [last, 1],
  ]) {
    const tip = radii[COLUMNS * (beside + step * END_ROWS)];
    for (let k = 1; k <= END_ROWS; k++) {
      const angle = (k / END_ROWS) * (Math.PI / 2);
      for (let column = 0; column < COLUMNS; column++) {
        const at = COLUMNS * (beside + step * k) + column;
        if (radii[at] >= 0) continue;
        // An ellipse from the radius beside the end to its tip.
        const across = radii[COLUMNS * beside + column];
        const height = tip >= 0 ? tip : OPEN_END * across;
        radii[at] = across > 0 && height > 0 ? 1 / Math.hypot(Math.cos(angle) / across, Math.sin(angle) / height) : 0;
      }
    }
    // All directions meet in the tip.
    const tips = radii.subarray(COLUMNS * (beside + step * END_ROWS), COLUMNS * (beside + step * END_ROWS + 1));
    tips.fill(tips.reduce((sum, value) => sum + value, 0) / COLUMNS);
  }
  return true;
}

/** Collects the triangles of each bone: those with at least two corners of the bone, or with one where all corners belong to different bones. */
export function groupTriangles(owners: Int16Array, triangles: Int32Array): readonly (readonly number[])[] {
  const groups = Array.from({ length: BONE_COUNT }, (): number[] => []);
  for (let k = 0; k < triangles.length; k += 3) {
    const a = owners[triangles[k]];
    const b = owners[triangles[k + 1]];
    const c = owners[triangles[k + 2]];
    if (a === b || a === c) {
      if (a >= 0) groups[a].push(k);
    } else if (b === c) {
      if (b >= 0) groups[b].push(k);
    } else {
      if (a >= 0) groups[a].push(k);
      if (b >= 0) groups[b].push(k);
      if (c >= 0) groups[c].push(k);
    }
  }
  return groups;
}

/** Measures how far the skin is from the axes of the bones. `positions`: position of every point in the reference pose, canonical frame: xyz. */
export function measureRadii(
  { reference }: Humanoid,
  { triangles }: SkinPoints,
  bones: Int16Array,
  positions: Float64Array,
): RadiusMap {
  const points = createLocalPoints(bones.length);
  return groupTriangles(bones.map(radiiBone), triangles).map((group, bone) => {
    const axes = boneAxes(bone);
    if (axes === null || group.length === 0) return null;
    const joint = reference.positions.subarray(3 * bone, 3 * bone + 3);
    const hits = castRays(localTriangles(group, triangles, positions, joint, axes, points), axes);
    if (hits === null) return null;
    const { center, from, to, distances: radii } = hits;
    return fillGaps(radii) ? completeRadii({ bone, center, axes, from, to, radii }) : null;
  });
}
