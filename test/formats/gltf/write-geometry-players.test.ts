/** Second opinion on new documents: three.js and Babylon.js show the vertices that the geometry has by our own reckoning. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { sampleClip } from '../../../src/core/animation/sample.ts';
import type { Geometry } from '../../../src/core/asset/geometry.ts';
import { makeRandom } from '../../../src/demo/random.ts';
import { characterOutputs } from '../../../src/files/character-output.ts';
import { chooseBody } from '../../../src/files/choose-body.ts';
import { openBytes } from '../../../src/files/open.ts';
import { wholeAnimation } from '../../../src/files/whole-animation.ts';
import { readFbxGeometry } from '../../../src/formats/fbx/read-geometry.ts';
import { readGeometry } from '../../../src/formats/gltf/geometry/read-geometry.ts';
import { writeCharacterDocument } from '../../../src/formats/gltf/geometry/write-geometry.ts';
import { type GltfDocument, parseGltf, readGltf } from '../../../src/formats/gltf/index.ts';
import { asset, HAS_ASSETS } from '../../assets.ts';
import { randomGeometry } from '../../make/random-geometry.ts';
import { seenVertices } from '../../reference/world-vertices.ts';
import { SECOND_OPINION } from '../../tolerances.ts';
import { bareGlb, glbBytes, openDocument } from './open.ts';
import { babylonVertices, threeVertices } from './player-vertices.ts';

/** The largest difference of the vertices of parts, whatever their order, as part of the size of all. */
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

/** What a geometry shows at a time of an animation of a file (−1: at rest). Morphs rest. */
function expectedVertices(geometry: Geometry, doc: GltfDocument, animation: number, time: number): number[][] {
  const pose = Float64Array.from(geometry.nodes.rest);
  if (animation >= 0) {
    const { skeletons, clips } = readGltf(doc);
    const { clip, sourceNodes } = wholeAnimation(clips[animation], skeletons);
    const tracks = clip.tracks.map((track) => {
      return { ...track, target: geometry.sourceNodes.indexOf(sourceNodes[track.target]) };
    });
    sampleClip({ ...clip, tracks }, time, pose);
  }
  return seenVertices(geometry, pose).map(({ positions }) => positions);
}

async function expectPlayersAgree(glb: Uint8Array, wanted: readonly number[][], animation: number, time: number) {
  expect(difference(await threeVertices(glb, animation, time), wanted)).toBeLessThan(SECOND_OPINION);
  expect(difference(await babylonVertices(glb, animation, time), wanted)).toBeLessThan(SECOND_OPINION);
}

describe('players', () => {
  it('show random geometry as it is', async () => {
    for (let seed = 0; seed < 12; seed++) {
      const geometry = randomGeometry(makeRandom(seed));
      const glb = glbBytes(writeCharacterDocument(geometry, [], []));
      const wanted = seenVertices(geometry).map(({ positions }) => positions);
      await expectPlayersAgree(glb, wanted, -1, 0);
    }
  });
});

describe.skipIf(!HAS_ASSETS)('players of real files', () => {
  it.each([
    ['glb/CesiumMan.glb', 0],
    ['glb/RobotExpressive.glb', 2],
    ['glb/KayKit_Knight.glb', 5],
    ['vrm/Godette_vrm_v4.vrm', -1],
  ])('show %s, written anew, as the file', async (name, animation) => {
    const doc = await openDocument(asset('assets', name));
    const geometry = readGeometry(doc, []);
    const { skeletons, clips } = readGltf(doc);
    const animations = clips.map((clip) => wholeAnimation(clip, skeletons));
    const glb = bareGlb(parseGltf(glbBytes(writeCharacterDocument(geometry, animations, []))));
    const again = parseGltf(glb);
    const time = animation < 0 ? 0 : 0.4 * clips[animation].duration;
    await expectPlayersAgree(glb, expectedVertices(readGeometry(again, []), again, animation, time), animation, time);
    const before = await threeVertices(bareGlb(doc), animation, time);
    expect(difference(await threeVertices(glb, animation, time), before)).toBeLessThan(SECOND_OPINION);
  });

  it.each([
    ['ufbx_maya_kenney_character_7700_binary', 0],
    ['SeedSan_betterfbx', -1],
  ])('show the FBX %s as it is', async (name, animation) => {
    const bytes = new Uint8Array(readFileSync(asset(`assets/fbx/${name}.fbx`)));
    const file = await openBytes(bytes, { name });
    const { geometry } = await readFbxGeometry(bytes);
    const { part = null, humanoid = null } = chooseBody(file, 'only', {}).body ?? {};
    const clips = file.asset.clips.map((clip, index) => {
      const parts = { clip: clip.name, file: name, character: name, index };
      return { ...wholeAnimation(clip, file.asset.skeletons), parts };
    });
    const place = { path: 'a.glb', format: 'glb' } as const;
    const [{ parts }] = await characterOutputs({ file, geometry, part, humanoid }, clips, place, []);
    const doc = parseGltf(new Uint8Array(Buffer.concat(parts)));
    const time = animation < 0 ? 0 : 0.4 * clips[animation].clip.duration;
    const wanted = expectedVertices(readGeometry(doc, []), doc, animation, time);
    await expectPlayersAgree(bareGlb(doc), wanted, animation, time);
  });
});
