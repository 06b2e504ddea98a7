import { describe, expect, test } from 'vitest';
import { sampleClip } from '../../../src/core/animation/sample.ts';
import { BONE, BONE_COUNT, BONES, type BoneName } from '../../../src/core/humanoid/bones.ts';
import type { Humanoid } from '../../../src/core/humanoid/humanoid.ts';
import { driverOf, followingFingers } from '../../../src/core/retarget/driver-bones.ts';
import { planRetarget } from '../../../src/core/retarget/plan-retarget.ts';
import { retargetClip } from '../../../src/core/retarget/retarget-clip.ts';
import { retargetPose } from '../../../src/core/retarget/retarget-pose.ts';
import { restPose } from '../../../src/core/skeleton/pose.ts';
import { makeRandom } from '../../../src/demo/random.ts';
import { without } from '../../support/make/change-rig.ts';
import { randomPose } from '../../support/make/random-clip.ts';
import { randomRig } from '../../support/make/random-rig.ts';
import { angle, inverse, product, type Quaternion } from '../../support/reference/plain.ts';
import { worldDeltas } from '../../support/reference/world-retarget.ts';
import { EXACT } from '../../support/tolerances.ts';

/** Returns node 0 for every bone that `has` accepts, −1 for all others. */
function nodesOf(has: (bone: BoneName) => boolean): Int32Array {
  return Int32Array.from(BONES, (bone) => (has(bone) ? 0 : -1));
}

function driverName(bone: BoneName, nodes: Int32Array): BoneName {
  return BONES[driverOf(BONE[bone], nodes)];
}

describe('driverOf', () => {
  test('is the bone itself where the source has it, else its nearest ancestor', () => {
    const all = nodesOf(() => true);
    for (let bone = 0; bone < BONE_COUNT; bone++) expect(driverOf(bone, all)).toBe(bone);
    const few = nodesOf((bone) => ['hips', 'spine', 'leftUpperArm', 'leftIndexProximal'].includes(bone));
    expect(driverName('head', few)).toBe('spine');
    expect(driverName('leftHand', few)).toBe('leftUpperArm');
    // The last joints of a finger follow its own first ones.
    expect(driverName('leftIndexDistal', few)).toBe('leftIndexProximal');
  });

  test.each([
    ['Thumb Index Middle Ring', 'Little', 'Ring'],
    ['Thumb Index Middle', 'Ring', 'Middle'],
    ['Thumb Index Middle', 'Little', 'Middle'],
    ['Index Middle Little', 'Ring', 'Middle'],
    ['Index Ring Little', 'Middle', 'Ring'],
    ['Middle Ring Little', 'Index', 'Middle'],
    ['Thumb Index', 'Little', 'Index'],
  ])('a hand with %s: %s follows %s, joint by joint', (present, finger, follows) => {
    const nodes = nodesOf(
      (bone) => bone === 'rightHand' || present.split(' ').some((one) => bone.startsWith(`right${one}`)),
    );
    for (const segment of ['Proximal', 'Intermediate', 'Distal']) {
      const driver = driverName(`right${finger}${segment}` as BoneName, nodes);
      expect(driver).toBe(`right${follows}${segment}`);
    }
  });

  test('a thumb does not follow a finger, no finger follows a thumb, and no hand follows the other', () => {
    const hands = ['leftHand', 'rightHand', 'leftThumbProximal', 'rightIndexProximal'];
    const nodes = nodesOf((bone) => hands.includes(bone));
    expect(driverName('leftLittleDistal', nodes)).toBe('leftHand');
    expect(driverName('rightThumbDistal', nodes)).toBe('rightHand');
    expect(driverName('rightLittleDistal', nodes)).toBe('rightIndexProximal');
  });
});

describe('followingFingers', () => {
  test('lists every finger once, with the finger that it follows', () => {
    const source = nodesOf((bone) => !/Ring|Little/.test(bone));
    const target = nodesOf((bone) => !bone.startsWith('rightLittle'));
    expect(followingFingers(source, target)).toEqual([
      { finger: 'leftRing', follows: 'leftMiddle' },
      { finger: 'leftLittle', follows: 'leftMiddle' },
      { finger: 'rightRing', follows: 'rightMiddle' },
    ]);
    expect(followingFingers(target, target)).toEqual([]);
  });
});

describe('a motion of three fingers on a hand of five', () => {
  const missing = BONES.flatMap((bone, b) => (/(?:Ring|Little)/.test(bone) ? [b] : []));
  const source = without(randomRig(makeRandom(5), { bones: 'all' }).humanoid, missing);
  const target = randomRig(makeRandom(6), { bones: 'all' }).humanoid;
  const pose = randomPose(makeRandom(7), source);

  /** Returns how far the rotation of a bone from its T-pose is from that of another one, relative to the hand, radians. */
  function difference(humanoid: Humanoid, local: Float64Array, bone: BoneName, as: BoneName): number {
    const deltas = worldDeltas(humanoid, local);
    return angle(deltas[BONE[bone]] as Quaternion, deltas[BONE[as]] as Quaternion);
  }

  const pairs = ['left', 'right'].flatMap((side) =>
    ['Proximal', 'Intermediate', 'Distal'].flatMap((segment) =>
      ['Ring', 'Little'].map(
        (finger) => [`${side}${finger}${segment}`, `${side}Middle${segment}`] as [BoneName, BoneName],
      ),
    ),
  );

  test('retargetPose: ring and little finger are bent as the middle finger', () => {
    const plan = planRetarget(source, target);
    const local = retargetPose(plan, pose, restPose(target.skeleton));
    for (const [bone, as] of pairs) expect(difference(target, local, bone, as)).toBeLessThan(EXACT);
    const deltas = worldDeltas(target, local);
    const bent = product(inverse(deltas[BONE.leftHand] as Quaternion), deltas[BONE.leftLittleProximal] as Quaternion);
    expect(angle(bent, [0, 0, 0, 1])).toBeGreaterThan(0.1);
    const message = plan.issues.find(({ code }) => code === 'BONES_MISSING_IN_SOURCE')?.message;
    expect(message).toContain('Fingers move like the nearest finger of the motion: leftRing like leftMiddle, ');
  });

  test('retargetClip: their tracks have the keys of the middle finger', () => {
    const node = source.map.nodes[BONE.leftMiddleIntermediate];
    const values = Float64Array.of(0, 0, 0, 1, ...pose.slice(10 * node + 3, 10 * node + 7));
    const times = new Float32Array([0, 0.5]);
    const track = { target: node, path: 'rotation', interpolation: 'LINEAR', times, values } as const;
    const clip = retargetClip(planRetarget(source, target), { name: '', duration: 0.5, tracks: [track] });
    const little = target.map.nodes[BONE.leftLittleIntermediate];
    expect(clip.tracks.flatMap((one) => (one.target === little ? [one.times] : []))).toEqual([times]);
    const local = restPose(target.skeleton);
    sampleClip(clip, 0.5, local);
    expect(difference(target, local, 'leftLittleIntermediate', 'leftMiddleIntermediate')).toBeLessThan(EXACT);
  });
});
