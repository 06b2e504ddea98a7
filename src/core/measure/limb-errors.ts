/** Measures the pose error of each limb over time: Q1 of the quality measures that need no ground truth. */
import type { Clip } from '../animation/clip.ts';
import { BONES, type BoneName } from '../humanoid/bones.ts';
import { selectReferencePoses } from '../humanoid/declared-pose.ts';
import type { Humanoid } from '../humanoid/humanoid.ts';
import * as quat from '../math/quat.ts';
import { createMotionSampler, sampleMotion } from './motion-sampler.ts';

/** Parts whose errors are measured one by one. */
export const COMPARED_PARTS = [
  'trunk',
  'head',
  'leftArm',
  'rightArm',
  'leftHand',
  'rightHand',
  'leftLeg',
  'rightLeg',
  'leftFoot',
  'rightFoot',
] as const;
/**
 * A part whose error is measured.
 *
 * @useDeclaredType
 */
export type ComparedPart = (typeof COMPARED_PARTS)[number];

/** Errors over time. */
export interface LimbErrors {
  /** Seconds. */
  readonly times: Float64Array;
  /** Per part that both characters have, and per time: the largest angle between world deltas of its bones, degrees. */
  readonly parts: Readonly<Partial<Record<ComparedPart, Float64Array>>>;
  /** Per bone that both characters have, and per time: the angle between its world deltas, degrees. */
  readonly bones: Readonly<Partial<Record<BoneName, Float64Array>>>;
}

/** Options of {@link measureLimbErrors}. */
export interface LimbErrorOptions {
  /** Samples per second; 30 by default. */
  readonly fps?: number;
}

/** The part that a bone belongs to. */
function partOf(bone: number): ComparedPart {
  const name = BONES[bone];
  const side = name.startsWith('left') ? 'left' : name.startsWith('right') ? 'right' : null;
  if (side === null || /Eye$/.test(name)) return /^(?:head|jaw)$|Eye$/.test(name) ? 'head' : 'trunk';
  if (/(?:Shoulder|Arm)$/.test(name)) return `${side}Arm`;
  if (/Leg$/.test(name)) return `${side}Leg`;
  return /(?:Foot|Toes)$/.test(name) ? `${side}Foot` : `${side}Hand`;
}

const DEGREES = 180 / Math.PI;

/**
 * Measures how far the parts of two characters are from being in the same pose, over the longer of their motions.
 *
 * @param source The source character.
 * @param sourceClip Its clip.
 * @param target The target character.
 * @param targetClip The retargeted clip.
 * @param options Sampling rate.
 * @returns Errors per part, per bone and time.
 */
export function measureLimbErrors(
  source: Humanoid,
  sourceClip: Clip,
  target: Humanoid,
  targetClip: Clip,
  { fps = 30 }: LimbErrorOptions = {},
): LimbErrors {
  const pair = selectReferencePoses(source, target);
  const [a, b] = [createMotionSampler(pair.source, sourceClip), createMotionSampler(pair.target, targetClip)];
  const present = BONES.map((_, bone) => bone).filter(
    (bone) => source.map.nodes[bone] >= 0 && target.map.nodes[bone] >= 0,
  );
  const duration = Math.max(sourceClip.duration, targetClip.duration);
  const times = Float64Array.from({ length: Math.ceil(duration * fps) + 1 }, (_, k) => Math.min(k / fps, duration));
  const parts: Partial<Record<ComparedPart, Float64Array>> = {};
  const bones: Partial<Record<BoneName, Float64Array>> = {};
  const pairs = present.map((bone) => {
    const part = partOf(bone);
    parts[part] ??= new Float64Array(times.length);
    const own = new Float64Array(times.length);
    bones[BONES[bone]] = own;
    return { bone, own, errors: parts[part] };
  });
  for (const [k, time] of times.entries()) {
    sampleMotion(a, time);
    sampleMotion(b, time);
    for (const { bone, own, errors } of pairs) {
      own[k] = quat.angleBetween(a.worldDeltas, 4 * bone, b.worldDeltas, 4 * bone) * DEGREES;
      errors[k] = Math.max(errors[k], own[k]);
    }
  }
  return { times, parts, bones };
}
