import { describe, expect, it } from 'vitest';
import { sampleClip } from '../../../src/core/animation/sample.ts';
import { BONE, BONE_COUNT } from '../../../src/core/humanoid/bones.ts';
import * as quat from '../../../src/core/math/quat.ts';
import { makeCharacter } from '../../../src/demo/characters/make-character.ts';
import { MIXAMO_RIG } from '../../../src/demo/characters/rigs.ts';
import { makeFigure } from '../../../src/demo/figure/figure.ts';
import { encodeMotion } from '../../../src/demo/files/encode.ts';
import { makeWalk } from '../../../src/demo/motions/walk.ts';
import { worldPose } from '../../support/reference/plain.ts';
import { EXACT_CHAIN, PLANTED_BETWEEN_KEYS } from '../../support/tolerances.ts';
import { distance, expectPlanted, expectSound, FIGURES, flatFrames, framesOf, runs } from './motion-checks.ts';

describe.each(FIGURES)('makeWalk of %s', (_, proportions) => {
  const figure = makeFigure(proportions);
  const walk = makeWalk(figure);
  const frames = framesOf(walk);
  const fine = framesOf(walk, 240);

  it('keeps feet still from sole down to heel up', () => {
    expectPlanted(figure, frames);
    expectPlanted(figure, fine);
  });

  it('is plausible: legs reach, knees bend backwards, toes clear the ground, bones do not jump', () => {
    expectSound(walk, frames);
  });

  it('takes two alternating steps per foot, with a foot on the ground at all times', () => {
    const { leg } = proportions;
    for (const side of ['left', 'right'] as const) {
      const starts = runs(flatFrames(figure, fine, side)).map(([frame]) => fine.position(frame, `${side}Foot`)[2]);
      for (let k = 1; k < starts.length; k++) expect(starts[k] - starts[k - 1]).toBeCloseTo(2 * 0.76 * leg, 6);
    }
    fine.times.forEach((_, frame) => {
      const lowest = Math.min(fine.position(frame, 'leftToes')[1], fine.position(frame, 'rightToes')[1]);
      expect(lowest - figure.joints[BONE.leftToes * 3 + 1]).toBeLessThan(0.06 * proportions.foot);
    });
  });

  it('loops: first and last pose match, except for root motion', () => {
    const [first] = frames.poses;
    const last = frames.poses.at(-1)!;
    for (let bone = 0; bone < BONE_COUNT; bone++) {
      expect(quat.angleBetween(first.deltas, bone * 4, last.deltas, bone * 4)).toBeLessThan(EXACT_CHAIN);
    }
    expect(last.hips[1]).toBeCloseTo(first.hips[1], 9);
    expect(last.hips[0]).toBeCloseTo(first.hips[0], 9);
    expect(last.hips[2] - first.hips[2]).toBeCloseTo(4 * 0.76 * proportions.leg, 9);
  });

  it('swings each arm with the opposite leg and keeps the head to the front', () => {
    const [leftHand, rightFoot] = [frames.position(0, 'leftHand'), frames.position(0, 'rightFoot')];
    expect(leftHand[2]).toBeLessThan(frames.position(0, 'hips')[2]);
    expect(rightFoot[2]).toBeLessThan(frames.position(0, 'hips')[2]);
    const half = Math.round(frames.times.length / 4);
    expect(frames.position(half, 'leftHand')[2]).toBeGreaterThan(frames.position(half, 'hips')[2]);
    const upright = new Float64Array([0, 0, 0, 1]);
    for (const pose of frames.poses) {
      expect(quat.angleBetween(pose.deltas, BONE.head * 4, upright, 0)).toBeLessThan(0.1);
    }
  });
});

/** Greatest movement of an ankle between sole down and heel up, in the clip of a rig sampled four times per frame. */
function driftBetweenKeys(): number {
  const body = makeCharacter(MIXAMO_RIG);
  const walk = makeWalk(body.figure);
  const planned = framesOf(walk, 120);
  const clip = encodeMotion(body, walk);
  const local = Float64Array.from(body.skeleton.rest);
  let farthest = 0;
  for (const side of ['left', 'right'] as const) {
    for (const stance of runs(flatFrames(body.figure, planned, side))) {
      const ankles = stance.map((frame) => {
        sampleClip(clip, planned.times[frame], local);
        return worldPose(body.skeleton.parents, local).positions[body.bones[BONE[`${side}Foot`]]];
      });
      for (const ankle of ankles) farthest = Math.max(farthest, distance(ankle, ankles[0]));
    }
  }
  return farthest;
}

describe('makeWalk', () => {
  it('keeps feet still between the keys of a clip at 30 fps', () => {
    expect(driftBetweenKeys()).toBeLessThan(PLANTED_BETWEEN_KEYS);
  });

  it('has a human pace for an adult: 1.1 s per cycle, 1.2 m/s, hips rising by 2 to 5 cm', () => {
    const [, adult] = FIGURES.find(([name]) => name === 'ADULT')!;
    const walk = makeWalk(makeFigure(adult));
    const frames = framesOf(walk);
    const way = distance([frames.poses[0].hips[2]], [frames.poses.at(-1)!.hips[2]]);
    expect(walk.duration / 2).toBeCloseTo(1.1, 1);
    expect(way / walk.duration).toBeGreaterThan(1);
    expect(way / walk.duration).toBeLessThan(1.4);
    const heights = frames.poses.map(({ hips }) => hips[1]);
    expect(Math.max(...heights) - Math.min(...heights)).toBeGreaterThan(0.02);
    expect(Math.max(...heights) - Math.min(...heights)).toBeLessThan(0.05);
  });
});
