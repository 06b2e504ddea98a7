import { describeBody, measureResult } from 'anyrig/experimental';
import { describe, expect, it } from 'vitest';
import type { Clip } from '../../../src/core/animation/clip.ts';
import { BONE } from '../../../src/core/humanoid/bones.ts';
import { makeCharacter } from '../../../src/demo/characters/make-character.ts';
import { MIXAMO_RIG } from '../../../src/demo/characters/rigs.ts';
import { encodeMotion } from '../../../src/demo/files/encode.ts';
import { makeWalk } from '../../../src/demo/motions/walk.ts';
import { verdictOf } from '../../../studio/src/engine/measure-result.ts';

const character = makeCharacter(MIXAMO_RIG);
const walk = encodeMotion(character, makeWalk(character.figure));
const body = describeBody({ skeleton: character.skeleton, nodes: character.bones });

function verdictAgainst(clip: Clip, handsMoved = 0) {
  const { figures } = measureResult({ body, clip: walk }, { body, clip }, { skinFps: 0 });
  const contacts = { handsMoved } as Parameters<typeof verdictOf>[1];
  return verdictOf(figures, contacts, 1.7);
}

/** The walk with the values of a track changed. */
function changed(target: number, path: string, change: (values: Float64Array) => void): Clip {
  const tracks = walk.tracks.map((track) => {
    if (track.target !== target || track.path !== path) return track;
    const values = Float64Array.from(track.values);
    change(values);
    return { ...track, values };
  });
  return { ...walk, tracks };
}

describe('verdictOf', () => {
  it('is green for a motion that is the same', () => {
    const { pose, feet, arms } = verdictAgainst(walk);
    expect([pose.level, feet?.level, feet?.finding, arms.level]).toEqual(['good', 'good', 'ground', 'good']);
    expect(pose.degrees).toBeLessThan(0.1);
  });

  it('is red for an arm that stays still, and says by how many degrees', () => {
    const still = changed(character.bones[BONE.leftUpperArm], 'rotation', (values) => {
      for (let k = 0; k < values.length; k += 4) values.set([0, 0, 0, 1], k);
    });
    const { pose } = verdictAgainst(still);
    expect(pose.level).not.toBe('good');
    expect(pose.degrees).toBeGreaterThan(3);
  });

  it('says that feet are off the floor where the hips are lifted', () => {
    const hips = character.bones[0];
    const lifted = changed(hips, 'translation', (values) => {
      // The armature is in centimeters, with z up.
      for (let k = 2; k < values.length; k += 3) values[k] += 20;
    });
    const { feet } = verdictAgainst(lifted);
    expect(feet?.level).not.toBe('good');
    expect(feet?.finding).not.toBe('ground');
  });

  it('asks to look at arms that were moved by more than a twentieth of the height', () => {
    expect(verdictAgainst(walk, 0.02).arms).toEqual({ level: 'good', centimeters: expect.closeTo(3.4, 6) });
    expect(verdictAgainst(walk, 0.08).arms.level).toBe('look');
  });
});
