/** Meaning of position channels: the format does not define it, and tools differ. */
import { axisOf, type BvhJoint, type BvhMotion, isPosition } from './bvh-tree.ts';

/** Axes along which an OFFSET has less than this part of its length are no evidence. */
const EVIDENCE_PART = 0.1;
/** Positions whose mean magnitude is below this part of the OFFSET are offsets from the OFFSET. */
const NEAR_ZERO_PART = 0.05;

/**
 * Decides whether the position channels of joints are added to their OFFSETs. Normally they replace the OFFSET (in Blender, MotionBuilder,
 * mocopi and Rokoko). Some files, for example from MakeHuman, have 0 where the joint is at its OFFSET; read the normal way, all bones would
 * have length 0. The evidence is the motion: numbers near 0 along axes on which the OFFSET is not.
 *
 * @param shortest Shorter OFFSETs are rounding noise and are ignored, unit of the file.
 */
export function positionsAreOffsets(joints: readonly BvhJoint[], motion: BvhMotion, shortest: number): boolean {
  const { values, frameCount } = motion;
  const stride = frameCount === 0 ? 0 : values.length / frameCount;
  let moved = 0;
  let offsets = 0;
  for (const { offset, channels, column } of joints) {
    const length = Math.hypot(offset[0]!, offset[1]!, offset[2]!);
    if (length <= shortest) continue;
    for (const [k, channel] of channels.entries()) {
      const along = Math.abs(offset[axisOf(channel)]!);
      if (!isPosition(channel) || along < length * EVIDENCE_PART) continue;
      for (let at = column + k; at < values.length; at += stride) moved += Math.abs(values[at]!);
      offsets += along * frameCount;
    }
  }
  return offsets > 0 && moved <= offsets * NEAR_ZERO_PART;
}
