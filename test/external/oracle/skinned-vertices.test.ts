/** Compares every vertex over time with three.js and Babylon.js: instances, morph targets, skins. */
import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { Vector3 } from 'three';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import type { Geometry } from '../../../src/core/asset/geometry.ts';
import { pointExtents } from '../../../src/core/deform/extents.ts';
import { FormatError } from '../../../src/core/report/format-error.ts';
import { geometryOf } from '../../../src/files/geometry.ts';
import { type OpenFile, openBytes } from '../../../src/files/open.ts';
import type { JsonObject } from '../../../src/formats/gltf/document/json-access.ts';
import { type GltfDocument, readGltf } from '../../../src/formats/gltf/index.ts';
import { ASSETS, assetFiles, HAS_ASSETS } from '../../support/assets.ts';
import { IS_FULL_RUN, sampledCases } from '../../support/law-runs.ts';
import { documentOf } from '../../support/make/opened.ts';
import {
  BYTE_QUATERNIONS,
  SECOND_OPINION,
  SHORT_QUATERNIONS,
  THREE_DIGIT_QUATERNIONS,
} from '../../support/tolerances.ts';
import { babylonFile } from './babylon-vertices.ts';
import { type DeformedPart, deformedFile } from './deformed-vertices.ts';
import { threeFile } from './three-vertices.ts';

const FILES = ['assets/glb', 'assets/vrm', 'assets/negative', 'conformance/gltf'].flatMap((folder) =>
  assetFiles(folder, 'glb', 'gltf', 'vrm'),
);
/** Fractions of the duration at which the first clips of a file are compared. */
const PARTS = [0.31, 0.77, 1];
const CLIPS = 2;
/** Larger primitives are compared at a subset of their vertices. */
const MOST_VERTICES = 300;

const GENERATOR = 'conformance/gltf/khronos-asset-generator/Output/Positive';
const VALIDATOR = 'conformance/gltf/khronos-validator/test/base/data';
const DRACO_MAN = 'conformance/gltf/draco-testdata/testdata/CesiumMan';

/**
 * Files with weights that do not add up to 1, and the reported number of such vertices: invalid by glTF 2.0 section 3.7.3.3. Both players
 * divide by the sum; otherwise RobotExpressive would be off by 0.7 of its size. The validator files have no weights at all there.
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
/** Files with more than four joints per vertex. three.js reads only four, so four are compared. */
const BEYOND_FOUR = [`${VALIDATOR}/mesh_data/joints_weights_complex.gltf`];

/** Files that players show differently, and by how much: they interpolate non-unit quaternions without normalizing them. */
const ROUNDED_KEYS: Readonly<Record<string, number>> = {
  'conformance/gltf/bevy-assets/assets/models/SimpleSkin/SimpleSkin.gltf': THREE_DIGIT_QUATERNIONS,
  [`${GENERATOR}/Accessor_SparseType/Accessor_SparseType_03.gltf`]: BYTE_QUATERNIONS,
  [`${GENERATOR}/Animation_SamplerType/Animation_SamplerType_01.gltf`]: BYTE_QUATERNIONS,
};
/** The same for Babylon.js, which also differs for 16-bit quaternions. */
const BABYLON_ROUNDED_KEYS: Readonly<Record<string, number>> = {
  ...ROUNDED_KEYS,
  'assets/glb/BrainStem.glb': 1e-4,
  [`${GENERATOR}/Animation_SamplerType/Animation_SamplerType_02.gltf`]: SHORT_QUATERNIONS,
};
/** three.js applies the inverse of the matrix of the skinned mesh's node, which glTF ignores, and which is 0 here. */
const THREE_SHOWS_NAN = [`${VALIDATOR}/skin/ignored_animated_transform.gltf`];
/** Babylon.js divides by a weight sum of 0; three.js and anyrig bind such a vertex to its first joint. */
const BABYLON_SHOWS_NAN = [
  `${VALIDATOR}/mesh_data/joints_weights_complex.gltf`,
  `${VALIDATOR}/node/valid.gltf`,
  `${VALIDATOR}/skin/ignored_animated_transform.gltf`,
  `${VALIDATOR}/skin/ignored_local_transform.gltf`,
  `${VALIDATOR}/skin/ignored_parent_transform.gltf`,
  `${VALIDATOR}/skin/no_joints_in_scene.gltf`,
];
/**
 * Babylon.js does not support KHR_meshopt_compression, the successor of EXT_meshopt_compression, and requires the buffer view that is
 * optional in an accessor (glTF 2.0 section 3.6.2.1).
 */
const BABYLON_REFUSES = [
  'conformance/gltf/gltf-pipeline/specs/data/2.0/extensions/KHR_meshopt_compression/meshopt-no-fallback/meshopt-no-fallback.gltf',
  'conformance/gltf/gltf-rs/gltf-json/tests/non_sparse_accessor_without_buffer_view.gltf',
  // It requires glTF 2.1, whose draft Babylon.js does not read.
  `${GENERATOR}/Compatibility/Compatibility_04.gltf`,
  'conformance/gltf/loaders.gl/modules/gltf/test/data/meshopt/MeshoptCubeTest/glTF-Meshopt/MeshoptCubeTest.gltf',
];

/** The collection lacks its box_sparse.bin; box_sparse.glb has the same content. */
const WITHOUT_BUFFER = ['conformance/gltf/gltf-rs/tests/box_sparse.gltf'];

/** The accessors declare Draco positions as normalized shorts; Babylon.js ignores that. */
const BABYLON_SHOWS_SHORTS = ['conformance/gltf/gltf-transform-tests/packages/functions/test/in/DenseSphere.glb'];

/** Files with only bones and motions. */
const WITHOUT_MESHES = [
  'assets/glb/m2m_rig-human.glb',
  'assets/glb/m2mold_human-skeleton.glb',
  'assets/negative/m2m_rig-spider.glb',
];

/** Counts of files with skins, morph targets, instanced meshes, animations and animated morph targets. */
const KINDS = [48, 14, 12, 64, 6];

/** A file with vertices. */
interface Shown {
  readonly name: string;
  readonly file: OpenFile;
  readonly document: GltfDocument;
  readonly geometry: Geometry;
  /** Number of vertices reported with weights that do not add up to 1. */
  readonly unnormalized: number;
}

const SUMS = /^(\d+) vert(?:ex has|ices have) joint weights that do not sum to 1/;

/** Babylon.js has float32 matrices: a tear gland of 8 mm, 1.66 m above the origin, is off by 2.4e-7 m. */
const BABYLON_SHARE = (4 * 2 ** -24) / SECOND_OPINION;

/** Adds a second node to trees of one node: only larger trees are skeletons that clips can animate. */
function plantTrees(doc: GltfDocument): void {
  const nodes = (doc.json['nodes'] ?? []) as JsonObject[];
  const below = new Set(nodes.flatMap(({ children }) => (children ?? []) as number[]));
  nodes.slice().forEach((node, i) => {
    if (!below.has(i) && node['children'] === undefined) node['children'] = [nodes.push({}) - 1];
  });
}

/** Returns null for refused files. */
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
 * Returns the largest difference of the compared vertices, relative to the largest side of their box, which counts as at least `share` of
 * its largest coordinate; Infinity for NaN.
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
    // In the validator files, all vertices have the same position.
    worst = Math.max(worst, size > 0 ? error / size : error);
  }
  return worst;
}

/** Returns animation index and time of every comparison: the rest pose and the first clips. */
function moments({ asset: { clips } }: OpenFile): [number, number][] {
  const moving = clips.slice(0, CLIPS).flatMap(({ duration }, clip) => {
    return PARTS.map((part): [number, number] => [clip, part * duration]);
  });
  return [[-1, 0], ...moving];
}

/** Every second file has at least 30 % of what all have. */
const PART = IS_FULL_RUN ? 1 : 0.3;

/** The compared files, and the largest difference of each. */
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

  /** Expects agreement except for the listed files: those with rounded keys differ by their listed value at most. */
  expectAgreement(rounded: Readonly<Record<string, number>>, wrong: readonly string[]): void {
    const others = Array.from(this.worst).filter(([, error]) => !(error < SECOND_OPINION));
    const named = [...Object.keys(rounded), ...wrong].filter((name) => this.worst.has(name)).sort();
    expect(others.map(([name, error]) => `${name} ${named.includes(name) ? '' : error}`.trim()).sort()).toEqual(named);
    for (const name of named) {
      if (Object.hasOwn(rounded, name)) expect(this.worst.get(name)).toBeLessThan(rounded[name]);
      else expect(this.worst.get(name)).toBeGreaterThan(1);
    }
  }
}

describe.skipIf(!HAS_ASSETS)('vertices of third-party files over time', () => {
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

  it('cover all files with vertices', () => {
    expect(shown.length).toBeGreaterThanOrEqual(260);
    const meant = /khronos-validator|khronos-asset-generator.Output.(Negative|Positive.Compatibility)/;
    expect(refused.filter((name) => !meant.test(name))).toEqual(WITHOUT_BUFFER);
    const set = (name: string): number => shown.filter((file) => file.name.startsWith(`${GENERATOR}/${name}/`)).length;
    const sets = ['Animation_Skin', 'Animation_SkinType', 'Animation_Node', 'Instancing'];
    expect(sets.map(set)).toEqual(sets.map((name) => assetFiles(`${GENERATOR}/${name}`, 'gltf').length));
    const having = (has: (shown: Shown) => boolean): number => shown.filter(has).length;
    expect(
      [
        having(({ geometry }) => geometry.skins.length > 0),
        having(({ geometry }) => geometry.meshes.some(({ morphNames }) => morphNames.length > 0)),
        having(({ geometry }) => new Set(geometry.instances.map(({ mesh }) => mesh)).size < geometry.instances.length),
        having(({ file }) => file.asset.clips.length > 0),
        having(({ file }) => file.asset.clips.some(({ morphs }) => morphs.length > 0)),
      ].map((count, k) => count >= KINDS[k]),
    ).toEqual(KINDS.map(() => true));
    const names = new Set(shown.map(({ name }) => name));
    const bare = FILES.map((path) => relative(ASSETS, path)).filter((name) => !names.has(name));
    expect(bare.filter((name) => name.startsWith('assets/'))).toEqual(expect.arrayContaining(WITHOUT_MESHES));
  });

  it('match those of three.js', async () => {
    const comparison = new Comparison();
    const unnormalized: Record<string, number> = {};
    const beyondFour: string[] = [];
    // A short run compares every file with one of both players.
    const compared = shown.filter((_, k) => IS_FULL_RUN || k % 2 === 1);
    for (const { name, file, document, geometry, unnormalized: reported } of compared) {
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
    expect(comparison.worst.size).toBe(compared.length);
    expect(comparison.parts).toBeGreaterThan(1_700 * PART);
    expect(comparison.skinned).toBeGreaterThan(150 * PART);
    expect(comparison.morphed).toBeGreaterThan(50 * PART);
    expect(comparison.vertices).toBeGreaterThan(120_000 * PART);
    const names = new Set(compared.map(({ name }) => name));
    expect(unnormalized).toEqual(Object.fromEntries(Object.entries(UNNORMALIZED).filter(([name]) => names.has(name))));
    expect(beyondFour).toEqual(BEYOND_FOUR.filter((name) => names.has(name)));
    comparison.expectAgreement(ROUNDED_KEYS, THREE_SHOWS_NAN);
  }, 60_000);

  it('match those of Babylon.js', async () => {
    const comparison = new Comparison();
    const refusals: string[] = [];
    const compared = sampledCases(shown);
    for (const { name, file, document, geometry } of compared) {
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
    expect(comparison.worst.size).toBe(compared.length - refusals.length);
    expect(comparison.parts).toBeGreaterThan(1_600 * PART);
    expect(comparison.skinned).toBeGreaterThan(220 * PART);
    expect(comparison.morphed).toBeGreaterThan(75 * PART);
    expect(comparison.vertices).toBeGreaterThan(120_000 * PART);
    const names = new Set(compared.map(({ name }) => name));
    expect(refusals).toEqual(BABYLON_REFUSES.filter((name) => names.has(name)));
    comparison.expectAgreement(BABYLON_ROUNDED_KEYS, [...BABYLON_SHOWS_NAN, ...BABYLON_SHOWS_SHORTS]);
  }, 60_000);
});
