/** T-pose positions of the 55 humanoid joints, independent of any rig. Faces +Z, up +Y, left +X, ground y = 0, meters. */

import { BONE, BONE_COUNT, type BoneName } from '../../core/humanoid/bones.ts';
import type { Vec3 } from '../../core/math/vec3.ts';
import type { Proportions } from './proportions.ts';

export interface Figure {
  /** Segment lengths that the positions were computed from. */
  readonly proportions: Proportions;
  /** Joint of every bone, xyz. */
  readonly joints: Float64Array;
  /** Far end of every bone, xyz: the joint of the next bone of its chain, or a tip (crown, chin, fingertip, toe). */
  readonly tails: Float64Array;
  readonly hipsHeight: number;
  readonly height: number;
  readonly heel: number;
  /** Distance of the toe joint in front of the ankle. */
  readonly ball: number;
}

/** Spine joints: height and forward offset of the natural curve, both as fractions of the spine length. */
const SPINE: readonly (readonly [BoneName, number, number])[] = [
  ['spine', 0.17, -0.02],
  ['chest', 0.4, -0.045],
  ['upperChest', 0.67, -0.07],
  ['neck', 1, -0.075],
];
/** Fingers: knuckle offset (along, forward) and length, as fractions of the hand length. The middle finger continues the axis of the arm. */
const FINGERS: readonly (readonly [string, number, number, number])[] = [
  ['Index', 0.48, 0.11, 0.46],
  ['Middle', 0.49, 0, 0.51],
  ['Ring', 0.46, -0.1, 0.48],
  ['Little', 0.42, -0.19, 0.38],
];
/** Phalanx lengths: of a finger as fractions of the finger, of the thumb as fractions of the hand. */
const PHALANGES = [0.45, 0.3, 0.25];
const THUMB = [0.24, 0.19, 0.16];

/**
 * Computes the T-pose of a figure: arms and fingers along ±X, thumbs at 45°, legs along −Y, feet along +Z. Returns joint positions, canonical
 * frame, meters.
 */
export function makeFigure(proportions: Proportions): Figure {
  const { ankle, leg, hipWidth, spine, neck, head, shoulderWidth, arm, hand, foot } = proportions;
  const joints = new Float64Array(BONE_COUNT * 3);
  const tails = new Float64Array(BONE_COUNT * 3);
  const setBone = (bone: BoneName, joint: Vec3, tail: Vec3): void => {
    joints.set(joint, BONE[bone] * 3);
    tails.set(tail, BONE[bone] * 3);
  };
  const hipsHeight = ankle + leg + hipWidth * 0.22;
  const spinePoints = SPINE.map(([, up, forward]): Vec3 => [0, hipsHeight + up * spine, forward * spine]);
  const neckPoint = spinePoints[3];
  const headPoint: Vec3 = [0, hipsHeight + spine + neck, neckPoint[2] + 0.18 * neck];
  const crown: Vec3 = [0, headPoint[1] + head, headPoint[2] + 0.05 * head];
  setBone('hips', [0, hipsHeight, 0], spinePoints[0]);
  SPINE.forEach(([bone], k) => {
    setBone(bone, spinePoints[k], spinePoints[k + 1] ?? headPoint);
  });
  setBone('head', headPoint, crown);
  setBone(
    'jaw',
    [0, headPoint[1] + 0.1 * head, headPoint[2] + 0.12 * head],
    [0, headPoint[1], headPoint[2] + 0.46 * head],
  );

  const ball = 0.5 * foot;
  const armHeight = hipsHeight + 0.94 * spine;
  const armDepth = spinePoints[2][2];
  for (const side of ['left', 'right'] as const) {
    const sign = side === 'left' ? 1 : -1;
    const put = (part: string, joint: Vec3, tail: Vec3): void => {
      const mirror = ([x, y, z]: Vec3): Vec3 => [sign * x, y, z];
      setBone(`${side}${part}` as BoneName, mirror(joint), mirror(tail));
    };
    const eye: Vec3 = [0.16 * head, headPoint[1] + 0.45 * head, headPoint[2] + 0.38 * head];
    put('Eye', eye, [eye[0], eye[1], eye[2] + 0.1 * head]);

    const x = hipWidth / 2;
    const knee = ankle + 0.49 * leg;
    const toe: Vec3 = [x, 0.25 * ankle, ball];
    put('UpperLeg', [x, ankle + leg, 0], [x, knee, 0]);
    put('LowerLeg', [x, knee, 0], [x, ankle, 0]);
    put('Foot', [x, ankle, 0], toe);
    put('Toes', toe, [x, toe[1], 0.77 * foot]);

    const shoulder = shoulderWidth / 2;
    const wrist = shoulder + arm;
    const onArm = (along: number, forward = 0, up = 0): Vec3 => [along, armHeight + up, armDepth + forward];
    put('Shoulder', [0.2 * shoulder, hipsHeight + 0.9 * spine, armDepth + 0.02 * spine], onArm(shoulder));
    put('UpperArm', onArm(shoulder), onArm(shoulder + 0.53 * arm));
    put('LowerArm', onArm(shoulder + 0.53 * arm), onArm(wrist));
    put('Hand', onArm(wrist), onArm(wrist + 0.47 * hand));
    for (const [finger, along, forward, length] of FINGERS) {
      let start = along;
      for (const [k, part] of ['Proximal', 'Intermediate', 'Distal'].entries()) {
        const end = start + length * PHALANGES[k];
        put(`${finger}${part}`, onArm(wrist + start * hand, forward * hand), onArm(wrist + end * hand, forward * hand));
        start = end;
      }
    }
    let start = 0;
    for (const [k, part] of ['Metacarpal', 'Proximal', 'Distal'].entries()) {
      const end = start + THUMB[k] * Math.SQRT1_2;
      const at = (along: number): Vec3 => onArm(wrist + (0.14 + along) * hand, (0.11 + along) * hand, -0.04 * hand);
      put(`Thumb${part}`, at(start), at(end));
      start = end;
    }
  }
  return { proportions, joints, tails, hipsHeight, height: crown[1], heel: 0.23 * foot, ball };
}
