import { type Camera, Vector3 } from 'three';

/** CSS pixels from the pointer within which a joint is found. */
const REACH = 14;

const point = new Vector3();

interface Picked {
  readonly group: number;
  readonly joint: number;
}

/**
 * Finds the joint that is nearest to a point of the picture, of those within 14 pixels. Of two at about the same distance the one in front is
 * taken. `groups`: joints, with offset and scale of their figure in the world. `at`: point in CSS pixels from the upper left corner. `size`: size of the picture in CSS pixels. Returns the joint; null without one in
 * reach.
 */
export function pickJoint(
  groups: readonly { readonly positions: Float32Array; readonly offset: Vector3; readonly scale: number }[],
  camera: Camera,
  at: readonly [number, number],
  size: readonly [number, number],
): Picked | null {
  let found: Picked | null = null;
  let best = Number.POSITIVE_INFINITY;
  groups.forEach(({ positions, offset, scale }, group) => {
    for (let joint = 0; joint < positions.length / 3; joint++) {
      point
        .fromArray(positions, 3 * joint)
        .multiplyScalar(scale)
        .add(offset)
        .project(camera);
      if (Math.abs(point.z) > 1) continue;
      const distance = Math.hypot(((point.x + 1) / 2) * size[0] - at[0], ((1 - point.y) / 2) * size[1] - at[1]);
      if (distance > REACH) continue;
      // Depth decides between joints that overlap in the picture.
      const score = Math.round(distance / 3) + (point.z + 1) / 2;
      if (score < best) {
        best = score;
        found = { group, joint };
      }
    }
  });
  return found;
}
