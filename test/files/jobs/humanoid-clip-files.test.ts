/** Files with characters and clips of EXT_skeleton_humanoid, several of each. */
import { Matrix4 } from 'three';
import { describe, expect, it } from 'vitest';
import { BONE } from '../../../src/core/humanoid/bones.ts';
import { type HumanoidClip, toHumanoidClip } from '../../../src/core/humanoid/humanoid-clip.ts';
import type { Issue } from '../../../src/core/report/issue.ts';
import { chooseHumanoid } from '../../../src/files/humanoid/find-humanoid.ts';
import { type ExtractMotionsOptions, extractMotions } from '../../../src/files/jobs/extract-motions.ts';
import { inspectFile } from '../../../src/files/jobs/inspect-file.ts';
import { clipsByHumanoid } from '../../../src/files/jobs/plan-pair.ts';
import { retargetClips } from '../../../src/files/jobs/retarget-clips.ts';
import { retargetMotions } from '../../../src/files/jobs/retarget-motions.ts';
import { openBytes } from '../../../src/files/node.ts';
import type { OpenFile } from '../../../src/files/open.ts';
import { OptionError } from '../../../src/files/option-error.ts';
import { createDocument } from '../../../src/formats/gltf/document/document.ts';
import { concatParts } from '../../../src/formats/gltf/document/glb.ts';
import { serializeGltf } from '../../../src/formats/gltf/document/serialize-gltf.ts';
import { addSkeletonDefinition } from '../../../src/formats/gltf/extensions/ext-skeleton-humanoid.ts';
import { appendClips } from '../../../src/formats/gltf/write/write-clips.ts';
import { addHumanoidAnimations } from '../../../src/formats/gltf/write/write-humanoid-clips.ts';
import { openDemo } from '../../support/make/demo-files.ts';
import { addCharacter, definitionOf } from '../../support/make/ext-character.ts';

/** Extracts motions into a library, and reads its humanoid clips. */
async function extracted(
  motions: readonly OpenFile[],
  options: Partial<ExtractMotionsOptions> = {},
): Promise<{ clips: HumanoidClip[]; issues: readonly Issue[] }> {
  const { outputs, report } = await extractMotions(motions, { output: 'clips.glb', ...options });
  if (outputs.length === 0) return { clips: [], issues: report.issues };
  const { asset } = await openBytes(concatParts(outputs[0].parts), { name: 'clips.glb' });
  const clips = asset.clips.map(({ name, clips: parts }) => {
    const rig = parts.findIndex(({ tracks }) => tracks.length > 0);
    const { skeleton, declared } = asset.skeletons[rig];
    return { ...toHumanoidClip({ skeleton, declared: declared! }, parts[rig]), name };
  });
  return { clips, issues: report.issues };
}

/** Three characters of different sizes and positions, humanoid clips of two canonical rigs, and one clip of nodes of the first character. */
async function crowd(): Promise<OpenFile> {
  const doc = createDocument();
  const [first, ...others] = [0, 1, 2].map((k) => {
    const root = new Matrix4().makeRotationY(k).setPosition(3 * k, 0, 0);
    return addCharacter(doc, { root, size: 1 + 0.3 * k });
  });
  for (const one of [first, ...others]) addSkeletonDefinition(doc, definitionOf(one));
  const motions = [await openDemo('walk.glb'), await openDemo('turn.bvh')];
  const { clips } = await extracted(motions);
  addHumanoidAnimations(doc, clips);
  const head = (first.bones.get('head') as { node: number }).node;
  const track = {
    target: 0,
    path: 'rotation',
    interpolation: 'STEP',
    times: [0, 1],
    values: [0, 0, 0, 1, 0.6, 0, 0, 0.8],
  } as const;
  const nod = {
    name: 'nod',
    duration: 1,
    tracks: [{ ...track, times: Float32Array.from(track.times), values: Float32Array.from(track.values) }],
  };
  appendClips(doc, [{ name: 'nod', clip: nod, sourceNodes: [head] }]);
  return openBytes(concatParts(serializeGltf(doc).parts), { name: 'crowd.glb' });
}

describe('openBytes and jobs: three characters and humanoid clips with two canonical rigs', () => {
  it('reads all skeletons with unique names', async () => {
    const { humanoids, skeletons, clips } = inspectFile(await crowd());
    expect(humanoids).toHaveLength(5);
    expect(new Set(skeletons.map(({ name }) => name)).size).toBe(5);
    expect(humanoids.map(({ hipsHeight }) => Number(hipsHeight.toFixed(2))).slice(0, 3)).toEqual([0.95, 1.24, 1.52]);
    expect(clips.map(({ name }) => name)).toEqual(['walk', 'turn', 'nod']);
    expect(clips.every(({ tracks, keys }) => tracks > 0 && keys > 0)).toBe(true);
  });

  it('throws when several characters are humanoid, without listing canonical rigs', async () => {
    const file = await crowd();
    expect(() => chooseHumanoid(file, 'target', {})).toThrow(OptionError);
    expect(() => chooseHumanoid(file, 'target', {})).toThrow(/3 humanoid skeletons/);
    for (const skeleton of [0, 1, 2]) {
      const { clips, hipsScale } = await retargetClips([file], file, { target: { skeleton }, clips: ['walk'] });
      expect(clips[0].clip.tracks.length).toBeGreaterThan(15);
      expect(hipsScale).toBeCloseTo((0.95 * (1 + 0.3 * skeleton)) / 0.91, 2);
    }
  });

  it('uses the canonical rig of each humanoid clip, and requires a skeleton for clips of nodes', async () => {
    const file = await crowd();
    const groups = clipsByHumanoid(
      file,
      file.asset.clips.map((clip, index) => ({ clip, index })),
      {},
    );
    expect(groups.map((group) => group.map(({ clip }) => clip.name))).toEqual([['walk'], ['turn'], ['nod']]);
    const hero = await openDemo('unreal.glb');
    const { clips } = await retargetClips([file], hero, { clips: ['turn', 'walk'] });
    expect(clips.map(({ clip }) => clip.name)).toEqual(['walk', 'turn']);
    await expect(retargetClips([file], hero)).rejects.toThrow(/sourceSkeleton|3 humanoid skeletons/);
    const nod = await retargetClips([file], hero, { clips: ['nod'], source: { skeleton: 0 } });
    expect(nod.clips.map(({ clip }) => clip.name)).toEqual(['nod']);
  });

  it('adds a clip for one of its characters and keeps the rest', async () => {
    const file = await crowd();
    const { report, outputs } = await retargetMotions([await openDemo('wave.vrma')], file, {
      output: 'out.glb',
      target: { skeleton: 1 },
    });
    expect(report.ok).toBe(true);
    const again = await openBytes(concatParts(outputs[0].parts), { name: 'out.glb' });
    expect(again.asset.clips.map(({ name }) => name)).toEqual(['walk', 'turn', 'nod', 'wave']);
    expect(again.asset.clips[3].clips.map(({ tracks }) => tracks.length > 0)).toEqual([
      false,
      true,
      false,
      false,
      false,
    ]);
    expect(again.asset.skeletons).toHaveLength(5);
  });
});

describe('extractMotions', () => {
  it('gives bone rotations, root motion and the hips height', async () => {
    const { clips, issues } = await extracted([await openDemo('walk.glb')]);
    expect(issues.filter(({ severity }) => severity === 'error')).toEqual([]);
    const [clip] = clips;
    expect(clip.restHipsHeight).toBeCloseTo(0.958, 3);
    const paths = clip.tracks.filter(({ path }) => path !== 'rotation').map(({ target, path }) => [target, path]);
    expect(paths).toEqual([[BONE.hips, 'translation']]);
    const way = clip.tracks.find(({ path }) => path === 'translation');
    const last = (way?.values.length ?? 0) - 3;
    expect(Math.abs(way?.values[last + 1] ?? 9)).toBeLessThan(0.1);
  });

  it('skips and reports clips without bone channels', async () => {
    const { clips, issues } = await extracted([await openDemo('unreal.glb')]);
    expect(clips).toEqual([]);
    expect(issues.map(({ code }) => code)).toContain('CLIP_EMPTY');
  });

  it('keeps translations and scales of bones on request', async () => {
    const doc = createDocument();
    const added = addCharacter(doc, {});
    addSkeletonDefinition(doc, definitionOf(added));
    const { node } = added.bones.get('leftHand') as { node: number };
    const scale = {
      target: 0,
      path: 'scale' as const,
      interpolation: 'STEP' as const,
      times: new Float32Array([0, 1]),
      values: new Float32Array([1, 1, 1, 2, 2, 2]),
    };
    const turn = {
      target: 0,
      path: 'rotation' as const,
      interpolation: 'STEP' as const,
      times: new Float32Array([0, 1]),
      values: new Float32Array([0, 0, 0, 1, 0.6, 0, 0, 0.8]),
    };
    appendClips(doc, [
      { name: 'grow', clip: { name: 'grow', duration: 1, tracks: [scale, turn] }, sourceNodes: [node] },
    ]);
    const file = await openBytes(concatParts(serializeGltf(doc).parts), { name: 'grow.glb' });
    const scalesOf = async (channels: { scale?: boolean }): Promise<number[][]> => {
      const [clip] = (await extracted([file], { channels })).clips;
      return clip.tracks
        .filter(({ path }) => path === 'scale')
        .map(({ target, values }) => [target, ...Array.from(values, (value) => Number(value.toFixed(4)))]);
    };
    expect(await scalesOf({})).toEqual([]);
    expect(await scalesOf({ scale: true })).toEqual([[BONE.leftHand, 1, 1, 1, 2, 2, 2]]);
  });
});
