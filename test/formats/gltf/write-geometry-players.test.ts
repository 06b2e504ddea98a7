/** Compares the vertices of new documents in three.js and Babylon.js with our own deformation. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { sampleClip } from '../../../src/core/animation/sample.ts';
import type { Geometry } from '../../../src/core/asset/geometry.ts';
import { makeRandom } from '../../../src/demo/random.ts';
import { mergeSkeletonClips } from '../../../src/files/clips/merge-skeleton-clips.ts';
import { chooseHumanoid } from '../../../src/files/humanoid/find-humanoid.ts';
import { openBytes } from '../../../src/files/open.ts';
import { createOutputWriter } from '../../../src/files/outputs/plan-output.ts';
import { readFbxGeometry } from '../../../src/formats/fbx/read-fbx-geometry.ts';
import { type GltfDocument, parseGltf, readGltf } from '../../../src/formats/gltf/index.ts';
import { readGeometry } from '../../../src/formats/gltf/meshes/read-geometry.ts';
import { writeCharacterDocument } from '../../../src/formats/gltf/meshes/write-geometry.ts';
import { asset, HAS_ASSETS } from '../../support/assets.ts';
import { lawRuns, sampledCases } from '../../support/law-runs.ts';
import { randomGeometry } from '../../support/make/random-geometry.ts';
import { worldVertices } from '../../support/reference/world-vertices.ts';
import { SECOND_OPINION } from '../../support/tolerances.ts';
import { bareGlb, glbBytes, openDocument } from './open.ts';
import { babylonVertices, threeVertices } from './player-vertices.ts';

/** Largest vertex difference of parts in any order, relative to the overall size. */
function difference(actual: readonly number[][], expected: readonly number[][]): number {
  const left = [...actual];
  if (left.length !== expected.length || left.length === 0) return Number.NaN;
  const size = expected.flat().reduce((most, x) => Math.max(most, Math.abs(x)), 0);
  let error = 0;
  for (const wanted of expected) {
    const errors = left.map((part) => {
      if (part.length !== wanted.length) return Number.POSITIVE_INFINITY;
      return part.reduce((most, x, i) => Math.max(most, Math.abs(x - wanted[i]) / size), 0);
    });
    const least = Math.min(...errors);
    error = Math.max(error, least);
    left.splice(errors.indexOf(least), 1);
  }
  return error;
}

/** Deformed vertices of a geometry at a time of an animation (−1: rest pose), without morph targets. */
function expectedVertices(geometry: Geometry, doc: GltfDocument, animation: number, time: number): number[][] {
  const pose = Float64Array.from(geometry.nodes.rest);
  if (animation >= 0) {
    const { skeletons, clips } = readGltf(doc);
    const { clip, sourceNodes } = mergeSkeletonClips(clips[animation], skeletons);
    const tracks = clip.tracks.map((track) => {
      return { ...track, target: geometry.sourceNodes.indexOf(sourceNodes[track.target]) };
    });
    sampleClip({ ...clip, tracks }, time, pose);
  }
  return worldVertices(geometry, pose).map(({ positions }) => positions);
}

async function expectPlayersAgree(glb: Uint8Array, wanted: readonly number[][], animation: number, time: number) {
  expect(difference(await threeVertices(glb, animation, time), wanted)).toBeLessThan(SECOND_OPINION);
  expect(difference(await babylonVertices(glb, animation, time), wanted)).toBeLessThan(SECOND_OPINION);
}

describe('writeCharacterDocument compared with three.js and Babylon.js', () => {
  it('gives the same vertices for random geometry', async () => {
    for (let seed = 0; seed < lawRuns(12); seed++) {
      const geometry = randomGeometry(makeRandom(seed));
      const glb = glbBytes(writeCharacterDocument(geometry, []).document);
      const wanted = worldVertices(geometry).map(({ positions }) => positions);
      await expectPlayersAgree(glb, wanted, -1, 0);
    }
  });
});

describe.skipIf(!HAS_ASSETS)('writeCharacterDocument of real files compared with three.js and Babylon.js', () => {
  it.each(
    sampledCases([
      ['glb/CesiumMan.glb', 0],
      ['glb/RobotExpressive.glb', 2],
      ['glb/KayKit_Knight.glb', 5],
      ['vrm/Godette_vrm_v4.vrm', -1],
    ]),
  )('gives the same vertices for %s, written as a new document', async (name, animation) => {
    const doc = await openDocument(asset('assets', name));
    const { geometry } = readGeometry(doc);
    const { skeletons, clips } = readGltf(doc);
    const animations = clips.map((clip) => mergeSkeletonClips(clip, skeletons));
    const glb = bareGlb(parseGltf(glbBytes(writeCharacterDocument(geometry, animations).document)));
    const again = parseGltf(glb);
    const time = animation < 0 ? 0 : 0.4 * clips[animation].duration;
    await expectPlayersAgree(
      glb,
      expectedVertices(readGeometry(again).geometry, again, animation, time),
      animation,
      time,
    );
    const before = await threeVertices(bareGlb(doc), animation, time);
    expect(difference(await threeVertices(glb, animation, time), before)).toBeLessThan(SECOND_OPINION);
  });

  it.each(
    sampledCases([
      ['ufbx_maya_kenney_character_7700_binary', 0],
      ['SeedSan_betterfbx', -1],
    ]),
  )('gives the same vertices for the FBX %s', async (name, animation) => {
    const bytes = new Uint8Array(readFileSync(asset(`assets/fbx/${name}.fbx`)));
    const file = await openBytes(bytes, { name });
    const { geometry } = await readFbxGeometry(bytes);
    const { part = null, humanoid = null } = chooseHumanoid(file, 'only', {}).found ?? {};
    const clips = file.asset.clips.map((clip, index) => {
      const parts = { clip: clip.name, file: name, character: name, index };
      return { ...mergeSkeletonClips(clip, file.asset.skeletons), parts };
    });
    const visible = { geometry, issues: [] };
    const plan = { output: 'a.glb', format: 'glb', holds: 'visible', visible } as const;
    const [{ parts }] = await createOutputWriter(plan, { file, part, humanoid })(clips, []);
    const doc = parseGltf(new Uint8Array(Buffer.concat(parts)));
    const time = animation < 0 ? 0 : 0.4 * clips[animation].clip.duration;
    const wanted = expectedVertices(readGeometry(doc).geometry, doc, animation, time);
    await expectPlayersAgree(bareGlb(doc), wanted, animation, time);
  });
});
