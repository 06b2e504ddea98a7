/** The estimated reference pose against the true T-pose, for rest poses as in files: arms down, palms rolled, knees bent, leaning. */
import { describe } from 'vitest';
import { BONE_COUNT, BONES } from '../../src/core/humanoid/bones.ts';
import { describeHumanoid } from '../../src/core/humanoid/describe-humanoid.ts';
import type { Humanoid } from '../../src/core/humanoid/humanoid.ts';
import type { DemoCharacter } from '../../src/demo/characters/character.ts';
import { makeCharacter } from '../../src/demo/characters/make-character.ts';
import type { Posture } from '../../src/demo/figure/posture.ts';
import { between, pick, type Random } from '../../src/demo/random.ts';
import { randomCharacterOptions } from '../support/make/demo-character.ts';
import { angle, read } from '../support/reference/plain.ts';
import { TRUE_LIMB, TRUE_PALM } from '../support/tolerances.ts';
import { largest, law } from './law.ts';

/** Cases per law. */
const CASES = 150;

/** Returns a rest pose as in files: no part of it is a T-pose. */
function restingPosture(random: Random): Posture {
  return {
    arms: between(random, 20, 70),
    elbows: pick(random, [0, between(random, 0, 60)]),
    palms: between(random, -180, 180),
    fingers: pick(random, [0, between(random, 0, 25)]),
    legs: between(random, 0, 15),
    knees: pick(random, [0, between(random, 0, 50)]),
  };
}

/** Returns a character of any proportions, axes and heading, with knuckles and toes, which palms and feet are measured by. */
function restingBody(random: Random, posture: Posture): DemoCharacter {
  const options = randomCharacterOptions(Math.floor(random() * 2 ** 31));
  const { without = [], extras = [] } = options;
  return makeCharacter({
    ...options,
    without: without.filter((bones) => bones !== 'fingers' && bones !== 'toes'),
    extras: [...extras.filter((joints) => joints !== 'ends'), 'ends'],
    bindPose: posture,
  });
}

function describedAs({ skeleton, bones, metersPerUnit }: DemoCharacter): Humanoid {
  const map = { nodes: bones, confidence: Float32Array.from(bones, (node) => (node < 0 ? 0 : 1)), from: 'given' };
  const { humanoid, reason } = describeHumanoid(skeleton, { map, metersPerUnit });
  if (humanoid === null) throw new Error(reason);
  return humanoid;
}

/** Returns the largest angle between estimated and true reference rotations, of the frame and of bones whose name matches, radians. */
function errorOf(body: DemoCharacter, { reference, frame }: Humanoid, names: RegExp): number {
  const errors = Array.from({ length: BONE_COUNT }, (_, bone) =>
    body.bones[bone] < 0 || !names.test(BONES[bone])
      ? 0
      : angle(read(reference.rotations, 4 * bone, 4), read(body.axes, 4 * body.bones[bone], 4)),
  );
  return largest(angle(Array.from(frame), Array.from(body.frame)), ...errors);
}

describe('describeHumanoid on procedural characters in any rest pose', () => {
  law(
    'finds the true frame, torso, arms, legs, feet, toes and fingers',
    TRUE_LIMB,
    (random) => {
      const body = restingBody(random, restingPosture(random));
      return errorOf(body, describedAs(body), /^(?!.*Thumb)/);
    },
    CASES,
  );

  law(
    'finds the true palms for any roll of the forearms',
    TRUE_PALM,
    (random) => {
      const body = restingBody(random, restingPosture(random));
      return errorOf(body, describedAs(body), /Hand$/);
    },
    CASES,
  );

  law(
    'finds the true arms, hands, fingers, legs and feet of a leaning character',
    TRUE_LIMB,
    (random) => {
      const body = restingBody(random, { ...restingPosture(random), lean: between(random, -14, 14) });
      return errorOf(body, describedAs(body), /(Arm|Hand|Index|Middle|Ring|Little|Leg|Foot|Toes)/);
    },
    CASES,
  );
});
