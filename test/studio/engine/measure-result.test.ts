import { describeBody, measureResult as measureFigures } from 'anyrig/experimental';
import { describe, expect, test } from 'vitest';
import type { Clip } from '../../../src/core/animation/clip.ts';
import { BONE, BONES } from '../../../src/core/humanoid/bones.ts';
import type { Humanoid } from '../../../src/core/humanoid/humanoid.ts';
import { makeCharacter } from '../../../src/demo/characters/make-character.ts';
import { MIXAMO_RIG } from '../../../src/demo/characters/rigs.ts';
import { encodeMotion } from '../../../src/demo/files/encode.ts';
import { makeWalk } from '../../../src/demo/motions/walk.ts';
import { measureResult, verdictOf } from '../../../studio/src/engine/measure-result.ts';
import { clipOf, tPoseHumanoid, track } from '../../support/make/tiny-humanoid.ts';

const whole = tPoseHumanoid();

/** The character with the bones that match left out of its map. */
function withoutBones(pattern: RegExp): Humanoid {
  const nodes = whole.map.nodes.map((node, bone) => (pattern.test(BONES[bone]) ? -1 : node));
  return { ...whole, map: { ...whole.map, nodes } };
}

const clip = clipOf(
  track(
    whole,
    'leftUpperArm',
    'rotation',
    'LINEAR',
    [0, 1],
    [
      [0, 0, 0, 1],
      [0, 0, 0.6, 0.8],
    ],
  ),
);

async function verdictOn(target: Humanoid) {
  const { verdict } = await measureResult(
    { humanoid: whole, clip },
    { humanoid: target, clip },
    1,
    null,
    async () => null,
  );
  return verdict;
}

test('a result on a character whose map lacks legs is judged by what it has', async () => {
  for (const target of [withoutBones(/Leg$|Foot$|Toes$/), withoutBones(/^right.*(Leg|Foot|Toes)$/), whole]) {
    const { pose, feet, arms } = await verdictOn(target);
    expect(pose).toMatchObject({ level: 'good', degrees: expect.closeTo(0, 6) });
    expect([feet?.level ?? 'good', arms]).toEqual(['good', { level: 'good', centimeters: 0 }]);
  }
});

const character = makeCharacter(MIXAMO_RIG);
const walk = encodeMotion(character, makeWalk(character.figure));
const body = describeBody({ skeleton: character.skeleton, nodes: character.bones });

function verdictAgainst(clip: Clip, handsMoved = 0) {
  const { figures } = measureFigures({ body, clip: walk }, { body, clip }, { skinFps: 0 });
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
  test('is green for a motion that is the same', () => {
    const { pose, feet, arms } = verdictAgainst(walk);
    expect([pose.level, feet?.level, feet?.finding, arms.level]).toEqual(['good', 'good', 'ground', 'good']);
    expect(pose.degrees).toBeLessThan(0.1);
  });

  test('is red for an arm that stays still, and says by how many degrees', () => {
    const still = changed(character.bones[BONE.leftUpperArm], 'rotation', (values) => {
      for (let k = 0; k < values.length; k += 4) values.set([0, 0, 0, 1], k);
    });
    const { pose } = verdictAgainst(still);
    expect(pose.level).not.toBe('good');
    expect(pose.degrees).toBeGreaterThan(3);
  });

  test('says that feet are off the floor where the hips are lifted', () => {
    const hips = character.bones[0];
    const lifted = changed(hips, 'translation', (values) => {
      // The armature is in centimeters, with z up.
      for (let k = 2; k < values.length; k += 3) values[k] += 20;
    });
    const { feet } = verdictAgainst(lifted);
    expect(feet?.level).not.toBe('good');
    expect(feet?.finding).not.toBe('ground');
  });

  test('asks to look at arms that were moved by more than a twentieth of the height', () => {
    expect(verdictAgainst(walk, 0.02).arms).toEqual({ level: 'good', centimeters: expect.closeTo(3.4, 6) });
    expect(verdictAgainst(walk, 0.08).arms.level).toBe('look');
  });
});
