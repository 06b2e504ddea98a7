/** Every vertex that a file shows, over time, as three.js and Babylon.js show it: instances, morph targets, skins. */
import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { Vector3 } from 'three';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import type { Geometry } from '../../src/core/asset/geometry.ts';
import { pointExtents } from '../../src/core/deform/extents.ts';
import { FormatError } from '../../src/core/report/format-error.ts';
import { geometryOf } from '../../src/files/geometry.ts';
import { type OpenFile, openBytes } from '../../src/files/open.ts';
import { type GltfDocument, type JsonObject, readGltf } from '../../src/formats/gltf/index.ts';
import { ASSETS, assetFiles, HAS_ASSETS } from '../assets.ts';
import { documentOf } from '../make/opened.ts';
import { BYTE_QUATERNIONS, SECOND_OPINION, SHORT_QUATERNIONS, THREE_DIGIT_QUATERNIONS } from '../tolerances.ts';
import { babylonFile } from './babylon-vertices.ts';
import { type DeformedPart, deformedFile } from './deformed-vertices.ts';
import { threeFile } from './three-vertices.ts';

const FILES = ['assets/glb', 'assets/vrm', 'assets/negative', 'conformance/gltf'].flatMap((folder) =>
  assetFiles(folder, 'glb', 'gltf', 'vrm'),
);
/** Parts of a clip at which the first clips of a file are compared. */
const PARTS = [0.31, 0.77, 1];
const CLIPS = 2;
/** Of larger primitives every so-manieth vertex is compared. */
const MOST_VERTICES = 300;

const GENERATOR = 'conformance/gltf/khronos-asset-generator/Output/Positive';
const VALIDATOR = 'conformance/gltf/khronos-validator/test/base/data';
const DRACO_MAN = 'conformance/gltf/draco-testdata/testdata/CesiumMan';

/**
 * Files whose weights do not add up to 1 at so many vertices, as is reported: not valid by glTF 2.0 section 3.7.3.3. Both players divide by
 * the sum; without that RobotExpressive would be off by 0.7 of its size. Those of the validator have no weights at all there.
 */
const UNNORMALIZED: Readonly<Record<string, number>> = {
  'assets/glb/CesiumMan.glb': 210,
  'assets/glb/RiggedFigure.glb': 31,
  'assets/glb/RobotExpressive.glb': 752,
  [`${DRACO_MAN}/glTF/CesiumMan.gltf`]: 210,
  [`${DRACO_MAN}/glTF_Binary/CesiumMan.glb`]: 210,
  [`${VALIDATOR}/mesh_data/joints_weights_complex.gltf`]: 1,
  [`${VALIDATOR}/node/node_skinned_mesh_without_skin.gltf`]: 3,
  [`${VALIDATOR}/node/valid.gltf`]: 3,
  [`${VALIDATOR}/skin/ignored_animated_transform.gltf`]: 3,
  [`${VALIDATOR}/skin/ignored_local_transform.gltf`]: 3,
  [`${VALIDATOR}/skin/ignored_parent_transform.gltf`]: 3,
  [`${VALIDATOR}/skin/no_joints_in_scene.gltf`]: 3,
};
/** Files with a weight beyond the fourth joint of a vertex, which three.js does not read: it is compared with four. */
const BEYOND_FOUR = [`${VALIDATOR}/mesh_data/joints_weights_complex.gltf`];

/** Files that players show otherwise, and by how much: keys that are no unit quaternions, which they interpolate as they are. */
const ROUNDED_KEYS: Readonly<Record<string, number>> = {
  'conformance/gltf/bevy-assets/assets/models/SimpleSkin/SimpleSkin.gltf': THREE_DIGIT_QUATERNIONS,
  [`${GENERATOR}/Accessor_SparseType/Accessor_SparseType_03.gltf`]: BYTE_QUATERNIONS,
  [`${GENERATOR}/Animation_SamplerType/Animation_SamplerType_01.gltf`]: BYTE_QUATERNIONS,
};
/** Those of Babylon.js: shorts show with it too. */
const BABYLON_ROUNDED_KEYS: Readonly<Record<string, number>> = {
  ...ROUNDED_KEYS,
  [`${GENERATOR}/Animation_SamplerType/Animation_SamplerType_02.gltf`]: SHORT_QUATERNIONS,
};
/** three.js goes through the inverse of the matrix of the skinned mesh's node, which does not count, and here is 0. */
const THREE_SHOWS_NAN = [`${VALIDATOR}/skin/ignored_animated_transform.gltf`];
/** Babylon.js divides by the sum of the weights where that is 0; three.js and anyrig give the vertex to its first joint. */
const BABYLON_SHOWS_NAN = [
  `${VALIDATOR}/mesh_data/joints_weights_complex.gltf`,
  `${VALIDATOR}/node/valid.gltf`,
  `${VALIDATOR}/skin/ignored_animated_transform.gltf`,
  `${VALIDATOR}/skin/ignored_local_transform.gltf`,
  `${VALIDATOR}/skin/ignored_parent_transform.gltf`,
  `${VALIDATOR}/skin/no_joints_in_scene.gltf`,
];
/**
 * Babylon.js does not know KHR_meshopt_compression, which is EXT_meshopt_compression by another name, and wants the buffer view that
 * glTF 2.0 section 3.6.2.1 lets an accessor do without.
 */
const BABYLON_REFUSES = [
  'conformance/gltf/gltf-pipeline/specs/data/2.0/extensions/KHR_meshopt_compression/meshopt-no-fallback/meshopt-no-fallback.gltf',
  'conformance/gltf/gltf-rs/gltf-json/tests/non_sparse_accessor_without_buffer_view.gltf',
  'conformance/gltf/loaders.gl/modules/gltf/test/data/meshopt/MeshoptCubeTest/glTF-Meshopt/MeshoptCubeTest.gltf',
];

/** The collection has it without its box_sparse.bin; box_sparse.glb is the same. */
const WITHOUT_BUFFER = ['conformance/gltf/gltf-rs/tests/box_sparse.gltf'];

/** Positions in Draco are normalized shorts by their accessor, which Babylon.js does not heed. */
const BABYLON_SHOWS_SHORTS = ['conformance/gltf/gltf-transform-tests/packages/functions/test/in/DenseSphere.glb'];

/** Files that have bones and motions only. */
const WITHOUT_MESHES = [
  'assets/glb/m2m_rig-human.glb',
  'assets/glb/m2mold_human-skeleton.glb',
  'assets/negative/m2m_rig-spider.glb',
];

/** Files with skins, with morph targets, with meshes that stand at several nodes, with animations, with animated morph targets. */
const KINDS = [48, 14, 12, 64, 6];

/** A file that shows vertices. */
interface Shown {
  readonly name: string;
  readonly file: OpenFile;
  readonly document: GltfDocument;
  readonly geometry: Geometry;
  /** Vertices of which is said that their weights did not add up to 1. */
  readonly unnormalized: number;
}

const SUMS = /^(\d+) vert(?:ex has|ices have) joint weights that do not sum to 1/;

/** Babylon.js has float32 matrices: what it shows of a tear gland of 8 mm, 1.66 m above the origin, is 2.4e-7 m off. */
const BABYLON_SHARE = (4 * 2 ** -24) / SECOND_OPINION;

/** Gives trees of one node a second one: only trees are skeletons, whose nodes clips move. */
function plantTrees(doc: GltfDocument): void {
  const nodes = (doc.json['nodes'] ?? []) as JsonObject[];
  const below = new Set(nodes.flatMap(({ children }) => (children ?? []) as number[]));
  nodes.slice().forEach((node, i) => {
    if (!below.has(i) && node['children'] === undefined) node['children'] = [nodes.push({}) - 1];
  });
}

/** Null for files that are refused. */
async function openOrNull(path: string): Promise<Shown | null> {
  try {
    const readResource = async (name: string): Promise<Uint8Array> => readFileSync(join(dirname(path), name));
    const opened = await openBytes(new Uint8Array(readFileSync(path)), { name: path, readResource });
    const document = documentOf(opened);
    plantTrees(document);
    const file = { ...opened, asset: readGltf(document) };
    const read = await geometryOf(file);
    if (read === null) return null;
    const unnormalized = read.issues.reduce((sum, { message }) => sum + Number(SUMS.exec(message)?.[1] ?? 0), 0);
    return { name: relative(ASSETS, path), file, document, geometry: read.geometry, unnormalized };
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    return null;
  }
}

/**
 * Largest difference of the vertices that are compared, as part of the largest side of their box, which counts as at least `share` of
 * its farthest coordinate; Infinity for NaN.
 */
function difference(
  { positions }: DeformedPart,
  share: number,
  step: number,
  theirs: (vertex: number, out: Vector3) => Vector3,
): number {
  const box = new Float64Array(6);
  pointExtents(box, 0, positions);
  const far = box.reduce((most, x) => Math.max(most, Math.abs(x)), 0);
  const size = Math.max(box[3] - box[0], box[4] - box[1], box[5] - box[2], share * far);
  const point = new Vector3();
  let worst = 0;
  for (let v = 0; v < positions.length / 3; v += step) {
    const { x, y, z } = theirs(v, point);
    const error = Math.hypot(x - positions[3 * v], y - positions[3 * v + 1], z - positions[3 * v + 2]);
    if (Number.isNaN(error)) return Number.POSITIVE_INFINITY;
    // Files of the validator have all vertices at one place.
    worst = Math.max(worst, size > 0 ? error / size : error);
  }
  return worst;
}

/** Animation and time of everything that is compared of a file: rest and the first clips. */
function moments({ asset: { clips } }: OpenFile): [number, number][] {
  const moving = clips.slice(0, CLIPS).flatMap(({ duration }, clip) => {
    return PARTS.map((part): [number, number] => [clip, part * duration]);
  });
  return [[-1, 0], ...moving];
}

/** What was compared, and the largest difference of every file. */
class Comparison {
  parts = 0;
  skinned = 0;
  morphed = 0;
  vertices = 0;
  readonly worst = new Map<string, number>();

  add(name: string, part: DeformedPart, vertices: number, error: number): void {
    this.parts++;
    this.vertices += vertices;
    if (part.isSkinned) this.skinned++;
    if (part.targetCount > 0) this.morphed++;
    this.worst.set(name, Math.max(error, this.worst.get(name) ?? 0));
  }

  /** Expects agreement but for the files that are named: those with rounded keys differ by no more than is said of them. */
  expectAgreement(rounded: Readonly<Record<string, number>>, wrong: readonly string[]): void {
    const others = Array.from(this.worst).filter(([, error]) => !(error < SECOND_OPINION));
    const named = [...Object.keys(rounded), ...wrong].sort();
    expect(others.map(([name, error]) => `${name} ${named.includes(name) ? '' : error}`.trim()).sort()).toEqual(named);
    for (const [name, most] of Object.entries(rounded)) expect(this.worst.get(name)).toBeLessThan(most);
    for (const name of wrong) expect(this.worst.get(name)).toBeGreaterThan(1);
  }
}

describe.skipIf(!HAS_ASSETS)('vertices of files of others over time', () => {
  const shown: Shown[] = [];
  const refused: string[] = [];
  beforeAll(async () => {
    vi.spyOn(console, 'warn').mockImplementation(() => {});
    vi.spyOn(console, 'error').mockImplementation(() => {});
    for (const path of FILES) {
      const opened = await openOrNull(path);
      if (opened === null) refused.push(relative(ASSETS, path));
      else if (opened.geometry.meshes.some(({ primitives }) => primitives.length > 0)) shown.push(opened);
    }
    return () => vi.restoreAllMocks();
  }, 60_000);

  it('are those of all files that have any', () => {
    expect(shown.length).toBeGreaterThanOrEqual(260);
    const meant = /khronos-validator|khronos-asset-generator.Output.(Negative|Positive.Compatibility)/;
    expect(refused.filter((name) => !meant.test(name))).toEqual(WITHOUT_BUFFER);
    const set = (name: string): number => shown.filter((file) => file.name.startsWith(`${GENERATOR}/${name}/`)).length;
    const sets = ['Animation_Skin', 'Animation_SkinType', 'Animation_Node', 'Instancing'];
    expect(sets.map(set)).toEqual(sets.map((name) => assetFiles(`${GENERATOR}/${name}`, 'gltf').length));
    const having = (has: (shown: Shown) => boolean): number => shown.filter(has).length;
    expect([
      having(({ geometry }) => geometry.skins.length > 0),
      having(({ geometry }) => geometry.meshes.some(({ morphNames }) => morphNames.length > 0)),
      having(({ geometry }) => new Set(geometry.instances.map(({ mesh }) => mesh)).size < geometry.instances.length),
      having(({ file }) => file.asset.clips.length > 0),
      having(({ file }) => file.asset.clips.some(({ morphs }) => morphs.length > 0)),
    ]).toEqual(KINDS);
    const names = new Set(shown.map(({ name }) => name));
    const bare = FILES.map((path) => relative(ASSETS, path)).filter((name) => !names.has(name));
    expect(bare.filter((name) => name.startsWith('assets/'))).toEqual(WITHOUT_MESHES);
  });

  it('are where three.js puts them', async () => {
    const comparison = new Comparison();
    const unnormalized: Record<string, number> = {};
    const beyondFour: string[] = [];
    for (const { name, file, document, geometry, unnormalized: reported } of shown) {
      const three = await threeFile(document);
      expect(three.animationCount).toBe(file.asset.clips.length);
      const ours = deformedFile(file, geometry, 4);
      if (reported > 0) unnormalized[name] = reported;
      if (ours.beyondFour > 0) beyondFour.push(name);
      for (const [clip, time] of moments(file)) {
        const theirs = three.at(clip, time);
        const parts = ours.at(clip, time);
        expect(Array.from(theirs.keys()).sort()).toEqual(parts.map((part) => `${part.node}/${part.primitive}`).sort());
        for (const part of parts) {
          const { vertexCount, vertex } = theirs.get(`${part.node}/${part.primitive}`)!;
          expect(3 * vertexCount).toBe(part.positions.length);
          const step = Math.ceil(vertexCount / MOST_VERTICES);
          comparison.add(name, part, Math.ceil(vertexCount / step), difference(part, 0, step, vertex));
        }
      }
    }
    expect(comparison.worst.size).toBe(shown.length);
    expect(comparison.parts).toBeGreaterThan(1_700);
    expect(comparison.skinned).toBeGreaterThan(220);
    expect(comparison.morphed).toBeGreaterThan(75);
    expect(comparison.vertices).toBeGreaterThan(120_000);
    expect(unnormalized).toEqual(UNNORMALIZED);
    expect(beyondFour).toEqual(BEYOND_FOUR);
    comparison.expectAgreement(ROUNDED_KEYS, THREE_SHOWS_NAN);
  }, 60_000);

  it('are where Babylon.js puts them', async () => {
    const comparison = new Comparison();
    const refusals: string[] = [];
    for (const { name, file, document, geometry } of shown) {
      const babylon = await babylonFile(document).catch(() => null);
      if (babylon === null) {
        refusals.push(name);
        continue;
      }
      const ours = deformedFile(file, geometry, null);
      for (const [clip, time] of moments(file)) {
        const left = babylon.at(clip, time);
        const parts = ours.at(clip, time);
        expect(left).toHaveLength(parts.length);
        for (const part of parts) {
          const vertexCount = part.positions.length / 3;
          const step = Math.ceil(vertexCount / MOST_VERTICES);
          const errors = left.map((theirs) => {
            if (theirs.length !== part.positions.length) return Number.POSITIVE_INFINITY;
            return difference(part, BABYLON_SHARE, step, (vertex, out) => out.fromArray(theirs, 3 * vertex));
          });
          const least = Math.min(...errors);
          left.splice(errors.indexOf(least), 1);
          comparison.add(name, part, Math.ceil(vertexCount / step), least);
        }
      }
      babylon.dispose();
    }
    expect(comparison.worst.size).toBe(shown.length - refusals.length);
    expect(comparison.parts).toBeGreaterThan(1_600);
    expect(comparison.skinned).toBeGreaterThan(220);
    expect(comparison.morphed).toBeGreaterThan(75);
    expect(comparison.vertices).toBeGreaterThan(120_000);
    expect(refusals).toEqual(BABYLON_REFUSES);
    comparison.expectAgreement(BABYLON_ROUNDED_KEYS, [...BABYLON_SHOWS_NAN, ...BABYLON_SHOWS_SHORTS]);
  }, 60_000);
});
