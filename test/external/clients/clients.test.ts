import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { WebIO } from '@gltf-transform/core';
import { ALL_EXTENSIONS } from '@gltf-transform/extensions';
import { meshopt } from '@gltf-transform/functions';
import { MeshoptDecoder } from 'meshoptimizer/decoder';
import { MeshoptEncoder } from 'meshoptimizer/encoder';
import { type AnimationClip, AnimationMixer, type Bone, LoopOnce, type Object3D } from 'three';
import { BVHLoader } from 'three/examples/jsm/loaders/BVHLoader.js';
import { USDLoader } from 'three/examples/jsm/loaders/USDLoader.js';
import { describe, expect, it } from 'vitest';
import { concatParts, parseGltf, serializeGltf } from '../../../src/formats/gltf/index.ts';
import { loadInBabylon } from '../../formats/gltf/babylon-player.ts';
import { temporaryFolder } from '../../support/make/demo-files.ts';
import { HAS_GODOT, playInGodot } from './godot.ts';
import { AT_KEYS, BETWEEN_KEYS } from './limits.ts';
import { inputs, largestDistances, type Output, outputAt, type Positions, retargetTo } from './outputs.ts';
import { playInPlayCanvas } from './playcanvas.ts';

const folder = temporaryFolder();

/** Outputs of all inputs in one format. */
async function made(
  rest: string,
  options: { readonly mesh?: boolean; readonly replace?: boolean } = {},
): Promise<Output[]> {
  const outputs: Output[] = [];
  for (const { name, motion, character, avatar } of await inputs()) {
    const target = rest.endsWith('.vrma') ? avatar : character;
    outputs.push(await retargetTo(folder(`${name}-${rest}`), motion, target, options));
  }
  return outputs;
}

function expectSamePlaces(output: Output, theirs: readonly Positions[]): void {
  const { atKeys, between } = largestDistances(output, theirs);
  expect(atKeys, `${output.path} at keys`).toBeLessThan(AT_KEYS);
  expect(between, `${output.path} between keys`).toBeLessThan(BETWEEN_KEYS);
}

/** Positions of the objects with one of the names while a clip plays in three.js. */
function positionsInThree(root: Object3D, clip: AnimationClip, times: readonly number[], unit: number): Positions[] {
  return times.map((time) => {
    const mixer = new AnimationMixer(root);
    const action = mixer.clipAction(clip);
    action.setLoop(LoopOnce, 1);
    action.clampWhenFinished = true;
    action.play();
    mixer.setTime(time);
    root.updateMatrixWorld(true);
    const found = new Map<string, number[]>();
    root.traverse(({ name, matrixWorld: { elements } }) => {
      found.set(name, [elements[12] * unit, elements[13] * unit, elements[14] * unit]);
    });
    mixer.stopAllAction();
    return found;
  });
}

describe('Babylon.js', () => {
  it.each([
    ['GLB', 'new.glb', {}],
    ['motion-only GLB', 'skeleton.glb', { mesh: false }],
    ['VRM Animation', 'new.vrma', {}],
  ])('shows the joints of a %s where they were written', async (_, rest, options) => {
    for (const output of await made(`babylon-${rest}`, options)) {
      const bytes = readFileSync(output.path);
      const nodes = parseGltf(bytes).json['nodes'] as { name?: string }[];
      const player = await loadInBabylon(bytes);
      const theirs = output.times.map((time) => {
        const matrices = player.matrices(output.index, time);
        // Its root mirrors x, because its world is left-handed.
        return new Map([...matrices].map(([node, m]) => [nodes[node].name ?? '', [-m[12], m[13], m[14]]]));
      });
      player.dispose();
      expectSamePlaces(output, theirs);
    }
  });
});

describe('PlayCanvas', () => {
  it.each([
    ['character without images', 'motion.glb', {}],
    ['motion-only GLB', 'skeleton.glb', { mesh: false }],
    ['VRM Animation', 'new.vrma', {}],
  ])('shows the joints of a %s where they were written', async (_, rest, options) => {
    for (const output of await made(`playcanvas-${rest}`, options)) {
      const document = parseGltf(readFileSync(output.path));
      // Images need a browser.
      for (const list of ['images', 'textures', 'materials', 'samplers']) delete document.json[list];
      for (const mesh of (document.json['meshes'] ?? []) as { primitives: { material?: number }[] }[])
        for (const primitive of mesh.primitives) delete primitive.material;
      const bytes = concatParts(serializeGltf(document).parts);
      expectSamePlaces(output, await playInPlayCanvas(bytes, output.index, output.times));
    }
  });
});

describe.skipIf(!HAS_GODOT)('Godot', () => {
  it('shows the joints of a GLB, with and without a mesh, where they were written', async () => {
    const outputs = [
      ...(await made('godot.glb', { replace: true })),
      ...(await made('godot-skeleton.glb', { mesh: false })),
    ];
    const found = await playInGodot(outputs, folder('godot'));
    for (const [k, output] of outputs.entries()) expectSamePlaces(output, found[k]);
  }, 240_000);
});

describe('three.js', () => {
  it('BVHLoader shows the joints of a new BVH where they were written, and finds all its names', async () => {
    for (const output of await made('three.bvh', { mesh: false })) {
      const { clip, skeleton } = new BVHLoader().parse(readFileSync(output.path, 'utf8'));
      const root = skeleton.bones[0] as Bone;
      const names = new Set(skeleton.bones.map(({ name }) => name));
      const found = clip.tracks.filter(({ name }) => names.has(name.slice(0, name.lastIndexOf('.'))));
      expect(found.length).toBe(clip.tracks.length);
      expectSamePlaces(output, positionsInThree(root, clip, output.times, output.unit));
    }
  });

  it('USDLoader plays the new clip of a character with clips, with joints where they were written', async () => {
    for (const output of await made('three.usda')) {
      const group = new USDLoader().parse(readFileSync(output.path, 'utf8'));
      const [clip] = group.animations;
      const end = Math.max(...clip.tracks.map(({ times }) => times[times.length - 1]));
      const ours = output.times.map(output.at);
      expect(end).toBeGreaterThanOrEqual(Math.max(...output.times));
      const theirs = positionsInThree(group, clip, output.times, output.unit);
      // The loader names bones by the last part of their path, in which other characters than letters and digits are underscores.
      const renamed = theirs.map((at, k) => {
        return new Map(
          [...ours[k].keys()].flatMap((name) => {
            const point = at.get(name) ?? at.get(name.replace(/[^A-Za-z0-9_]/g, '_'));
            return point === undefined ? [] : [[name, point] as const];
          }),
        );
      });
      expectSamePlaces(output, renamed);
    }
  });
});

describe('compressors', () => {
  it('glTF-Transform meshopt keeps the joints of a GLB where they were written', async () => {
    await MeshoptEncoder.ready;
    await MeshoptDecoder.ready;
    const io = new WebIO()
      .registerExtensions(ALL_EXTENSIONS)
      .registerDependencies({ 'meshopt.encoder': MeshoptEncoder, 'meshopt.decoder': MeshoptDecoder });
    for (const output of await made('meshopt.glb', { replace: true })) {
      const document = await io.readBinary(readFileSync(output.path));
      await document.transform(meshopt({ encoder: MeshoptEncoder }));
      const path = folder('meshopt-out.glb');
      writeFileSync(path, await io.writeBinary(document));
      const packed = await outputAt(path, output.clip);
      const { atKeys, between } = largestDistances(output, output.times.map(packed.at));
      // It stores rotations in fewer bits.
      expect(Math.max(atKeys, between)).toBeLessThan(BETWEEN_KEYS);
    }
  });

  it('gltfpack keeps the joints of a GLB where they were written', async () => {
    for (const output of await made('gltfpack.glb', { replace: true })) {
      const path = folder('gltfpack-out.glb');
      const cli = new URL(import.meta.resolve('gltfpack')).pathname.replace(/[^/]*$/, 'cli.js');
      const { status, stderr } = spawnSync(
        process.execPath,
        [cli, '-i', output.path, '-o', path, '-kn', '-noq', '-af', '0'],
        {
          encoding: 'utf8',
        },
      );
      expect([status, stderr]).toEqual([0, '']);
      const packed = await outputAt(path, output.clip);
      const { atKeys, between } = largestDistances(output, output.times.map(packed.at));
      expect(Math.max(atKeys, between), output.path).toBeLessThan(BETWEEN_KEYS);
    }
  });
});
