import { PerspectiveCamera, Vector3 } from 'three';
import { describe, expect, it } from 'vitest';
import { DIRECTIONS, distanceFor, fitPlanes } from '../../../src/stage/view/viewpoints.ts';

const FOV = 30;

/** Returns the largest coordinates of the projected corners, across the picture and in depth: 1 is the edge of what is drawn. */
function furthestCorner(
  direction: Vector3,
  aspect: number,
  min: Vector3,
  max: Vector3,
): { readonly across: number; readonly deep: number } {
  const extent = { min: min.toArray(), max: max.toArray() };
  const distance = distanceFor(extent, direction.toArray(), FOV, aspect);
  const camera = new PerspectiveCamera(FOV, aspect);
  fitPlanes(camera, distance);
  const center = min.clone().add(max).multiplyScalar(0.5);
  camera.position.copy(center).addScaledVector(direction, distance);
  camera.lookAt(center);
  camera.updateMatrixWorld();
  let [across, deep] = [0, 0];
  for (const x of [min.x, max.x])
    for (const y of [min.y, max.y])
      for (const z of [min.z, max.z]) {
        const corner = new Vector3(x, y, z).project(camera);
        across = Math.max(across, Math.abs(corner.x), Math.abs(corner.y));
        deep = Math.max(deep, Math.abs(corner.z));
      }
  return { across, deep };
}

describe('distanceFor', () => {
  it.each(Object.entries(DIRECTIONS))('%s: the camera sees the whole box, with little free space', (_, direction) => {
    for (const aspect of [0.5, 1, 16 / 9]) {
      const toCamera = new Vector3(...direction).normalize();
      const tall = furthestCorner(toCamera, aspect, new Vector3(-0.9, 0, -0.2), new Vector3(0.9, 1.8, 0.2));
      const wide = furthestCorner(toCamera, aspect, new Vector3(-4, 0, -1), new Vector3(5, 1.8, 1));
      for (const { across } of [tall, wide]) {
        expect(across).toBeLessThan(0.95);
        expect(across).toBeGreaterThan(0.6);
      }
    }
  });
});

describe('fitPlanes', () => {
  it.each([0.001, 1, 170, 5000])(
    'the camera sees the front and the back of a box %d times as tall as a person',
    (size) => {
      const [min, max] = [new Vector3(-0.9, 0, -0.9), new Vector3(0.9, 1.8, 0.9)].map((one) =>
        one.multiplyScalar(size),
      );
      expect(furthestCorner(new Vector3(0, 0, 1), 1, min, max).deep).toBeLessThan(1);
    },
  );
});
