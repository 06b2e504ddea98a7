import { PerspectiveCamera, Vector3 } from 'three';
import { describe, expect, it } from 'vitest';
import { DIRECTIONS, distanceFor } from '../../../src/stage/view/viewpoints.ts';

const FOV = 30;

/** Returns the projected corner that is furthest from the middle of the picture: 1 is its edge. */
function furthestCorner(direction: Vector3, aspect: number, min: Vector3, max: Vector3): number {
  const extent = { min: min.toArray(), max: max.toArray() };
  const distance = distanceFor(extent, direction.toArray(), FOV, aspect);
  const camera = new PerspectiveCamera(FOV, aspect, 0.01, 1000);
  const center = min.clone().add(max).multiplyScalar(0.5);
  camera.position.copy(center).addScaledVector(direction, distance);
  camera.lookAt(center);
  camera.updateMatrixWorld();
  let furthest = 0;
  for (const x of [min.x, max.x])
    for (const y of [min.y, max.y])
      for (const z of [min.z, max.z]) {
        const corner = new Vector3(x, y, z).project(camera);
        furthest = Math.max(furthest, Math.abs(corner.x), Math.abs(corner.y));
      }
  return furthest;
}

describe('distanceFor', () => {
  it.each(Object.entries(DIRECTIONS))('%s: the camera sees the whole box, with little free space', (_, direction) => {
    for (const aspect of [0.5, 1, 16 / 9]) {
      const toCamera = new Vector3(...direction).normalize();
      const tall = furthestCorner(toCamera, aspect, new Vector3(-0.9, 0, -0.2), new Vector3(0.9, 1.8, 0.2));
      const wide = furthestCorner(toCamera, aspect, new Vector3(-4, 0, -1), new Vector3(5, 1.8, 1));
      for (const furthest of [tall, wide]) {
        expect(furthest).toBeLessThan(0.95);
        expect(furthest).toBeGreaterThan(0.6);
      }
    }
  });
});
