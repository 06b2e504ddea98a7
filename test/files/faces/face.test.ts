/** Faces in whole jobs: retarget and convert, from file to file. */
import { describe, expect, it } from 'vitest';
import type { Keys } from '../../../src/core/animation/clip.ts';
import { sampleKeys } from '../../../src/core/animation/sample.ts';
import type { AssetClip, MorphTrack } from '../../../src/core/asset/asset.ts';
import type { ExpressionTrack, FaceTracks } from '../../../src/core/face/face-tracks.ts';
import { createNormalizedHumanoid } from '../../../src/core/humanoid/normalized-humanoid.ts';
import { chooseHumanoid } from '../../../src/files/humanoid/find-humanoid.ts';
import { convertFile } from '../../../src/files/jobs/convert-file.ts';
import { retargetMotions } from '../../../src/files/jobs/retarget-motions.ts';
import { type OpenFile, openBytes } from '../../../src/files/open.ts';
import { concatParts, serializeGltf, writeVrma } from '../../../src/formats/gltf/index.ts';
import { validatorCodes } from '../../formats/gltf/validator.ts';
import { openDemo } from '../../support/make/demo-files.ts';
import { makeArkitGlb, makeFaceVrm } from '../../support/make/face-vrm.ts';
import { FACE_WEIGHT } from '../../support/tolerances.ts';

const vrm = makeFaceVrm({ version: '1', lookAtType: 'bone' });
const bare = await openDemo('mixamo.glb');

function valueAt(keys: Keys, time: number, width = 1): number[] {
  const out = new Float64Array(width);
  sampleKeys(keys, width, width === 4, time, out, 0);
  return [...out];
}

const track = (name: string, interpolation: Keys['interpolation'], values: number[]): ExpressionTrack => {
  const times = Float32Array.from(values, (_, k) => k / (values.length - 1));
  return { name, sourceNode: -1, interpolation, times, values: Float64Array.from(values) };
};
const FACE: FaceTracks = {
  expressions: [
    track('happy', 'LINEAR', [0, 1, 0.25]),
    track('blinkLeft', 'STEP', [0, 1, 0]),
    track('smirk', 'LINEAR', [1, 0]),
    track('tongueOut', 'LINEAR', [0, 0.5, 1]),
  ],
  lookAt: {
    sourceNode: -1,
    offsetFromHeadBone: [0.01, 0.06, 0.02],
    interpolation: 'LINEAR',
    times: Float32Array.of(0, 1),
    values: Float64Array.of(0, 0, 0, 1, 0, 0.6, 0, 0.8),
  },
};

async function vrmaWith(face: FaceTracks): Promise<OpenFile> {
  const walk = await openDemo('wave.vrma');
  const normalized = createNormalizedHumanoid(chooseHumanoid(walk, 'only', {}).found!.humanoid);
  const { document: doc } = writeVrma(normalized, { name: 'face', duration: 0, tracks: [] }, face);
  return openBytes(concatParts(serializeGltf(doc).parts), { name: 'face.vrma' });
}

async function retarget(motion: OpenFile, character: Uint8Array | OpenFile, output: string, face?: boolean) {
  const target = character instanceof Uint8Array ? await openBytes(character, { name: 'character.vrm' }) : character;
  const option = face === undefined ? {} : { face };
  const { report, outputs } = await retargetMotions([motion], target, { output, replace: true, ...option });
  const dropped = report.issues.filter(({ code }) => code === 'CHANNELS_DROPPED').map(({ message }) => message);
  if (outputs.length === 0) return { report, dropped, clip: null, bytes: null };
  const bytes = concatParts(outputs[0].parts);
  return { report, dropped, clip: (await openBytes(bytes)).asset.clips[0] as AssetClip, bytes };
}

function weightOf(clip: AssetClip, node: string, target: string, time: number): number {
  const morph = clip.morphs.find(({ nodeName }) => nodeName === node) as MorphTrack;
  const index = morph.targetNames?.indexOf(target) ?? -1;
  expect(index, target).toBeGreaterThanOrEqual(0);
  return valueAt(morph, time, morph.targetCount)[index];
}

describe('retargetMotions: VRMA with a face to a VRM', () => {
  it('converts expressions to morph weights and look-at to eye rotations', async () => {
    const { clip, dropped, bytes } = await retarget(await vrmaWith(FACE), vrm, 'out.vrm');
    expect(weightOf(clip!, 'Face', 'Joy', 0.5)).toBeCloseTo(1, 3);
    expect(weightOf(clip!, 'Face', 'Joy', 0)).toBeCloseTo(0.3, 3);
    expect(weightOf(clip!, 'Face', 'Smirk', 0.5)).toBeCloseTo(0.3, 3);
    // The character only blinks with both eyes, so one eye gives half the weight, in addition to the lids of a smile.
    expect(weightOf(clip!, 'Face', 'Lids', 0.6)).toBeCloseTo(0.5 + 0.5 * 0.85, 3);
    expect(clip!.clips[0].tracks.map(({ path }) => path)).toEqual(['rotation', 'rotation']);
    expect(dropped).toEqual([
      'Expressions of face.vrma were dropped because the character has no equivalent: "tongueOut"',
    ]);
    expect([...(await validatorCodes(bytes!))].filter(([, severity]) => severity < 2)).toEqual([]);
  });

  it('drops and reports the face with `face: false`', async () => {
    const { report } = await retarget(await vrmaWith(FACE), vrm, 'out.vrm', false);
    expect(report.ok).toBe(false);
    expect(report.issues.map(({ code }) => code)).toContain('CLIP_EMPTY');
    const walk = await vrmaWith({ ...FACE, lookAt: null });
    const both = await retargetMotions([await openDemo('wave.vrma'), walk], await openBytes(vrm), {
      output: 'out.glb',
      face: false,
    });
    expect(both.report.clips).toHaveLength(1);
  });

  it('reports expressions that are lost without a mesh', async () => {
    const target = await openBytes(vrm);
    const { report, outputs } = await retargetMotions([await vrmaWith(FACE)], target, { output: 'a.glb', mesh: false });
    // The eyes are bones, so look-at rotates them.
    expect(outputs).toHaveLength(1);
    const [message] = report.issues.filter(({ code }) => code === 'CHANNELS_DROPPED').map((one) => one.message);
    expect(message).toBe(
      'Expressions of face.vrma were dropped because the output has no mesh: "happy", "blinkLeft", "smirk", "tongueOut"',
    );
  });

  it('skips a clip with only a face in formats that cannot hold it', async () => {
    const face = await vrmaWith({ ...FACE, lookAt: null });
    const target = await openBytes(vrm);
    const { report, outputs } = await retargetMotions([face], target, { output: 'a.glb', mesh: false });
    expect([outputs, report.ok, report.issues.some(({ code }) => code === 'CLIP_EMPTY')]).toEqual([[], false, true]);
  });
});

describe('convertFile and retargetMotions: VRMA with a face to a VRMA', () => {
  const expectSameFace = ({ expressions = [], lookAt }: AssetClip): void => {
    expect(expressions.map(({ name }) => name)).toEqual(FACE.expressions.map(({ name }) => name));
    for (const time of [0, 0.2, 0.45, 0.55, 0.7, 0.93, 1]) {
      for (const [k, one] of expressions.entries()) {
        expect(Math.abs(valueAt(one, time)[0] - valueAt(FACE.expressions[k], time)[0])).toBeLessThan(FACE_WEIGHT);
      }
      const [ours, theirs] = [valueAt(lookAt!, time, 4), valueAt(FACE.lookAt!, time, 4)];
      for (const c of [0, 1, 2, 3]) expect(ours[c]).toBeCloseTo(theirs[c], 6);
    }
  };

  it('keeps presets, custom expressions and look-at in a conversion', async () => {
    const { report, outputs } = await convertFile(await vrmaWith(FACE), { output: 'b.vrma', name: 'b' });
    expect(report.issues).toEqual([]);
    const [clip] = (await openBytes(concatParts(outputs[0].parts))).asset.clips;
    expectSameFace(clip);
    for (const c of [0, 1, 2])
      expect(clip.lookAt!.offsetFromHeadBone![c]).toBeCloseTo(FACE.lookAt!.offsetFromHeadBone![c]);
  });

  it('keeps expressions on another character, with its own eye position', async () => {
    const { clip, dropped } = await retarget(await vrmaWith(FACE), vrm, 'out.vrma');
    expectSameFace(clip!);
    expect(dropped).toEqual([]);
    const [x, y, z] = clip!.lookAt!.offsetFromHeadBone!;
    expect(Math.hypot(x, y, z)).toBeCloseTo(Math.hypot(0.07, 0.03), 6);
    const plain = await retarget(await vrmaWith(FACE), bare, 'out.vrma');
    expectSameFace(plain.clip!);
  });

  it('keeps the face on its own nodes when it is written as glTF', async () => {
    const { outputs } = await convertFile(await vrmaWith(FACE), { output: 'b.glb', name: 'b' });
    expectSameFace((await openBytes(concatParts(outputs[0].parts))).asset.clips[0]);
  });

  it('trims, speeds up and mirrors the face with the humanoid', async () => {
    const trim = { trim: { from: 0.5 }, speed: 2, mirror: true };
    const { outputs } = await convertFile(await vrmaWith(FACE), { output: 'b.vrma', edits: trim });
    const [clip] = (await openBytes(concatParts(outputs[0].parts))).asset.clips;
    expect(clip.expressions?.map(({ name }) => name)).toEqual(['happy', 'blinkRight', 'smirk', 'tongueOut']);
    expect(clip.duration).toBeCloseTo(0.25);
    expect(valueAt(clip.expressions![0], 0)[0]).toBeCloseTo(1, 5);
    const half = valueAt(FACE.lookAt!, 0.5, 4);
    expect(valueAt(clip.lookAt!, 0, 4)[1]).toBeCloseTo(-half[1], 5);
  });

  it('drops and reports the face with `face: false`', async () => {
    const { report } = await convertFile(await vrmaWith(FACE), { output: 'b.vrma', name: 'b', face: false });
    expect(report.issues.map(({ code }) => code)).toContain('CLIP_EMPTY');
  });
});

describe('GLB with ARKit shapes', () => {
  const weights = {
    eyeBlinkLeft: [0, 1],
    eyeBlinkRight: [0, 1],
    jawOpen: [1, 0],
    mouthPucker: [0, 0.5],
    cheekPuff: [0, 1],
  };

  it('retargetMotions: converts ARKit shapes to the expressions of a VRM', async () => {
    const motion = await openBytes(makeArkitGlb(weights), { name: 'arkit.glb' });
    const { clip, dropped } = await retarget(motion, vrm, 'out.vrm');
    expect(weightOf(clip!, 'Face', 'Lids', 1)).toBeCloseTo(1, 5);
    expect(weightOf(clip!, 'Face', 'Lids', 0.5)).toBeCloseTo(0.5, 5);
    expect(weightOf(clip!, 'Face', 'Open', 0)).toBeCloseTo(0.8, 5);
    expect(weightOf(clip!, 'Teeth', 'Down', 0)).toBeCloseTo(1, 5);
    expect(dropped.join()).toMatch(/"mouthPucker", "cheekPuff"|"cheekPuff", "mouthPucker"/);
  });

  it('convertFile: writes a VRMA with presets and custom expressions', async () => {
    const motion = await openBytes(makeArkitGlb(weights), { name: 'arkit.glb' });
    const { clip } = await retarget(motion, vrm, 'out.vrma');
    const names = clip!.expressions?.map(({ name }) => name).sort();
    expect(names).toEqual(['blinkLeft', 'blinkRight', 'cheekPuff', 'jawOpen', 'mouthPucker']);
  });

  it('convertFile: writes and counts a face without bone channels as VRMA', async () => {
    const motion = await openBytes(makeArkitGlb(weights), { name: 'arkit.glb' });
    const { report, outputs } = await convertFile(motion, { output: 'talk.vrma' });
    expect([report.ok, report.clips.map(({ tracks, keys }) => [tracks, keys])]).toEqual([true, [[5, 10]]]);
    const [clip] = (await openBytes(concatParts(outputs[0].parts))).asset.clips;
    expect(clip.expressions).toHaveLength(5);
    expect(report.issues.filter(({ code }) => code === 'CHANNELS_DROPPED')).toEqual([]);
  });

  it('retargetMotions: copies the keys to an equal face', async () => {
    const motion = await openBytes(makeArkitGlb(weights), { name: 'arkit.glb' });
    const target = await openBytes(makeArkitGlb({}), { name: 'same.glb' });
    const { clip, dropped } = await retarget(motion, target, 'out.glb');
    expect(clip!.morphs).toEqual(motion.asset.clips[0].morphs);
    expect(dropped).toEqual([]);
  });

  it('retargetMotions: converts VRMA expressions to ARKit shapes and back', async () => {
    const expressions = [
      track('blink', 'LINEAR', [0, 1]),
      track('aa', 'LINEAR', [1, 0]),
      track('happy', 'LINEAR', [0, 1]),
    ];
    const target = await openBytes(makeArkitGlb({}), { name: 'arkit.glb' });
    const { clip } = await retarget(await vrmaWith({ expressions, lookAt: FACE.lookAt }), target, 'out.glb');
    expect(weightOf(clip!, 'Head', 'eyeBlinkRight', 0.5)).toBeCloseTo(0.5, 5);
    expect(weightOf(clip!, 'Head', 'jawOpen', 0)).toBeCloseTo(0.7, 5);
    expect(weightOf(clip!, 'Head', 'mouthSmileLeft', 1)).toBeCloseTo(1, 5);
    expect(weightOf(clip!, 'Head', 'cheekPuff', 1)).toBe(0);
  });
});
