import { describe, expect, it } from 'vitest';
import type { AssetClip } from '../../../src/core/asset/asset.ts';
import { BONES } from '../../../src/core/humanoid/bones.ts';
import type { HumanoidDescription } from '../../../src/core/humanoid/describe-humanoid.ts';
import { makeCharacter } from '../../../src/demo/characters/make-character.ts';
import { VRM1_RIG } from '../../../src/demo/characters/rigs.ts';
import { glbBytes } from '../../../src/demo/files/glb.ts';
import { vrm1Document } from '../../../src/demo/files/vrm.ts';
import { describeFileHumanoid } from '../../../src/files/humanoid/describe-file-humanoid.ts';
import { type OpenFile, openBytes } from '../../../src/files/open.ts';
import { reportHumanoid } from '../../../src/files/reports/humanoid-report.ts';
import { openDemo } from '../../support/make/demo-files.ts';
import { withoutVertices } from '../../support/make/opened.ts';
import { demoUsd, openUsdDemo } from '../../support/make/usd-demo.ts';

/** A character in centimeters as USD with another declared unit, or with none. */
async function openWithUnit(unit: number | null): Promise<OpenFile> {
  const text = new TextDecoder().decode(await demoUsd('turn.bvh', 'turn.usda'));
  const line = 'metersPerUnit = 0.01\n';
  expect(text).toContain(line);
  const other = text.replace(line, unit === null ? '' : `metersPerUnit = ${unit}\n`);
  return openBytes(new TextEncoder().encode(other), { name: 'turn.usda' });
}

describe('describeFileHumanoid', () => {
  it('uses the unit of glTF and guesses that of a BVH', async () => {
    const gltf = describeFileHumanoid(await openDemo('mixamo.glb'), 0);
    const bvh = describeFileHumanoid(await openDemo('turn.bvh'), 0);
    expect(gltf.humanoid?.metersPerUnit).toBe(1);
    expect(bvh.humanoid?.metersPerUnit).toBe(0.01);
    expect(bvh.issues.map(({ code }) => code)).toContain('UNIT_GUESSED');
  });

  it('uses the unit of a USD where it is plausible, and guesses it where none is declared', async () => {
    const declared = async (unit: number | null): Promise<HumanoidDescription> =>
      describeFileHumanoid(await openWithUnit(unit), 0);
    const unitIssues = ({ issues }: HumanoidDescription): string[] =>
      issues.flatMap(({ code }) => (code.startsWith('UNIT') ? [code] : []));
    for (const unit of [0.01, 0.001]) {
      const right = await declared(unit);
      expect([right.humanoid?.metersPerUnit, unitIssues(right)]).toEqual([unit, []]);
    }
    for (const unit of [1, 0.0001]) {
      const wrong = await declared(unit);
      expect([wrong.humanoid?.metersPerUnit, unitIssues(wrong)]).toEqual([0.01, ['UNIT_IMPLAUSIBLE']]);
    }
    const silent = await declared(null);
    expect([silent.humanoid?.metersPerUnit, unitIssues(silent)]).toEqual([0.01, ['UNIT_GUESSED']]);
  });

  it('uses the requested poses of the file as they are', async () => {
    const file = await openDemo('blender.glb');
    const poses = (['auto', 'bind', 'node'] as const).map(
      (pose) => describeFileHumanoid(file, 0, { pose }).humanoid?.reference,
    );
    expect(poses.map((reference) => [reference?.kind, reference?.from])).toEqual([
      ['estimated', 'bind'],
      ['bind', 'bind'],
      ['node', 'node'],
    ]);
  });

  it('takes frames from the first wanted clip', async () => {
    const file = await openDemo('walk.glb');
    const [clip] = file.asset.clips;
    const pose = { frame: 5 };
    expect(describeFileHumanoid(file, 0, { pose }).humanoid?.reference).toMatchObject({
      kind: 'frame',
      from: 'frame:5',
    });
    const still = { ...clip, clips: [{ ...clip.clips[0], tracks: [] }] };
    expect(describeFileHumanoid(file, 0, { pose }, [still, clip]).reason).toMatch(/motion has 0 frames/);
    expect(describeFileHumanoid(file, 0, { pose: { frame: 100_000 } }).reason).toMatch(/frame 100000/);
  });

  it('uses one reference pose for all clips of a file', async () => {
    const file = await openDemo('turn.bvh');
    const wanted = describeFileHumanoid(file, 0, {}, []).humanoid?.reference;
    expect(wanted).toEqual(describeFileHumanoid(file, 0).humanoid?.reference);
  });

  it('uses the pose of another file and reports the bones that it lacks', async () => {
    const file = await openDemo('blender.glb');
    const whole = describeFileHumanoid(file, 0, { pose: { file } });
    expect(whole.humanoid?.reference).toMatchObject({ kind: 'estimated', from: 'blender.glb' });
    const exact = describeFileHumanoid(file, 0, { pose: { file, exact: true } });
    expect(exact.humanoid?.reference).toMatchObject({ kind: 'given', from: 'blender.glb' });
    expect(whole.issues.map(({ code }) => code)).not.toContain('POSE_PARTIAL');

    const [part] = file.asset.skeletons;
    const names = part.skeleton.names.map((name) => (name.startsWith('foot') ? 'x' : name));
    const skeletons = [{ ...part, skeleton: { ...part.skeleton, names } }];
    const partial = describeFileHumanoid(file, 0, { pose: { file: { ...file, asset: { ...file.asset, skeletons } } } });
    expect(partial.issues.find(({ code }) => code === 'POSE_PARTIAL')?.message).toMatch(/leftFoot, rightFoot/);
  });

  it('starts from a clip named after a pose where it is closer to a T-pose', async () => {
    const file = await openDemo('walk.glb');
    const [clip] = file.asset.clips;
    const [part] = file.asset.skeletons;
    const rest = Float64Array.from(part.skeleton.rest);
    const arms = [...part.skeleton.names.keys()].filter((node) => /(Left|Right)Arm$/.test(part.skeleton.names[node]));
    for (const node of arms) rest.set([0.6, 0, 0, 0.8], 10 * node + 3);
    const bent = { ...part, skeleton: { ...part.skeleton, rest, bind: null } };
    const tracks = arms.map((target) => ({
      target,
      path: 'rotation' as const,
      interpolation: 'STEP' as const,
      times: Float32Array.of(0),
      values: Float64Array.from(part.skeleton.rest.slice(10 * target + 3, 10 * target + 7)),
    }));
    const named = (name: string): OpenFile => {
      const pose: AssetClip = { ...clip, name, clips: [{ name, duration: 0, tracks }] };
      return { ...file, asset: { ...file.asset, skeletons: [bent], clips: [clip, pose] } };
    };
    for (const name of ['T-Pose', 'A_TPose', 'bind pose', 'Armature|tpose']) {
      expect(describeFileHumanoid(named(name), 0).humanoid?.reference.from, name).toBe(name);
    }
    for (const name of ['Compose', 'posed walk', 'sad_pose']) {
      expect(describeFileHumanoid(named(name), 0).humanoid?.reference.from, name).not.toBe(name);
    }
  });

  it.each([
    ['glTF', () => openDemo('walk.glb')],
    ['USD', () => openUsdDemo('walk.glb', 'walk.usdc')],
  ])('reads the vertices of a %s where joints do not show the palms', async (_, open) => {
    const file = await open();
    const { map } = describeFileHumanoid(file, 0).humanoid!;
    const nodes = map.nodes.map((node, bone) => (/(Thumb|Index|Middle|Ring|Little)/.test(BONES[bone]) ? -1 : node));
    const palmsOf = (read: OpenFile): (string | undefined)[] =>
      describeFileHumanoid(read, 0, { map: { ...map, nodes } })
        .humanoid?.reference.findings?.filter(({ part }) => part.endsWith('Palm'))
        .map(({ reason }) => reason) ?? [];
    const flat = expect.stringMatching(/flat side of the hand/);
    expect(palmsOf(file)).toEqual([flat, flat]);
    const unknown = expect.stringMatching(/fewer than two knuckles/);
    expect(palmsOf(withoutVertices(file))).toEqual([unknown, unknown]);
  });

  it('gives a reason when the other file has no common node names', async () => {
    const [file, other] = [await openDemo('blender.glb'), await openDemo('turn.bvh')];
    const { humanoid, reason } = describeFileHumanoid(file, 0, { pose: { file: other } });
    expect(humanoid).toBeNull();
    expect(reason).toMatch(/turn\.bvh, which should supply the pose/);
  });

  it('gives a reason when the requested declared pose does not exist', async () => {
    expect(describeFileHumanoid(await openDemo('mixamo.glb'), 0, { pose: 'declared' }).reason).toMatch(/declares none/);
    expect(describeFileHumanoid(await openDemo('child.vrm'), 0, { pose: 'declared' }).humanoid?.reference.kind).toBe(
      'declared',
    );
  });

  it('straightens the declared pose of an avatar that is nearly in a T-pose, unless it is requested as declared', async () => {
    const character = makeCharacter({ ...VRM1_RIG, bindPose: { arms: 6, palms: 15, fingers: 12 } });
    const file = await openBytes(glbBytes(vrm1Document(character)), { name: 'avatar.vrm' });
    const { humanoid, issues } = describeFileHumanoid(file, 0);
    expect(issues).toEqual([]);
    const report = reportHumanoid(humanoid!, file.asset.skeletons[0], 0);
    expect([report.referencePose.kind, report.referencePose.from]).toEqual(['estimated', 'vrm1']);
    expect(report.referencePose.deviationDegrees.leftArm).toBe(0);
    expect(report.declaredPose).toMatchObject({ kind: 'declared', deviationDegrees: { leftArm: 6 }, ground: 0 });
    expect(report.declaredPose!.palmDegrees.left).toBeGreaterThan(10);
    const asDeclared = describeFileHumanoid(file, 0, { pose: 'declared' }).humanoid!;
    const { declaredPose, referencePose } = reportHumanoid(asDeclared, file.asset.skeletons[0], 0);
    expect(declaredPose).toBeUndefined();
    expect(referencePose.rotations).toEqual(report.declaredPose!.rotations);
  });
});

describe('describeFileHumanoid of a BVH with people below one ROOT', () => {
  const CHAINS = [
    'Spine 0 20 0, Head 0 40 0',
    'LeftUpLeg 9 -5 0, LeftLeg 0 -40 0, LeftFoot 0 -40 0',
    'RightUpLeg -9 -5 0, RightLeg 0 -40 0, RightFoot 0 -40 0',
  ];
  const ARMS = [
    'LeftArm 15 30 0, LeftForeArm 28 0 0, LeftHand 25 0 0',
    'RightArm -15 30 0, RightForeArm -28 0 0, RightHand -25 0 0',
  ];

  function joint(prefix: string, [first, ...below]: readonly string[], more: string): string {
    const [name, ...offset] = first.split(' ');
    const inside = below.length > 0 ? joint(prefix, below, '') : 'End Site { OFFSET 0 1 0 }';
    return `JOINT ${prefix}${name} { OFFSET ${offset.join(' ')} CHANNELS 3 Zrotation Xrotation Yrotation ${more}${inside} }`;
  }

  const chain = (prefix: string, text: string, more = ''): string => joint(prefix, text.split(', '), more);

  function person(prefix: string, x: number): string {
    const arms = ARMS.map((arm) => chain(prefix, arm)).join(' ');
    const limbs = CHAINS.map((limb, k) => chain(prefix, limb, k === 0 ? arms : '')).join(' ');
    return `JOINT ${prefix}Hips { OFFSET ${x} 90 0 CHANNELS 3 Zrotation Xrotation Yrotation ${limbs} }`;
  }

  const describeBvh = async (people: readonly string[], options = {}) => {
    const root = `HIERARCHY ROOT Take { OFFSET 0 0 0 CHANNELS 3 Xposition Yposition Zposition ${people.join(' ')} }`;
    const zeros = Array.from({ length: 3 + 45 * people.length }, () => 0).join(' ');
    const text = `${root}\nMOTION\nFrames: 1\nFrame Time: 0.1\n${zeros}\n`;
    const file = await openBytes(new TextEncoder().encode(text), { name: 'take.bvh' });
    const { humanoid, issues } = describeFileHumanoid(file, 0, options);
    return { map: humanoid?.map, leftOut: issues.filter(({ code }) => code === 'PEOPLE_LEFT_OUT') };
  };

  it('names the people that it leaves out, unless a bone map selects one', async () => {
    const { map, leftOut } = await describeBvh([person('A_', 0), person('B_', 120)]);
    expect(leftOut.map(({ message }) => message)).toEqual([
      expect.stringMatching(
        /^take\.bvh has 2 people in one skeleton, and that of "A_Hips" was used\. Export those of "B_Hips"/,
      ),
    ]);
    expect((await describeBvh([person('A_', 0), person('B_', 120)], { map })).leftOut).toEqual([]);
    expect((await describeBvh([person('A_', 0)])).leftOut).toEqual([]);
  });
});
