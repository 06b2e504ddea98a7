import { describe, expect, it } from 'vitest';
import { makeRandom, randomRotation } from '../../../../src/demo/random.ts';
import { geometryOf } from '../../../../src/files/geometry.ts';
import { type OpenFile, openBytes } from '../../../../src/files/open.ts';
import { conformDocument } from '../../../../src/formats/gltf/conform/conform-document.ts';
import type { GltfDocument, JsonObject } from '../../../../src/formats/gltf/index.ts';
import { readNodes } from '../../../../src/formats/gltf/read-nodes.ts';
import { demoBytes } from '../../../make/demo-files.ts';
import { type Compression, compressed, decompressed } from '../../../oracle/compress.ts';
import { type SeenPrimitive, seenVertices } from '../../../reference/world-vertices.ts';
import { QUANTIZED_VERTICES, STORED_VERTICES } from '../../../tolerances.ts';
import { glbBytes } from '../open.ts';
import { bonesOf, requestFor, tinyCharacter } from './tiny-character.ts';

type Json = Record<string, unknown>;

function list(doc: GltfDocument, key: string): JsonObject[] {
  return doc.json[key] as JsonObject[];
}

/** Turns every joint of a document by itself, a little; local poses by place. */
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

/** What is seen of a file in a pose; at rest without. */
async function seen(file: OpenFile, pose?: Float64Array): Promise<SeenPrimitive[]> {
  const { geometry } = (await geometryOf(file)) as NonNullable<Awaited<ReturnType<typeof geometryOf>>>;
  return seenVertices(geometry, pose);
}

/** Largest distance of points, as part of the largest coordinate, and of unit normals. */
function difference(a: readonly SeenPrimitive[], b: readonly SeenPrimitive[]): { points: number; normals: number } {
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

/** A demo character bent, its bent pose made its own; what it shows before in that pose, and after at rest. */
async function bent(
  bytes: Uint8Array,
): Promise<{ before: SeenPrimitive[]; after: SeenPrimitive[]; glb: Uint8Array; doc: GltfDocument }> {
  const file = await open(bytes);
  const before = await open(bytes);
  const document = file.document as GltfDocument;
  await geometryOf(file);
  const pose = bentPose(document, 7);
  conformDocument(
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

/** The first joint as hips: no axes are asked for, so that one bone is enough. */
function hipsOnly(doc: GltfDocument): Int32Array {
  const bones = bonesOf().fill(-1);
  bones[0] = (list(doc, 'skins')[0]['joints'] as number[])[0];
  return bones;
}

describe('meshes in a new pose', () => {
  it.each(['unreal.glb', 'odd-axes.glb', 'child.vrm', 'giant.glb'])(
    'of %s are what their skins showed in it',
    async (name) => {
      const { before, after } = await bent(demoBytes(name));
      const { points, normals } = difference(before, after);
      expect(points).toBeLessThan(STORED_VERTICES);
      expect(normals).toBeLessThan(10 * STORED_VERTICES);
    },
  );

  it.each<Compression>(['draco', 'meshopt', 'meshopt, quantised'])(
    'are so of a character with %s, too',
    async (compression) => {
      const bytes = await compressed(demoBytes('unreal.glb'), compression);
      const { after, glb, doc } = await bent(bytes);
      const plain = await bent(await decompressed(bytes));
      const { points } = difference(plain.before, after);
      expect(points).toBeLessThan(compression === 'meshopt, quantised' ? QUANTIZED_VERTICES : STORED_VERTICES);
      // Nothing is compressed by Draco any more, and nothing says so; compressed views of others stay.
      expect(JSON.stringify(doc.json).includes('KHR_draco')).toBe(false);
      expect(glb.length).toBeGreaterThan(bytes.length);
    },
  );

  it('stay as they are, to the bit, where the pose is that of the bind', async () => {
    const file = await open(demoBytes('unreal.glb'));
    const document = file.document as GltfDocument;
    const meshes = structuredClone(document.json['meshes']);
    const { rest } = readNodes(document, []);
    const result = conformDocument(
      document,
      requestFor(document, { bones: hipsOnly(document), pose: rest.slice() }),
      [],
    );
    expect(result.meshes).toBe(0);
    expect(document.json['meshes']).toEqual(meshes);
  });

  it('are copied for a skin where another one, or none, shows them as they were', () => {
    const doc = tinyCharacter();
    const nodes = list(doc, 'nodes');
    nodes.push({ name: 'statue', mesh: 0 });
    (list(doc, 'scenes')[0]['nodes'] as number[]).push(9);
    const meshes = structuredClone(list(doc, 'meshes'));
    conformDocument(doc, requestFor(doc, { pose: bentPose(doc, 3) }), []);
    expect(list(doc, 'meshes').slice(0, 2)).toEqual(meshes);
    expect([nodes[7]['mesh'], nodes[9]['mesh']]).toEqual([2, 0]);
    const own = list(doc, 'meshes')[2] as { primitives: { attributes: Json }[] };
    const old = meshes[0] as { primitives: { attributes: Json }[] };
    expect(own.primitives[0].attributes['POSITION']).not.toBe(old.primitives[0].attributes['POSITION']);
    expect(own.primitives[0].attributes['JOINTS_0']).toBe(old.primitives[0].attributes['JOINTS_0']);
  });
});

describe('clips of a character in a new pose', () => {
  it('hold what stood in the old rest pose, but only where they move the character', () => {
    const doc = tinyCharacter();
    const animations = list(doc, 'animations');
    const other = structuredClone(animations[0]) as { channels: Json[]; samplers: Json[] };
    other.channels = [{ sampler: 1, target: { node: 7, path: 'translation' } }];
    animations.push(other as JsonObject);
    const request = requestFor(doc, { pose: bentPose(doc, 4) });
    const model = request.sourceNodes.filter((node) => node !== 7);
    const places = readNodes(doc, []).places;
    const pose = Float64Array.from(
      Array.from(model, (node) => [
        ...(request.pose as Float64Array).subarray(10 * places[node], 10 * places[node] + 10),
      ]).flat(),
    );
    const { channels } = conformDocument(doc, { ...request, sourceNodes: model, pose }, []);
    // Of the joints 1, 2, 3 and 4 the clip turns 1 and 4.
    expect(channels.held).toBe(2);
    const added = (animations[0]['channels'] as { target: Json }[]).slice(5).map(({ target }) => target);
    expect(added).toEqual([
      { node: 2, path: 'rotation' },
      { node: 3, path: 'rotation' },
    ]);
    expect(animations[1]['channels']).toHaveLength(1);
  });
});
