/** What position channels mean: the format does not say, and tools differ. */
import { axisOf, type BvhJoint, type BvhMotion, isPosition } from './tree.ts';

/** Axes along which an OFFSET has less than this part of its length say nothing. */
const TELLING_PART = 0.1;
/** Positions that stay, on average, within this part of the OFFSET around 0 are small moves away from the OFFSET. */
const MOVES_PART = 0.05;

/**
 * Whether the position channels of these joints are moves to be added to their OFFSETs. Normally they take the place of
 * the OFFSET (so Blender, MotionBuilder, mocopi and Rokoko have it); but some files, among them those of MakeHuman, give
 * 0 where the joint is at its OFFSET, and read the normal way all bones would shrink to nothing. Told by the motion:
 * moves, where the numbers stay near 0 along the axes along which the OFFSETs do not.
 *
 * @param shortest OFFSETs shorter than this are rounding noise and are left out.
 */
export function positionsAreMoves(joints: readonly BvhJoint[], motion: BvhMotion, shortest: number): boolean {
  const { values, frameCount } = motion;
  const stride = frameCount === 0 ? 0 : values.length / frameCount;
  let moved = 0;
  let offsets = 0;
  for (const { offset, channels, column } of joints) {
    const length = Math.hypot(offset[0]!, offset[1]!, offset[2]!);
    if (length <= shortest) continue;
    for (const [k, channel] of channels.entries()) {
      const along = Math.abs(offset[axisOf(channel)]!);
      if (!isPosition(channel) || along < length * TELLING_PART) continue;
      for (let at = column + k; at < values.length; at += stride) moved += Math.abs(values[at]!);
      offsets += along * frameCount;
    }
  }
  return offsets > 0 && moved <= offsets * MOVES_PART;
}
