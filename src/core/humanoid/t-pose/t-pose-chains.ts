/**
 * Defines a T-pose by the directions of segments, and measures how far a pose deviates from it. EXT_skeleton_humanoid,
 * "Reference pose": arms and fingers along X, thumbs 45° between X and Z, legs down.
 */
import type { Floats } from '../../math/floats.ts';
import * as vec3 from '../../math/vec3.ts';
import { BONE, type BoneName, FINGERS } from '../bones.ts';
import { LIMBS, type Limb } from '../humanoid.ts';

/** A chain of bones from the trunk outward. In a T-pose each present bone points at the next one in one direction. */
interface TPoseChain {
  readonly limb: Limb;
  /** Bones from the trunk outward. */
  readonly bones: readonly number[];
  /** Unit direction of every segment in the T-pose, canonical frame. */
  readonly direction: readonly [number, number, number];
}

function chainsOf(side: 'left' | 'right'): TPoseChain[] {
  const outward = side === 'left' ? 1 : -1;
  const bones = (...parts: string[]): number[] => parts.map((part) => BONE[`${side}${part}` as BoneName]);
  return [
    { limb: `${side}Arm`, bones: bones('UpperArm', 'LowerArm', 'Hand'), direction: [outward, 0, 0] },
    { limb: `${side}Hand`, bones: bones('Hand', 'MiddleProximal'), direction: [outward, 0, 0] },
    {
      limb: `${side}Fingers`,
      bones: bones('ThumbMetacarpal', 'ThumbProximal', 'ThumbDistal'),
      direction: [outward * Math.SQRT1_2, 0, Math.SQRT1_2],
    },
    ...FINGERS.map((finger) => ({
      limb: `${side}Fingers` as const,
      bones: bones(`${finger}Proximal`, `${finger}Intermediate`, `${finger}Distal`),
      direction: [outward, 0, 0] as const,
    })),
    { limb: `${side}Leg`, bones: bones('UpperLeg', 'LowerLeg', 'Foot'), direction: [0, -1, 0] },
  ];
}

/** The chains whose directions a T-pose defines. */
export const T_POSE_CHAINS: readonly TPoseChain[] = [...chainsOf('left'), ...chainsOf('right')];

/**
 * Finds the chain of a bone of the arms, fingers or legs. The chains from hand to middle finger do not count. `bone`: index of the bone; must be
 * part of a chain.
 */
export function findChain(bone: number): TPoseChain {
  return T_POSE_CHAINS.find(({ bones, limb }) => bones.includes(bone) && !limb.endsWith('Hand')) as TPoseChain;
}

/** Joints closer than this fraction of the length of their chain coincide: rounding would decide their direction. */
const COINCIDENT = 1e-3;

function chainLength({ bones }: TPoseChain, nodes: Int32Array, positions: Floats): number {
  const present = bones.filter((bone) => nodes[bone] >= 0);
  return present.reduce(
    (sum, bone, k) => sum + (k === 0 ? 0 : vec3.distance(positions, 3 * bone, positions, 3 * present[k - 1])),
    0,
  );
}

export function nextInChain(chain: TPoseChain, bone: number, nodes: Int32Array, positions: Floats): number {
  const least = COINCIDENT * chainLength(chain, nodes, positions);
  for (let k = chain.bones.indexOf(bone) + 1; k < chain.bones.length; k++) {
    const next = chain.bones[k];
    if (nodes[next] >= 0 && vec3.distance(positions, 3 * bone, positions, 3 * next) > least) return next;
  }
  return -1;
}

/** Measures the angles between the segments of a pose and those of a T-pose. `positions`: position per bone, xyz, canonical frame. */
export function deviationFromTPose(positions: Floats, nodes: Int32Array): Partial<Record<Limb, number>> {
  const worst = new Map<Limb, number>();
  const segment = new Float64Array(3);
  for (const chain of T_POSE_CHAINS) {
    for (const bone of chain.bones) {
      if (nodes[bone] < 0) continue;
      const next = nextInChain(chain, bone, nodes, positions);
      if (next < 0) continue;
      vec3.subtract(segment, 0, positions, 3 * next, positions, 3 * bone);
      const degrees = (vec3.angleBetween(segment, 0, chain.direction, 0) * 180) / Math.PI;
      worst.set(chain.limb, Math.max(worst.get(chain.limb) ?? 0, degrees));
    }
  }
  const deviation: Partial<Record<Limb, number>> = {};
  for (const limb of LIMBS) {
    const degrees = worst.get(limb);
    if (degrees !== undefined) deviation[limb] = degrees;
  }
  return deviation;
}

/**
 * Measures how far a pose is from a T-pose, to compare poses of one character. Legs and trunk count as much as arms, so that a lying or sitting
 * pose loses against an upright one with lowered arms. `positions`: position per bone, xyz, canonical frame. Returns mean over arms, legs and
 * trunk, radians.
 */
export function distanceFromTPose(positions: Floats, nodes: Int32Array): number {
  const deviation = deviationFromTPose(positions, nodes);
  const angles: number[] = [];
  for (const limb of ['leftArm', 'rightArm', 'leftLeg', 'rightLeg'] as const) {
    const degrees = deviation[limb];
    if (degrees !== undefined) angles.push((degrees * Math.PI) / 180);
  }
  const trunk = new Float64Array(3);
  const head = nodes[BONE.head] >= 0 ? BONE.head : BONE.neck;
  vec3.subtract(trunk, 0, positions, 3 * head, positions, 3 * BONE.hips);
  angles.push(vec3.angleBetween(trunk, 0, [0, 1, 0], 0));
  return angles.reduce((sum, angle) => sum + angle, 0) / angles.length;
}
