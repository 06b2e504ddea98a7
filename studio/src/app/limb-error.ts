import type { BoneName } from 'anyrig';
import type { Charts } from '../engine/protocol.ts';

/** Limbs that the chart can show; `all` is the whole humanoid. */
export type ErrorLimb = 'all' | 'leftArm' | 'rightArm' | 'leftLeg' | 'rightLeg' | 'trunk' | 'fingers';

const BONES_OF: Readonly<Record<Exclude<ErrorLimb, 'all'>, RegExp>> = {
  leftArm: /^left(Shoulder|UpperArm|LowerArm|Hand)$/,
  rightArm: /^right(Shoulder|UpperArm|LowerArm|Hand)$/,
  leftLeg: /^left(UpperLeg|LowerLeg|Foot|Toes)$/,
  rightLeg: /^right(UpperLeg|LowerLeg|Foot|Toes)$/,
  trunk: /^(hips|spine|chest|upperChest|neck|head|jaw)$/,
  fingers: /(Thumb|Index|Middle|Ring|Little)/,
};

export const ERROR_LIMBS: readonly ErrorLimb[] = ['all', ...(Object.keys(BONES_OF) as Exclude<ErrorLimb, 'all'>[])];

/** Computes the largest error of the bones of a limb in each frame. Returns degrees per frame; zeros where the limb has no bone. */
export function limbError(
  { poseError, boneErrors }: Pick<Charts, 'poseError' | 'boneErrors'>,
  limb: ErrorLimb,
): Float32Array {
  if (limb === 'all') return poseError;
  const largest = new Float32Array(poseError.length);
  for (const [bone, errors] of Object.entries(boneErrors) as [BoneName, Float32Array][]) {
    if (!BONES_OF[limb].test(bone)) continue;
    for (let frame = 0; frame < largest.length; frame++) largest[frame] = Math.max(largest[frame], errors[frame]);
  }
  return largest;
}
