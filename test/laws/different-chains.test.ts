/** Bodies that people make: three fingers, thumbs of two joints, no toes, no neck, one spine joint or seven. */
import { describe } from 'vitest';
import { BONES, type BoneName } from '../../src/core/humanoid/bones.ts';
import { planRetarget } from '../../src/core/retarget/plan.ts';
import { retargetPose } from '../../src/core/retarget/retarget-pose.ts';
import { restPose } from '../../src/core/skeleton/pose.ts';
import { pick } from '../../src/demo/random.ts';
import { randomPose } from '../make/random-clip.ts';
import { randomRig } from '../make/random-rig.ts';
import { angle, inverse, product } from '../reference/plain.ts';
import { worldDeltas } from '../reference/world-law.ts';
import { LAW_F64 } from '../tolerances.ts';
import { largest, law } from './law.ts';

const RIGS = 200;

/** Bones by the ends of their names, on both sides. */
function bonesLike(...ends: readonly RegExp[]): number[] {
  return BONES.flatMap((name, bone) => (ends.some((end) => end.test(name)) ? [bone] : []));
}

/** What a body may lack, and which bones then show the motion of what is missing. */
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

describe('different chains', () => {
  for (const [what, { without, exact }] of Object.entries(LACKS)) {
    const kept = BONES.flatMap((_, bone) => (without.includes(bone) ? [] : [bone]));

    law(
      `characters with ${what}: what is missing goes into the bones below, which turn as those of the motion`,
      LAW_F64,
      (random) => {
        const source = randomRig(random, { bones: 'all' }).humanoid;
        const target = randomRig(random, { bones: kept }).humanoid;
        const pose = randomPose(random, source, { others: true });
        const options = { distribute: pick(random, [true, false]) };
        const result = retargetPose(planRetarget(source, target, options), pose, restPose(target.skeleton));
        const [given, shown] = [worldDeltas(source, pose), worldDeltas(target, result)];
        return largest(...exact.map((name) => BONES.indexOf(name)).map((bone) => angle(given[bone]!, shown[bone]!)));
      },
      RIGS,
    );

    law(
      `motions with ${what}: the bones that they lack go with the one above, the others turn as they do`,
      LAW_F64,
      (random) => {
        const source = randomRig(random, { bones: kept }).humanoid;
        const target = randomRig(random, { bones: 'all' }).humanoid;
        const pose = randomPose(random, source, { others: true });
        const result = retargetPose(planRetarget(source, target), pose, restPose(target.skeleton));
        const [given, shown] = [worldDeltas(source, pose), worldDeltas(target, result)];
        return largest(...kept.map((bone) => angle(product(given[bone]!, inverse(shown[bone]!)), [0, 0, 0, 1])));
      },
      RIGS,
    );
  }
});
