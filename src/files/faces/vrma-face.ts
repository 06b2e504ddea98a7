import type { AssetClip } from '../../core/asset/asset.ts';
import { canonicalExpressions } from '../../core/face/canonical-expressions.ts';
import type { FaceTracks } from '../../core/face/face-tracks.ts';
import { BONE } from '../../core/humanoid/bones.ts';
import type { Humanoid } from '../../core/humanoid/humanoid.ts';
import type { Vec3 } from '../../core/math/vec3.ts';
import * as vec3 from '../../core/math/vec3.ts';
import { motionFace } from './motion-face.ts';

/** Converts an offset from the head, in its local axes and the unit of the file, to the canonical frame and meters. */
function canonicalOffset({ reference, metersPerUnit }: Humanoid, offset: Vec3): [number, number, number] {
  const out = new Float64Array(3);
  vec3.rotate(out, 0, reference.rotations, 4 * BONE.head, offset, 0);
  return [out[0] * metersPerUnit, out[1] * metersPerUnit, out[2] * metersPerUnit];
}

/** Returns the eye position of the written humanoid: that of the target, else that of the motion scaled by height. */
function eyeOffset(motion: Vec3 | null, source: Humanoid, target: Humanoid, own: Vec3 | null): Vec3 | null {
  if (own !== null) return canonicalOffset(target, own);
  if (motion === null) return null;
  const scale = source.height > 0 ? target.height / source.height : 1;
  const [x, y, z] = canonicalOffset(source, motion);
  return [x * scale, y * scale, z * scale];
}

/** Converts the face of a clip to VRM expressions; look-at is unchanged. */
export function vrmExpressions(clip: AssetClip, isMirrored = false): FaceTracks {
  const { sources, lookAt } = motionFace(clip, isMirrored);
  return { expressions: canonicalExpressions(sources), lookAt };
}

/**
 * Converts the face of a clip for a VRMA of a character: VRM expressions (`canonicalExpressions`) and look-at. `own`: eye position of the
 * character: offset from its head in local axes and the unit of its file; null when unknown.
 */
export function vrmaFace(
  clip: AssetClip,
  isMirrored: boolean,
  source: Humanoid,
  target: Humanoid,
  own: Vec3 | null,
): FaceTracks {
  const { expressions, lookAt } = vrmExpressions(clip, isMirrored);
  if (lookAt === null) return { expressions, lookAt };
  return {
    expressions,
    lookAt: { ...lookAt, offsetFromHeadBone: eyeOffset(lookAt.offsetFromHeadBone, source, target, own) },
  };
}
