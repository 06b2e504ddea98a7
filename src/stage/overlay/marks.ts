/** Draws contact marks: areas of the ground that a foot touches, while it does. */
import { BufferAttribute, BufferGeometry, Group, Mesh, ShapeUtils, Vector2 } from 'three';
import type { StageMark } from '../contract.ts';
import type { OverlayMaterials } from './overlay-materials.ts';

/** Height above the ground at which marks are drawn, meters. */
const LIFT = 0.004;

export function triangulate(points: Float32Array): number[] {
  const corners = Array.from(
    { length: Math.floor(points.length / 3) },
    (_, k) => new Vector2(points[3 * k], points[3 * k + 2]),
  );
  return corners.length < 3 ? [] : ShapeUtils.triangulateShape(corners, []).flat();
}

/** The marks of one figure. */
export class ContactMarks {
  /** Add it to the group of the figure. Free it with `freeGeometries`. */
  readonly object: Group = new Group();
  readonly #marks: readonly StageMark[];

  /** Creates the marks. */
  constructor(marks: readonly StageMark[], materials: OverlayMaterials) {
    this.#marks = marks;
    for (const { points, color } of marks) {
      const geometry = new BufferGeometry();
      const lifted = points.map((value, k) => (k % 3 === 1 ? value + LIFT : value));
      geometry.setAttribute('position', new BufferAttribute(lifted, 3));
      geometry.setIndex(triangulate(points));
      this.object.add(new Mesh(geometry, materials.mark(color)));
    }
  }

  /** Shows the marks of a moment. */
  show(time: number): void {
    this.#marks.forEach(({ from, to }, k) => {
      this.object.children[k].visible = from <= time && time <= to;
    });
  }
}
