/** The walk of the demo as an NPZ like those of AMASS, but with Y up: poses of SMPL-X as axis and angle. anyrig itself writes no NPZ. */
import { BONE, type BoneName } from '../../../src/core/humanoid/bones.ts';
import { makeCharacter } from '../../../src/demo/characters/make-character.ts';
import { encodeMotion } from '../../../src/demo/files/encode.ts';
import { makeWalk } from '../../../src/demo/motions/walk.ts';
import { type MakeArray, makeNpz } from './numpy-files.ts';

/** The bones of the first 22 joints of SMPL-X. */
const JOINTS: readonly BoneName[] = [
  ...(['hips', 'leftUpperLeg', 'rightUpperLeg', 'spine', 'leftLowerLeg', 'rightLowerLeg', 'chest'] as const),
  ...([
    'leftFoot',
    'rightFoot',
    'upperChest',
    'leftToes',
    'rightToes',
    'neck',
    'leftShoulder',
    'rightShoulder',
  ] as const),
  ...(['head', 'leftUpperArm', 'rightUpperArm', 'leftLowerArm', 'rightLowerArm', 'leftHand', 'rightHand'] as const),
];
const WIDTH = 165;
/** Place of the pelvis of SMPL-X where its translation is 0. */
const PELVIS = [0.003, -0.351, 0.012];

/** Arrays of the walk, from 30 keys per second. */
export function walkArrays(fps = 30): Record<string, MakeArray> {
  const body = makeCharacter({ name: 'SMPL-X', naming: 'plain', axes: 'identity' });
  const { tracks } = encodeMotion(body, makeWalk(body.figure), { fps });
  const frames = tracks[0].times.length;
  const poses = new Float64Array(frames * WIDTH);
  const trans = new Float64Array(3 * frames);
  for (const { target, path, values } of tracks) {
    const bone = body.bones.indexOf(target);
    if (path === 'translation') {
      for (let k = 0; k < trans.length; k++) trans[k] = values[k] - PELVIS[k % 3];
      continue;
    }
    const joint = JOINTS.findIndex((name) => BONE[name] === bone);
    if (joint < 0) continue;
    for (let frame = 0; frame < frames; frame++) {
      const [x, y, z, w] = values.subarray(4 * frame, 4 * frame + 4);
      const sine = Math.hypot(x, y, z);
      const factor = sine > 0 ? (2 * Math.atan2(sine, w)) / sine : 0;
      poses.set([x * factor, y * factor, z * factor], frame * WIDTH + 3 * joint);
    }
  }
  return {
    poses: { shape: [frames, WIDTH], values: poses, descr: '<f8' },
    trans: { shape: [frames, 3], values: trans, descr: '<f8' },
    betas: { shape: [10], values: new Array<number>(10).fill(0) },
    gender: { shape: [], values: ['neutral'], descr: '<U7' },
    mocap_frame_rate: { shape: [], values: [fps], descr: '<f8' },
  };
}

/** Returns the bytes of the walk. */
export function walkNpz(): Uint8Array {
  return makeNpz(walkArrays(), { deflate: true, zip64: true });
}
