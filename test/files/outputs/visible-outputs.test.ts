import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Clip, Track } from '../../../src/core/animation/clip.ts';
import { sampleClip } from '../../../src/core/animation/sample.ts';
import type { NewAnimation } from '../../../src/core/asset/asset.ts';
import type { Geometry } from '../../../src/core/asset/geometry.ts';
import type { Issue } from '../../../src/core/report/issue.ts';
import type { NewCharacter } from '../../../src/files/adapters/format-adapter.ts';
import { mergeSkeletonClips } from '../../../src/files/clips/merge-skeleton-clips.ts';
import { chooseHumanoid } from '../../../src/files/humanoid/find-humanoid.ts';
import { openBytes } from '../../../src/files/open.ts';
import { OptionError } from '../../../src/files/option-error.ts';
import { createOutputWriter, type OutputClip } from '../../../src/files/outputs/plan-output.ts';
import { readFbxGeometry } from '../../../src/formats/fbx/read-fbx-geometry.ts';
import { parseGltf, readGltf } from '../../../src/formats/gltf/index.ts';
import { readGeometry } from '../../../src/formats/gltf/meshes/read-geometry.ts';
import { gltfSpace } from '../../../src/formats/gltf/write/gltf-space.ts';
import { seenError } from '../../core/asset/seen.ts';
import { validatorCodes } from '../../formats/gltf/validator.ts';
import { asset, HAS_ASSETS } from '../../support/assets.ts';
import { sampledCases } from '../../support/law-runs.ts';
import { demoBytes } from '../../support/make/demo-files.ts';
import { documentOf } from '../../support/make/opened.ts';
import { CHARACTER_VERTICES } from '../../support/tolerances.ts';

interface Character {
  readonly character: NewCharacter;
  readonly clips: readonly OutputClip[];
}

async function characterOf(bytes: Uint8Array, name: string): Promise<Character> {
  const file = await openBytes(bytes, { name });
  const { geometry } = await readFbxGeometry(bytes);
  const found = chooseHumanoid(file, 'only', {}).found;
  const clips = file.asset.clips.map((clip, index): OutputClip => {
    return {
      ...mergeSkeletonClips(clip, file.asset.skeletons),
      parts: { clip: clip.name, file: 'a', character: 'b', index },
    };
  });
  return { character: { file, geometry, part: found?.part ?? null, humanoid: found?.humanoid ?? null }, clips };
}

async function written({ character, clips }: Character, path: string, issues: Issue[] = []) {
  const format = path.endsWith('.gltf') ? 'gltf' : 'glb';
  const visible = { geometry: character.geometry, issues: [] };
  const plan = { output: path, format, holds: 'visible', visible } as const;
  const files = await createOutputWriter(plan, character)(clips, issues);
  return files.map((file) => ({ path: file.path, bytes: new Uint8Array(Buffer.concat(file.parts)) }));
}

/** Returns the pose of all nodes at a time of an animation on node indices of the file. */
function poseAt({ nodes, sourceNodes }: Geometry, animation: NewAnimation | undefined, time: number): Float64Array {
  const pose = Float64Array.from(nodes.rest);
  if (animation === undefined) return pose;
  const targets = Array.from(animation.sourceNodes, (source) => sourceNodes.indexOf(source));
  sampleClip({ ...animation.clip, tracks: onNodes(animation.clip, targets) }, time, pose);
  return pose;
}

function onNodes({ tracks }: Clip, nodes: readonly number[]): Track[] {
  return tracks.map((track) => ({ ...track, target: nodes[track.target] }));
}

/** Measures the vertex error of a GLB against the converted character at a time of an animation; without one at rest. */
function vertexErrorOf({ character, clips }: Character, glb: Uint8Array, index: number, time: number): number {
  const { geometry, file, humanoid } = character;
  const document = parseGltf(glb);
  const again = readGeometry(document).geometry;
  const asset = readGltf(document);
  const animations = asset.clips.map((clip) => mergeSkeletonClips(clip, asset.skeletons));
  const poses = [poseAt(geometry, clips[index], time), poseAt(again, animations[index], time)] as const;
  return seenError(geometry, again, gltfSpace(file.asset, humanoid), poses);
}

/** Lists severe codes of the validator, except for normal maps without tangents, which FBX files lack. */
async function objections(glb: Uint8Array): Promise<string[]> {
  const codes = await validatorCodes(glb);
  return [...codes].flatMap(([code, severity]) => (severity < 2 && !/GENERATED_TANGENT/.test(code) ? [code] : []));
}

const CHARACTERS = ['ozz_pab_skeleton', 'SeedSan_betterfbx', 'ufbx_maya_kenney_character_7700_binary'];

const read = new Map<string, Promise<Character>>();

/** Reads a file once: writing leaves it unchanged. */
function fbx(name: string): Promise<Character> {
  const character =
    read.get(name) ?? characterOf(new Uint8Array(readFileSync(asset(`assets/fbx/${name}.fbx`))), `${name}.fbx`);
  read.set(name, character);
  return character;
}

describe.skipIf(!HAS_ASSETS)('createOutputWriter: visible content, FBX to glTF', () => {
  it.each(sampledCases(CHARACTERS))(
    'keeps the vertices of %s at rest and in motion, in the space of glTF',
    async (name) => {
      const character = await fbx(name);
      const issues: Issue[] = [];
      const [{ bytes }] = await written(character, 'out.glb', issues);
      expect(await objections(bytes)).toEqual([]);
      expect(issues.filter(({ code }) => code !== 'INFLUENCE_COUNT_HIGH')).toEqual([]);
      expect(vertexErrorOf(character, bytes, -1, 0)).toBeLessThan(CHARACTER_VERTICES);
      for (const [index, { clip }] of character.clips.entries()) {
        expect(vertexErrorOf(character, bytes, index, 0.3 * clip.duration)).toBeLessThan(CHARACTER_VERTICES);
      }
    },
  );

  it.each(sampledCases(CHARACTERS))('stores the bind pose of %s upright, in meters, on the ground', async (name) => {
    const [{ bytes }] = await written(await fbx(name), 'out.glb');
    const { json } = parseGltf(bytes);
    const accessors = json['accessors'] as { min: number[]; max: number[] }[];
    const primitives = (json['meshes'] as { primitives: { attributes: { POSITION: number } }[] }[]).flatMap((mesh) => {
      return mesh.primitives.map(({ attributes }) => accessors[attributes.POSITION]);
    });
    const low = Math.min(...primitives.map(({ min }) => min[1]));
    const high = Math.max(...primitives.map(({ max }) => max[1]));
    expect(Math.abs(low)).toBeLessThan(0.1);
    expect(high).toBeGreaterThan(1);
    expect(high).toBeLessThan(4);
  });

  it('writes skeleton and clips of a file without meshes', async () => {
    const [{ bytes }] = await written(await fbx('mixamo_Walking'), 'out.glb');
    const file = await openBytes(bytes);
    const again = file.asset;
    expect(documentOf(file).json['meshes']).toBeUndefined();
    expect(again.clips[0].clips[0].tracks.length).toBeGreaterThan(50);
    expect(await objections(bytes)).toEqual([]);
  });

  it('writes one whole character per clip for a template, and reports repeated issues once', async () => {
    const character = await fbx('ozz_pab_skeleton');
    const clips = ['one', 'two'].map((clip) => {
      return { ...character.clips[0], name: clip, parts: { ...character.clips[0].parts, clip } };
    });
    const issues: Issue[] = [];
    const files = await written({ ...character, clips }, '{clip}.glb', issues);
    expect(files.map(({ path }) => path)).toEqual(['one.glb', 'two.glb']);
    expect(issues.map(({ code }) => code)).toEqual(['INFLUENCE_COUNT_HIGH']);
    for (const { bytes, path } of files) {
      const file = await openBytes(bytes);
      expect(file.asset.clips.map(({ name }) => `${name}.glb`)).toEqual([path]);
      expect(documentOf(file).json['meshes']).toHaveLength(1);
    }
  });
});

describe('createOutputWriter: visible content, glTF to glTF', () => {
  it('keeps the space of a glTF', async () => {
    const file = await openBytes(demoBytes('walk.glb'), { name: 'walk.glb' });
    const geometry = readGeometry(documentOf(file)).geometry;
    const clip = mergeSkeletonClips(file.asset.clips[0], file.asset.skeletons);
    const parts = { clip: 'walk', file: 'a', character: 'b', index: 0 };
    const character = { character: { file, geometry, part: null, humanoid: null }, clips: [{ ...clip, parts }] };
    const [{ bytes }] = await written(character, 'a.glb');
    expect(await objections(bytes)).toEqual([]);
    expect(vertexErrorOf(character, bytes, 0, 0.4)).toBeLessThan(CHARACTER_VERTICES);
  });

  it('throws for a template with unknown placeholders', async () => {
    const file = await openBytes(demoBytes('walk.glb'), { name: 'walk.glb' });
    const clip = mergeSkeletonClips(file.asset.clips[0], file.asset.skeletons);
    const parts = { clip: 'walk', file: 'a', character: 'b', index: 0 };
    const character = { file, geometry: readGeometry(documentOf(file)).geometry, part: null, humanoid: null };
    await expect(written({ character, clips: [{ ...clip, parts }] }, '{what}.glb')).rejects.toThrow(OptionError);
  });
});
