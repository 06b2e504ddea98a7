/**
 * What a T-pose is, as directions of segments, and how far a pose is off it.
 * EXT_skeleton_humanoid, "Reference pose": arms and fingers along X, thumbs at 45° between X and Z, legs down.
 */
import type { Floats } from '../../math/floats.ts';
import * as vec3 from '../../math/vec3.ts';
import { BONE, type BoneName } from '../bones.ts';
import { LIMBS, type Limb } from '../humanoid.ts';

/** Bones from the body outward; every one that is there points at the next one that is there. */
export interface Chain {
  readonly limb: Limb;
  readonly bones: readonly number[];
  /** Direction of every segment in the T-pose, canonical frame. */
  readonly direction: readonly [number, number, number];
}

const FINGERS = ['Index', 'Middle', 'Ring', 'Little'] as const;

function chainsOf(side: 'left' | 'right'): Chain[] {
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

/** The chains whose directions a T-pose fixes. */
export const T_POSE_CHAINS: readonly Chain[] = [...chainsOf('left'), ...chainsOf('right')];

/** The chain along which a bone of arms, fingers or legs lies; of a hand none. */
export function tChain(bone: number): Chain {
  return T_POSE_CHAINS.find(({ bones, limb }) => bones.includes(bone) && !limb.endsWith('Hand')) as Chain;
}

/** Joints nearer than this part of the length of their chain lie on top of each other: rounding would tell their direction. */
const COINCIDENT = 1e-3;

function chainLength({ bones }: Chain, nodes: Int32Array, positions: Floats): number {
  const present = bones.filter((bone) => nodes[bone] >= 0);
  return present.reduce(
    (sum, bone, k) => sum + (k === 0 ? 0 : vec3.distance(positions, 3 * bone, positions, 3 * present[k - 1])),
    0,
  );
}

/** The next bone of a chain that is there and does not lie on top of `bone`; −1 at the end of the chain. */
export function nextInChain(chain: Chain, bone: number, nodes: Int32Array, positions: Floats): number {
  const least = COINCIDENT * chainLength(chain, nodes, positions);
  for (let k = chain.bones.indexOf(bone) + 1; k < chain.bones.length; k++) {
    const next = chain.bones[k];
    if (nodes[next] >= 0 && vec3.distance(positions, 3 * bone, positions, 3 * next) > least) return next;
  }
  return -1;
}

/**
 * Degrees between the segments of a pose and those of the T-pose: per limb the worst segment; limbs without a segment are left out.
 * `positions`: one point a bone, canonical frame.
 */
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
 * How far a pose is from standing in a T, radians: the mean over arms, legs and trunk.
 * Only for choosing between poses of one character: the legs and the trunk count as much as the arms,
 * so that a character that lies or sits loses against one that stands with its arms down.
 */
export function poseError(positions: Floats, nodes: Int32Array): number {
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
