import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Asset } from '../../../src/core/asset/asset.ts';
import { describeHumanoid } from '../../../src/core/humanoid/describe-humanoid.ts';
import type { Humanoid } from '../../../src/core/humanoid/humanoid.ts';
import { FormatError } from '../../../src/core/report/format-error.ts';
import { localToModelMatrices } from '../../../src/core/skeleton/pose.ts';
import type { Skeleton } from '../../../src/core/skeleton/skeleton.ts';
import { validateTopology } from '../../../src/core/skeleton/topology.ts';
import type { FbxProperty, FbxRecord } from '../../../src/formats/fbx/document/fbx-tree.ts';
import { readFbx, readFbxTree } from '../../../src/formats/fbx/read-fbx.ts';
import { asset, HAS_ASSETS } from '../../support/assets.ts';
import { lawRuns } from '../../support/law-runs.ts';
import { FBX_BIND, FBX_RIGS } from '../../support/tolerances.ts';
import { fbxBinary, rec } from './fbx-bytes.ts';
import { bindPose, cluster, model, moved, treeOf, type Values } from './fbx-scene.ts';
import { fbxText } from './fbx-text.ts';

function settingsOf(settings: Values) {
  const { metersPerUnit, up } = readFbxTree(treeOf({ settings }));
  return { metersPerUnit, up };
}

describe('readFbx', () => {
  const parts = {
    objects: [
      model(1, 'Hips', 'LimbNode', { 'Lcl Translation': [0, 100.5, 0] }),
      model(2, 'Spine', 'LimbNode', { 'Lcl Translation': [0, 10, 0], 'Lcl Rotation': [0, 0, 90] }),
      cluster(10, moved(0, 99, 0)),
    ],
    connections: [
      [1, 0],
      [2, 1],
      [1, 10],
    ],
    settings: { UpAxis: [1], UpAxisSign: [1], UnitScaleFactor: [1] },
  } as const;

  it('returns the same asset for binary and text files', () => {
    const tree = treeOf(parts);
    const fromTree = readFbxTree(tree);
    expect(readFbx(fbxBinary(tree))).toEqual(fromTree);
    expect(readFbx(new TextEncoder().encode(fbxText(tree)))).toEqual(fromTree);
    expect(fromTree).toMatchObject({ format: 'fbx', metersPerUnit: 0.01, up: [0, 1, 0], clips: [], issues: [] });
    const [{ skeleton, sourceNodes, declared }] = fromTree.skeletons;
    expect(skeleton.names).toEqual(['Hips', 'Spine']);
    expect([...skeleton.bind!.slice(12, 15), ...skeleton.bind!.slice(28, 31)]).toEqual([0, 99, 0, 0, 109, 0]);
    expect({ sources: [...sourceNodes], declared }).toEqual({ sources: [0, 1], declared: null });
    expect(Object.keys(fromTree.skeletons[0]).sort()).toEqual(['declared', 'skeleton', 'sourceNodes', 'zeroPose']);
  });

  it('returns the declared unit and up axis', () => {
    expect(settingsOf({ UnitScaleFactor: [100], UpAxis: [2] })).toEqual({ metersPerUnit: 1, up: [0, 0, 1] });
    expect(settingsOf({ UnitScaleFactor: [2.54], UpAxis: [1], UpAxisSign: [-1] })).toEqual({
      metersPerUnit: 0.0254,
      up: [0, -1, 0],
    });
    expect(settingsOf({ UpAxis: [0] }).up).toEqual([1, 0, 0]);
  });

  it('returns null for a missing or invalid unit and up axis', () => {
    const none = { metersPerUnit: null, up: null };
    expect(settingsOf({})).toEqual(none);
    expect(settingsOf({ UnitScaleFactor: [-1], UpAxis: [3] })).toEqual(none);
    expect(settingsOf({ UnitScaleFactor: ['1'], UpAxis: [Number.NaN] })).toEqual(none);
    expect(readFbxTree({ encoding: 'binary', version: 7400, records: [] })).toMatchObject({ ...none, skeletons: [] });
  });
});

describe('readFbxTree: damaged trees', () => {
  const ODD: readonly FbxProperty[] = [
    Number.NaN,
    Number.POSITIVE_INFINITY,
    -1,
    0,
    1e308,
    5e-324,
    '',
    'x',
    true,
    2n ** 62n,
    new Float64Array([Number.NaN, 1, 2]),
    new Uint8Array(4),
  ];
  const NAMES = ['Hips', 'Spine', 'Neck', 'Head', 'LeftUpLeg', 'LeftLeg', 'RightUpLeg', 'RightLeg'];
  const nodes = NAMES.map((name, i) =>
    model(i + 1, name, 'LimbNode', {
      RotationActive: [1],
      InheritType: [i % 3],
      'Lcl Translation': [0, i, 0],
      'Lcl Scaling': [0.5, 0.5, 0.5],
      PreRotation: [10, 20, 30],
    }),
  );
  const whole = treeOf({
    objects: [...nodes, cluster(20, moved(1, 2, 3)), bindPose(21, { 2: moved(3, 4, 5), 3: moved(6, 7, 8) })],
    connections: [...NAMES.map((_, i) => [i + 1, i] as const), [1, 20]],
    settings: { UpAxis: [1], UnitScaleFactor: [1] },
    templates: { Model: { 'Lcl Scaling': [1, 1, 1] } },
  });

  /** A copy in which values are replaced, records dropped, doubled and renamed; `next` gives numbers below 1. */
  function damaged({ name, properties, records }: FbxRecord, next: () => number): FbxRecord {
    const values = properties.map((value) => (next() < 0.05 ? ODD[Math.floor(next() * ODD.length)] : value));
    const inside = records.filter(() => next() > 0.02).map((record) => damaged(record, next));
    if (inside.length > 0 && next() < 0.05) inside.push(inside[Math.floor(next() * inside.length)]);
    const kept = next() < 0.03 ? values.slice(0, Math.floor(next() * values.length)) : values;
    return rec(next() < 0.01 ? 'Model' : name, kept, inside);
  }

  it('returns valid skeletons or throws a FormatError', () => {
    fc.assert(
      fc.property(fc.infiniteStream(fc.integer({ min: 0, max: 999 })), (numbers) => {
        const next = (): number => Number(numbers.next().value) / 1000;
        const tree = { ...whole, records: whole.records.map((record) => damaged(record, next)) };
        let read: Asset;
        try {
          read = readFbxTree(tree);
        } catch (error) {
          expect(error).toBeInstanceOf(FormatError);
          return;
        }
        for (const { skeleton, sourceNodes } of read.skeletons) {
          expect(validateTopology(skeleton.parents, skeleton.names)).toMatchObject({ valid: true });
          expect(sourceNodes).toHaveLength(skeleton.names.length);
          expect(skeleton.rest.every(Number.isFinite)).toBe(true);
          expect(skeleton.bind?.every(Number.isFinite) ?? true).toBe(true);
        }
      }),
      { seed: 33, numRuns: lawRuns(1000) },
    );
  });
});

function fileOf(name: string) {
  return readFbx(readFileSync(asset('assets/fbx', name)));
}

function bodyOf(name: string): { skeleton: Skeleton; humanoid: Humanoid } {
  const { skeletons, metersPerUnit } = fileOf(name);
  const { skeleton } = skeletons[0];
  const { humanoid, reason } = describeHumanoid(skeleton, { metersPerUnit, unitSource: 'file' });
  if (humanoid === null) throw new Error(reason);
  return { skeleton, humanoid };
}

function worldsOf({ parents, rest }: Skeleton): Float64Array {
  const out = new Float64Array(parents.length * 16);
  localToModelMatrices(out, parents, rest);
  return out;
}

describe.skipIf(!HAS_ASSETS)('readFbx: real files', () => {
  it('returns equal rest and bind poses for a file at rest in its bind pose', () => {
    const { skeleton } = bodyOf('SeedSan_betterfbx.fbx');
    const worlds = worldsOf(skeleton);
    const far = skeleton.names.filter((_, node) =>
      Array.from({ length: 16 }, (_, c) => Math.abs(worlds[16 * node + c] - skeleton.bind![16 * node + c])).some(
        (distance) => !(distance <= FBX_BIND),
      ),
    );
    expect(far).toEqual([]);
  });

  it('returns one rig in one pose for 6.1 text and 7.4 binary, in meters with scales of 0.01 and in centimeters', () => {
    const files = ['human_ik_6100_ascii', 'human_ik_7400_binary', 'character_7500_binary'];
    const [old, text, plain] = files.map((file) => bodyOf(`ufbx_maya_${file}.fbx`).humanoid);
    for (const body of [old, text]) {
      expect(body.skeleton.names).toEqual(plain.skeleton.names);
      for (const [k, value] of plain.reference.positions.entries()) {
        expect(Math.abs(body.reference.positions[k] - value)).toBeLessThan(FBX_RIGS);
      }
    }
  });

  it('reads the T-pose of a character that is saved in mid-run from its bind pose', () => {
    const { humanoid } = bodyOf('ufbx_maya_kenney_character_7700_binary.fbx');
    expect(humanoid.reference.from).toBe('bind');
    expect(humanoid.reference.startDeviationDegrees.leftArm).toBeLessThan(6);
    expect(humanoid.reference.startDeviationDegrees.rightArm).toBeLessThan(6);
  });

  it('returns humanoids of human size', () => {
    const heights = [
      ['SeedSan_betterfbx.fbx', 1.2, 1.5],
      ['m2m_CMU_91_48.fbx', 1.5, 1.6],
      ['mixamo_Walking.fbx', 1.5, 1.7],
      ['ozz_pab_skeleton.fbx', 1.5, 1.7],
      ['ufbx_maya_character_7500_binary.fbx', 1.5, 1.7],
      ['ufbx_maya_kenney_character_7700_binary.fbx', 2.5, 2.9],
    ] as const;
    for (const [name, least, most] of heights) {
      const { height, issues } = bodyOf(name).humanoid;
      expect(height, name).toBeGreaterThan(least);
      expect(height, name).toBeLessThan(most);
      const units = issues.filter(({ code }) => code.startsWith('UNIT')).map(({ code }) => code);
      expect(units, name).toEqual(name.startsWith('m2m') ? ['UNIT_IMPLAUSIBLE'] : []);
    }
  });

  it('reports no issues', () => {
    for (const name of ['SeedSan_betterfbx.fbx', 'mixamo_Walking.fbx', 'ozz_pab_walk.fbx']) {
      expect(fileOf(name).issues).toEqual([]);
    }
  });
});
