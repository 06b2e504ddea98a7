import { validateBytes } from 'gltf-validator';
import { describe, expect, it } from 'vitest';
import { chooseHumanoid } from '../../../src/files/humanoid/find-humanoid.ts';
import { type ConvertOptions, convertFile } from '../../../src/files/jobs/convert-file.ts';
import { type OpenFile, openBytes } from '../../../src/files/open.ts';
import { OptionError } from '../../../src/files/option-error.ts';
import { serializeGltf } from '../../../src/formats/gltf/document/serialize-gltf.ts';
import { parseGltf } from '../../../src/formats/gltf/index.ts';
import { writeMotionDocument } from '../../../src/formats/gltf/write/write-motion.ts';
import { IS_FULL_RUN } from '../../support/law-runs.ts';
import { walkFbx } from '../../support/make/demo-fbx.ts';
import { demoBytes, openDemo } from '../../support/make/demo-files.ts';
import { outfitGlb } from '../../support/make/outfit-glb.ts';
import { measurePoseError } from '../../support/reference/pose-error.ts';
import { BVH_GROUND, HIPS_RATIO, POSE_DEGREES } from '../../support/tolerances.ts';

const convert = async (input: string | OpenFile, options: ConvertOptions) => {
  const file = typeof input === 'string' ? await openDemo(input) : input;
  const { report, outputs } = await convertFile(file, options);
  return { report, outputs: outputs.map(({ path, parts }) => ({ path, bytes: Buffer.concat(parts) })) };
};

/** Measures the pose error between two files of one motion. */
async function expectSmallPoseError(before: string, after: Uint8Array, height: number): Promise<void> {
  const [a, b] = [await openDemo(before), await openBytes(after, { name: 'after' })];
  const [from, to] = [chooseHumanoid(a, 'only', {}).found!, chooseHumanoid(b, 'only', {}).found!];
  const motions = [a.asset.clips[0].clips[from.index], b.asset.clips[0].clips[to.index]] as const;
  const { worldDelta, hipsHeight } = measurePoseError(from.humanoid, motions[0], to.humanoid, motions[1], { fps: 30 });
  expect(worldDelta.max).toBeLessThan(POSE_DEGREES);
  expect(hipsHeight).toBeLessThan(height);
}

/** Creates a glTF with two skeletons without skins, and one clip that animates both. */
async function twoSkeletons(): Promise<OpenFile> {
  const node = [0, 1, 0, 0, 0, 0, 1, 1, 1, 1];
  const rest = Float64Array.from([node, node, node, node].flat());
  const skeleton = {
    name: 'a',
    names: ['a', 'b', 'c', 'd'],
    parents: Int32Array.of(-1, -1, 0, 1),
    rest,
    bind: null,
    joints: new Uint8Array(4),
  };
  const track = (target: number) => ({
    target,
    path: 'translation' as const,
    interpolation: 'LINEAR' as const,
    times: Float64Array.of(0, 1),
    values: Float64Array.of(0, 0, 0, 1, target, 0),
  });
  const clip = { name: 'both', duration: 1, tracks: [track(0), track(1)] };
  return openBytes(Buffer.concat(serializeGltf(writeMotionDocument(skeleton, [clip])).parts), { name: 'two.glb' });
}

describe('convertFile: glTF to glTF', () => {
  it('keeps every byte without changes', async () => {
    const { report, outputs } = await convert('child.vrm', { output: 'a.vrm' });
    expect(outputs).toHaveLength(1);
    expect(outputs[0].bytes.equals(Buffer.from(demoBytes('child.vrm')))).toBe(true);
    expect(report).toMatchObject({ ok: true, file: 'child.vrm', format: 'vrm1', output: 'a.vrm', humanoid: null });
  });

  it('changes only the container', async () => {
    const { outputs } = await convert('walk.glb', { output: 'out/a.gltf' });
    expect(outputs.map(({ path }) => path)).toEqual(['out/a.bin', 'out/a.gltf']);
    const { buffers, ...before } = parseGltf(demoBytes('walk.glb')).json;
    const { buffers: after, ...rest } = parseGltf(outputs[1].bytes).json;
    expect(rest).toEqual(before);
    expect(after).toEqual([{ ...(buffers as object[])[0], uri: 'a.bin' }]);
  });

  it('replaces the clips by edited ones and keeps all other content', async () => {
    const { report, outputs } = await convert('walk.glb', {
      output: 'a.glb',
      edits: { trim: { from: 0.5, to: 1.5 }, speed: 2 },
    });
    const before = parseGltf(demoBytes('walk.glb')).json;
    const { json } = parseGltf(outputs[0].bytes);
    for (const list of ['nodes', 'meshes', 'skins', 'materials']) expect(json[list]).toEqual(before[list]);
    expect(json['animations']).toHaveLength(1);
    expect(report.clips).toMatchObject([{ name: 'walk', duration: expect.closeTo(0.5, 6) }]);
    expect((await validateBytes(new Uint8Array(outputs[0].bytes))).issues.numErrors).toBe(0);
  });

  it('exchanges left and right when mirroring; mirroring twice restores the motion', async () => {
    const once = await convert('wave.vrma', { output: 'a.glb', edits: { mirror: true } });
    const mirrored = await openBytes(once.outputs[0].bytes, { name: 'wave.vrma' });
    const twice = await convert(mirrored, { output: 'a.glb', edits: { mirror: true } });
    await expectSmallPoseError('wave.vrma', twice.outputs[0].bytes, HIPS_RATIO);
    await expect(expectSmallPoseError('wave.vrma', once.outputs[0].bytes, HIPS_RATIO)).rejects.toThrow();
  });

  it('animates all skeletons of a file, and shared ancestors once', async () => {
    const { outputs, report } = await convert(await twoSkeletons(), { output: 'a.glb', edits: { speed: 2 } });
    const { asset } = await openBytes(outputs[0].bytes);
    expect(asset.clips[0].clips.flatMap(({ tracks }) => tracks.map(({ times }) => times[1]))).toEqual([0.5, 0.5]);
    expect(report.clips[0].tracks).toBe(2);
  });

  it('throws for .vrm output of a file that is not VRM', async () => {
    await expect(convert('walk.glb', { output: 'a.vrm' })).rejects.toThrow(/not VRM/);
    await expect(convert('child.vrm', { output: 'a.vrm', mesh: false })).rejects.toThrow(OptionError);
  });

  it('throws when mirroring a file that is not humanoid', async () => {
    await expect(convert(await twoSkeletons(), { output: 'a.glb', edits: { mirror: true } })).rejects.toThrow(
      /mirror|left/,
    );
  });
});

describe('convertFile: several people', () => {
  const open = () => openBytes(outfitGlb({ offset: [1, 0, 0] }), { name: 'two.glb' });

  it('writes all of them where the output has all visible content', async () => {
    const { outputs, report } = await convert(await open(), { output: 'two.fbx' });
    expect(report.humanoid).toBeNull();
    const { asset } = await openBytes(outputs[0].bytes, { name: 'two.fbx' });
    expect(asset.skeletons).toHaveLength(2);
  });

  it.runIf(IS_FULL_RUN)('writes all of them, with their motions, also without meshes', async () => {
    const group = [0, 200].map((x) => ({ rename: (name: string) => `${name}_${x}`, at: [x, 0, 0] as const }));
    const file = await openBytes(walkFbx('binary', { fps: 5, group }), { name: 'two.fbx' });
    const { outputs } = await convert(file, { output: 'two.glb' });
    const { asset } = await openBytes(outputs[0].bytes, { name: 'two.glb' });
    expect(asset.clips[0].clips.map(({ tracks }) => tracks.length > 20)).toEqual([true, true]);
    const one = await convert(file, { output: 'one.glb', humanoid: { skeleton: 1 } });
    expect((await openBytes(one.outputs[0].bytes)).asset.skeletons).toHaveLength(1);
    await expect(convertFile(file, { output: 'two.usda' })).rejects.toThrow('has 2 humanoid skeletons; choose one');
  });

  it('asks which one where the output has one, or an edit needs one', async () => {
    for (const options of [{ output: 'two.bvh' }, { output: 'two.fbx', edits: { mirror: true } }])
      await expect(convertFile(await open(), options)).rejects.toThrow('has 2 humanoid skeletons; choose one');
  });
});

describe('convertFile: motions', () => {
  it.each([
    ['turn.bvh', 'a.glb'],
    ['turn.bvh', 'a.vrma'],
    ['turn.bvh', 'a.bvh'],
    ['walk.glb', 'a.bvh'],
    ['walk.glb', 'a.vrma'],
    ['wave.vrma', 'a.bvh'],
  ])('keeps the pose error of %s to %s below the tolerance', async (input, output) => {
    const { report, outputs } = await convert(input, { output });
    expect(report).toMatchObject({ ok: true, output, humanoid: { humanoid: true } });
    await expectSmallPoseError(input, outputs[0].bytes, output.endsWith('.bvh') ? BVH_GROUND : HIPS_RATIO);
  });

  it('converts other axes and units to meters, +Y up and facing +Z', async () => {
    const { outputs } = await convert('turn.bvh', { output: 'a.glb' });
    const file = await openBytes(outputs[0].bytes);
    const { humanoid } = chooseHumanoid(file, 'only', {}).found!;
    expect(humanoid.hipsHeight).toBeGreaterThan(0.5);
    expect(humanoid.hipsHeight).toBeLessThan(1.5);
    expect(Math.abs(humanoid.frame[3])).toBeGreaterThan(0.9999);
  });

  it('writes one file per clip for a template', async () => {
    const { report, outputs } = await convert('walk.glb', { output: 'out/{file}-{clip}.bvh' });
    expect(outputs.map(({ path }) => path)).toEqual(['out/walk-walk.bvh']);
    expect(report.outputs).toEqual(['out/walk-walk.bvh']);
  });

  it('writes a rig without clips as a BVH with one frame', async () => {
    const { outputs, report } = await convert('child.vrm', { output: 'a.bvh' });
    expect(outputs[0].bytes.toString()).toMatch(/Frames: 1\n/);
    expect(report).toMatchObject({ ok: true, clips: [] });
  });

  it('writes no VRMA for a file without clips or without a humanoid', async () => {
    const still = await convert('child.vrm', { output: 'a.vrma' });
    expect(still).toMatchObject({ outputs: [], report: { ok: false, output: null, clips: [] } });
    expect(still.report.issues.map(({ code }) => code)).toContain('CLIP_EMPTY');
    const stranger = await convert(await twoSkeletons(), { output: 'a.vrma' });
    expect(stranger).toMatchObject({ outputs: [], report: { ok: false } });
    expect(stranger.report.issues.map(({ code }) => code)).toContain('NOT_HUMANOID');
  });

  it('keeps a VRMA unchanged when written as .vrma', async () => {
    const { outputs } = await convert('wave.vrma', { output: 'a.vrma' });
    expect(outputs[0].bytes.equals(Buffer.from(demoBytes('wave.vrma')))).toBe(true);
  });

  it('resamples clips to a frame rate', async () => {
    const { outputs } = await convert('walk.glb', { output: 'a.bvh', fps: 12 });
    expect(outputs[0].bytes.toString()).toMatch(/Frame Time: 0\.08333/);
  });
});
