/** Draws trails of joints and paths of root motion as lines of constant width. */
import { Color, Group } from 'three';
import { Line2 } from 'three/addons/lines/Line2.js';
import { LineGeometry } from 'three/addons/lines/LineGeometry.js';
import { LineMaterial } from 'three/addons/lines/LineMaterial.js';
import type { StageTrail } from '../contract.ts';

/** CSS pixels. */
const TRAIL_WIDTH = 2.5;

/**
 * Creates lines.
 *
 * @param trails Points and colors. Lines of fewer than two points are omitted.
 * @returns A group in the space of the points. Free it with `disposeTree`.
 */
export function createLines(trails: readonly StageTrail[]): Group {
  const group = new Group();
  for (const { points, color } of trails) {
    if (points.length < 6) continue;
    const geometry = new LineGeometry().setPositions(points);
    const material = new LineMaterial({ color: new Color(color), linewidth: TRAIL_WIDTH });
    group.add(new Line2(geometry, material));
  }
  return group;
}
