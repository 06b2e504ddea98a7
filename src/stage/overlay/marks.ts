/** Draws contact marks: areas of the ground that a foot touches, while it does. */
import {
  BufferAttribute,
  BufferGeometry,
  Color,
  DoubleSide,
  Group,
  Mesh,
  MeshBasicMaterial,
  ShapeUtils,
  Vector2,
} from 'three';
import type { StageMark } from '../contract.ts';

/** Height above the ground at which marks are drawn, meters. */
const LIFT = 0.004;
const OPACITY = 0.55;

/**
 * Triangulates a polygon on the ground.
 *
 * @param points Corners xyz.
 * @returns Indices of the corners, three per triangle; empty below three corners.
 */
export function triangulate(points: Float32Array): number[] {
  const corners = Array.from(
    { length: Math.floor(points.length / 3) },
    (_, k) => new Vector2(points[3 * k], points[3 * k + 2]),
  );
  return corners.length < 3 ? [] : ShapeUtils.triangulateShape(corners, []).flat();
}

/** The marks of one figure. */
export class ContactMarks {
  /** Add it to the group of the figure. */
  readonly object: Group = new Group();
  readonly #marks: readonly StageMark[];

  /**
   * Creates the marks.
   *
   * @param marks Areas and times.
   */
  constructor(marks: readonly StageMark[]) {
    this.#marks = marks;
    for (const { points, color } of marks) {
      const geometry = new BufferGeometry();
      const lifted = points.map((value, k) => (k % 3 === 1 ? value + LIFT : value));
      geometry.setAttribute('position', new BufferAttribute(lifted, 3));
      geometry.setIndex(triangulate(points));
      const material = new MeshBasicMaterial({
        color: new Color(color),
        transparent: true,
        opacity: OPACITY,
        depthWrite: false,
        side: DoubleSide,
      });
      this.object.add(new Mesh(geometry, material));
    }
  }

  /**
   * Shows the marks of a moment.
   *
   * @param time Seconds.
   */
  show(time: number): void {
    this.#marks.forEach(({ from, to }, k) => {
      this.object.children[k].visible = from <= time && time <= to;
    });
  }
}
