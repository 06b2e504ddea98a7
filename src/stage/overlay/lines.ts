/** Draws trails of joints and paths of root motion as lines of constant width. */
import { Group } from 'three';
import { Line2 } from 'three/addons/lines/Line2.js';
import { LineGeometry } from 'three/addons/lines/LineGeometry.js';
import type { StageTrail } from '../contract.ts';
import type { OverlayMaterials } from './overlay-materials.ts';

/** Distance from the point `p` to the segment from `a` to `b`, indices of points xyz. */
function distanceTo(points: Float32Array, p: number, a: number, b: number): number {
  const [ax, ay, az] = [points[3 * a], points[3 * a + 1], points[3 * a + 2]];
  const [dx, dy, dz] = [points[3 * b] - ax, points[3 * b + 1] - ay, points[3 * b + 2] - az];
  const [px, py, pz] = [points[3 * p] - ax, points[3 * p + 1] - ay, points[3 * p + 2] - az];
  const square = dx * dx + dy * dy + dz * dz;
  const along = square > 0 ? Math.min(1, Math.max(0, (px * dx + py * dy + pz * dz) / square)) : 0;
  return Math.hypot(px - along * dx, py - along * dy, pz - along * dz);
}

/**
 * Simplifies a line (Ramer, 1972; Douglas and Peucker, 1973). `tolerance`: largest distance of a point that is left out from the line, in the unit
 * of the points.
 */
export function simplifyLine(points: Float32Array, tolerance: number): Float32Array {
  const count = Math.floor(points.length / 3);
  if (count < 3) return points;
  const isKept = new Uint8Array(count);
  isKept[0] = 1;
  isKept[count - 1] = 1;
  const open: [number, number][] = [[0, count - 1]];
  for (let part = open.pop(); part !== undefined; part = open.pop()) {
    const [first, last] = part;
    let [farthest, most] = [-1, tolerance];
    for (let p = first + 1; p < last; p++) {
      const distance = distanceTo(points, p, first, last);
      if (distance > most) [farthest, most] = [p, distance];
    }
    if (farthest < 0) continue;
    isKept[farthest] = 1;
    open.push([first, farthest], [farthest, last]);
  }
  return points.filter((_, k) => isKept[Math.floor(k / 3)] === 1);
}

/** Meters that a line may differ from its points: less than its width on the screen. */
const TOLERANCE = 0.002;

/** Creates lines. `trails`: points and colors. Lines of fewer than two points are omitted. */
export function createLines(trails: readonly StageTrail[], materials: OverlayMaterials): Group {
  const group = new Group();
  for (const { points, color } of trails) {
    if (points.length < 6) continue;
    const geometry = new LineGeometry().setPositions(simplifyLine(points, TOLERANCE));
    group.add(new Line2(geometry, materials.line(color)));
  }
  return group;
}
