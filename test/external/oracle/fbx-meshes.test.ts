/**
 * Compares FBX meshes with Blender: frozen vertices (scripts/fbx-oracle/freeze-meshes.ts) against our reading, skinning and
 * morphing. Control points are numbered alike; Blender's world is meters and Z up.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { sampleClip } from '../../../src/core/animation/sample.ts';
import type { Asset } from '../../../src/core/asset/asset.ts';
import { morph } from '../../../src/core/deform/morph.ts';
import { skinLinear } from '../../../src/core/deform/skin-linear.ts';
import { planSkin } from '../../../src/core/deform/skin-plan.ts';
import { skinningMatrices } from '../../../src/core/deform/skinning-matrices.ts';
import * as mat4 from '../../../src/core/math/mat4.ts';
import { localToModelMatrices } from '../../../src/core/skeleton/pose.ts';
import { readFbx, readFbxGeometry } from '../../../src/formats/fbx/index.ts';
import type { FbxGeometry } from '../../../src/formats/fbx/read-fbx-geometry.ts';
import { asset } from '../../support/assets.ts';
import { FBX_NORMALS, FBX_POSE_HEIGHT, FBX_UVS, FBX_WEIGHTS, PAINTED_BYTE } from '../../support/tolerances.ts';
import type { MeshRows, MeshTable } from './fbx-meshes.ts';

const FOLDER = fileURLToPath(new URL('./fbx-meshes/', import.meta.url));
const tables = readdirSync(FOLDER)
  .filter((name) => name.endsWith('.json'))
  .sort()
  .map((name) => JSON.parse(readFileSync(join(FOLDER, name), 'utf8')) as MeshTable);
/** Files that are Z up; all are in centimeters. */
const Z_UP = new Set(['SeedSan_betterfbx.fbx']);

const pathOf = (file: string): string =>
  existsSync(join(FOLDER, file)) ? join(FOLDER, file) : asset('assets', 'fbx', file);

interface Opened {
  readonly asset: Asset;
  readonly seen: FbxGeometry;
}
const opened = new Map<string, Promise<Opened>>();

function open(file: string): Promise<Opened> {
  let known = opened.get(file);
  if (known === undefined) {
    const bytes = readFileSync(pathOf(file));
    known = readFbxGeometry(bytes).then((seen) => ({ asset: readFbx(bytes), seen }));
    opened.set(file, known);
  }
  return known;
}

/** Model matrices of all nodes, at rest or at some seconds of the first clip. */
function nodeMatrices(
  { asset: { skeletons, clips }, seen: { geometry } }: Opened,
  seconds: number | null,
): Float64Array {
  const { nodes, sourceNodes } = geometry;
  const pose = Float64Array.from(nodes.rest);
  skeletons.forEach(({ skeleton, sourceNodes: sources }, s) => {
    const part = Float64Array.from(skeleton.rest);
    if (seconds !== null) sampleClip(clips[0].clips[s], seconds, part);
    sources.forEach((source, node) => {
      pose.set(part.subarray(node * 10, node * 10 + 10), sourceNodes.indexOf(source) * 10);
    });
  });
  const matrices = new Float64Array(16 * nodes.names.length);
  localToModelMatrices(matrices, nodes.parents, pose);
  return matrices;
}

/** Returns the positions of the control points of a node's mesh in the world of the file. */
function positionsOf(
  { seen: { geometry, controlPoints } }: Opened,
  nodeName: string,
  matrices: Float64Array,
  weights: ArrayLike<number>,
): Map<number, number[]> {
  const { node, mesh: index, skin: s } = geometry.instances.find((one) => geometry.nodes.names[one.node] === nodeName)!;
  const out = new Map<number, number[]>();
  geometry.meshes[index].primitives.forEach(({ positions, vertexCount, influences, morphTargets }, p) => {
    const base = { positions: Float64Array.from(positions), normals: null, tangents: null };
    const targets = morphTargets.map((target) => ({
      ...target,
      indices: target.vertices,
      normals: null,
      tangents: null,
    }));
    morph(targets, weights, base, base);
    if (s >= 0) {
      const { joints, inverseBindMatrices } = geometry.skins[s];
      const skinning = new Float64Array(16 * joints.length);
      skinningMatrices(skinning, matrices, joints, inverseBindMatrices);
      skinLinear(planSkin(influences!, vertexCount, joints.length), skinning, null, base, base);
    } else {
      for (let v = 0; v < vertexCount; v++) {
        mat4.transformPoint(base.positions, 3 * v, matrices, 16 * node, base.positions.slice(3 * v, 3 * v + 3), 0);
      }
    }
    controlPoints[index][p].forEach((point, v) => {
      out.set(point, [...base.positions.subarray(3 * v, 3 * v + 3)]);
    });
  });
  return out;
}

const inFile = (file: string, [x, y, z]: readonly number[]): number[] =>
  (Z_UP.has(file) ? [x, y, z] : [x, z, -y]).map((value) => value * 100);

const heightOf = ({ file, meshes }: MeshTable): number => {
  const heights = meshes.flatMap(({ poses }) => poses[0].map((row) => inFile(file, row)[Z_UP.has(file) ? 2 : 1]));
  return Math.max(...heights) - Math.min(...heights);
};

/** Returns the largest distance between rows and our positions, relative to the height. Points without a polygon are skipped. */
function farthest(table: MeshTable, mesh: MeshRows, rows: readonly (readonly number[])[], ours: Map<number, number[]>) {
  let worst = 0;
  let compared = 0;
  mesh.points.forEach((point, r) => {
    const position = ours.get(point);
    if (position === undefined) return;
    const theirs = inFile(table.file, rows[r]);
    worst = Math.max(worst, Math.hypot(...position.map((value, c) => value - theirs[c])));
    compared++;
  });
  expect(compared).toBeGreaterThan(0.95 * mesh.points.length);
  return worst / heightOf(table);
}

it('the oracle has tables of four files', () => {
  expect(tables.map(({ file }) => file)).toHaveLength(4);
});

for (const table of tables) {
  const { file, program, version, times, meshes } = table;
  describe.skipIf(!existsSync(pathOf(file)))(`${file} as ${program} ${version} sees it`, () => {
    it('readFbxGeometry: has the same vertices in every pose', async () => {
      const one = await open(file);
      for (const mesh of meshes) {
        for (const [p, rows] of mesh.poses.entries()) {
          const positions = positionsOf(one, mesh.name, nodeMatrices(one, times[p] ?? null), mesh.weights[p]);
          expect(farthest(table, mesh, rows, positions), `${mesh.name}, pose ${p}`).toBeLessThan(FBX_POSE_HEIGHT);
        }
      }
    });

    it.runIf(meshes.some(({ shapes }) => shapes.length > 0))('readFbxGeometry: has the same blend shapes', async () => {
      const one = await open(file);
      for (const mesh of meshes) {
        const { mesh: index } = one.seen.geometry.instances.find(
          ({ node }) => one.seen.geometry.nodes.names[node] === mesh.name,
        )!;
        const { morphNames } = one.seen.geometry.meshes[index];
        for (const { name, places: rows } of mesh.shapes) {
          const weights = morphNames.map((other) => (other === name ? 1 : 0));
          expect(weights).toContain(1);
          const positions = positionsOf(one, mesh.name, nodeMatrices(one, times.at(-1) ?? null), weights);
          expect(farthest(table, mesh, rows, positions), `${mesh.name}, ${name}`).toBeLessThan(FBX_POSE_HEIGHT);
        }
      }
    });

    it('readFbxGeometry: has the same normals and uvs at corners', async () => {
      const { geometry, controlPoints } = (await open(file)).seen;
      for (const mesh of meshes) {
        const { mesh: index } = geometry.instances.find(({ node }) => geometry.nodes.names[node] === mesh.name)!;
        const faults: string[] = [];
        for (const [point, x, y, z, u, v] of mesh.corners) {
          const isThere = geometry.meshes[index].primitives.some(({ normals, uvs }, p) =>
            controlPoints[index][p].some((other, vertex) => {
              if (other !== point) return false;
              const n = normals!.subarray(3 * vertex, 3 * vertex + 3);
              const hasUv =
                u === undefined || Math.hypot(uvs[0][2 * vertex] - u, 1 - uvs[0][2 * vertex + 1] - v) < FBX_UVS;
              return hasUv && Math.hypot(n[0] - x, n[1] - y, n[2] - z) < FBX_NORMALS;
            }),
          );
          if (!isThere) faults.push(`control point ${point}`);
        }
        expect(faults, mesh.name).toEqual([]);
      }
    });

    it.runIf(meshes.some(({ weights }) => new Set(weights.map(String)).size > 1))(
      'readFbx: has the same morph weights',
      async () => {
        const { asset: read } = await open(file);
        for (const { name, weights } of meshes) {
          const track = read.clips[0].morphs.find(({ nodeName }) => nodeName === name);
          if (weights[0].length === 0) {
            expect(track).toBeUndefined();
            continue;
          }
          const { times: keys, values, targetCount } = track!;
          expect(targetCount).toBe(weights[0].length);
          for (const [p, row] of weights.entries()) {
            const key = keys.findIndex((time) => Math.abs(time - times[p]) < 1e-6);
            for (const [k, weight] of row.entries()) {
              expect(Math.abs(values[key * targetCount + k] - weight)).toBeLessThan(FBX_WEIGHTS);
            }
          }
        }
      },
    );
  });
}

const srgb = (linear: number): number => (linear <= 0.0031308 ? 12.92 * linear : 1.055 * linear ** (1 / 2.4) - 0.055);

describe('readFbxGeometry: body.fbx, written by Blender', () => {
  it('reads the embedded image, two materials, tangents and colors', async () => {
    const { geometry, issues } = (await open('body.fbx')).seen;
    expect(issues).toEqual([]);
    expect(geometry.textures).toMatchObject([{ mimeType: 'image/png' }]);
    expect(geometry.materials.map(({ name, baseColorTexture }) => [name, baseColorTexture?.texture])).toEqual([
      ['Plain', undefined],
      ['Checks', 0],
    ]);
    const [tube] = geometry.meshes;
    for (const { tangents, normals, uvs, colors, vertexCount } of tube.primitives) {
      expect(colors).toHaveLength(1);
      for (let v = 0; v < vertexCount; v++) {
        // u runs counter-clockwise around the tube, v up: the tangent is horizontal, the binormal is on its left.
        expect(Math.abs(tangents![4 * v + 2])).toBeLessThan(0.1);
        expect(tangents![4 * v + 3]).toBe(1);
        const along = [0, 1, 2].reduce((sum, c) => sum + tangents![4 * v + c] * normals![3 * v + c], 0);
        expect(Math.abs(along)).toBeLessThan(FBX_NORMALS);
        // Red was painted by u, in sRGB, which Blender stores as bytes.
        expect(Math.abs(srgb(colors[0][4 * v]) - uvs[0][2 * v])).toBeLessThan(PAINTED_BYTE);
      }
    }
  });

  it('reads a star of eight triangles at both nodes', async () => {
    const { geometry } = (await open('body.fbx')).seen;
    const star = geometry.meshes.findIndex(({ name }) => name === 'Sign');
    expect(geometry.meshes[star].primitives[0].indices).toHaveLength(24);
    expect(geometry.instances.filter(({ mesh }) => mesh === star)).toHaveLength(2);
  });
});
