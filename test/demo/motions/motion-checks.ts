/** Checks that all demo motions must pass. */

import { expect } from 'vitest';
import { BONE, BONE_COUNT, SIDES, type Side } from '../../../src/core/humanoid/bones.ts';
import * as quat from '../../../src/core/math/quat.ts';
import { worldPose } from '../../../src/demo/characters/character-pose.ts';
import { makeCharacter } from '../../../src/demo/characters/make-character.ts';
import type { Figure } from '../../../src/demo/figure/figure.ts';
import { makePose, type Pose } from '../../../src/demo/figure/pose.ts';
import * as presets from '../../../src/demo/figure/proportions.ts';
import { FRAME_RATE, type Motion } from '../../../src/demo/motions/motion.ts';
import { FASTEST_BONE_DEGREES, PLANTED } from '../../support/tolerances.ts';

export const FIGURES: readonly (readonly [string, presets.Proportions])[] = Object.entries(presets);

const DEGREES = 180 / Math.PI;

/** Samples the motion and its joint positions at every frame. */
export interface Frames {
  readonly times: readonly number[];
  readonly poses: readonly Pose[];
  position(frame: number, bone: keyof typeof BONE): number[];
}

export function framesOf(motion: Motion, fps: number = FRAME_RATE): Frames {
  const body = makeCharacter({ proportions: motion.figure.proportions });
  const count = Math.round(motion.duration * fps) + 1;
  const times = Array.from({ length: count }, (_, frame) => frame / fps);
  const poses = times.map((time) => {
    const pose = makePose(motion.figure);
    motion.pose(pose, time);
    return pose;
  });
  const worlds = poses.map((pose) => worldPose(body, pose).positions);
  return {
    times,
    poses,
    position: (frame, bone) =>
      Array.from(worlds[frame].subarray(body.bones[BONE[bone]] * 3, body.bones[BONE[bone]] * 3 + 3)),
  };
}

export function distance(a: readonly number[], b: readonly number[]): number {
  return Math.hypot(...a.map((v, c) => v - b[c]));
}

/** Lists the frames in which the whole sole is on the ground: ankle and toes as low as in the T-pose. */
export function flatFrames(figure: Figure, frames: Frames, side: Side): number[] {
  const low = (frame: number, bone: 'Foot' | 'Toes'): boolean =>
    Math.abs(frames.position(frame, `${side}${bone}`)[1] - figure.joints[BONE[`${side}${bone}`] * 3 + 1]) < PLANTED;
  return frames.times.map((_, frame) => frame).filter((frame) => low(frame, 'Foot') && low(frame, 'Toes'));
}

/** Splits frames into runs of consecutive frames. */
export function runs(frames: readonly number[]): number[][] {
  const out: number[][] = [];
  for (const frame of frames) {
    const last = out.at(-1);
    if (last !== undefined && last.at(-1) === frame - 1) last.push(frame);
    else out.push([frame]);
  }
  return out;
}

/** Expects ankle and toes of a foot to be still from sole down to heel up. */
export function expectPlanted(figure: Figure, frames: Frames): void {
  for (const side of SIDES) {
    const stances = runs(flatFrames(figure, frames, side));
    expect(stances.length).toBeGreaterThan(0);
    for (const stance of stances) {
      for (const frame of stance) {
        for (const bone of [`${side}Foot`, `${side}Toes`] as const) {
          expect(distance(frames.position(frame, bone), frames.position(stance[0], bone))).toBeLessThan(PLANTED);
        }
      }
    }
  }
}

/** Expects toes above the ground, knees that bend backwards only, legs within reach, and continuous rotations. */
export function expectSound(motion: Motion, frames: Frames): void {
  const { figure } = motion;
  const lowest = figure.joints[BONE.leftToes * 3 + 1];
  frames.poses.forEach((pose, frame) => {
    expect(pose.deltas.every(Number.isFinite)).toBe(true);
    for (const side of SIDES) {
      expect(frames.position(frame, `${side}Toes`)[1]).toBeGreaterThan(lowest - PLANTED);
      const thigh = BONE[`${side}UpperLeg`] * 4;
      const shin = BONE[`${side}LowerLeg`] * 4;
      const knee = new Float64Array(4);
      quat.conjugate(knee, 0, pose.deltas, thigh);
      quat.multiply(knee, 0, knee, 0, pose.deltas, shin);
      const bend = 2 * Math.atan2(knee[0], knee[3]) * DEGREES;
      expect(bend).toBeGreaterThan(0);
      expect(bend).toBeLessThan(90);
      expect(Math.hypot(knee[1], knee[2])).toBeLessThan(PLANTED);
    }
    if (frame === 0) return;
    for (let bone = 0; bone < BONE_COUNT; bone++) {
      const turned = quat.angleBetween(pose.deltas, bone * 4, frames.poses[frame - 1].deltas, bone * 4) * DEGREES;
      expect(turned).toBeLessThan(FASTEST_BONE_DEGREES);
    }
  });
}
