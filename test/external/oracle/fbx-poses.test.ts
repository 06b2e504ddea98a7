/**
 * Compares FBX poses with those of other programs: frozen numbers of Blender and assimp (scripts/fbx-oracle).
 * Both keep the axes of nodes. Assimp's world is the file's; Blender's is meters and Z up, so one rotation and one factor,
 * declared here for every file, lead from its world into the file's.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { sampleClip } from '../../../src/core/animation/sample.ts';
import type { Asset } from '../../../src/core/asset/asset.ts';
import * as mat4 from '../../../src/core/math/mat4.ts';
import * as quat from '../../../src/core/math/quat.ts';
import { localToModelMatrices, localToModelRotations, restPose } from '../../../src/core/skeleton/pose.ts';
import { readFbx } from '../../../src/formats/fbx/index.ts';
import { asset } from '../../support/assets.ts';
import { FBX_POSE_DEGREES, FBX_POSE_HEIGHT } from '../../support/tolerances.ts';
import type { PoseTable, TransformRow } from './fbx-poses.ts';

const FOLDER = fileURLToPath(new URL('./fbx-poses/', import.meta.url));

/** The worlds of the files that are not Y up, in centimeters. */
const WORLDS: Readonly<Record<string, { readonly up: 'Y' | 'Z'; readonly metersPerUnit: number }>> = {
  'SeedSan_betterfbx.fbx': { up: 'Z', metersPerUnit: 0.01 },
  'ufbx_maya_human_ik_7400_binary.fbx': { up: 'Y', metersPerUnit: 1 },
  'ufbx_maya_human_ik_6100_ascii.fbx': { up: 'Y', metersPerUnit: 1 },
};
const USUAL = { up: 'Y', metersPerUnit: 0.01 } as const;

type Part = 'rest' | 'bind' | 'motion';

/** Known errors of a program, which are not compared. */
interface Departure {
  readonly program: string;
  readonly file: RegExp;
  readonly node: RegExp;
  readonly parts: readonly Part[];
  readonly of: 'position' | 'both';
  readonly why: string;
}
const ALWAYS: readonly Part[] = ['rest', 'bind', 'motion'];
const DEPARTURES: readonly Departure[] = [
  {
    program: 'assimp',
    file: /human_ik_7400/,
    node: /./,
    parts: ALWAYS,
    of: 'position',
    why: 'ignores InheritType 2, so that a scale of 0.01 on every bone multiplies down the chain',
  },
  {
    program: 'assimp',
    file: /pivots/,
    node: /^Inactive/,
    parts: ALWAYS,
    of: 'both',
    why: 'turns by PreRotation and RotationOrder where RotationActive is off',
  },
  {
    program: 'assimp',
    file: /pivots/,
    node: /^(Pre)?Post/,
    parts: ['motion'],
    of: 'both',
    why: 'does not invert PostRotation in its channels; at rest it does',
  },
  {
    program: 'Blender',
    file: /SeedSan/,
    node: /^hair_E\.001$/,
    parts: ['rest', 'bind'],
    of: 'both',
    why: 'keeps a bone at rest as head, tail and roll in float32: 0.013° here, where assimp and the formula agree',
  },
  {
    program: 'Blender',
    file: /pivots/,
    node: /^(Pre)?Post/,
    parts: ALWAYS,
    of: 'both',
    why: 'does not invert PostRotation',
  },
  {
    program: 'Blender',
    file: /pivots/,
    node: /^PreOrder4/,
    parts: ALWAYS,
    of: 'both',
    why: 'reads PreRotation in the RotationOrder of the node; it is always XYZ',
  },
  {
    program: 'Blender',
    file: /pivots/,
    node: /^(Scaling|All)/,
    parts: ALWAYS,
    of: 'both',
    why: 'bones have no scale at rest there, so neither tips nor pivots follow it',
  },
];

/** Meshes, footprints and roots of control rigs: nodes of the scene outside our skeletons. */
const NO_BONES =
  /^(hair|hair_tail|head|wear|robo_arm|characterMedium|GENERIC MAN new|Bip01 ?Footsteps|\w+_Ctrl[:_]Reference)$/;

const tables: readonly PoseTable[] = readdirSync(FOLDER)
  .filter((name) => name.endsWith('.json'))
  .sort()
  .map((name) => JSON.parse(readFileSync(join(FOLDER, name), 'utf8')) as PoseTable);

function pathOf(file: string): string {
  return existsSync(join(FOLDER, file)) ? join(FOLDER, file) : asset('assets', 'fbx', file);
}

const read = new Map<string, Asset>();

function open(file: string): Asset {
  const known = read.get(file) ?? readFbx(readFileSync(pathOf(file)));
  read.set(file, known);
  return known;
}

/** Position and rotation of nodes by name in the file's world, and whether the node mirrors. */
interface NodeTransform {
  readonly position: readonly number[];
  readonly rotation: readonly number[];
  readonly isMirrored: boolean;
}

/** Every node of every skeleton of the file: at rest, bound, or at some seconds of its first clip. */
function transformsOf(file: Asset, part: Part, seconds = 0): Map<string, NodeTransform> {
  const transforms = new Map<string, NodeTransform>();
  file.skeletons.forEach(({ skeleton }, s) => {
    const { names, parents, bind } = skeleton;
    const local = restPose(skeleton);
    if (part === 'motion') sampleClip(file.clips[0].clips[s], seconds, local);
    const matrices = new Float64Array(16 * names.length);
    const rotations = new Float64Array(4 * names.length);
    localToModelMatrices(matrices, parents, local);
    localToModelRotations(rotations, parents, local);
    if (part === 'bind' && bind !== null) {
      matrices.set(bind);
      const trs = new Float64Array(10);
      names.forEach((_, node) => {
        mat4.decompose(trs, 0, matrices, node * 16);
        rotations.set(trs.subarray(3, 7), node * 4);
      });
    }
    names.forEach((name, node) => {
      transforms.set(name, {
        position: [...matrices.subarray(node * 16 + 12, node * 16 + 15)],
        rotation: [...rotations.subarray(node * 4, node * 4 + 4)],
        isMirrored: mat4.determinant(matrices, node * 16) < 0,
      });
    });
  });
  return transforms;
}

const H = Math.SQRT1_2;

/** Converts a row of a program to the world of the file. */
function inFile(
  program: string,
  file: string,
  [x, y, z, ...rotation]: TransformRow,
): Pick<NodeTransform, 'position' | 'rotation'> {
  if (program === 'assimp') return { position: [x, y, z], rotation };
  const { up, metersPerUnit } = WORLDS[file] ?? USUAL;
  if (up === 'Z') return { position: [x, y, z].map((value) => value / metersPerUnit), rotation };
  const turned = new Float64Array(4);
  quat.multiply(turned, 0, [-H, 0, 0, H], 0, rotation, 0);
  return { position: [x, z, -y].map((value) => value / metersPerUnit), rotation: [...turned] };
}

const departs = (program: string, file: string, node: string, part: Part, what: 'position' | 'rotation'): boolean =>
  DEPARTURES.some(
    (d) =>
      d.program === program &&
      d.file.test(file) &&
      d.node.test(node) &&
      d.parts.includes(part) &&
      (d.of === 'both' || what === d.of),
  );

function heightOf(transforms: Map<string, NodeTransform>, up: 'Y' | 'Z'): number {
  const heights = [...transforms.values()].map(({ position }) => position[up === 'Y' ? 1 : 2]);
  return Math.max(...heights) - Math.min(...heights);
}

/** Lists the nodes whose transforms differ between a table and anyrig, and counts the compared nodes. */
function differences(
  table: PoseTable,
  part: Part,
  names: readonly string[],
  rows: readonly TransformRow[],
  ours: Map<string, NodeTransform>,
  height: number,
): { faults: string[]; compared: number } {
  const faults: string[] = [];
  let compared = 0;
  names.forEach((name, r) => {
    const transform = ours.get(name);
    if (transform === undefined) {
      if (!NO_BONES.test(name)) faults.push(`${name}: not there`);
      return;
    }
    const theirs = inFile(table.program, table.file, rows[r]);
    const far = Math.hypot(...transform.position.map((value, c) => value - theirs.position[c])) / height;
    const degrees = (quat.angleBetween(transform.rotation, 0, theirs.rotation, 0) * 180) / Math.PI;
    const isPlaced = !departs(table.program, table.file, name, part, 'position');
    // The rotation of a mirrored node depends on which axis is mirrored.
    const isRotated = !transform.isMirrored && !departs(table.program, table.file, name, part, 'rotation');
    if (isPlaced && !(far <= FBX_POSE_HEIGHT)) faults.push(`${name}: ${far.toExponential(2)} of the height away`);
    if (isRotated && !(degrees <= FBX_POSE_DEGREES)) faults.push(`${name}: turned by ${degrees.toFixed(4)}°`);
    if (isPlaced || isRotated) compared++;
  });
  return { faults, compared };
}

function expectSame(
  table: PoseTable,
  part: Part,
  names: readonly string[],
  rows: readonly TransformRow[],
  ours: Map<string, NodeTransform>,
): void {
  const { up } = WORLDS[table.file] ?? USUAL;
  const height = heightOf(transformsOf(open(table.file), 'rest'), up);
  const { faults, compared } = differences(table, part, names, rows, ours, height);
  expect(faults).toEqual([]);
  expect(compared).toBeGreaterThan(15);
}

for (const table of tables) {
  const { file, program, names = [], rest = [], bind = null, motion = null } = table;
  if (table.refused !== undefined) continue;
  describe.skipIf(!existsSync(pathOf(file)))(`${file} as ${program} ${table.version} sees it`, () => {
    it('readFbx: has the same unit and up axis', () => {
      const { up, metersPerUnit } = WORLDS[file] ?? USUAL;
      expect(open(file).metersPerUnit).toBeCloseTo(metersPerUnit, 12);
      expect(open(file).up).toEqual(up === 'Y' ? [0, 1, 0] : [0, 0, 1]);
    });

    it('readFbx: has the same rest pose', () => {
      expectSame(table, 'rest', names, rest, transformsOf(open(file), 'rest'));
    });

    it.runIf(bind !== null)('readFbx: has the same bind pose', () => {
      if (open(file).skeletons.every(({ skeleton }) => skeleton.bind === null)) {
        // Without a skin, Blender builds the armature from the rest pose.
        expect(bind).toBe('as rest');
        return;
      }
      expectSame(table, 'bind', names, bind === 'as rest' ? rest : (bind ?? []), transformsOf(open(file), 'bind'));
    });

    it.runIf(motion !== null)('readFbx: has the same motion', () => {
      motion?.times.forEach((time, t) => {
        expectSame(table, 'motion', motion.names, motion.poses[t], transformsOf(open(file), 'motion', time));
      });
    });
  });
}

const TWIN = 'ufbx_maya_human_ik_6100_ascii.fbx';

describe.skipIf(!existsSync(pathOf(TWIN)))(`${TWIN}, which both programs refuse`, () => {
  it('readFbx: has the rest pose of the same character in the binary file that Blender reads', () => {
    const table = tables.find((one) => one.file === 'ufbx_maya_human_ik_7400_binary.fbx' && one.program === 'Blender')!;
    expect(open(TWIN).metersPerUnit).toBeCloseTo(1, 12);
    expectSame(table, 'rest', table.names!, table.rest!, transformsOf(open(TWIN), 'rest'));
  });

  it('the other program reports why it cannot read the file', () => {
    const refusals = tables.filter((table) => table.file === TWIN).map(({ refused }) => refused);
    expect(refusals).toHaveLength(2);
    expect(refusals.join()).toMatch(/unsupported, old format version.*ASCII FBX files are not supported/);
  });
});
