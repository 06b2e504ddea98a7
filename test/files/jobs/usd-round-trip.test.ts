/** Converts glTF characters to USD and back, and compares every vertex over time. */
import { readFileSync } from 'node:fs';
import { basename, extname, relative } from 'node:path';

import { beforeAll, describe, expect, it } from 'vitest';
import { pointExtents } from '../../../src/core/deform/extents.ts';
import * as vec3 from '../../../src/core/math/vec3.ts';
import type { SpaceChange } from '../../../src/core/skeleton/change-space.ts';
import { usdSpace } from '../../../src/files/adapters/usd/usd-space.ts';
import { geometryOf } from '../../../src/files/geometry.ts';
import { chooseHumanoid } from '../../../src/files/humanoid/find-humanoid.ts';
import { convertFile } from '../../../src/files/jobs/convert-file.ts';
import { retargetMotions } from '../../../src/files/jobs/retarget-motions.ts';
import { type OpenFile, openBytes } from '../../../src/files/open.ts';
import type { OutputFile } from '../../../src/files/outputs/output-file.ts';
import { concatParts } from '../../../src/formats/gltf/document/glb.ts';
import { gltfSpace } from '../../../src/formats/gltf/write/gltf-space.ts';
import { type DeformedFile, type DeformedPart, deformedFile } from '../../external/oracle/deformed-vertices.ts';
import { ASSETS, asset, assetFiles, HAS_ASSETS } from '../../support/assets.ts';
import { IS_FULL_RUN, sampledCases } from '../../support/law-runs.ts';
import { USD_HALF_SCALES, USD_ROUND_TRIP } from '../../support/tolerances.ts';

const FILES = ['assets/glb', 'assets/vrm'].flatMap((folder) => assetFiles(folder, 'glb', 'vrm'));
const CHARACTERS = HAS_ASSETS
  ? sampledCases(FILES, 16).map((path) => ({ path, name: relative(ASSETS, path) }))
  : [{ path: '', name: 'a character' }];
/** Number of clips, and times as fractions of a clip, that are compared. */
const CLIPS = IS_FULL_RUN ? 2 : 1;
const PARTS = IS_FULL_RUN ? [0.31, 0.77] : [0.77];
/** Files whose clips animate joint scales. */
const SCALED = /lumberjack/;
/** Approximate number of vertices compared per file; at most twice as many. */
const MOST_VERTICES = 300;

async function converted(file: OpenFile, output: string): Promise<OpenFile> {
  const { outputs } = await convertFile(file, { output });
  return openedAgain(outputs, output);
}

/** Returns the main file of an output. */
function openedAgain(outputs: readonly OutputFile[], name: string): Promise<OpenFile> {
  return openBytes(concatParts(outputs[outputs.length - 1].parts), { name });
}

async function shown(file: OpenFile): Promise<DeformedFile> {
  const found = await geometryOf(file);
  if (found === null) throw new Error(`${file.name} shows nothing`);
  return deformedFile(file, found.geometry, null);
}

/** Returns all vertices of all primitives (xyz) after changes of their space. */
function cloudOf(parts: readonly DeformedPart[], changes: readonly (SpaceChange | null)[] = []): Float64Array {
  const cloud = Float64Array.from(parts.flatMap(({ positions }) => Array.from(positions)));
  for (const change of changes) {
    if (change === null) continue;
    for (let at = 0; at < cloud.length; at += 3) {
      vec3.scale(cloud, at, cloud, at, change.scale);
      vec3.rotate(cloud, at, change.rotation, 0, cloud, at);
    }
  }
  return cloud;
}

/** Returns the rotation of a glTF that is written as USD, after which its humanoid faces the viewer. */
function turnOf(gltf: OpenFile): SpaceChange {
  const { found } = chooseHumanoid(gltf, 'only', {}, gltf.asset.clips);
  return { rotation: Float64Array.from(usdSpace(gltf.asset, found?.humanoid ?? null).rotation), scale: 1 };
}

/** Returns the space change of writing a USD file as glTF, after which its humanoid faces +Z. */
function spaceOf(usd: OpenFile): SpaceChange | null {
  return gltfSpace(usd.asset, chooseHumanoid(usd, 'only', {}, usd.asset.clips).found?.humanoid ?? null);
}

function distance(a: Float64Array, i: number, b: Float64Array, j: number): number {
  return Math.hypot(a[3 * i] - b[3 * j], a[3 * i + 1] - b[3 * j + 1], a[3 * i + 2] - b[3 * j + 2]);
}

/** Selects vertices of a point cloud, and the vertices of another one at the same positions; seams and layers may have several. */
function counterparts(cloud: Float64Array, other: Float64Array, near: number): Map<number, number[]> {
  const step = Math.max(1, Math.floor(cloud.length / 3 / MOST_VERTICES));
  const found = new Map<number, number[]>();
  for (let vertex = 0; vertex < cloud.length / 3; vertex += step) {
    const matches: number[] = [];
    for (let candidate = 0; candidate < other.length / 3; candidate++) {
      if (distance(cloud, vertex, other, candidate) < near) matches.push(candidate);
    }
    found.set(vertex, matches);
  }
  return found;
}

function heightOf(parts: readonly DeformedPart[]): number {
  const all = parts.flatMap(({ positions }) => {
    const box = new Float64Array(6);
    pointExtents(box, 0, positions);
    return [box[4] - box[1]];
  });
  return Math.max(...all);
}

describe.skipIf(!HAS_ASSETS).each(CHARACTERS)('convertFile: $name to USDZ', (one) => {
  let gltf: OpenFile;
  let usd: OpenFile;
  beforeAll(async () => {
    gltf = await openBytes(readFileSync(one.path), { name: one.name });
    usd = await converted(gltf, 'character.usdz');
  }, 60_000);

  it('keeps all vertices over time, as USD and back as glTF', async () => {
    const tolerance = SCALED.test(one.name) ? USD_HALF_SCALES : USD_ROUND_TRIP;
    const before = await shown(gltf);
    const rest = before.at(-1, 0);
    const height = heightOf(rest);
    for (const file of [usd, await converted(usd, 'back.glb')]) {
      const after = await shown(file);
      const changes = [turnOf(gltf), file === usd ? null : spaceOf(usd)];
      const matches = counterparts(cloudOf(rest, changes), cloudOf(after.at(-1, 0)), tolerance * height);
      const lost = [...matches].filter(([, found]) => found.length === 0);
      expect(lost.length, `${file.name}: vertices without a match, of ${matches.size}`).toBe(0);
      const names = file.asset.clips.map(({ name }) => name);
      // A clip without a name is called what the file is called.
      const wanted = gltf.asset.clips.map(({ name }) => name || basename(one.name, extname(one.name)));
      expect(names, file.name).toEqual(wanted);
      for (const [k, { duration }] of gltf.asset.clips.slice(0, CLIPS).entries()) {
        const clip = names.indexOf(wanted[k]);
        for (const part of PARTS) {
          const [now, then] = [
            cloudOf(before.at(k, part * duration), changes),
            cloudOf(after.at(clip, part * duration)),
          ];
          for (const [vertex, found] of matches) {
            const off = Math.min(...found.map((other) => distance(now, vertex, then, other)));
            expect(off / height, `${file.name}, clip ${k} at ${part}, vertex ${vertex}`).toBeLessThan(tolerance);
          }
        }
      }
    }
  }, 60_000);
});

describe.skipIf(!HAS_ASSETS)('convertFile: humanoid without a skin to USDZ', () => {
  it('accepts the same motions as in its own format', async () => {
    const open = async (...path: string[]): Promise<OpenFile> => {
      return openBytes(readFileSync(asset('assets', ...path)), { name: path[path.length - 1] });
    };
    const robot = await open('vrm', 'saturday06_debug_robot.vrm');
    const motions = await Promise.all(
      sampledCases(['fbx/mixamo_Walking.fbx', 'bvh/makehuman_walk1.bvh']).map((path) => open(...path.split('/'))),
    );
    const moved = async (character: OpenFile, output: string): Promise<OpenFile> => {
      const { outputs } = await retargetMotions(motions, character, {
        output,
        contacts: IS_FULL_RUN ? 'auto' : 'off',
        edits: { keys: 'exact' },
      });
      return openedAgain(outputs, output);
    };
    const own = await moved(robot, 'own.glb');
    const expected = await shown(own);
    const usdz = await converted(robot, 'robot.usdz');
    const inUsd = await moved(usdz, 'moved.usdz');
    for (const file of [await moved(usdz, 'moved.glb'), inUsd, await converted(inUsd, 'back.glb')]) {
      expect(file.asset.clips.map(({ name }) => name)).toEqual(own.asset.clips.map(({ name }) => name));
      const found = await shown(file);
      const [before, after] = [expected, found].map((character) => cloudOf(character.at(-1, 0)));
      const height = heightOf(expected.at(-1, 0));
      const matches = counterparts(before, after, USD_ROUND_TRIP * height);
      for (const [k, { duration }] of own.asset.clips.entries()) {
        for (const part of PARTS) {
          const [now, then] = [expected, found].map((character) => cloudOf(character.at(k, part * duration)));
          for (const [vertex, others] of matches) {
            const off = Math.min(...others.map((other) => distance(now, vertex, then, other)));
            expect(off / height, `${file.name}, clip ${k} at ${part}, vertex ${vertex}`).toBeLessThan(USD_ROUND_TRIP);
          }
        }
      }
    }
  }, 60_000);
});
