/** The radii of a bone in the most obvious form: every ray against every triangle. */

import { radiiBone } from '../../../src/core/contacts/surface/bone-axes.ts';
import { findCloth } from '../../../src/core/contacts/surface/find-cloth.ts';
import { type BoneRadii, COLUMNS, END_ROWS, MIDDLE_ROWS, ROWS } from '../../../src/core/contacts/surface/radius-map.ts';
import { referenceMatrices } from '../../../src/core/contacts/surface/reference-matrices.ts';
import { bonesOfPoints } from '../../../src/core/contacts/surface/surface-bones.ts';
import { countPoints, type SkinPoints, skinPoint } from '../../../src/core/deform/skin-points.ts';
import type { Humanoid } from '../../../src/core/humanoid/humanoid.ts';
import { minus, plus, read, times, type Vector } from './plain.ts';

const dot = (a: Vector, b: Vector): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a: Vector, b: Vector): Vector => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];

/** Distance to a triangle: where the ray meets its plane, inside of its three edges; −1 for a miss. */
function distanceTo([a, b, c]: readonly Vector[], origin: Vector, direction: Vector): number {
  const normal = cross(minus(b, a), minus(c, a));
  const distance = dot(minus(a, origin), normal) / dot(direction, normal);
  const at = plus(origin, times(direction, distance));
  const edges = [
    [a, b],
    [b, c],
    [c, a],
  ];
  // A ray through an edge hits it.
  const least = -1e-9 * dot(normal, normal);
  const isInside = edges.every(([from, to]) => dot(cross(minus(to, from), minus(at, from)), normal) >= least);
  return isInside && distance >= 0 ? distance : -1;
}

/** Returns the distance to the furthest triangle in every direction of `BoneRadii.radii`, −1 without one. */
export function plainRadii(
  humanoid: Humanoid,
  skin: SkinPoints,
  { bone, center, axes, from, to }: BoneRadii,
): number[] {
  const matrices = referenceMatrices(humanoid);
  const positions = new Float64Array(3 * countPoints(skin));
  for (let point = 0; 3 * point < positions.length; point++) skinPoint(positions, 3 * point, skin, point, matrices);
  const bones = bonesOfPoints(humanoid, skin);
  const cloth = findCloth(humanoid, skin, bones, positions);
  const owners = bones.map((bone, point) => (cloth[point] === 1 ? -1 : radiiBone(bone)));
  const joint = read(humanoid.reference.positions, 3 * bone, 3);
  const corner = (point: number): Vector => {
    const position = new Float64Array(3);
    skinPoint(position, 0, skin, point, matrices);
    return minus([...position], joint);
  };
  const triangles: Vector[][] = [];
  for (let k = 0; k < skin.triangles.length; k += 3) {
    const points = read(skin.triangles, k, 3);
    const own = points.filter((point) => owners[point] === bone).length;
    const different = new Set(points.map((point) => owners[point])).size;
    if (own > 1 || (own === 1 && different === 3)) triangles.push(points.map(corner));
  }
  const [axis, first, second] = [0, 3, 6].map((at) => read(axes, at, 3));
  // Rays keep a hundredth of the extent away from the border of the mesh.
  const heights = triangles.flat().map((point) => dot(point, axis));
  const [low, high] = [Math.min(...heights), Math.max(...heights)];
  const border = 0.01 * (high - low);
  const [start, end] = [Math.max(from, low + border), Math.min(to, high - border)];
  return Array.from({ length: ROWS * COLUMNS }, (_, k) => {
    const [row, around] = [Math.floor(k / COLUMNS), (2 * Math.PI * (k % COLUMNS)) / COLUMNS];
    const beyond = Math.max(0, row - END_ROWS - MIDDLE_ROWS + 1) - Math.max(0, END_ROWS - row);
    const angle = (beyond / END_ROWS) * (Math.PI / 2);
    const along = Math.min(1, Math.max(0, (row - END_ROWS) / (MIDDLE_ROWS - 1)));
    const outward = plus(times(first, Math.cos(around)), times(second, Math.sin(around)));
    const direction = plus(times(axis, Math.sin(angle)), times(outward, Math.cos(angle)));
    const origin = plus([...center], times(axis, start + (end - start) * along));
    return Math.max(-1, ...triangles.map((triangle) => distanceTo(triangle, origin, direction)));
  });
}
