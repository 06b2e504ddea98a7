/** Compares compressed characters with uncompressed twins made by glTF-Transform: all commands give the same results, and keep compressed data. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { validateBytes } from 'gltf-validator';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Geometry } from '../../../src/core/asset/geometry.ts';
import { BONE } from '../../../src/core/humanoid/bones.ts';
import * as quat from '../../../src/core/math/quat.ts';
import { geometryOf } from '../../../src/files/geometry.ts';
import { openFile } from '../../../src/files/node.ts';
import { bufferBytes } from '../../../src/formats/gltf/document/buffers.ts';
import { type GltfDocument, loadResources, parseGltf } from '../../../src/formats/gltf/index.ts';
import { runHere } from '../../cli/run-here.ts';
import { asset, HAS_ASSETS } from '../../support/assets.ts';
import { IS_FULL_RUN, sampledCases } from '../../support/law-runs.ts';
import { demoBytes, temporaryFolder, writeDemo } from '../../support/make/demo-files.ts';
import { worldVertices } from '../../support/reference/world-vertices.ts';
import { POSE_DEGREES, QUANTIZED_TWIN, QUANTIZED_VERTICES } from '../../support/tolerances.ts';
import { type Compression, compressed, decompressed } from './compress.ts';
import { differences } from './report-differences.ts';
import { findAssetHumanoid, worldPose } from './retargeted.ts';

const at = temporaryFolder();

type Json = Record<string, unknown>;

/** Runs a command line that must succeed, and returns its JSON report. */
async function runJson(...argv: string[]): Promise<Json> {
  const { exit, stdout, stderr } = await runHere([...argv, '--json']);
  expect([exit, stderr]).toEqual([0, '']);
  return JSON.parse(stdout) as Json;
}

async function documentOf(path: string): Promise<GltfDocument> {
  const doc = parseGltf(new Uint8Array(readFileSync(path)));
  await loadResources(doc, async (name) => new Uint8Array(readFileSync(join(dirname(path), name))));
  return doc;
}

/** A compressed buffer view: its JSON and its bytes. */
interface CompressedView {
  readonly json: unknown;
  readonly bytes: Uint8Array;
}

/** Returns all compressed data by its path in the JSON. */
function compressedViews(doc: GltfDocument): Map<string, CompressedView> {
  const views = (doc.json['bufferViews'] ?? []) as Json[];
  const found = new Map<string, CompressedView>();
  const bytesOf = ({ buffer, byteOffset = 0, byteLength }: Json): Uint8Array => {
    const first = byteOffset as number;
    return Uint8Array.from(bufferBytes(doc, buffer as number).subarray(first, first + (byteLength as number)));
  };
  for (const [v, view] of views.entries()) {
    const meshopt = (view['extensions'] as Json | undefined)?.['EXT_meshopt_compression'] as Json | undefined;
    if (meshopt !== undefined) found.set(`bufferViews/${v}`, { json: view, bytes: bytesOf(meshopt) });
  }
  for (const [m, { primitives }] of ((doc.json['meshes'] ?? []) as { primitives: Json[] }[]).entries()) {
    for (const [p, primitive] of primitives.entries()) {
      const draco = (primitive['extensions'] as Json | undefined)?.['KHR_draco_mesh_compression'] as Json | undefined;
      if (draco === undefined) continue;
      const view = views[draco['bufferView'] as number];
      found.set(`meshes/${m}/${p}`, { json: [primitive, view], bytes: bytesOf(view) });
    }
  }
  return found;
}

async function geometryAt(path: string): Promise<Geometry> {
  return (await geometryOf(await openFile(path)))!.geometry;
}

/** Compares like `toEqual`, which takes half a minute for a million numbers. */
function expectSame(actual: unknown, expected: unknown): void {
  expect(isDeepStrictEqual(actual, expected)).toBe(true);
}

/** Returns codes and JSON pointers of validation errors. */
async function errorsOf(path: string): Promise<string[]> {
  const { issues } = await validateBytes(new Uint8Array(readFileSync(path)), { maxIssues: 0 });
  return issues.messages.filter(({ severity }) => severity === 0).map(({ code, pointer }) => `${code} ${pointer}`);
}

/** A compressed file and its plain twin, both with the same name. */
interface Pair {
  readonly file: string;
  readonly plain: string;
}

let pairs = 0;
function written(name: string, file: Uint8Array, plain: Uint8Array): Pair {
  const paths = ['file', 'plain'].map((folder) => at(String(pairs), folder, name));
  pairs++;
  for (const [k, path] of paths.entries()) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, [file, plain][k]);
  }
  return { file: paths[0], plain: paths[1] };
}

/** Runs the same job for both files, and returns the paths of both outputs. */
async function forBoth(
  pair: Pair,
  output: string,
  argv: (path: string) => string[],
): Promise<Pair & { reports: Json[] }> {
  const outs = [pair.file, pair.plain].map((path) => join(dirname(path), output));
  const reports: Json[] = [];
  for (const [k, path] of [pair.file, pair.plain].entries()) {
    reports.push(await runJson(...argv(path), '-o', outs[k], '--force'));
  }
  return { file: outs[0], plain: outs[1], reports };
}

/** Removes the folders of files from a report. */
function withoutFolders(report: Json, { file, plain }: Pair): unknown {
  const text = [file, plain].reduce((rest, path) => rest.replaceAll(`${dirname(path)}/`, ''), JSON.stringify(report));
  // Compressed files are smaller.
  return { ...JSON.parse(text), bytes: 0 };
}

/** Expects the last clips of both files to animate the same nodes equally. */
async function expectSameMotion({ file, plain }: Pair): Promise<void> {
  const humanoids = [findAssetHumanoid((await openFile(file)).asset), findAssetHumanoid((await openFile(plain)).asset)];
  const clips = humanoids.map(({ clips }) => clips[clips.length - 1]);
  const channels = humanoids.map(({ sourceNodes }, k) => {
    return clips[k].tracks.map(({ target, path }) => [sourceNodes[target], path]);
  });
  expect(channels[0].length).toBeGreaterThan(10);
  expect(channels[0]).toEqual(channels[1]);
  expect(clips[0].duration).toBe(clips[1].duration);
  const { map, metersPerUnit } = humanoids[0].humanoid;
  let [degrees, meters, range] = [0, 0, 0];
  const start = worldPose(humanoids[0], clips[0], 0);
  for (let time = 0; time <= clips[0].duration; time += clips[0].duration / 20) {
    const [a, b] = humanoids.map((one, k) => worldPose(one, clips[k], time));
    for (let r = 0; r < a.rotations.length; r += 4) {
      degrees = Math.max(degrees, (quat.angleBetween(a.rotations, r, b.rotations, r) * 180) / Math.PI);
      range = Math.max(range, quat.angleBetween(a.rotations, r, start.rotations, r));
    }
    const hips = 16 * map.nodes[BONE.hips] + 12;
    for (const c of [0, 1, 2]) meters = Math.max(meters, Math.abs(a.matrices[hips + c] - b.matrices[hips + c]));
  }
  expect(range).toBeGreaterThan(0.3);
  expect(degrees).toBeLessThanOrEqual(POSE_DEGREES);
  expect(meters * metersPerUnit).toBeLessThanOrEqual(QUANTIZED_TWIN);
}

/** Expects the compressed data of `before` unchanged in `after`. */
async function expectUntouched(before: string, after: string): Promise<void> {
  const views = compressedViews(await documentOf(before));
  expect(views.size).toBeGreaterThan(0);
  expectSame(compressedViews(await documentOf(after)), views);
}

/** Compares a file and its twin in all commands. Returns both, which are made before the tests. */
function behavesLikeItsTwin(make: () => Promise<Pair>): { readonly pair: () => Pair } {
  let pair: Pair;
  const walk = at('walk.glb');
  beforeAll(async () => {
    writeDemo(at, 'walk.glb');
    pair = await make();
    expect((await documentOf(pair.plain)).source!.text).not.toMatch(/draco|meshopt/);
  });

  it('inspect: reports the same as for the uncompressed twin', async () => {
    const [file, plain] = [await runJson('inspect', pair.file), await runJson('inspect', pair.plain)];
    expect(file['humanoids']).toHaveLength(1);
    expect(differences(withoutFolders(file, pair), withoutFolders(plain, pair))).toEqual([]);
  });

  it('retarget: writes the same motion as for the twin, and keeps compressed data', async () => {
    const done = await forBoth(pair, 'walking.glb', (path) => ['retarget', walk, path, '--contacts', 'off']);
    expect(differences(withoutFolders(done.reports[0], done), withoutFolders(done.reports[1], done))).toEqual([]);
    await expectSameMotion(done);
    await expectUntouched(pair.file, done.file);
    expect(await errorsOf(done.file)).toEqual(await errorsOf(pair.file));
    expectSame(await geometryAt(done.file), await geometryAt(pair.file));
  });

  it('convert: keeps compressed data to .gltf and back to .glb', async () => {
    const there = join(dirname(pair.file), 'there.gltf');
    const back = join(dirname(pair.file), 'back.glb');
    await runJson('convert', pair.file, '-o', there);
    await runJson('convert', there, '-o', back);
    await expectUntouched(pair.file, there);
    await expectUntouched(pair.file, back);
    const [before, after] = [await documentOf(pair.file), await documentOf(back)];
    expect(after.json).toEqual(before.json);
    expect(await errorsOf(back)).toEqual(await errorsOf(pair.file));
    expectSame(await geometryAt(back), await geometryAt(pair.file));
  });

  return { pair: () => pair };
}

const CASES: [string, Compression][] = [
  ['mixamo.glb', 'draco'],
  ['giant.glb', 'draco'],
  ['giant.glb', 'meshopt'],
  ['mixamo.glb', 'meshopt'],
  ['mixamo.glb', 'meshopt, quantised'],
  ['giant.glb', 'meshopt, quantised'],
];

describe.each(sampledCases(CASES, 4, 2))('%s compressed by %s', (name, compression) => {
  const isExact = compression !== 'meshopt, quantised';
  const make = async (): Promise<Pair> => {
    const file = await compressed(demoBytes(name), compression);
    return written(name, file, await decompressed(isExact ? file : demoBytes(name)));
  };
  const { pair } = behavesLikeItsTwin(make);

  it('geometryOf: returns the vertices of the uncompressed twin', async () => {
    const { file, plain } = pair();
    const [a, b] = [await geometryAt(file), await geometryAt(plain)];
    if (isExact) {
      expectSame([a.meshes, a.skins, a.instances], [b.meshes, b.skins, b.instances]);
      return;
    }
    expect(a.skins[0].inverseBindMatrices).not.toEqual(b.skins[0].inverseBindMatrices);
    const [seen, expected] = [worldVertices(a), worldVertices(b)];
    const size = expected[0].positions.reduce((most, x) => Math.max(most, Math.abs(x)), 0);
    seen[0].positions.forEach((x, i) => {
      expect(Math.abs(x - expected[0].positions[i])).toBeLessThanOrEqual(size * QUANTIZED_VERTICES);
    });
  });
});

describe.each(sampledCases<Compression>(['meshopt', 'meshopt, filtered']))(
  'a motion compressed by %s',
  (compression) => {
    it('retarget: gives the same result as its uncompressed twin', async () => {
      const file = await compressed(demoBytes('walk.glb'), compression);
      const pair = written('walk.glb', file, await decompressed(file));
      const giant = writeDemo(at, 'giant.glb');
      const done = await forBoth(pair, 'giant.glb', (path) => ['retarget', path, giant]);
      expect(differences(withoutFolders(done.reports[0], done), withoutFolders(done.reports[1], done))).toEqual([]);
      await expectSameMotion(done);
      // Without a filter, the keys are those of the original file.
      if (compression !== 'meshopt') return;
      const plain = writeDemo(at, 'walk.glb');
      const out = at('of-the-original.glb');
      await runJson('retarget', plain, giant, '-o', out, '--force');
      await expectSameMotion({ file: done.file, plain: out });
    });
  },
);

describe.skipIf(!HAS_ASSETS)('compressed third-party files', () => {
  describe.runIf(IS_FULL_RUN)('VALID, by meshopt and quantised', () => {
    behavesLikeItsTwin(async () => {
      const file = new Uint8Array(readFileSync(asset('assets/glb/VALID_AIAN_M_1_Casual.glb')));
      return written('valid.glb', file, await decompressed(file));
    });
  });

  describe.runIf(IS_FULL_RUN)('Xbot, by Draco', () => {
    behavesLikeItsTwin(async () => {
      const file = await compressed(new Uint8Array(readFileSync(asset('assets/glb/Xbot.glb'))), 'draco');
      return written('xbot.glb', file, await decompressed(file));
    });
  });
});
