/** The reference pose of bodies whose T-pose is known, stored as files store them: arms down, palms rolled, knees bent, turned, leaning. */
import { describe } from 'vitest';
import { BONE_COUNT, BONES } from '../../src/core/humanoid/bones.ts';
import { describeHumanoid } from '../../src/core/humanoid/describe-humanoid.ts';
import type { Humanoid } from '../../src/core/humanoid/humanoid.ts';
import { type DemoBody, makeBody } from '../../src/demo/body.ts';
import type { Posture } from '../../src/demo/posture.ts';
import { between, pick, type Random } from '../../src/demo/random.ts';
import { randomBodyOptions } from '../make/demo-body.ts';
import { angle, read } from '../reference/plain.ts';
import { TRUE_LIMB, TRUE_PALM } from '../tolerances.ts';
import { largest, law } from './law.ts';

const BODIES = 150;

/** A rest as files have it: nothing of it is that of a T-pose. */
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

/** A body of any proportions and axes, facing anywhere, that shows its palms by knuckles and its feet by toes. */
function restingBody(random: Random, posture: Posture): DemoBody {
  const options = randomBodyOptions(Math.floor(random() * 2 ** 31));
  const { without = [], extras = [] } = options;
  return makeBody({
    ...options,
    without: without.filter((bones) => bones !== 'fingers' && bones !== 'toes'),
    extras: [...extras.filter((joints) => joints !== 'ends'), 'ends'],
    bindPose: posture,
  });
}

function describedAs({ skeleton, bones, truth }: DemoBody): Humanoid {
  const map = { nodes: bones, confidence: Float32Array.from(bones, (node) => (node < 0 ? 0 : 1)), from: 'given' };
  const { humanoid, reason } = describeHumanoid(skeleton, { map, metersPerUnit: truth.metersPerUnit });
  if (humanoid === null) throw new Error(reason);
  return humanoid;
}

/** The worst angle between rotations of the reference pose and the true ones, of bones whose name fits, radians. */
function errorOf(body: DemoBody, { reference, frame }: Humanoid, names: RegExp): number {
  const errors = Array.from({ length: BONE_COUNT }, (_, bone) =>
    body.bones[bone] < 0 || !names.test(BONES[bone])
      ? 0
      : angle(read(reference.rotations, 4 * bone, 4), read(body.truth.rotations, 4 * bone, 4)),
  );
  return largest(angle(Array.from(frame), Array.from(body.truth.frame)), ...errors);
}

describe('a demo body in any rest', () => {
  law(
    'has its true frame, trunk, arms, legs, feet, toes and fingers',
    TRUE_LIMB,
    (random) => {
      const body = restingBody(random, restingPosture(random));
      return errorOf(body, describedAs(body), /^(?!.*Thumb)/);
    },
    BODIES,
  );

  law(
    'has its true palms, however its forearms are rolled',
    TRUE_PALM,
    (random) => {
      const body = restingBody(random, restingPosture(random));
      return errorOf(body, describedAs(body), /Hand$/);
    },
    BODIES,
  );

  law(
    'that leans has its true arms, hands, palms, fingers, legs and feet: the lean stays in the trunk alone',
    TRUE_LIMB,
    (random) => {
      const body = restingBody(random, { ...restingPosture(random), lean: between(random, -14, 14) });
      return errorOf(body, describedAs(body), /(Arm|Hand|Index|Middle|Ring|Little|Leg|Foot|Toes)/);
    },
    BODIES,
  );
});
