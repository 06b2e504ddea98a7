/** Hips that are not at the pelvis, motions without a pose at rest, impossible declared poses, flat joint paths: on files, judged by joint positions. */
import { describe, expect, it } from 'vitest';
import { sampleClip } from '../../src/core/animation/sample.ts';
import { BONE, BONES } from '../../src/core/humanoid/bones.ts';
import type { Humanoid } from '../../src/core/humanoid/humanoid.ts';
import { planRetarget } from '../../src/core/retarget/plan-retarget.ts';
import { retargetClip } from '../../src/core/retarget/retarget-clip.ts';
import { makeCharacter } from '../../src/demo/characters/make-character.ts';
import { VRM1_RIG, VRMA_RIG } from '../../src/demo/characters/rigs.ts';
import { encodeMotion } from '../../src/demo/files/encode.ts';
import { glbBytes } from '../../src/demo/files/glb.ts';
import { vrm1Document, vrmaDocument } from '../../src/demo/files/vrm.ts';
import { makeWalk } from '../../src/demo/motions/walk.ts';
import type { HumanoidOptions } from '../../src/files/humanoid/describe-file-humanoid.ts';
import { chooseHumanoid } from '../../src/files/humanoid/find-humanoid.ts';
import { openFile } from '../../src/files/node.ts';
import { parseGltf, readGltf } from '../../src/formats/gltf/index.ts';
import { type AssetHumanoid, findAssetHumanoid } from '../external/oracle/retargeted.ts';
import { asset, HAS_ASSETS } from '../support/assets.ts';
import { angle, apart, type Vector, worldPose } from '../support/reference/plain.ts';

async function load(path: string, options: HumanoidOptions = {}): Promise<AssetHumanoid> {
  const file = await openFile(asset(path));
  const { found, reason } = chooseHumanoid(file, 'source', options);
  if (found === null) throw new Error(reason ?? path);
  return {
    ...found,
    sourceNodes: found.part.sourceNodes,
    clips: file.asset.clips.map((clip) => clip.clips[found.index]),
  };
}

/** Positions of joints at times of a retargeted clip: model space of the target, units of its file. */
function jointsOf(source: AssetHumanoid, target: Humanoid, bones: readonly number[], clip = 0, count = 30): Vector[][] {
  const result = retargetClip(planRetarget(source.humanoid, target), source.clips[clip]);
  return Array.from({ length: count }, (_, k) => {
    const local = Float64Array.from(target.skeleton.rest);
    sampleClip(result, (result.duration * k) / (count - 1), local);
    const { positions } = worldPose(target.skeleton.parents, local);
    return bones.map((bone) => positions[target.map.nodes[bone]]);
  });
}

function farthest(a: readonly Vector[][], b: readonly Vector[][]): number {
  return Math.max(...a.flatMap((joints, k) => joints.map((joint, j) => apart(joint, b[k][j]))));
}

const LEGS = [BONE.leftUpperLeg, BONE.rightUpperLeg, BONE.leftFoot, BONE.rightFoot, BONE.leftToes, BONE.rightToes];
const CASES = 'cases/';
const MIXAMO = `${CASES}02-negative-scale/mixamo.glb`;
const WALK = `${CASES}02-negative-scale/walk.glb`;

describe.skipIf(!HAS_ASSETS)('hips that are not at the pelvis', () => {
  it('walk.glb travels 2.52 m on mmd_rig.glb, whose センター is at the waist, with the same legs at the same places', async () => {
    const [walk, mixamo, mmd] = [
      await load(WALK),
      await load(MIXAMO),
      await load(`${CASES}03-hips-not-at-the-pelvis/mmd_rig.glb`),
    ];
    const joints = jointsOf(walk, mmd.humanoid, LEGS);
    expect(apart(joints[0][0], joints[29][0])).toBeCloseTo(2.5232, 3);
    expect(farthest(joints, jointsOf(walk, mixamo.humanoid, LEGS))).toBeLessThan(0.002);
  });

  it.each(['assets/glb/quaternius_women_Witch.glb', `${CASES}03-hips-not-at-the-pelvis/quaternius_women_Punk.glb`])(
    '%s: hips are as high as the hip joints, and a character that lies down is on the ground',
    async (path) => {
      const { humanoid } = await load(path);
      expect(humanoid.hipsHeight).toBeGreaterThan(0.85);
      expect(humanoid.issues.map(({ code }) => code)).not.toContain('HIPS_HEIGHT_ZERO');
      const source = (await load(MIXAMO)).humanoid;
      const hips = source.map.nodes[BONE.hips];
      // On its back, 0.15 m above the ground. The axes of the armature are Z up, centimeters.
      const down = {
        name: 'fall',
        duration: 1,
        tracks: [
          {
            target: hips,
            path: 'rotation' as const,
            interpolation: 'STEP' as const,
            times: new Float32Array([0]),
            values: Float64Array.of(0, 0, 0, 1),
          },
          {
            target: hips,
            path: 'translation' as const,
            interpolation: 'STEP' as const,
            times: new Float32Array([0]),
            values: Float64Array.of(0, 0, 15),
          },
        ],
      };
      const lying = jointsOf(
        { humanoid: source, sourceNodes: new Int32Array(0), clips: [down] },
        humanoid,
        LEGS.slice(0, 4),
      );
      for (const joint of lying[0]) expect(Math.abs(joint[1])).toBeLessThan(0.4);
    },
  );
});

describe.skipIf(!HAS_ASSETS)('a motion without a pose at rest', () => {
  const folder = `${CASES}05-reference-from-a-moving-frame/`;

  it('cmu_85_12.fbx has the T-pose of another file of its rig, in its joints without rotation, and says so', async () => {
    const tPose = await openFile(asset(`${folder}cmu_base_Tpose.fbx`));
    const file = await openFile(asset(`${folder}cmu_85_12.fbx`));
    const [found, known] = [{}, { pose: { file: tPose } }].map(
      (options) => chooseHumanoid(file, 'source', options).found!.humanoid,
    );
    expect(found.issues.map(({ code }) => code)).toContain('POSE_NOT_AT_REST');
    expect(angle(Array.from(found.frame), Array.from(known.frame))).toBeLessThan(1e-6);
    for (const name of BONES) {
      const [at, node] = [4 * BONE[name], found.map.nodes[BONE[name]]];
      if (node < 0) continue;
      const [a, b] = [found, known].map(({ reference }) => Array.from(reference.rotations.subarray(at, at + 4)));
      expect((angle(a, b) * 180) / Math.PI, name).toBeLessThan(0.1);
    }
    expect(found.hipsHeight).toBeCloseTo(known.hipsHeight, 3);
    expect(found.height).toBeCloseTo(known.height, 3);
  });

  it('turn.bvh faces +Z, as its zero pose does', async () => {
    expect(Array.from((await load(`${folder}turn.bvh`)).humanoid.frame, (value) => value + 0)).toEqual([0, 0, 0, 1]);
  });

  it('a walk and a run of one rig have the same heights, ground and facing with one pose file', async () => {
    const pose = { file: await openFile(asset('assets/fbx/ozz_pab_skeleton.fbx')) };
    const [walk, run] = [
      (await load('assets/fbx/ozz_pab_walk.fbx', { pose })).humanoid,
      (await load('assets/fbx/ozz_pab_run.fbx', { pose })).humanoid,
    ];
    expect(run.hipsHeight).toBeCloseTo(walk.hipsHeight, 4);
    expect(run.height).toBeCloseTo(walk.height, 4);
    expect(run.ground).toBe(walk.ground);
    expect(Array.from(run.frame)).toEqual(Array.from(walk.frame));
  });
});

describe('a VRM Animation with an impossible rest', () => {
  const performer = makeCharacter(VRMA_RIG);
  const target = findAssetHumanoid(readGltf(parseGltf(glbBytes(vrm1Document(makeCharacter(VRM1_RIG)))))).humanoid;
  interface Node {
    translation?: number[];
    rotation?: number[];
    scale?: number[];
    children?: number[];
    name?: string;
  }
  const vrma = (edit: (nodes: Node[], json: Record<string, unknown>) => void): AssetHumanoid => {
    const doc = vrmaDocument(performer, { clips: [encodeMotion(performer, makeWalk(performer.figure))] });
    edit(doc.json['nodes'] as Node[], doc.json);
    return findAssetHumanoid(readGltf(parseGltf(glbBytes(doc))));
  };
  const straight = vrma(() => undefined);
  const expected = jointsOf(straight, target, LEGS);

  it('that lies on its back in centimeters stands, with its feet on the ground', () => {
    const lying = vrma((nodes, json) => {
      const scene = (json['scenes'] as { nodes: number[] }[])[0];
      // y → −z: the head along −Z, the feet along +Z.
      nodes.push({
        name: 'Armature',
        rotation: [-Math.SQRT1_2, 0, 0, Math.SQRT1_2],
        scale: [100, 100, 100],
        children: scene.nodes,
      });
      scene.nodes = [nodes.length - 1];
    });
    expect(lying.humanoid.metersPerUnit).toBe(0.01);
    expect(lying.humanoid.issues.map(({ code }) => code)).toContain('DECLARED_AXES_IMPLAUSIBLE');
    expect(farthest(jointsOf(lying, target, LEGS), expected)).toBeLessThan(0.02);
  });

  it('whose hips rest at height 0, with absolute keys, has its feet on the ground', () => {
    const node = straight.sourceNodes[straight.humanoid.map.nodes[BONE.hips]];
    const low = vrma((nodes) => {
      nodes[node].translation = [0, 0, 0];
    });
    expect(farthest(jointsOf(low, target, LEGS), expected)).toBeLessThan(0.05);
  });
});

describe.skipIf(!HAS_ASSETS)('USD joint paths that nest nothing', () => {
  it.each(['joints_lastonly_flat.usda', 'joints_flat_nobind.usda'])('%s shows the motion of walk.glb', async (name) => {
    const [flat, walk, mixamo] = [
      await load(`${CASES}08-usd-flat-joints/${name}`),
      await load(WALK),
      await load(MIXAMO),
    ];
    const bones = [...LEGS, BONE.head, BONE.leftHand, BONE.rightHand, BONE.leftIndexDistal];
    expect(farthest(jointsOf(flat, mixamo.humanoid, bones), jointsOf(walk, mixamo.humanoid, bones))).toBeLessThan(
      0.002,
    );
  });
});
