import { describe, expect, test } from 'vitest';
import { sampleClip } from '../../../../src/core/animation/sample.ts';
import { BONE, BONES } from '../../../../src/core/humanoid/bones.ts';
import type { Humanoid } from '../../../../src/core/humanoid/humanoid.ts';
import * as mat4 from '../../../../src/core/math/mat4.ts';
import { findDetachedJoints } from '../../../../src/core/retarget/detached/find-detached-joints.ts';
import { helperNames } from '../../../../src/core/retarget/helper-names.ts';
import { planRetarget } from '../../../../src/core/retarget/plan-retarget.ts';
import { retargetClip } from '../../../../src/core/retarget/retarget-clip.ts';
import { retargetPose } from '../../../../src/core/retarget/retarget-pose.ts';
import { localToModelMatrices, restPose } from '../../../../src/core/skeleton/pose.ts';
import { chooseHumanoid } from '../../../../src/files/humanoid/find-humanoid.ts';
import { openFile } from '../../../../src/files/node.ts';
import { asset, HAS_ASSETS } from '../../../support/assets.ts';
import { clipOf, type TinyNode, tPoseHumanoid, track } from '../../../support/make/tiny-humanoid.ts';
import {
  aboutAxis,
  angle,
  apart,
  IDENTITY,
  minus,
  product,
  rotated,
  worldPose,
} from '../../../support/reference/plain.ts';
import { DETACHED_METERS, LAW_F64, RESAMPLED_RADIANS, SKINNED_LINEAR } from '../../../support/tolerances.ts';

/** A character in T-pose whose nodes are all joints of a skin. */
function skinned(...more: readonly TinyNode[]): Humanoid {
  const plain = tPoseHumanoid({}, ...more);
  return { ...plain, skeleton: { ...plain.skeleton, joints: plain.skeleton.joints.map(() => 1) } };
}

function detachedOf(target: Humanoid): string[] {
  return findDetachedJoints(target, new Set(), helperNames(target.skeleton)).map(
    ({ node, bone }) => `${target.skeleton.names[node]} ${BONES[bone]}`,
  );
}

const source = tPoseHumanoid();
const ROOT: TinyNode = { name: 'armature' };

describe('findDetachedJoints', () => {
  test('assigns joints outside the bone hierarchy to the bone of the nearest segment', () => {
    const target = skinned(
      ROOT,
      { name: 'DEF-a', parent: 'armature', at: [0.02, 1.1, 0] },
      { name: 'DEF-b', parent: 'armature', at: [0.3, 1.5, 0.03] },
      { name: 'DEF-c', parent: 'armature', at: [0.5, 1.5, 0] },
      { name: 'DEF-d', parent: 'armature', at: [0, 1.75, 0] },
    );
    expect(detachedOf(target)).toEqual(['DEF-a hips', 'DEF-b leftUpperArm', 'DEF-c leftLowerArm', 'DEF-d head']);
  });

  test('lets the IK joints of Unreal follow the hands and feet that they coincide with, in a skin or not', () => {
    const plain = tPoseHumanoid();
    const at = (bone: 'leftFoot' | 'rightHand'): number[] =>
      Array.from(plain.reference.positions.slice(3 * BONE[bone], 3 * BONE[bone] + 3));
    const target = tPoseHumanoid(
      {},
      ROOT,
      { name: 'ik_foot_root', parent: 'armature' },
      { name: 'ik_foot_l', parent: 'ik_foot_root', at: at('leftFoot') },
      { name: 'ik_foot_r', parent: 'ik_foot_root', at: [0.5, 0.05, 0.3] },
      { name: 'ik_hand_gun', parent: 'armature', at: at('rightHand') },
    );
    expect(detachedOf(target)).toEqual(['ik_foot_l leftFoot', 'ik_hand_gun rightHand']);
  });

  test('ignores joints far from the character, controls, and nodes that are not in a skin', () => {
    const target = skinned(
      ROOT,
      { name: 'flag', parent: 'armature', at: [1.5, 1, 0] },
      { name: 'handIK.l', parent: 'armature', at: [0.75, 1.5, 0] },
    );
    expect(detachedOf(target)).toEqual([]);
    const bare = skinned({ name: 'cape', at: [0, 1.1, 0] });
    expect(detachedOf({ ...bare, skeleton: { ...bare.skeleton, joints: tPoseHumanoid().skeleton.joints } })).toEqual(
      [],
    );
    expect(detachedOf(bare)).toEqual(['cape hips']);
  });

  test('assigns a joint far from all bones to the bone of a joint near it, as a forehead to the head', () => {
    const target = skinned(
      ROOT,
      { name: 'forehead', parent: 'armature', at: [0, 1.95, 0.05] },
      { name: 'brow', parent: 'armature', at: [0, 1.82, 0.08] },
      { name: 'cheek', parent: 'armature', at: [0, 1.7, 0.08] },
      { name: 'lantern', parent: 'armature', at: [0, 2.3, 0.05] },
    );
    expect(detachedOf(target)).toEqual(['forehead head', 'brow head', 'cheek head']);
  });

  test('lets joints of a cape or wing follow the joint above them, wherever they reach', () => {
    const cape = Array.from({ length: 6 }, (_, k): TinyNode => {
      return {
        name: `cape${k}`,
        parent: k === 0 ? 'armature' : `cape${k - 1}`,
        at: k === 0 ? [0, 1.4, -0.1] : [0, -0.13, -0.03],
      };
    });
    const skirt = Array.from({ length: 4 }, (_, k): TinyNode => {
      return {
        name: `skirt${k}`,
        parent: k === 0 ? 'armature' : `skirt${k - 1}`,
        at: k === 0 ? [0.1, 0.85, -0.12] : [0, -0.12, -0.06],
      };
    });
    const moved = detachedOf(skinned(ROOT, ...skirt, ...cape));
    expect(moved).toContain('skirt0 leftUpperLeg');
    expect(moved.filter((one) => /cape.*Leg/.test(one))).toEqual([]);
  });

  test('leaves out a joint that moves with its parent joint on the same bone', () => {
    const target = skinned(
      { name: 'cape_1', at: [0, 1.1, -0.05] },
      { name: 'cape_2', parent: 'cape_1', at: [0, 0.05, 0] },
    );
    expect(detachedOf(target)).toEqual(['cape_1 hips']);
    const long = skinned({ name: 'DEF_1', at: [0, 1.1, 0] }, { name: 'DEF_2', parent: 'DEF_1', at: [0, 0.3, 0] });
    expect(detachedOf(long)).toEqual(['DEF_1 hips', 'DEF_2 spine']);
  });

  test('assigns a joint below another bone only to a bone of a similar name at the same position', () => {
    const target = skinned(
      { name: 'leftLowerLeg.001', parent: 'spine', at: [0.1, -0.7, 0] },
      { name: 'leftFoot.001', parent: 'spine', at: [0.1, -1, 0.1] },
      { name: 'ornament', parent: 'spine', at: [0.1, -0.7, 0] },
    );
    expect(detachedOf(target)).toEqual(['leftLowerLeg.001 leftLowerLeg']);
  });

  test.each([
    ['the one with its number where all are parallel', [0, 0, 0], ['Palm.001', 'Palm.002', 'Palm.003']],
    ['the one with its first number', [0, 0, 0], ['Palm1.001', 'Palm2.001', 'Palm3.001']],
    ['the one with its rotation where no number is shared', [-0.3, 0, 0.3], ['Palm.007', 'Palm.008', 'Palm.009']],
  ])('of joints that start at one place and differ in a number, a copy follows %s', (_, angles, copies) => {
    const palms = (list: readonly string[], parent: string, at: readonly number[]): TinyNode[] =>
      list.map((palm, k) => ({ name: palm, parent, at, turn: aboutAxis([0, 1, 0], angles[k]) }));
    const originals = [1, 2, 3].map((number) => `Palm${number}`);
    const target = skinned(
      ...palms(originals, 'leftHand', [0.02, 0, 0]),
      ROOT,
      ...palms(copies, 'armature', [0.77, 1.5, 0]),
    );
    const found = findDetachedJoints(target, new Set(), helperNames(target.skeleton));
    const { names } = target.skeleton;
    expect(found.map(({ node, anchor }) => `${names[node]} ${names[anchor]}`)).toEqual(
      copies.map((copy, k) => `${copy} ${originals[k]}`),
    );
  });

  test('ignores joints with bones below them', () => {
    const target = skinned();
    const nodes = target.map.nodes.slice();
    nodes[BONE.hips] = -1;
    const withoutHips = { ...target, map: { ...target.map, nodes } };
    expect(detachedOf(withoutHips)).toEqual([]);
  });
});

describe('detached joints', () => {
  const near = skinned(
    { name: 'armature', turn: aboutAxis([0, 1, 0], 1), scale: [2, 2, 2] },
    {
      name: 'DEF-arm',
      parent: 'armature',
      at: rotated(aboutAxis([0, 1, 0], -1), [0.15, 0.75, 0]),
      turn: aboutAxis([1, 1, 0], 2),
    },
  );
  const [arm, joint] = [near.map.nodes[BONE.leftUpperArm], near.skeleton.names.indexOf('DEF-arm')];
  const swing = product(aboutAxis([0, 0, 1], -1.1), aboutAxis([1, 0, 0], 0.5));
  const clip = clipOf(
    track(source, 'leftUpperArm', 'rotation', 'LINEAR', [0, 1], [IDENTITY, swing]),
    track(
      source,
      'hips',
      'translation',
      'LINEAR',
      [0, 1],
      [
        [0, 1, 0],
        [1, 1, 2],
      ],
    ),
  );

  test('keep their offset and rotation relative to the bone, below a rotated and scaled armature', () => {
    const pose = restPose(source.skeleton);
    sampleClip(clip, 1, pose);
    const local = retargetPose(planRetarget(source, near), pose, restPose(near.skeleton));
    const before = worldPose(near.skeleton.parents, near.skeleton.rest);
    const after = worldPose(near.skeleton.parents, local);
    const offset = minus(before.positions[joint], before.positions[arm]);
    expect(apart(minus(after.positions[joint], after.positions[arm]), rotated(swing, offset))).toBeLessThan(LAW_F64);
    expect(angle(after.rotations[joint], product(swing, before.rotations[joint]))).toBeLessThan(LAW_F64);
  });

  test('get a translation track, a rotation track and an issue with their names', () => {
    const plan = planRetarget(source, near);
    expect(plan.issues).toContainEqual(
      expect.objectContaining({
        code: 'JOINTS_DETACHED',
        message: expect.stringContaining('"DEF-arm" (leftUpperArm)'),
      }),
    );
    const result = retargetClip(plan, clip);
    const own = result.tracks.filter(({ target }) => target === joint).map(({ path }) => path);
    expect(own).toEqual(['translation', 'rotation']);
    const shown = restPose(near.skeleton);
    const pose = restPose(source.skeleton);
    for (const time of [0, 0.3, 0.77, 1]) {
      sampleClip(result, time, shown);
      sampleClip(clip, time, pose);
      const lawful = worldPose(near.skeleton.parents, retargetPose(plan, pose, restPose(near.skeleton)));
      const { positions, rotations } = worldPose(near.skeleton.parents, shown);
      expect(apart(positions[joint], lawful.positions[joint])).toBeLessThan(DETACHED_METERS);
      expect(angle(rotations[joint], lawful.rotations[joint])).toBeLessThan(RESAMPLED_RADIANS);
    }
  });
});

describe.skipIf(!HAS_ASSETS)('pc_lumberjack.glb', () => {
  test('planRetarget moves all joints of the skin with their bones, as in the bind pose', async () => {
    const motion = await openFile(asset('assets/glb/Xbot.glb'));
    const walker = chooseHumanoid(motion, 'source', {}).found!;
    const { humanoid } = chooseHumanoid(await openFile(asset('assets/glb/pc_lumberjack.glb')), 'target', {}).found!;
    const { skeleton, map } = humanoid;
    const detached = findDetachedJoints(humanoid, new Set(), helperNames(skeleton));
    expect(detached.map(({ node }) => skeleton.names[node])).toEqual([
      'DEF-spine_02',
      'DEF-spine.001_03',
      'DEF-spine.002_04',
      'DEF-spine.003_05',
    ]);
    const walk = motion.asset.clips.find(({ name }) => name === 'walk')!.clips[walker.index];
    const pose = restPose(walker.humanoid.skeleton);
    sampleClip(walk, 0.3, pose);
    const local = retargetPose(planRetarget(walker.humanoid, humanoid), pose, restPose(skeleton));
    const world = new Float64Array(16 * skeleton.parents.length);
    localToModelMatrices(world, skeleton.parents, local);
    /** The skinning matrix of a joint: its model matrix times the inverse of its bind matrix. */
    const skinningMatrix = (node: number): Float64Array => {
      const out = new Float64Array(16);
      mat4.invertAffine(out, 0, Float64Array.from(skeleton.bind!), 16 * node);
      mat4.multiply(out, 0, world, 16 * node, out, 0);
      return out;
    };
    const attached = ['DEF-pelvis.L_022', 'DEF-pelvis.R_014', 'DEF-chest.L_044', 'DEF-chest.R_036'];
    const carried = attached.map((name) => {
      const bone = name.includes('pelvis') ? BONE.hips : BONE.chest;
      return { node: skeleton.names.indexOf(name), bone };
    });
    for (const { node, bone } of [...detached, ...carried]) {
      const [own, bones] = [skinningMatrix(node), skinningMatrix(map.nodes[bone])];
      for (let k = 0; k < 16; k++) expect(Math.abs(own[k] - bones[k])).toBeLessThan(SKINNED_LINEAR);
    }
  });
});
