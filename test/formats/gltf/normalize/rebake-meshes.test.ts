import { describe, expect, it } from 'vitest';
import { makeRandom, randomRotation } from '../../../../src/demo/random.ts';
import { geometryOf } from '../../../../src/files/geometry.ts';
import { type OpenFile, openBytes } from '../../../../src/files/open.ts';
import type { JsonObject } from '../../../../src/formats/gltf/document/json-access.ts';
import type { GltfDocument } from '../../../../src/formats/gltf/index.ts';
import { normalizeDocument } from '../../../../src/formats/gltf/normalize/normalize-document.ts';
import { readNodes } from '../../../../src/formats/gltf/read/read-nodes.ts';
import { type Compression, compressed, decompressed } from '../../../external/oracle/compress.ts';
import { sampledCases } from '../../../support/law-runs.ts';
import { demoBytes } from '../../../support/make/demo-files.ts';
import { documentOf } from '../../../support/make/opened.ts';
import { type WorldPrimitive, worldVertices } from '../../../support/reference/world-vertices.ts';
import { QUANTIZED_VERTICES, STORED_VERTICES } from '../../../support/tolerances.ts';
import { glbBytes } from '../open.ts';
import { bonesOf, requestFor, tinyCharacter } from './tiny-character.ts';

type Json = Record<string, unknown>;

function list(doc: GltfDocument, key: string): JsonObject[] {
  return doc.json[key] as JsonObject[];
}

/** Rotates every joint of a document a little; local poses by forest node. */
function bentPose(doc: GltfDocument, seed: number): Float64Array {
  const { rest, sourceNodes } = readNodes(doc, []);
  const joints = new Set(list(doc, 'skins').flatMap(({ joints }) => joints as number[]));
  const random = makeRandom(seed);
  const pose = rest.slice();
  sourceNodes.forEach((node, place) => {
    if (!joints.has(node)) return;
    const turn = randomRotation(random);
    for (let c = 0; c < 4; c++) pose[10 * place + 3 + c] += 0.3 * turn[c];
    const length = Math.hypot(...pose.subarray(10 * place + 3, 10 * place + 7));
    for (let c = 0; c < 4; c++) pose[10 * place + 3 + c] /= length;
  });
  return pose;
}

async function open(bytes: Uint8Array): Promise<OpenFile> {
  return openBytes(bytes, { name: 'character' });
}

/** Visible vertices of a file in a pose, or at rest. */
async function seen(file: OpenFile, pose?: Float64Array): Promise<WorldPrimitive[]> {
  const { geometry } = (await geometryOf(file)) as NonNullable<Awaited<ReturnType<typeof geometryOf>>>;
  return worldVertices(geometry, pose);
}

/** Largest distance of points, relative to the largest coordinate, and of unit normals. */
function difference(a: readonly WorldPrimitive[], b: readonly WorldPrimitive[]): { points: number; normals: number } {
  expect(a.map(({ positions }) => positions.length)).toEqual(b.map(({ positions }) => positions.length));
  let points = 0;
  let normals = 0;
  a.forEach((part, p) => {
    const size = Math.max(...part.positions.map(Math.abs));
    part.positions.forEach((x, i) => {
      points = Math.max(points, Math.abs(x - b[p].positions[i]) / size);
    });
    part.normals.forEach((x, i) => {
      normals = Math.max(normals, Math.abs(x - b[p].normals[i]));
    });
  });
  return { points, normals };
}

/** A demo character whose bent pose becomes its rest pose: vertices before in that pose, and after at rest. */
async function bent(
  bytes: Uint8Array,
): Promise<{ before: WorldPrimitive[]; after: WorldPrimitive[]; glb: Uint8Array; doc: GltfDocument }> {
  const file = await open(bytes);
  const before = await open(bytes);
  const document = documentOf(file);
  await geometryOf(file);
  const pose = bentPose(document, 7);
  normalizeDocument(
    document,
    requestFor(document, {
      bones: file.asset.skeletons[0].sourceNodes.length > 0 ? hipsOnly(document) : bonesOf(),
      pose,
    }),
    [],
  );
  const glb = glbBytes(document);
  return { before: await seen(before, pose), after: await seen(await open(glb)), glb, doc: document };
}

/** The first joint as hips: one bone is enough, as no new axes are requested. */
function hipsOnly(doc: GltfDocument): Int32Array {
  const bones = bonesOf().fill(-1);
  bones[0] = (list(doc, 'skins')[0]['joints'] as number[])[0];
  return bones;
}

describe('rebakeMeshes', () => {
  it.each(sampledCases(['odd-axes.glb', 'unreal.glb', 'child.vrm', 'giant.glb']))(
    'bakes the skinned mesh of %s',
    async (name) => {
      const { before, after } = await bent(demoBytes(name));
      const { points, normals } = difference(before, after);
      expect(points).toBeLessThan(STORED_VERTICES);
      expect(normals).toBeLessThan(10 * STORED_VERTICES);
    },
  );

  it.each(sampledCases<Compression>(['draco', 'meshopt', 'meshopt, quantised'], 2))(
    'bakes a mesh with %s compression',
    async (compression) => {
      const bytes = await compressed(demoBytes('unreal.glb'), compression);
      const { after, glb, doc } = await bent(bytes);
      const plain = await bent(await decompressed(bytes));
      const { points } = difference(plain.before, after);
      expect(points).toBeLessThan(compression === 'meshopt, quantised' ? QUANTIZED_VERTICES : STORED_VERTICES);
      // Draco data and its extension are gone; other compressed views are kept.
      expect(JSON.stringify(doc.json).includes('KHR_draco')).toBe(false);
      expect(glb.length).toBeGreaterThan(bytes.length);
    },
  );

  it('keeps the bits of a mesh whose pose equals its bind pose', async () => {
    const file = await open(demoBytes('unreal.glb'));
    const document = documentOf(file);
    const meshes = structuredClone(document.json['meshes']);
    const { rest } = readNodes(document, []);
    const result = normalizeDocument(
      document,
      requestFor(document, { bones: hipsOnly(document), pose: rest.slice() }),
      [],
    );
    expect(result.meshes).toBe(0);
    expect(document.json['meshes']).toEqual(meshes);
  });

  it('copies a mesh that another skin, or a node without a skin, also shows', () => {
    const doc = tinyCharacter();
    const nodes = list(doc, 'nodes');
    nodes.push({ name: 'statue', mesh: 0 });
    (list(doc, 'scenes')[0]['nodes'] as number[]).push(9);
    const meshes = structuredClone(list(doc, 'meshes'));
    normalizeDocument(doc, requestFor(doc, { pose: bentPose(doc, 3) }), []);
    expect(list(doc, 'meshes').slice(0, 2)).toEqual(meshes);
    expect([nodes[7]['mesh'], nodes[9]['mesh']]).toEqual([2, 0]);
    const own = list(doc, 'meshes')[2] as { primitives: { attributes: Json }[] };
    const old = meshes[0] as { primitives: { attributes: Json }[] };
    expect(own.primitives[0].attributes['POSITION']).not.toBe(old.primitives[0].attributes['POSITION']);
    expect(own.primitives[0].attributes['JOINTS_0']).toBe(old.primitives[0].attributes['JOINTS_0']);
  });
});

describe('rewriteChannels in a new pose', () => {
  it('adds channels with the old rest pose, only to clips that animate the character', () => {
    const doc = tinyCharacter();
    const animations = list(doc, 'animations');
    const other = structuredClone(animations[0]) as { channels: Json[]; samplers: Json[] };
    other.channels = [{ sampler: 1, target: { node: 7, path: 'translation' } }];
    animations.push(other as JsonObject);
    const request = requestFor(doc, { pose: bentPose(doc, 4) });
    const model = request.sourceNodes.filter((node) => node !== 7);
    const places = readNodes(doc, []).nodesBySource;
    const pose = Float64Array.from(
      Array.from(model, (node) => [
        ...(request.pose as Float64Array).subarray(10 * places[node], 10 * places[node] + 10),
      ]).flat(),
    );
    const { channels } = normalizeDocument(doc, { ...request, sourceNodes: model, pose }, []);
    // The clip rotates joints 1 and 4 of 1, 2, 3 and 4.
    expect(channels.added).toBe(2);
    const added = (animations[0]['channels'] as { target: Json }[]).slice(5).map(({ target }) => target);
    expect(added).toEqual([
      { node: 2, path: 'rotation' },
      { node: 3, path: 'rotation' },
    ]);
    expect(animations[1]['channels']).toHaveLength(1);
  });
});
