/** The face of a motion as a VRM Animation has it. */
import type { AssetClip } from '../core/asset/asset.ts';
import type { FaceTracks } from '../core/face/face-tracks.ts';
import { portableFace } from '../core/face/portable-face.ts';
import { BONE } from '../core/humanoid/bones.ts';
import type { Humanoid } from '../core/humanoid/humanoid.ts';
import * as vec3 from '../core/math/vec3.ts';
import { motionFace } from './carry-face.ts';

type Offset = readonly [number, number, number];

/** An offset from the head in its local axes and the unit of its file, in the axes of the canonical frame, meters. */
function canonicalOffset({ reference, metersPerUnit }: Humanoid, offset: Offset): [number, number, number] {
  const out = new Float64Array(3);
  vec3.rotate(out, 0, reference.rotations, 4 * BONE.head, offset, 0);
  return [out[0] * metersPerUnit, out[1] * metersPerUnit, out[2] * metersPerUnit];
}

/** Where the eyes of the body of a VRMA look from: its own place, else that of the motion in its size. */
function offsetFor(motion: Offset | null, source: Humanoid, target: Humanoid, own: Offset | null): Offset | null {
  if (own !== null) return canonicalOffset(target, own);
  if (motion === null) return null;
  const scale = source.height > 0 ? target.height / source.height : 1;
  const [x, y, z] = canonicalOffset(source, motion);
  return [x * scale, y * scale, z * scale];
}

/** The face of a clip by names that a VRMA has, and its gaze as it is. */
export function plainFaceOf(clip: AssetClip, isMirrored = false): FaceTracks {
  const { sources, lookAt } = motionFace(clip, isMirrored);
  return { expressions: portableFace(sources), lookAt };
}

/**
 * The face of a clip for a VRMA of `target`, whose eyes look from `own` (in the axes of its head; null where nothing says from where):
 * expressions by name (`portableFace`) and the gaze.
 */
export function vrmaFace(
  clip: AssetClip,
  isMirrored: boolean,
  source: Humanoid,
  target: Humanoid,
  own: Offset | null,
): FaceTracks {
  const { expressions, lookAt } = plainFaceOf(clip, isMirrored);
  if (lookAt === null) return { expressions, lookAt };
  return {
    expressions,
    lookAt: { ...lookAt, offsetFromHeadBone: offsetFor(lookAt.offsetFromHeadBone, source, target, own) },
  };
}
