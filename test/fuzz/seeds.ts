/** Small valid files of every format, from which the fuzzer makes damaged ones. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { CharacterOptions } from '../../src/demo/characters/character.ts';
import { makeCharacter } from '../../src/demo/characters/make-character.ts';
import { BVH_RIG, MIXAMO_RIG, VRM0_RIG, VRM1_RIG, VRMA_RIG } from '../../src/demo/characters/rigs.ts';
import { bvhText } from '../../src/demo/files/bvh.ts';
import { encodeMotion } from '../../src/demo/files/encode.ts';
import { characterDocument, glbBytes } from '../../src/demo/files/glb.ts';
import { vrm0Document, vrm1Document, vrmaDocument } from '../../src/demo/files/vrm.ts';
import { makeWalk } from '../../src/demo/motions/walk.ts';
import { convertFile } from '../../src/files/jobs/convert-file.ts';
import { defineHumanoid } from '../../src/files/jobs/define-humanoid.ts';
import { extractMotions } from '../../src/files/jobs/extract-motions.ts';
import { openBytes } from '../../src/files/open.ts';
import type { OutputFile } from '../../src/files/outputs/output-file.ts';
import { concatParts } from '../../src/formats/gltf/document/glb.ts';
import { CHARACTER, characterCrate, characterPackage } from '../formats/usd/damage.ts';
import { walkFbx } from '../support/make/demo-fbx.ts';
import { danceVmd, pmdBytes, pmxBytes, poseVpd } from '../support/make/mmd-files.ts';
import { peopleKeypoints, positionBvh, walkKeypoints, walkTrc } from '../support/make/point-files.ts';
import { npzSeeds } from './npz-seeds.ts';

/** Formats that the fuzzer counts separately. */
export const FUZZ_FORMATS = [
  'glb',
  'gltf',
  'vrm',
  'vrma',
  'bvh',
  'fbx',
  'usda',
  'usdc',
  'usdz',
  'npz',
  'vmd',
  'vpd',
  'pmx',
  'pmd',
  'trc',
  'json',
] as const;

/** A format that the fuzzer counts separately. */
export type FuzzFormat = (typeof FUZZ_FORMATS)[number];

/** A valid file. */
export interface Seed {
  readonly name: string;
  readonly format: FuzzFormat;
  readonly bytes: Uint8Array;
}

/** Size in bytes above which files of the asset folder are not used: they make the fuzzer slow. */
const LARGEST_ASSET = 50_000;
/** Size in bytes above which runs of small files leave out a seed: those with a mesh of the demo, which take most of the time. */
const LARGEST_SMALL = 45_000;
/** Keys per second of the clips. */
const FPS = 4;
/** Density of the meshes, as a fraction of those of the demo. */
const DETAIL = 0.05;

/** A rig of the demo with few bones. */
function slim(rig: CharacterOptions): CharacterOptions {
  return { ...rig, without: ['fingers', 'jaw', 'eyes', 'upperChest'] };
}

type MakeDocument = typeof characterDocument;

/** A character with a walk. */
function characterOf(rig: CharacterOptions, make: MakeDocument = characterDocument): Uint8Array {
  const character = makeCharacter(slim(rig));
  const clip = encodeMotion(character, makeWalk(character.figure), { fps: FPS });
  return glbBytes(make(character, { clips: [clip], detail: DETAIL }));
}

/**
 * Makes the motion that is retargeted to damaged characters.
 *
 * @returns A BVH.
 */
export function walkBvh(): Uint8Array {
  const character = makeCharacter(slim(BVH_RIG));
  return utf8(bvhText(character, encodeMotion(character, makeWalk(character.figure), { fps: FPS })));
}

/**
 * Makes the character that damaged motions are retargeted to.
 *
 * @returns A VRM 1.0.
 */
export function walkVrm(): Uint8Array {
  return characterOf(VRM1_RIG, vrm1Document);
}

function utf8(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function mainOf(outputs: readonly OutputFile[]): Uint8Array {
  const main = outputs.at(-1);
  if (main === undefined) throw new Error('a seed has no output');
  return concatParts(main.parts);
}

async function converted(name: string, bytes: Uint8Array, output: string): Promise<Uint8Array> {
  return mainOf((await convertFile(await openBytes(bytes, { name }), { output })).outputs);
}

/** A triangle without bones. */
const TRIANGLE = utf8(
  JSON.stringify({
    asset: { version: '2.0' },
    scene: 0,
    scenes: [{ nodes: [0] }],
    nodes: [{ mesh: 0, name: 'triangle' }],
    meshes: [{ primitives: [{ attributes: { POSITION: 0 } }] }],
    accessors: [{ bufferView: 0, componentType: 5126, count: 3, type: 'VEC3', min: [0, 0, 0], max: [1, 1, 0] }],
    bufferViews: [{ buffer: 0, byteLength: 36 }],
    buffers: [
      { byteLength: 36, uri: 'data:application/octet-stream;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA' },
    ],
  }),
);

/** Format of a file of the asset folder; null for files that the fuzzer does not take. */
function formatOf(name: string): FuzzFormat | null {
  const extension = name.slice(name.lastIndexOf('.') + 1);
  if (['npy', 'smpl', 'pkl'].includes(extension)) return 'npz';
  return FUZZ_FORMATS.find((format) => format === extension) ?? null;
}

/** Small files of the folder that `ANYRIG_ASSETS` names, where it exists. */
function assetSeeds(): Seed[] {
  const root = join(process.env['ANYRIG_ASSETS'] ?? '../shared', 'assets');
  if (!existsSync(root)) return [];
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .sort()
    .flatMap((path) => {
      const format = formatOf(path);
      const file = join(root, path);
      if (format === null || !statSync(file).isFile() || statSync(file).size > LARGEST_ASSET) return [];
      return [{ name: path, format, bytes: new Uint8Array(readFileSync(file)) }];
    });
}

/**
 * Makes the seeds.
 *
 * @returns Files of all formats, made by the demo and the tests, and small files of the asset folder.
 */
export async function makeSeeds(): Promise<Seed[]> {
  const walk = characterOf(MIXAMO_RIG);
  const vrma = characterOf(VRMA_RIG, vrmaDocument);
  const library = await extractMotions([await openBytes(walk, { name: 'walk.glb' })], { output: 'library.glb' });
  const defined = await defineHumanoid(await openBytes(walk, { name: 'walk.glb' }), {
    output: 'defined.glb',
    axes: true,
  });
  const seed = (name: string, format: FuzzFormat, bytes: Uint8Array): Seed => ({ name, format, bytes });
  const gltf = await embeddedGltf(walk);
  return [
    seed('walk.glb', 'glb', walk),
    seed('library.glb', 'glb', mainOf(library.outputs)),
    seed('defined.glb', 'glb', mainOf(defined.outputs)),
    seed('walk.gltf', 'gltf', gltf),
    seed('triangle.gltf', 'gltf', TRIANGLE),
    seed('vrm0.vrm', 'vrm', characterOf(VRM0_RIG, vrm0Document)),
    seed('vrm1.vrm', 'vrm', walkVrm()),
    seed('walk.vrma', 'vrma', vrma),
    seed('walk.bvh', 'bvh', walkBvh()),
    seed('walk.fbx', 'fbx', walkFbx('binary', { without: slim(MIXAMO_RIG).without, fps: FPS })),
    seed('walk-text.fbx', 'fbx', walkFbx('text', { without: slim(MIXAMO_RIG).without, fps: FPS })),
    seed('hero.usda', 'usda', utf8(CHARACTER)),
    seed('walk.usda', 'usda', await converted('walk.glb', walk, 'walk.usda')),
    seed('hero.usdc', 'usdc', characterCrate()),
    seed('walk.usdc', 'usdc', await converted('walk.glb', walk, 'walk.usdc')),
    seed('hero.usdz', 'usdz', characterPackage()),
    seed('walk.usdz', 'usdz', await converted('walk.glb', walk, 'walk.usdz')),
    ...Object.entries(npzSeeds()).map(([name, bytes]) => seed(name, 'npz', bytes)),
    seed('dance.vmd', 'vmd', danceVmd()),
    seed('pose.vpd', 'vpd', poseVpd()),
    seed('dancer.pmx', 'pmx', pmxBytes()),
    seed('dancer.pmd', 'pmd', pmdBytes()),
    seed('walk.trc', 'trc', utf8(walkTrc(6))),
    seed('walk.json', 'json', utf8(walkKeypoints(6))),
    seed('people.json', 'json', utf8(peopleKeypoints(4))),
    seed('positions.bvh', 'bvh', utf8(positionBvh(4))),
    ...assetSeeds(),
  ];
}

/** The file as .gltf with its buffer as a data URI. */
async function embeddedGltf(glb: Uint8Array): Promise<Uint8Array> {
  const { outputs } = await convertFile(await openBytes(glb, { name: 'walk.glb' }), { output: 'walk.gltf' });
  const json = JSON.parse(new TextDecoder().decode(mainOf(outputs)));
  const buffer = outputs.find(({ path }) => path.endsWith('.bin'));
  if (buffer !== undefined) {
    const base64 = Buffer.from(concatParts(buffer.parts)).toString('base64');
    json.buffers[0].uri = `data:application/octet-stream;base64,${base64}`;
  }
  return utf8(JSON.stringify(json));
}

/**
 * Chooses the seeds of a run.
 *
 * @param format Only this format; null for all.
 * @param isSmall Whether larger files are left out.
 */
export function chooseSeeds(all: readonly Seed[], format: string | null, isSmall: boolean): Seed[] {
  return all.filter(
    (one) => (format === null || one.format === format) && (!isSmall || one.bytes.length <= LARGEST_SMALL),
  );
}
