/** Fixed views: from where the camera looks, and how far away it is. */

import type { PerspectiveCamera } from 'three';
import { cross, dot } from '../../core/math/triples.ts';
import type { Vec3 } from '../../core/math/vec3.ts';
import type { StageViewpoint } from '../contract.ts';
import type { Extent } from '../layout.ts';

/** Direction from the figures to the camera. `orbit` is where a free camera starts. */
export const DIRECTIONS: Readonly<Record<StageViewpoint, readonly [number, number, number]>> = {
  orbit: [0.2, 0.14, 1],
  front: [0, 0, 1],
  side: [1, 0, 0],
  // A little off the vertical, with the front of the figures below.
  top: [0, 1, 0.001],
};

/** Free space around the box. */
const MARGIN = 1.06;

/** Near and far plane in distances of the camera from what it shows: for a person, who is seen from 4 m, at 5 cm and 200 m. */
const NEAR = 1 / 80;
const FAR = 50;

/**
 * Computes how far from the center of a box a camera sees all of it. `direction`: unit vector from the center to the camera; not vertical. `fov`:
 * vertical field of view, degrees. Returns the distance, in the unit of the box.
 */
export function distanceFor(extent: Extent, direction: Vec3, fov: number, aspect: number): number {
  const { min, max } = extent;
  const half: Vec3 = [(max[0] - min[0]) / 2, (max[1] - min[1]) / 2, (max[2] - min[2]) / 2];
  const slope = Math.tan((fov * Math.PI) / 360);
  const side = cross([0, 1, 0], direction);
  const length = Math.hypot(...side);
  const right: Vec3 = [side[0] / length, side[1] / length, side[2] / length];
  const up = cross(direction, right);
  let distance = 0;
  for (let corner = 0; corner < 8; corner++) {
    const point: Vec3 = [
      corner & 1 ? half[0] : -half[0],
      corner & 2 ? half[1] : -half[1],
      corner & 4 ? half[2] : -half[2],
    ];
    const height = Math.abs(dot(point, up)) / slope;
    const width = Math.abs(dot(point, right)) / (slope * aspect);
    distance = Math.max(distance, dot(point, direction) + MARGIN * Math.max(height, width));
  }
  return distance;
}

/** Puts the near and the far plane of a camera around what it shows from a distance: a skeleton whose unit is unknown may be hundreds of meters tall. */
export function fitPlanes(camera: PerspectiveCamera, distance: number): void {
  camera.near = NEAR * distance;
  camera.far = FAR * distance;
  camera.updateProjectionMatrix();
}
