import { describe, expect, it } from 'vitest';
import type { Asset } from '../../../src/core/asset/asset.ts';
import * as quat from '../../../src/core/math/quat.ts';
import { localToModelMatrices, restPose } from '../../../src/core/skeleton/pose.ts';
import { curveValue } from '../../../src/formats/mmd/evaluate/bone-curves.ts';
import { readMmd } from '../../../src/formats/mmd/index.ts';
import type { MmdBone, MmdModel } from '../../../src/formats/mmd/model/mmd-model.ts';
import { standardModel } from '../../../src/formats/mmd/model/standard-model.ts';
import { mmdAsset, parseMmdModel, parseMmdMotion } from '../../../src/formats/mmd/read-mmd.ts';
import {
  type BoneKey,
  danceVmd,
  pmdBytes,
  pmxBytes,
  turned,
  type VmdContent,
  vmdBytes,
  vpdBytes,
} from '../../support/make/mmd-files.ts';

/** Distance of a foot from its goal, units of 8 cm: 40 rounds of IK with float32 keys end within 0.4 mm unless the leg is straight. */
const REACHED = 5e-3;

/** Model positions of the nodes of an asset at a frame. */
function positionsAt({ skeletons: [{ skeleton }], clips: [clip] }: Asset, frame: number): (name: string) => number[] {
  const pose = restPose(skeleton);
  for (const { target, path, values } of clip?.clips[0].tracks ?? []) {
    const width = path === 'rotation' ? 4 : 3;
    pose.set(values.subarray(width * frame, width * (frame + 1)), 10 * target + (path === 'rotation' ? 3 : 0));
  }
  const matrices = new Float64Array(16 * skeleton.names.length);
  localToModelMatrices(matrices, skeleton.parents, pose);
  return (name) => {
    const at = 16 * skeleton.names.indexOf(name) + 12;
    return [...matrices.subarray(at, at + 3)];
  };
}

function distance(a: readonly number[], b: readonly number[]): number {
  return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

/** A bone at rest. */
function bone(name: string, parent: number, position: MmdBone['position'], extras: Partial<MmdBone> = {}): MmdBone {
  return { name, parent, position, layer: 0, isAfterPhysics: false, append: null, axis: null, ik: null, ...extras };
}

/** A model of some bones. */
function modelOf(...bones: MmdBone[]): MmdModel {
  return { kind: 'PMX', name: 'test', bones, mesh: null, materials: [], morphs: [], issues: [] };
}

/** Rotation of a bone at a frame, in degrees about an axis of the left-handed model. */
function angleOf(asset: Asset, name: string, axis: 'x' | 'y' | 'z', frame = 0): number {
  const target = asset.skeletons[0].skeleton.names.indexOf(name);
  const track = asset.clips[0].clips[0].tracks.find((one) => one.target === target && one.path === 'rotation');
  if (track === undefined) return 0;
  const value = track.values.subarray(4 * frame, 4 * frame + 4);
  // Mirrored at z = 0.
  const sin = value['xyz'.indexOf(axis)] * (axis === 'z' ? 1 : -1) * Math.sign(value[3] || 1);
  return (Math.asin(Math.max(-1, Math.min(1, sin))) * 360) / Math.PI;
}

const play = (content: VmdContent, model: MmdModel | null = null): Asset =>
  mmdAsset(model, parseMmdMotion(vmdBytes(content)));

describe('readMmd', () => {
  it('mirrors the left-handed axes: a model faces +Z, its left is +X, its forward step goes to +Z', () => {
    const asset = play({ bones: [{ bone: 'センター', at: [1, 2, -3] }] });
    expect([asset.metersPerUnit, asset.up]).toEqual([0.08, [0, 1, 0]]);
    const at = positionsAt(asset, 0);
    expect(at('左腕')[0]).toBeGreaterThan(at('右腕')[0]);
    const rest = positionsAt(readMmd(pmxBytes()), 0);
    expect(at('頭').map((value, c) => Math.round(1e4 * (value - rest('頭')[c])) / 1e4)).toEqual([1, 2, 3]);
  });

  it('puts a key on every frame from 0 to the last key', () => {
    const asset = play({ bones: [{ bone: '頭' }, { bone: '頭', frame: 45, turn: turned('x', 30) }] });
    const [clip] = asset.clips;
    expect(clip.duration).toBe(1.5);
    expect(clip.clips[0].tracks.map(({ times, path }) => [path, times.length])).toEqual([['rotation', 46]]);
    for (const { values } of clip.clips[0].tracks)
      for (let at = 0; at < values.length; at += 4)
        expect(Math.hypot(...values.subarray(at, at + 4))).toBeCloseTo(1, 6);
  });

  it('interpolates by the curve of the later key, separately for x and the rotation', () => {
    const curves = [
      [127, 0, 127, 127],
      [20, 20, 107, 107],
      [20, 20, 107, 107],
      [0, 127, 0, 127],
    ] as const;
    const keys: BoneKey[] = [
      { bone: 'センター' },
      { bone: 'センター', frame: 10, at: [10, 10, 0], turn: turned('y', 90), curves },
    ];
    const asset = play({ bones: keys });
    const [x, y] = positionsAt(asset, 5)('センター');
    const ease = (x1: number, y1: number, x2: number, y2: number): number =>
      curveValue(x1 / 127, y1 / 127, x2 / 127, y2 / 127, 0.5);
    expect(x).toBeCloseTo(10 * ease(127, 0, 127, 127), 4);
    expect(x).toBeLessThan(2);
    expect(y).toBeCloseTo(8 + 5, 4);
    expect(angleOf(asset, 'センター', 'y', 5)).toBeCloseTo(90 * ease(0, 127, 0, 127), 3);
  });

  it('says which skeleton a motion alone plays on, and for which model it was made', () => {
    const { issues } = play({ bones: [{ bone: '頭', turn: turned('x', 10) }] });
    expect(issues).toMatchObject([{ code: 'MMD_SKELETON', message: expect.stringContaining('初音ミク') }]);
    expect(play({ bones: [{ bone: '頭', turn: turned('x', 10) }] }, standardModel()).issues).toEqual([]);
  });

  it('lists the bones that a motion moves and the model lacks, and not those that it holds still', () => {
    const bones = [{ bone: '頭', turn: turned('x', 10) }, { bone: '尾1', turn: turned('x', 10) }, { bone: '耳' }];
    expect(play({ bones }, standardModel()).issues).toMatchObject([
      { code: 'MMD_BONES_MISSING', message: expect.stringMatching(/1 bones.*"尾1"/) },
    ]);
  });

  it('reads a pose as a clip with one key', () => {
    const asset = readMmd(vpdBytes([{ bone: '左腕', turn: turned('z', 20) }]));
    expect(asset.clips[0].clips[0].tracks.map(({ times }) => [...times])).toEqual([[0]]);
    expect(angleOf(asset, '左腕', 'z')).toBeCloseTo(20, 4);
  });

  it('reads morphs without a mesh as expressions, whose names faces know', () => {
    const { expressions, morphs } = readMmd(danceVmd()).clips[0];
    expect(morphs).toEqual([]);
    expect(expressions?.map(({ name, times }) => [name, [...times]])).toEqual([
      ['まばたき', [0, 1, 2]],
      ['あ', [20 / 30]],
    ]);
  });

  it('reads morphs of a model with a mesh as weights of its targets, and others as expressions', () => {
    const { expressions, morphs } = readMmd(danceVmd(), pmxBytes()).clips[0];
    expect(morphs).toMatchObject([{ targetNames: ['まばたき', '笑い'], targetCount: 2 }]);
    expect([...morphs[0].values]).toEqual([0, 0, 1, 0, 0, 0]);
    expect(expressions?.map(({ name }) => name)).toEqual(['あ']);
  });
});

describe('IK of legs', () => {
  it.each([
    ['lowers the body over its feet', [{ bone: 'センター', at: [0, -3, 0] as const }]],
    ['lifts a foot to its goal', [{ bone: '左足ＩＫ', at: [0.5, 3, -3] as const }]],
    [
      'keeps the feet where they are while the hips turn',
      [
        { bone: 'センター', at: [0, -1, 0] as const },
        { bone: '下半身', turn: turned('y', 40) },
      ],
    ],
  ])('%s', (_, bones) => {
    const at = positionsAt(play({ bones }), 0);
    expect(distance(at('左足首'), at('左足ＩＫ'))).toBeLessThan(REACHED);
    expect(distance(at('右足首'), at('右足ＩＫ'))).toBeLessThan(REACHED);
    // Knees bend forward.
    for (const side of ['左', '右']) {
      const middle = (at(`${side}足`)[2] + at(`${side}足首`)[2]) / 2;
      expect(at(`${side}ひざ`)[2]).toBeGreaterThan(middle);
    }
  });

  it('points the toes at their goal', () => {
    const at = positionsAt(play({ bones: [{ bone: '左つま先ＩＫ', at: [0, 1, 0] }] }), 0);
    const rest = positionsAt(readMmd(pmxBytes()), 0);
    expect(at('左つま先')[1]).toBeGreaterThan(rest('左つま先')[1] + 0.5);
    expect(distance(at('左足首'), rest('左足首'))).toBeLessThan(REACHED);
  });

  it('is off where the motion switches it off, so that legs follow their own keys', () => {
    const bones: BoneKey[] = [0, 20].map((frame) => ({ bone: '左足', frame, turn: turned('x', -40) }));
    bones.push({ bone: 'センター', at: [0, -1, 0] });
    const states = { 左足ＩＫ: false, 左つま先ＩＫ: false };
    const asset = play({ bones, ik: [{ frame: 10, states }] });
    const rest = positionsAt(readMmd(pmxBytes()), 0);
    expect(distance(positionsAt(asset, 9)('左足首'), rest('左足首'))).toBeLessThan(REACHED);
    expect(distance(positionsAt(asset, 10)('左足首'), rest('左足首'))).toBeGreaterThan(3);
  });
});

describe('bones that follow others', () => {
  const follow = (source: number, ratio: number, extras: object = {}): Partial<MmdBone> => {
    return { append: { source, ratio, rotates: true, moves: false, isLocal: false, ...extras } };
  };

  it('rotate by a share, also a negative one, and along a chain', () => {
    const model = modelOf(
      bone('a', -1, [0, 0, 0]),
      bone('b', -1, [1, 0, 0], follow(0, 0.5)),
      bone('c', -1, [2, 0, 0], follow(1, -0.5)),
    );
    const asset = play({ bones: [{ bone: 'a', turn: turned('y', 80) }] }, model);
    expect(angleOf(asset, 'b', 'y')).toBeCloseTo(40, 4);
    expect(angleOf(asset, 'c', 'y')).toBeCloseTo(-20, 4);
  });

  it('add their own rotation', () => {
    const model = modelOf(bone('a', -1, [0, 0, 0]), bone('b', -1, [1, 0, 0], follow(0, 1)));
    const bones = [
      { bone: 'a', turn: turned('y', 30) },
      { bone: 'b', turn: turned('y', 10) },
    ];
    expect(angleOf(play({ bones }, model), 'b', 'y')).toBeCloseTo(40, 4);
  });

  it('move by a share of an offset', () => {
    const model = modelOf(
      bone('a', -1, [0, 0, 0]),
      bone('b', -1, [1, 0, 0], follow(0, 0.5, { rotates: false, moves: true })),
    );
    expect(positionsAt(play({ bones: [{ bone: 'a', at: [2, 4, 0] }] }, model), 0)('b')).toEqual([2, 2, -0]);
  });

  it('follow the rotation in the model where they are local', () => {
    const model = modelOf(
      bone('p', -1, [0, 0, 0]),
      bone('a', 0, [0, 1, 0]),
      bone('b', -1, [1, 0, 0], follow(1, 1, { isLocal: true })),
    );
    expect(angleOf(play({ bones: [{ bone: 'p', turn: turned('x', 50) }] }, model), 'b', 'x')).toBeCloseTo(50, 4);
  });

  it('see the rotation of a later layer only one layer later', () => {
    // The bone before follows the keys; the one after also the IK.
    const model = standardModel();
    const asset = play({ bones: [{ bone: 'センター', at: [0, -3, 0] }] }, model);
    expect(angleOf(asset, '左ひざD', 'x')).toBeCloseTo(angleOf(asset, '左ひざ', 'x'), 3);
    expect(Math.abs(angleOf(asset, '左ひざD', 'x'))).toBeGreaterThan(20);
  });

  it('rotate twist bones about their axis alone, by the same angle', () => {
    const asset = play({ bones: [{ bone: '左腕捩', turn: turned('x', 60) }] });
    const target = asset.skeletons[0].skeleton.names.indexOf('左腕捩');
    const track = asset.clips[0].clips[0].tracks.find((one) => one.target === target);
    const { axis } = standardModel().bones.find(({ name }) => name === '左腕捩') as MmdBone;
    const value = [...(track?.values ?? [])];
    expect(quat.angleBetween(value, 0, [0, 0, 0, 1], 0)).toBeCloseTo(Math.PI / 3, 5);
    expect(Math.abs(value[0] * (axis?.[1] ?? 0) - value[1] * (axis?.[0] ?? 0))).toBeLessThan(1e-6);
  });
});

describe('parseMmdModel', () => {
  it('reads the bones of PMX and PMD alike: hierarchy, IK, knees, bones that follow', () => {
    const pmx = parseMmdModel(pmxBytes());
    const pmd = parseMmdModel(pmdBytes());
    expect(pmd.bones.map(({ name, parent }) => [name, parent])).toEqual(
      pmx.bones.map(({ name, parent }) => [name, parent]),
    );
    const ikOf = ({ bones }: MmdModel): MmdBone['ik'] => bones.find(({ name }) => name === '左足ＩＫ')?.ik ?? null;
    expect(ikOf(pmd)).toEqual({
      ...ikOf(pmx),
      angle: 2,
      links: [
        { bone: expect.any(Number), limits: { least: [-Math.PI, 0, 0], greatest: [-Math.PI / 360, 0, 0] } },
        { bone: expect.any(Number), limits: null },
      ],
    });
    expect(pmd.bones.find(({ name }) => name === '左肩C')?.append?.ratio).toBeCloseTo(-1 + 655.36, 1);
    expect(pmd.materials[0].texture).toBe('skin.bmp');
    expect(pmd.morphs).toMatchObject([{ name: 'あ', vertices: Uint32Array.of(1) }]);
  });

  it('breaks cycles of parents and drops references to bones that do not exist, and says so', () => {
    const damaged = modelOf(
      bone('a', 1, [0, 0, 0]),
      bone('b', 0, [0, 1, 0]),
      bone('c', 99, [0, 2, 0], { append: { source: 77, ratio: 1, rotates: true, moves: false, isLocal: false } }),
    );
    const { bones, issues } = parseMmdModel(pmxBytes(damaged));
    expect(bones.map(({ parent, append }) => [parent, append])).toEqual(Array(3).fill([-1, null]));
    expect(issues).toMatchObject([{ code: 'MMD_MODEL' }]);
  });

  it('refuses models without bones and files that end early', () => {
    expect(() => parseMmdModel(pmxBytes(modelOf()))).toThrow(/no bones/);
    const whole = pmxBytes();
    expect(() => parseMmdModel(whole.subarray(0, 2000))).toThrow(expect.objectContaining({ code: 'MMD_SYNTAX' }));
  });
});
