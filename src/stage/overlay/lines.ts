/** Draws trails of joints and paths of root motion as lines of constant width. */
import { Group } from 'three';
import { Line2 } from 'three/addons/lines/Line2.js';
import { LineGeometry } from 'three/addons/lines/LineGeometry.js';
import type { StageTrail } from '../contract.ts';
import type { OverlayMaterials } from './overlay-materials.ts';
import { simplifyLine } from './simplify-line.ts';

/** Meters that a line may differ from its points: less than its width on the screen. */
const TOLERANCE = 0.002;

/**
 * Creates lines.
 *
 * @param trails Points and colors. Lines of fewer than two points are omitted.
 */
export function createLines(trails: readonly StageTrail[], materials: OverlayMaterials): Group {
  const group = new Group();
  for (const { points, color } of trails) {
    if (points.length < 6) continue;
    const geometry = new LineGeometry().setPositions(simplifyLine(points, TOLERANCE));
    group.add(new Line2(geometry, materials.line(color)));
  }
  return group;
}
