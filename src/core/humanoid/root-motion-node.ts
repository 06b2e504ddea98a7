import type { RootMotionNode } from '../animation/loop-clip.ts';
import * as quat from '../math/quat.ts';
import * as vec3 from '../math/vec3.ts';
import type { Humanoid } from './humanoid.ts';

/**
 * Returns the hips of a humanoid with the up axis and the hips height that {@link loopClip} needs.
 *
 * @param humanoid The character that the clip animates.
 * @returns The hips node, the up axis of the file (unit length) and the hips height in units of the file. Without hips
 *   above the ground half the height of the character is the hips height.
 */
export function findRootMotionNode({ map, frame, hipsHeight, height, metersPerUnit }: Humanoid): RootMotionNode {
  const up = new Float64Array([0, 1, 0]);
  const toFile = quat.conjugated(frame);
  vec3.rotate(up, 0, toFile, 0, up, 0);
  // Hips on the ground give no scale: half the height of the character replaces their height.
  return { hips: map.nodes[0], up, hipsHeight: (hipsHeight > 0 ? hipsHeight : height / 2) / metersPerUnit };
}
