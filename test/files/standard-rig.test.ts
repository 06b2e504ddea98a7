import { validateBytes } from 'gltf-validator';
import { describe, expect, it, test } from 'vitest';
import { sampleClip } from '../../src/core/animation/sample.ts';
import { BONE, type BoneName } from '../../src/core/humanoid/bones.ts';
import { STANDARD_RIG_NAMES } from '../../src/core/humanoid/rigs/rig-names.ts';
import { localToModelMatrices, restPose } from '../../src/core/skeleton/pose.ts';
import {
  convertFile,
  createStandardRig,
  findHumanoid,
  type OpenFile,
  OptionError,
  type OutputFile,
  openBytes,
  type RetargetMotionsOptions,
  retargetClips,
  retargetMotions,
} from '../../src/files/node.ts';
import { sampledCases } from '../support/law-runs.ts';
import { openDemo } from '../support/make/demo-files.ts';
import { apart, minus, rotated, times, worldPose } from '../support/reference/plain.ts';
import { RESAMPLED_RADIANS } from '../support/tolerances.ts';

const joined = ({ parts }: OutputFile): Uint8Array => new Uint8Array(Buffer.concat(parts));
const reopened = (outputs: readonly OutputFile[]): Promise<OpenFile> => {
  const last = outputs[outputs.length - 1];
  return openBytes(joined(last), { name: last.path });
};
const namesOf = ({ asset }: OpenFile): readonly string[] => asset.skeletons[0].skeleton.names;
const NO_CONTACTS = { contacts: 'off', mesh: false } as const;

describe('createStandardRig', () => {
  it.each([
    ['ue5', 'walk.glb'],
    ['mixamo', 'walk.gltf'],
    ['unity', 'walk.usda'],
    ['smplx', 'walk.bvh'],
    ['soma', 'walk.glb'],
    ['vrm', 'walk.vrma'],
  ] as const)('is a character for retargetMotions: %s as %s', async (rig, output) => {
    const walk = await openDemo('walk.glb');
    const { report, outputs } = await retargetMotions([walk], createStandardRig(rig), { ...NO_CONTACTS, output });
    expect(report.ok).toBe(true);
    expect(report.issues.filter(({ severity }) => severity !== 'info')).toEqual([]);
    if (output.endsWith('.gltf')) return;
    const file = await reopened(outputs);
    const own = createStandardRig(rig);
    // A VRM Animation has bones only, as the rig does.
    const expected = namesOf(own);
    for (const name of expected) expect(namesOf(file), output).toContain(name);
    expect(findHumanoid(file).humanoid.hipsHeight).toBeCloseTo(findHumanoid(own).humanoid.hipsHeight, 2);
  });

  it.each(sampledCases(['mixamo', 'ue5', 'unity', 'soma'] as const))(
    'has its own root, rest pose and axes as FBX: %s',
    async (rig) => {
      const walk = await openDemo('walk.glb');
      const own = createStandardRig(rig).asset.skeletons[0].skeleton;
      const { outputs } = await retargetMotions([walk], createStandardRig(rig), { ...NO_CONTACTS, output: 'walk.fbx' });
      const { skeleton } = (await reopened(outputs)).asset.skeletons[0];
      const worlds = [own, skeleton].map(({ parents, rest }) => {
        const out = new Float64Array(16 * parents.length);
        localToModelMatrices(out, parents, rest);
        return out;
      });
      expect([...skeleton.names].sort()).toEqual([...own.names].sort());
      for (const [node, name] of own.names.entries()) {
        const other = skeleton.names.indexOf(name);
        expect(skeleton.names[skeleton.parents[other]], name).toBe(own.names[own.parents[node]]);
        for (let c = 0; c < 15; c++) {
          // Centimeters.
          const wanted = worlds[0][16 * node + c] * (c < 12 ? 1 : 100);
          // Hips are 7 µm beside the axis of the root bone, for Blender.
          expect(worlds[1][16 * other + c], name).toBeCloseTo(wanted, 2);
        }
      }
    },
  );

  it('is written as a valid glTF whose skin has all its joints', async () => {
    const walk = await openDemo('walk.glb');
    const rig = createStandardRig('ue5');
    const { outputs } = await retargetMotions([walk], rig, { ...NO_CONTACTS, output: 'a.glb' });
    const { issues } = await validateBytes(joined(outputs[0]));
    expect([issues.numErrors, issues.numWarnings]).toEqual([0, 0]);
    const file = await reopened(outputs);
    expect(Array.from(file.asset.skeletons[0].skeleton.joints)).toEqual(namesOf(rig).map(() => 1));
  });

  it('has no declared humanoid, so that names and pose are found as in any file', () => {
    for (const rig of STANDARD_RIG_NAMES) expect(createStandardRig(rig).asset.skeletons[0].declared).toBeNull();
  });

  it('throws OptionError for a name that is no rig', () => {
    expect(() => createStandardRig('maya' as 'ue5')).toThrow(OptionError);
    expect(() => createStandardRig('maya' as 'ue5')).toThrow(/no standard rig "maya".*mixamo, ue5/);
  });
});

test.each(STANDARD_RIG_NAMES)('limbs of %s have the directions of the motion', async (rig) => {
  const walk = await openDemo('walk.glb');
  const own = createStandardRig(rig);
  const { clips } = await retargetClips([walk], own, { contacts: 'off', edits: { keys: 'exact' } });
  const sides = [
    { humanoid: findHumanoid(walk).humanoid, clip: walk.asset.clips[0].clips[0] },
    { humanoid: findHumanoid(own).humanoid, clip: clips[0].clip },
  ];
  for (let time = 0; time <= clips[0].clip.duration; time += 0.25) {
    const [before, after] = sides.map(({ humanoid: { skeleton, map, frame }, clip }) => {
      const pose = restPose(skeleton);
      sampleClip(clip, time, pose);
      const { positions } = worldPose(skeleton.parents, pose);
      return (from: BoneName, to: BoneName) => {
        const limb = minus(positions[map.nodes[BONE[to]]], positions[map.nodes[BONE[from]]]);
        return rotated(Array.from(frame), times(limb, 1 / Math.hypot(...limb)));
      };
    });
    for (const side of ['left', 'right'] as const)
      for (const [from, to] of [
        ['UpperArm', 'LowerArm'],
        ['LowerArm', 'Hand'],
        ['UpperLeg', 'LowerLeg'],
        ['LowerLeg', 'Foot'],
      ] as const) {
        const limb = [`${side}${from}`, `${side}${to}`] as const;
        expect(apart(before(...limb), after(...limb)), limb[0]).toBeLessThan(RESAMPLED_RADIANS);
      }
  }
});

test('the IK joints of ue5 follow hands and feet below a root bone that moves, and their roots stay on it', async () => {
  const walk = await openDemo('walk.glb');
  const rig = createStandardRig('ue5');
  const { clips } = await retargetClips([walk], rig, { contacts: 'off', edits: { root: 'root-bone', keys: 'exact' } });
  const { skeleton } = rig.asset.skeletons[0];
  const nodeOf = (name: string): number => skeleton.names.indexOf(name);
  const animated = new Set(clips[0].clip.tracks.map(({ target }) => skeleton.names[target]));
  expect(animated).toContain('root');
  expect(animated).not.toContain('ik_foot_root');
  const matrices = new Float64Array(16 * skeleton.names.length);
  for (let time = 0; time < clips[0].clip.duration; time += 0.1) {
    const pose = restPose(skeleton);
    sampleClip(clips[0].clip, time, pose);
    localToModelMatrices(matrices, skeleton.parents, pose);
    for (const [joint, bone] of [
      ['ik_foot_l', 'foot_l'],
      ['ik_hand_gun', 'hand_r'],
      ['ik_hand_l', 'hand_l'],
    ])
      for (let k = 0; k < 16; k++)
        expect(matrices[16 * nodeOf(joint) + k]).toBeCloseTo(matrices[16 * nodeOf(bone) + k], 3);
  }
});

describe('the option proportions', () => {
  const legOf = ({ humanoid }: ReturnType<typeof findHumanoid>): number => {
    const { positions } = humanoid.reference;
    const [a, b] = [3 * BONE.leftLowerLeg, 3 * BONE.leftFoot];
    return Math.hypot(
      positions[a] - positions[b],
      positions[a + 1] - positions[b + 1],
      positions[a + 2] - positions[b + 2],
    );
  };

  it('source gives a standard rig the bone lengths of the first motion', async () => {
    const walk = await openDemo('walk.glb');
    const options: RetargetMotionsOptions = { ...NO_CONTACTS, output: 'a.glb', proportions: 'source' };
    const { outputs } = await retargetMotions([walk], createStandardRig('mixamo'), options);
    const expected = legOf(findHumanoid(walk));
    expect(legOf(findHumanoid(await reopened(outputs)))).toBeCloseTo(expected, 5);
    expect(legOf(findHumanoid(createStandardRig('mixamo')))).not.toBeCloseTo(expected, 4);
  });

  it('source is refused for a character with proportions of its own', async () => {
    const options: RetargetMotionsOptions = { output: 'a.glb', proportions: 'source' };
    const job = retargetMotions([await openDemo('walk.glb')], await openDemo('mixamo.glb'), options);
    await expect(job).rejects.toThrow(/mixamo\.glb has proportions of its own/);
  });
});

describe('the option names', () => {
  it('renames the bones of a glTF in place, and nothing else', async () => {
    const character = await openDemo('mixamo.glb');
    const walk = await openDemo('walk.glb');
    const plain = await retargetMotions([walk], character, { output: 'a.glb' });
    const { report, outputs } = await retargetMotions([walk], character, { output: 'a.glb', names: 'ue5' });
    const [before, after] = [await reopened(plain.outputs), await reopened(outputs)];
    const { map } = findHumanoid(before).humanoid;
    const [old, renamed] = [namesOf(before), namesOf(after)];
    expect(renamed[map.nodes[BONE.hips]]).toBe('pelvis');
    expect(renamed[map.nodes[BONE.leftUpperArm]]).toBe('upperarm_l');
    for (const [node, name] of old.entries()) if (!map.nodes.includes(node)) expect(renamed[node]).toBe(name);
    expect(after.asset.clips).toEqual(before.asset.clips);
    const [issue] = report.issues.filter(({ code }) => code === 'JOINTS_RENAMED');
    expect(issue.message).toMatch(/^\d+ joints of mixamo\.glb got the names of ue5: mixamorig:Hips → pelvis/);
  });

  it('leaves the file that was opened as it is', async () => {
    const character = await openDemo('mixamo.glb');
    const before = [...namesOf(character)];
    await retargetMotions([await openDemo('walk.glb')], character, { output: 'a.glb', names: 'vrm' });
    expect(namesOf(character)).toEqual(before);
  });

  it.each(['a.usda', 'a.bvh', 'a.glb'])('renames the bones of a new file: %s', async (output) => {
    const { outputs } = await retargetMotions([await openDemo('walk.glb')], await openDemo('mixamo.glb'), {
      ...NO_CONTACTS,
      output,
      names: 'humanik',
    });
    const names = namesOf(await reopened(outputs));
    for (const name of ['Hips', 'LeftUpLeg', 'RightForeArm', 'Head']) expect(names).toContain(name);
    expect(names.some((name) => name.startsWith('mixamorig:Hips'))).toBe(false);
  });

  it('renames the bones of a converted character with its visible content', async () => {
    const { report, outputs } = await convertFile(await openDemo('mixamo.glb'), { output: 'a.usda', names: 'unity' });
    expect(report.ok).toBe(true);
    const file = await reopened(outputs);
    expect(findHumanoid(file).humanoid.map.from).toBe('unity_human_body_bones');
  });

  it('makes a new file of a USD, and says so', async () => {
    const { outputs: made } = await convertFile(await openDemo('mixamo.glb'), { output: 'hero.usda' });
    const { report, outputs } = await convertFile(await reopened(made), { output: 'a.usda', names: 'vrm' });
    expect(report.issues.map(({ code }) => code)).toContain('JOINTS_REBUILT');
    expect(namesOf(await reopened(outputs))).toContain('leftUpperArm');
  });

  it('has no effect on a VRM Animation, whose bones have names of their own', async () => {
    const walk = await openDemo('walk.glb');
    const { report } = await retargetMotions([walk], await openDemo('mixamo.glb'), { output: 'a.vrma', names: 'ue5' });
    expect(report.issues.map(({ code }) => code)).not.toContain('JOINTS_RENAMED');
  });
});

test('a file that is not humanoid is not renamed', async () => {
  const { skeletons } = (await openDemo('walk.glb')).asset;
  expect(skeletons.length).toBeGreaterThan(0);
  const walk = await openDemo('walk.glb');
  const lone: OpenFile = { ...walk, asset: { ...walk.asset, skeletons: [] } };
  await expect(convertFile(lone, { output: 'a.usda', names: 'ue5' })).rejects.toThrow(OptionError);
});
