import { describe, expect, it } from 'vitest';
import { describeBody } from '../../src/files/describe-body.ts';
import { openDemo } from '../make/demo-files.ts';

describe('describeBody', () => {
  it('believes the unit of glTF and guesses that of a BVH', async () => {
    const gltf = describeBody(await openDemo('mixamo.glb'), 0);
    const bvh = describeBody(await openDemo('turn.bvh'), 0);
    expect(gltf.humanoid?.metresPerUnit).toBe(1);
    expect(bvh.humanoid?.metresPerUnit).toBe(0.01);
    expect(bvh.issues.map(({ code }) => code)).toContain('UNIT_GUESSED');
  });

  it('takes the poses of the file that are asked for, as they are', async () => {
    const file = await openDemo('blender.glb');
    const poses = (['auto', 'bind', 'node'] as const).map(
      (pose) => describeBody(file, 0, { pose }).humanoid?.reference,
    );
    expect(poses.map((reference) => [reference?.kind, reference?.from])).toEqual([
      ['estimated', 'bind'],
      ['bind', 'bind'],
      ['node', 'node'],
    ]);
  });

  it('counts frames of the first clip that is wanted', async () => {
    const file = await openDemo('walk.glb');
    const [clip] = file.asset.clips;
    const pose = { frame: 5 };
    expect(describeBody(file, 0, { pose }).humanoid?.reference).toMatchObject({ kind: 'frame', from: 'frame:5' });
    const still = { ...clip, clips: [{ ...clip.clips[0], tracks: [] }] };
    expect(describeBody(file, 0, { pose }, [still, clip]).reason).toMatch(/motion has 0 frames/);
    expect(describeBody(file, 0, { pose: { frame: 100_000 } }).reason).toMatch(/frame 100000/);
  });

  it('has one reference pose for all clips of a file, whichever are wanted', async () => {
    const file = await openDemo('turn.bvh');
    const wanted = describeBody(file, 0, {}, []).humanoid?.reference;
    expect(wanted).toEqual(describeBody(file, 0).humanoid?.reference);
  });

  it('takes the pose of another file and says which bones that lacks', async () => {
    const file = await openDemo('blender.glb');
    const whole = describeBody(file, 0, { pose: { file } });
    expect(whole.humanoid?.reference).toMatchObject({ kind: 'given', from: 'blender.glb' });
    expect(whole.issues.map(({ code }) => code)).not.toContain('POSE_PARTIAL');

    const [part] = file.asset.skeletons;
    const names = part.skeleton.names.map((name) => (name.startsWith('foot') ? 'x' : name));
    const skeletons = [{ ...part, skeleton: { ...part.skeleton, names } }];
    const partial = describeBody(file, 0, { pose: { file: { ...file, asset: { ...file.asset, skeletons } } } });
    expect(partial.issues.find(({ code }) => code === 'POSE_PARTIAL')?.message).toMatch(/leftFoot, rightFoot/);
  });

  it('gives a reason when the other file has no node in common', async () => {
    const [file, other] = [await openDemo('blender.glb'), await openDemo('turn.bvh')];
    const { humanoid, reason } = describeBody(file, 0, { pose: { file: other } });
    expect(humanoid).toBeNull();
    expect(reason).toMatch(/pose of turn\.bvh was asked for/);
  });

  it('gives a reason when a declared pose is asked for and there is none', async () => {
    expect(describeBody(await openDemo('mixamo.glb'), 0, { pose: 'declared' }).reason).toMatch(/declares none/);
    expect(describeBody(await openDemo('child.vrm'), 0, { pose: 'declared' }).humanoid?.reference.kind).toBe(
      'declared',
    );
  });
});
