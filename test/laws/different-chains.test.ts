/** Characters with missing bones: three fingers, thumbs with two joints, no toes, no neck, one spine joint. */
import { describe } from 'vitest';
import { BONES, type BoneName } from '../../src/core/humanoid/bones.ts';
import { planRetarget } from '../../src/core/retarget/plan-retarget.ts';
import { retargetPose } from '../../src/core/retarget/retarget-pose.ts';
import { restPose } from '../../src/core/skeleton/pose.ts';
import { pick } from '../../src/demo/random.ts';
import { randomPose } from '../support/make/random-clip.ts';
import { randomRig } from '../support/make/random-rig.ts';
import { angle, inverse, product } from '../support/reference/plain.ts';
import { worldDeltas } from '../support/reference/world-retarget.ts';
import { LAW_F64 } from '../support/tolerances.ts';
import { largest, law } from './law.ts';

/** Cases per law. */
const CASES = 200;

/** Returns the bones whose names match, on both sides. */
function bonesLike(...ends: readonly RegExp[]): number[] {
  return BONES.flatMap((name, bone) => (ends.some((end) => end.test(name)) ? [bone] : []));
}

/** Missing bones, and bones below them that must keep their world deltas. */
const LACKS: Readonly<Record<string, { without: number[]; exact: BoneName[] }>> = {
  'three fingers': {
    without: bonesLike(/Ring/, /Little/),
    exact: ['leftHand', 'leftIndexDistal', 'rightMiddleDistal'],
  },
  'two fingers': { without: bonesLike(/Middle/, /Ring/, /Little/), exact: ['leftIndexDistal', 'rightThumbDistal'] },
  'thumbs without metacarpal': {
    without: bonesLike(/ThumbMetacarpal/),
    exact: ['leftThumbProximal', 'leftThumbDistal', 'rightThumbDistal'],
  },
  'thumbs without proximal': {
    without: bonesLike(/ThumbProximal/),
    exact: ['leftThumbMetacarpal', 'leftThumbDistal', 'rightThumbDistal'],
  },
  'thumbs without tip': { without: bonesLike(/ThumbDistal/), exact: ['leftThumbProximal', 'rightThumbProximal'] },
  'fingers of two joints': { without: bonesLike(/Intermediate/), exact: ['leftIndexDistal', 'rightLittleDistal'] },
  'no toes': { without: bonesLike(/Toes/), exact: ['leftFoot', 'rightFoot'] },
  'no neck and no shoulders': {
    without: bonesLike(/^neck$/, /Shoulder/),
    exact: ['head', 'leftUpperArm', 'rightHand', 'leftIndexDistal'],
  },
  'one spine joint': {
    without: bonesLike(/^chest$/, /^upperChest$/),
    exact: ['spine', 'neck', 'head', 'leftShoulder'],
  },
};

describe('retargetPose between different chains', () => {
  for (const [what, { without, exact }] of Object.entries(LACKS)) {
    const kept = BONES.flatMap((_, bone) => (without.includes(bone) ? [] : [bone]));

    law(
      `characters with ${what}: the bones below the missing ones keep the world deltas of the source`,
      LAW_F64,
      (random) => {
        const source = randomRig(random, { bones: 'all' }).humanoid;
        const target = randomRig(random, { bones: kept }).humanoid;
        const pose = randomPose(random, source, { others: true });
        const options = { distribute: pick(random, [true, false]) };
        const result = retargetPose(planRetarget(source, target, options), pose, restPose(target.skeleton));
        const [expected, actual] = [worldDeltas(source, pose), worldDeltas(target, result)];
        return largest(
          ...exact.map((name) => BONES.indexOf(name)).map((bone) => angle(expected[bone]!, actual[bone]!)),
        );
      },
      CASES,
    );

    law(
      `motions with ${what}: bones that the source has get its world deltas`,
      LAW_F64,
      (random) => {
        const source = randomRig(random, { bones: kept }).humanoid;
        const target = randomRig(random, { bones: 'all' }).humanoid;
        const pose = randomPose(random, source, { others: true });
        const result = retargetPose(planRetarget(source, target), pose, restPose(target.skeleton));
        const [expected, actual] = [worldDeltas(source, pose), worldDeltas(target, result)];
        return largest(...kept.map((bone) => angle(product(expected[bone]!, inverse(actual[bone]!)), [0, 0, 0, 1])));
      },
      CASES,
    );
  }
});
