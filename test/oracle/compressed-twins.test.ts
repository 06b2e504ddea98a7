/** Compressed characters beside their plain twins, both made by glTF-Transform: no command tells them apart, and none touches what is compressed. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { validateBytes } from 'gltf-validator';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Geometry } from '../../src/core/asset/geometry.ts';
import { BONE } from '../../src/core/humanoid/bones.ts';
import * as quat from '../../src/core/math/quat.ts';
import { geometryOf } from '../../src/files/geometry.ts';
import { openFile } from '../../src/files/node.ts';
import { bufferBytes, type GltfDocument, loadResources, parseGltf } from '../../src/formats/gltf/index.ts';
import { asset, HAS_ASSETS } from '../assets.ts';
import { runHere } from '../cli/run-here.ts';
import { demoBytes, temporaryFolder, writeDemo } from '../make/demo-files.ts';
import { worldVertices } from '../reference/world-vertices.ts';
import { POSE_DEGREES, QUANTIZED_TWIN, QUANTIZED_VERTICES } from '../tolerances.ts';
import { type Compression, compressed, decompressed } from './compress.ts';
import { differences } from './report-differences.ts';
import { findAssetHumanoid, worldPose } from './retargeted.ts';

const at = temporaryFolder();

type Json = Record<string, unknown>;

/** A file that the command line writes, as JSON says that it does. */
async function ran(...argv: string[]): Promise<Json> {
  const { exit, stdout, stderr } = await runHere([...argv, '--json']);
  expect([exit, stderr]).toEqual([0, '']);
  return JSON.parse(stdout) as Json;
}

async function documentOf(path: string): Promise<GltfDocument> {
  const doc = parseGltf(new Uint8Array(readFileSync(path)));
  await loadResources(doc, async (name) => new Uint8Array(readFileSync(join(dirname(path), name))));
  return doc;
}

/** A view that is compressed: what the file says of it, and its bytes. */
interface CompressedView {
  readonly says: unknown;
  readonly bytes: Uint8Array;
}

/** Everything that is compressed, by its place in the JSON. */
function compressedViews(doc: GltfDocument): Map<string, CompressedView> {
  const views = (doc.json['bufferViews'] ?? []) as Json[];
  const found = new Map<string, CompressedView>();
  const bytesOf = ({ buffer, byteOffset = 0, byteLength }: Json): Uint8Array => {
    const first = byteOffset as number;
    return Uint8Array.from(bufferBytes(doc, buffer as number).subarray(first, first + (byteLength as number)));
  };
  for (const [v, view] of views.entries()) {
    const meshopt = (view['extensions'] as Json | undefined)?.['EXT_meshopt_compression'] as Json | undefined;
    if (meshopt !== undefined) found.set(`bufferViews/${v}`, { says: view, bytes: bytesOf(meshopt) });
  }
  for (const [m, { primitives }] of ((doc.json['meshes'] ?? []) as { primitives: Json[] }[]).entries()) {
    for (const [p, primitive] of primitives.entries()) {
      const draco = (primitive['extensions'] as Json | undefined)?.['KHR_draco_mesh_compression'] as Json | undefined;
      if (draco === undefined) continue;
      const view = views[draco['bufferView'] as number];
      found.set(`meshes/${m}/${p}`, { says: [primitive, view], bytes: bytesOf(view) });
    }
  }
  return found;
}

async function geometryAt(path: string): Promise<Geometry> {
  return (await geometryOf(await openFile(path)))!.geometry;
}

/** As `toEqual`, which takes half a minute for a million numbers. */
function expectSame(actual: unknown, expected: unknown): void {
  expect(isDeepStrictEqual(actual, expected)).toBe(true);
}

/** Codes and places of errors. */
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

/** The same job for both, and the place of its output for each. */
async function forBoth(
  pair: Pair,
  output: string,
  argv: (path: string) => string[],
): Promise<Pair & { reports: Json[] }> {
  const outs = [pair.file, pair.plain].map((path) => join(dirname(path), output));
  const reports: Json[] = [];
  for (const [k, path] of [pair.file, pair.plain].entries()) {
    reports.push(await ran(...argv(path), '-o', outs[k], '--force'));
  }
  return { file: outs[0], plain: outs[1], reports };
}

/** A report without the folders of files. */
function withoutFolders(report: Json, { file, plain }: Pair): unknown {
  const text = [file, plain].reduce((rest, path) => rest.replaceAll(`${dirname(path)}/`, ''), JSON.stringify(report));
  return JSON.parse(text);
}

/** The last clip of both files moves the same nodes alike. */
async function expectSameMotion({ file, plain }: Pair): Promise<void> {
  const bodies = [findAssetHumanoid((await openFile(file)).asset), findAssetHumanoid((await openFile(plain)).asset)];
  const clips = bodies.map(({ clips }) => clips[clips.length - 1]);
  const shapes = bodies.map(({ sourceNodes }, k) => {
    return clips[k].tracks.map(({ target, path }) => [sourceNodes[target], path]);
  });
  expect(shapes[0].length).toBeGreaterThan(10);
  expect(shapes[0]).toEqual(shapes[1]);
  expect(clips[0].duration).toBe(clips[1].duration);
  const { map, metersPerUnit } = bodies[0].humanoid;
  let [degrees, meters, way] = [0, 0, 0];
  const start = worldPose(bodies[0], clips[0], 0);
  for (let time = 0; time <= clips[0].duration; time += clips[0].duration / 20) {
    const [a, b] = bodies.map((body, k) => worldPose(body, clips[k], time));
    for (let r = 0; r < a.rotations.length; r += 4) {
      degrees = Math.max(degrees, (quat.angleBetween(a.rotations, r, b.rotations, r) * 180) / Math.PI);
      way = Math.max(way, quat.angleBetween(a.rotations, r, start.rotations, r));
    }
    const hips = 16 * map.nodes[BONE.hips] + 12;
    for (const c of [0, 1, 2]) meters = Math.max(meters, Math.abs(a.matrices[hips + c] - b.matrices[hips + c]));
  }
  expect(way).toBeGreaterThan(0.3);
  expect(degrees).toBeLessThanOrEqual(POSE_DEGREES);
  expect(meters * metersPerUnit).toBeLessThanOrEqual(QUANTIZED_TWIN);
}

/** What `before` has compressed is in `after` as it was. */
async function expectUntouched(before: string, after: string): Promise<void> {
  const views = compressedViews(await documentOf(before));
  expect(views.size).toBeGreaterThan(0);
  expectSame(compressedViews(await documentOf(after)), views);
}

/** The file and its twin through all commands. */
function behavesLikeItsTwin(make: () => Promise<Pair>): void {
  let pair: Pair;
  const walk = at('walk.glb');
  beforeAll(async () => {
    writeDemo(at, 'walk.glb');
    pair = await make();
    expect((await documentOf(pair.plain)).source!.text).not.toMatch(/draco|meshopt/);
  });

  it('is inspected alike', async () => {
    const [file, plain] = [await ran('inspect', pair.file), await ran('inspect', pair.plain)];
    expect(file['humanoids']).toHaveLength(1);
    expect(differences(withoutFolders(file, pair), withoutFolders(plain, pair))).toEqual([]);
  });

  it('gets the same motion, which leaves alone what is compressed', async () => {
    const done = await forBoth(pair, 'walking.glb', (path) => ['retarget', walk, path]);
    expect(differences(withoutFolders(done.reports[0], done), withoutFolders(done.reports[1], done))).toEqual([]);
    await expectSameMotion(done);
    await expectUntouched(pair.file, done.file);
    expect(await errorsOf(done.file)).toEqual(await errorsOf(pair.file));
    expectSame(await geometryAt(done.file), await geometryAt(pair.file));
  });

  it('goes to another container and back with all that is compressed', async () => {
    const there = join(dirname(pair.file), 'there.gltf');
    const back = join(dirname(pair.file), 'back.glb');
    await ran('convert', pair.file, '-o', there);
    await ran('convert', there, '-o', back);
    await expectUntouched(pair.file, there);
    await expectUntouched(pair.file, back);
    const [before, after] = [await documentOf(pair.file), await documentOf(back)];
    expect(after.json).toEqual(before.json);
    expect(await errorsOf(back)).toEqual(await errorsOf(pair.file));
    expectSame(await geometryAt(back), await geometryAt(pair.file));
  });
}

const CASES: [string, Compression][] = [
  ['mixamo.glb', 'draco'],
  ['giant.glb', 'draco'],
  ['mixamo.glb', 'meshopt'],
  ['giant.glb', 'meshopt'],
  ['mixamo.glb', 'meshopt, quantised'],
  ['giant.glb', 'meshopt, quantised'],
];

describe.each(CASES)('%s by %s', (name, compression) => {
  const isExact = compression !== 'meshopt, quantised';
  const make = async (): Promise<Pair> => {
    const file = await compressed(demoBytes(name), compression);
    return written(name, file, await decompressed(isExact ? file : demoBytes(name)));
  };
  behavesLikeItsTwin(make);

  it('has the vertices of its twin', async () => {
    const { file, plain } = await make();
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

describe.each<Compression>(['meshopt', 'meshopt, filtered'])('a motion by %s', (compression) => {
  it('is put on a character like its twin', async () => {
    const file = await compressed(demoBytes('walk.glb'), compression);
    const pair = written('walk.glb', file, await decompressed(file));
    const giant = writeDemo(at, 'giant.glb');
    const done = await forBoth(pair, 'giant.glb', (path) => ['retarget', path, giant]);
    expect(differences(withoutFolders(done.reports[0], done), withoutFolders(done.reports[1], done))).toEqual([]);
    await expectSameMotion(done);
    // Keys without a filter are those of the file that was compressed.
    if (compression !== 'meshopt') return;
    const plain = writeDemo(at, 'walk.glb');
    const out = at('of-the-original.glb');
    await ran('retarget', plain, giant, '-o', out, '--force');
    await expectSameMotion({ file: done.file, plain: out });
  });
});

describe.skipIf(!HAS_ASSETS)('files of others', () => {
  describe('VALID, by meshopt and quantised', () => {
    behavesLikeItsTwin(async () => {
      const file = new Uint8Array(readFileSync(asset('assets/glb/VALID_AIAN_M_1_Casual.glb')));
      return written('valid.glb', file, await decompressed(file));
    });
  });

  describe('Xbot, by Draco', () => {
    behavesLikeItsTwin(async () => {
      const file = await compressed(new Uint8Array(readFileSync(asset('assets/glb/Xbot.glb'))), 'draco');
      return written('xbot.glb', file, await decompressed(file));
    });
  });
});
