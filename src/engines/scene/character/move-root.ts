import type { Player } from '../../../playback/player/player.ts';
import { applyRootMotion, ROOT_MOTION_STRIDE } from '../../../playback/root-motion/root-motion.ts';

const motion = new Float64Array(ROOT_MOTION_STRIDE);
const up = new Float64Array(3);

/**
 * Moves a root by the root motion of the last update: `T · R · S` becomes `T · R · S · motion`. Changes `position` (xyz) and `orientation` (xyzw);
 * `scale` (xyz) is that between the axes of the motion and those of the root, a negative one mirrors.
 */
export function moveRoot(
  position: Float64Array,
  orientation: Float64Array,
  scale: Float64Array,
  { rootMotion, rootMotionUp }: Player,
): void {
  const handedness = Math.sign(scale[0] * scale[1] * scale[2]);
  for (let c = 0; c < 3; c++) {
    motion[c] = scale[c] * rootMotion[c];
    // A rotation between two reflections: its axis is mirrored, and its sense reversed.
    up[c] = handedness * Math.sign(scale[c]) * rootMotionUp[c];
  }
  motion[3] = rootMotion[3];
  applyRootMotion(position, orientation, motion, up);
}
