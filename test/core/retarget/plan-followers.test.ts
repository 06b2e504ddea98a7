import { describe, expect, test } from 'vitest';
import { sampleClip } from '../../../src/core/animation/sample.ts';
import { BONE, BONES } from '../../../src/core/humanoid/bones.ts';
import type { Humanoid } from '../../../src/core/humanoid/humanoid.ts';
import * as mat4 from '../../../src/core/math/mat4.ts';
import { helperNames } from '../../../src/core/retarget/helper-names.ts';
import { planRetarget } from '../../../src/core/retarget/plan.ts';
import { findFollowers } from '../../../src/core/retarget/plan-followers.ts';
import { retargetClip } from '../../../src/core/retarget/retarget-clip.ts';
import { retargetPose } from '../../../src/core/retarget/retarget-pose.ts';
import { localToModelMatrices, restPose } from '../../../src/core/skeleton/pose.ts';
import { chooseBody } from '../../../src/files/choose-body.ts';
import { openFile } from '../../../src/files/node.ts';
import { asset, HAS_ASSETS } from '../../assets.ts';
import { clipOf, type TinyNode, tBody, track } from '../../make/tiny-humanoid.ts';
import { aboutAxis, angle, apart, IDENTITY, minus, product, turned, worldPose } from '../../reference/plain.ts';
import { ATTACHED_METERS, LAW_F64, RESAMPLED_RADIANS, SKINNED_LINEAR } from '../../tolerances.ts';

/** A T body all of whose nodes are joints of a skin. */
function skinned(...more: readonly TinyNode[]): Humanoid {
  const body = tBody({}, ...more);
  return { ...body, skeleton: { ...body.skeleton, joints: body.skeleton.joints.map(() => 1) } };
}

function followersOf(body: Humanoid): string[] {
  return findFollowers(body, new Set(), helperNames(body.skeleton)).map(
    ({ node, bone }) => `${body.skeleton.names[node]} ${BONES[bone]}`,
  );
}

const source = tBody();
const ROOT: TinyNode = { name: 'armature' };

describe('findFollowers', () => {
  test('gives joints that hang below no bone to the bone on whose segment they are', () => {
    const body = skinned(
      ROOT,
      { name: 'DEF-a', parent: 'armature', at: [0.02, 1.1, 0] },
      { name: 'DEF-b', parent: 'armature', at: [0.3, 1.5, 0.03] },
      { name: 'DEF-c', parent: 'armature', at: [0.5, 1.5, 0] },
      { name: 'DEF-d', parent: 'armature', at: [0, 1.75, 0] },
    );
    expect(followersOf(body)).toEqual(['DEF-a hips', 'DEF-b leftUpperArm', 'DEF-c leftLowerArm', 'DEF-d head']);
  });

  test('leaves those alone that are far from the body, controls, and joints of no skin', () => {
    const body = skinned(
      ROOT,
      { name: 'flag', parent: 'armature', at: [1.5, 1, 0] },
      { name: 'handIK.l', parent: 'armature', at: [0.75, 1.5, 0] },
    );
    expect(followersOf(body)).toEqual([]);
    const bare = skinned({ name: 'cape', at: [0, 1.1, 0] });
    expect(followersOf({ ...bare, skeleton: { ...bare.skeleton, joints: tBody().skeleton.joints } })).toEqual([]);
    expect(followersOf(bare)).toEqual(['cape hips']);
  });

  test('lets a joint ride on one that follows the same bone', () => {
    const body = skinned(
      { name: 'cape_1', at: [0, 1.1, -0.05] },
      { name: 'cape_2', parent: 'cape_1', at: [0, 0.05, 0] },
    );
    expect(followersOf(body)).toEqual(['cape_1 hips']);
    const long = skinned({ name: 'DEF_1', at: [0, 1.1, 0] }, { name: 'DEF_2', parent: 'DEF_1', at: [0, 0.3, 0] });
    expect(followersOf(long)).toEqual(['DEF_1 hips', 'DEF_2 spine']);
  });

  test('takes a joint below another bone only for a copy that is named alike and at the very place', () => {
    const body = skinned(
      { name: 'leftLowerLeg.001', parent: 'spine', at: [0.1, -0.7, 0] },
      { name: 'leftFoot.001', parent: 'spine', at: [0.1, -1, 0.1] },
      { name: 'ornament', parent: 'spine', at: [0.1, -0.7, 0] },
    );
    expect(followersOf(body)).toEqual(['leftLowerLeg.001 leftLowerLeg']);
  });

  test('never moves what has bones below it', () => {
    const body = skinned();
    const nodes = body.map.nodes.slice();
    nodes[BONE.hips] = -1;
    const headless = { ...body, map: { ...body.map, nodes } };
    expect(followersOf(headless)).toEqual([]);
  });
});

describe('followers', () => {
  const near = skinned(
    { name: 'armature', turn: aboutAxis([0, 1, 0], 1), scale: [2, 2, 2] },
    {
      name: 'DEF-arm',
      parent: 'armature',
      at: turned(aboutAxis([0, 1, 0], -1), [0.15, 0.75, 0]),
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

  test('keep their place and turn on the bone, below an armature that is turned and scaled', () => {
    const pose = restPose(source.skeleton);
    sampleClip(clip, 1, pose);
    const local = retargetPose(planRetarget(source, near), pose, restPose(near.skeleton));
    const before = worldPose(near.skeleton.parents, near.skeleton.rest);
    const after = worldPose(near.skeleton.parents, local);
    const offset = minus(before.positions[joint], before.positions[arm]);
    expect(apart(minus(after.positions[joint], after.positions[arm]), turned(swing, offset))).toBeLessThan(LAW_F64);
    expect(angle(after.rotations[joint], product(swing, before.rotations[joint]))).toBeLessThan(LAW_F64);
  });

  test('get a track of places and one of turns, and an issue that names them', () => {
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
      expect(apart(positions[joint], lawful.positions[joint])).toBeLessThan(ATTACHED_METERS);
      expect(angle(rotations[joint], lawful.rotations[joint])).toBeLessThan(RESAMPLED_RADIANS);
    }
  });
});

describe.skipIf(!HAS_ASSETS)('the lumberjack', () => {
  test('has all joints of its skin moved as their bones, as they were bound', async () => {
    const motion = await openFile(asset('assets/glb/Xbot.glb'));
    const walker = chooseBody(motion, 'source', {}).body!;
    const { humanoid } = chooseBody(await openFile(asset('assets/glb/pc_lumberjack.glb')), 'target', {}).body!;
    const { skeleton, map } = humanoid;
    const followers = findFollowers(humanoid, new Set(), helperNames(skeleton));
    expect(followers.map(({ node }) => skeleton.names[node])).toEqual([
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
    /** What the skin at a joint does: its matrix after the inverse of the bind matrix. */
    const skinAt = (node: number): Float64Array => {
      const out = new Float64Array(16);
      mat4.invertAffine(out, 0, Float64Array.from(skeleton.bind!), 16 * node);
      mat4.multiply(out, 0, world, 16 * node, out, 0);
      return out;
    };
    const besides = ['DEF-pelvis.L_022', 'DEF-pelvis.R_014', 'DEF-chest.L_044', 'DEF-chest.R_036'];
    const carried = besides.map((name) => {
      const bone = name.includes('pelvis') ? BONE.hips : BONE.chest;
      return { node: skeleton.names.indexOf(name), bone };
    });
    for (const { node, bone } of [...followers, ...carried]) {
      const [own, bones] = [skinAt(node), skinAt(map.nodes[bone])];
      for (let k = 0; k < 16; k++) expect(Math.abs(own[k] - bones[k])).toBeLessThan(SKINNED_LINEAR);
    }
  });
});
