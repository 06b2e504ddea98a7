/** Compares the geometry of third-party files with glTF-Transform, which has its own accessor reader; only the decoders are shared. */
import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import {
  type Accessor,
  type Document,
  type JSONDocument,
  Logger,
  NodeIO,
  type Primitive,
  Verbosity,
} from '@gltf-transform/core';
import { ALL_EXTENSIONS } from '@gltf-transform/extensions';
import draco3d from 'draco3dgltf';
import { MeshoptDecoder } from 'meshoptimizer/decoder';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Geometry, MeshPrimitive, MorphTarget } from '../../../src/core/asset/geometry.ts';
import { FormatError } from '../../../src/core/report/format-error.ts';
import { geometryOf } from '../../../src/files/geometry.ts';
import { type OpenFile, openBytes } from '../../../src/files/open.ts';
import { asset, assetFiles, HAS_ASSETS } from '../../support/assets.ts';
import { IS_FULL_RUN, sampledCases } from '../../support/law-runs.ts';
import { documentOf } from '../../support/make/opened.ts';
import { WEIGHT_SUM } from '../../support/tolerances.ts';

const FILES = ['conformance/gltf', 'assets/glb', 'assets/vrm', 'assets/negative'].flatMap((folder) =>
  assetFiles(folder, 'glb', 'gltf', 'vrm'),
);
const MODES = ['points', 'lines', 'line-loop', 'line-strip', 'triangles', 'triangle-strip', 'triangle-fan'];

let io: NodeIO;
beforeAll(async () => {
  await MeshoptDecoder.ready;
  io = new NodeIO()
    .setLogger(new Logger(Verbosity.SILENT))
    .registerExtensions(ALL_EXTENSIONS)
    .registerDependencies({
      'draco3d.decoder': await draco3d.createDecoderModule({ print: () => {}, printErr: () => {} }),
      'meshopt.decoder': MeshoptDecoder,
    });
});

interface Opened {
  readonly file: OpenFile;
  readonly geometry: Geometry;
  /** Repairs, except of weights that do not add up to 1: those are compared. */
  readonly mended: boolean;
}

/** Matches the message about weights that do not add up to 1. */
const SUMS = /vert(ex has|ices have) joint weights that do not sum to 1/;

async function openOrNull(path: string): Promise<Opened | null> {
  try {
    const readResource = async (name: string): Promise<Uint8Array> => readFileSync(join(dirname(path), name));
    const file = await openBytes(new Uint8Array(readFileSync(path)), { name: path, readResource });
    const read = await geometryOf(file);
    const mends = read!.issues.filter(({ code }) => code === 'GEOMETRY_REPAIRED');
    return { file, geometry: read!.geometry, mended: mends.some(({ message }) => !SUMS.test(message)) };
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    return null;
  }
}

type Json = Record<string, unknown>;
const listOf = (json: Json, key: string): Json[] => (Array.isArray(json[key]) ? (json[key] as Json[]) : []);

/** Reads only nodes, meshes and skins with glTF-Transform; null if it refuses them. */
async function openInGltfTransform(file: OpenFile): Promise<Document | null> {
  const { source, resources } = documentOf(file);
  const json = JSON.parse(source!.text) as Json;
  for (const key of ['images', 'textures', 'materials', 'samplers', 'cameras', 'animations', 'extensions'])
    delete json[key];
  json['asset'] = { version: '2.0' };
  const compression = /draco|meshopt|quantization/;
  for (const key of ['extensionsUsed', 'extensionsRequired']) {
    json[key] = listOf(json, key).filter((name) => compression.test(String(name)));
  }
  for (const node of listOf(json, 'nodes')) {
    delete node?.['camera'];
    delete node?.['extensions'];
  }
  try {
    for (const mesh of listOf(json, 'meshes')) {
      for (const primitive of listOf(mesh, 'primitives')) delete primitive['material'];
    }
    const named = new Map<string, Uint8Array>();
    for (const { uri } of listOf(json, 'buffers')) {
      if (typeof uri !== 'string' || uri.startsWith('data:')) continue;
      named.set(uri, resources.get(decodeURIComponent(uri))!);
    }
    const { bin } = documentOf(file);
    if (bin !== null) named.set('@glb.bin', Uint8Array.from(bin));
    return await io.readJSON({ json, resources: Object.fromEntries(named) } as unknown as JSONDocument);
  } catch {
    return null;
  }
}

function usesKhrMeshopt(file: OpenFile): boolean {
  return documentOf(file).source!.text.includes('"KHR_meshopt_compression"');
}

function floatsOf(accessor: Accessor | null): Float32Array | null {
  if (accessor === null) return null;
  const width = accessor.getElementSize();
  const floats = new Float32Array(accessor.getCount() * width);
  const element: number[] = [];
  for (let i = 0; i < accessor.getCount(); i++) floats.set(accessor.getElement(i, element), i * width);
  return floats;
}

/** Joins the attribute sets of glTF (`_0`, `_1`, …) independently of the library. */
function joined(primitive: Primitive, semantic: string): number[] | null {
  const sets: Accessor[] = [];
  for (let n = 0; ; n++) {
    const set = primitive.getAttribute(`${semantic}_${n}`);
    if (set === null) break;
    sets.push(set);
  }
  if (sets.length === 0) return null;
  const numbers: number[] = [];
  for (let i = 0; i < sets[0].getCount(); i++) for (const set of sets) numbers.push(...set.getElement(i, []));
  return numbers;
}

/** Normalizes the weights of vertices; a vertex without weight gets weight 1 for its first joint. */
function normalized(weights: readonly number[], size: number): number[] {
  const floats = weights.map(Math.fround);
  const runs = Array.from({ length: floats.length / size }, (_, v) => floats.slice(v * size, (v + 1) * size));
  return runs.flatMap((run) => {
    const sum = run.reduce((total, weight) => total + weight, 0);
    if (Math.abs(sum - 1) <= WEIGHT_SUM * run.filter((weight) => weight !== 0).length) return run;
    return run.map((weight, k) => (sum === 0 ? Number(k === 0) : weight / sum));
  });
}

function dense({ vertices }: MorphTarget, deltas: Float32Array | null, vertexCount: number): Float32Array | null {
  if (deltas === null || vertices === null) return deltas;
  const all = new Float32Array(3 * vertexCount);
  vertices.forEach((vertex, i) => {
    all.set(deltas.subarray(3 * i, 3 * i + 3), 3 * vertex);
  });
  return all;
}

/** Describes the first difference of two arrays; null if they are equal. */
function difference(ours: ArrayLike<number> | null, theirs: ArrayLike<number> | null): string | null {
  if (ours === null || theirs === null) return ours === theirs ? null : `${ours?.length} and ${theirs?.length} numbers`;
  if (ours.length !== theirs.length) return `${ours.length} and ${theirs.length} numbers`;
  for (let i = 0; i < ours.length; i++) {
    if (ours[i] !== Math.fround(theirs[i])) return `${ours[i]} and ${theirs[i]} at ${i}`;
  }
  return null;
}

function comparePrimitive(ours: MeshPrimitive, theirs: Primitive): string[] {
  const { vertexCount, morphTargets, influences } = ours;
  const weights = joined(theirs, 'WEIGHTS');
  const pairs: [string, ArrayLike<number> | null, ArrayLike<number> | null][] = [
    ['positions', ours.positions, floatsOf(theirs.getAttribute('POSITION'))],
    ['normals', ours.normals, floatsOf(theirs.getAttribute('NORMAL'))],
    ['tangents', ours.tangents, floatsOf(theirs.getAttribute('TANGENT'))],
    ['indices', ours.indices, theirs.getIndices()?.getArray() ?? null],
    ['joints', influences?.indices ?? null, joined(theirs, 'JOINTS')],
    ['weights', influences?.weights ?? null, weights && normalized(weights, influences?.jointsPerVertex ?? 4)],
    ['mode', [MODES.indexOf(ours.mode)], [theirs.getMode()]],
  ];
  ours.uvs.forEach((uvs, n) => {
    pairs.push([`uvs ${n}`, uvs, floatsOf(theirs.getAttribute(`TEXCOORD_${n}`))]);
  });
  ours.colors.forEach((colors, n) => {
    const color = theirs.getAttribute(`COLOR_${n}`)!;
    const rgba: number[] = [];
    for (let i = 0; i < color.getCount(); i++) rgba.push(...[...color.getElement(i, []), 1].slice(0, 4));
    pairs.push([`colors ${n}`, colors, rgba]);
  });
  const targets = theirs.listTargets();
  pairs.push(['targets', [morphTargets.length], [targets.length]]);
  morphTargets.forEach((target, n) => {
    for (const [key, semantic] of [
      ['positions', 'POSITION'],
      ['normals', 'NORMAL'],
      ['tangents', 'TANGENT'],
    ] as const) {
      const deltas = floatsOf(targets[n].getAttribute(semantic));
      const mine = dense(target, target[key], vertexCount) ?? (deltas?.every((value) => value === 0) ? deltas : null);
      pairs.push([`target ${n} ${key}`, mine, deltas]);
    }
  });
  return pairs.flatMap(([name, a, b]) => {
    const found = difference(a, b);
    return found === null ? [] : [`${name}: ${found}`];
  });
}

function compareFile({ file, geometry }: Opened, theirs: Document): number {
  const nodes = documentOf(file).json['nodes'] as Json[];
  let compared = 0;
  for (const { node, mesh, skin } of geometry.instances) {
    const { mesh: fileMesh, skin: fileSkin } = nodes[geometry.sourceNodes[node]] as { mesh: number; skin?: number };
    const primitives = theirs.getRoot().listMeshes()[fileMesh].listPrimitives();
    const shown = primitives.filter((primitive) => primitive.getAttribute('POSITION') !== null);
    expect(geometry.meshes[mesh].primitives).toHaveLength(shown.length);
    geometry.meshes[mesh].primitives.forEach((primitive, i) => {
      const differences = comparePrimitive(primitive, shown[i]);
      if (differences.length > 0) expect.fail(`${file.name}, mesh ${fileMesh}, part ${i}: ${differences.join('; ')}`);
      compared++;
    });
    if (skin < 0) continue;
    const { joints, inverseBindMatrices } = geometry.skins[skin];
    const skinOfTheirs = theirs.getRoot().listSkins()[fileSkin!];
    const matrices = floatsOf(skinOfTheirs.getInverseBindMatrices())?.subarray(0, 16 * joints.length);
    if (matrices !== undefined) expect(difference(inverseBindMatrices, matrices)).toBeNull();
    const jointNodes = skinOfTheirs.listJoints().map((joint) => theirs.getRoot().listNodes().indexOf(joint));
    expect(Array.from(joints, (joint) => geometry.sourceNodes[joint])).toEqual(jointNodes);
  }
  return compared;
}

/** Files whose weights are repaired on reading. */
const REPAIRED = ['joints_weights_complex.gltf', 'node_weights_invalid.gltf'];

describe.skipIf(!HAS_ASSETS)('geometryOf on third-party files', () => {
  it('returns what glTF-Transform reads', async () => {
    let files = 0;
    let parts = 0;
    const onlyOurs: string[] = [];
    const mended: string[] = [];
    const compared = sampledCases(FILES, 4);
    for (const path of compared) {
      const ours = await openOrNull(path);
      // glTF-Transform does not support KHR_meshopt_compression and reads the fallback bytes.
      if (ours === null || ours.geometry.instances.length === 0 || usesKhrMeshopt(ours.file)) continue;
      if (ours.mended) {
        mended.push(basename(path));
        continue;
      }
      const theirs = await openInGltfTransform(ours.file);
      if (theirs === null) onlyOurs.push(path);
      else parts += compareFile(ours, theirs);
      files++;
    }
    expect(files).toBeGreaterThan(IS_FULL_RUN ? 250 : 60);
    expect(parts).toBeGreaterThan(IS_FULL_RUN ? 400 : 75);
    expect(onlyOurs).toEqual([]);
    const names = compared.map((path) => basename(path));
    expect(mended).toEqual(REPAIRED.filter((name) => names.includes(name)));
  }, 60_000);

  it.each(['meshopt-fallback', 'meshopt-no-fallback'])(
    'is the same of %s with both extensions of that name',
    async (name) => {
      const folder = 'conformance/gltf/gltf-pipeline/specs/data/2.0/extensions';
      const [ext, khr] = await Promise.all(
        ['EXT', 'KHR'].map((kind) => openOrNull(asset(folder, `${kind}_meshopt_compression`, name, `${name}.gltf`))),
      );
      expect(khr!.geometry.meshes.length).toBeGreaterThan(0);
      expect(khr!.geometry.meshes).toEqual(ext!.geometry.meshes);
    },
  );
});
