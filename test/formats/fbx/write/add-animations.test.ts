import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Track } from '../../../../src/core/animation/clip.ts';
import { sampleClip } from '../../../../src/core/animation/sample.ts';
import type { Asset, NewAnimation } from '../../../../src/core/asset/asset.ts';
import { DEGREE, fromEuler } from '../../../../src/core/math/euler.ts';
import * as quat from '../../../../src/core/math/quat.ts';
import { restPose } from '../../../../src/core/skeleton/pose.ts';
import { POSE_STRIDE } from '../../../../src/core/skeleton/skeleton.ts';
import { skeletonSize } from '../../../../src/core/skeleton/skeleton-size.ts';
import { mergeSkeletonClips } from '../../../../src/files/clips/merge-skeleton-clips.ts';
import type { FbxRecord, FbxTree } from '../../../../src/formats/fbx/document/fbx-tree.ts';
import { parseFbx } from '../../../../src/formats/fbx/document/parse-fbx.ts';
import { recordIn } from '../../../../src/formats/fbx/document/records.ts';
import { serializeBinaryFbx } from '../../../../src/formats/fbx/document/serialize-binary.ts';
import { readScene } from '../../../../src/formats/fbx/nodes/fbx-scene.ts';
import { unlistedKinds } from '../../../../src/formats/fbx/nodes/unlisted-kinds.ts';
import { readFbxTree } from '../../../../src/formats/fbx/read-fbx.ts';
import { addAnimations } from '../../../../src/formats/fbx/write/add-animations.ts';
import { real, rotation, track, vector } from '../../../support/arbitraries.ts';
import { assetFiles } from '../../../support/assets.ts';
import { lawRuns, sampledCases } from '../../../support/law-runs.ts';
import { RESAMPLED_RADIANS, RESAMPLED_SCALE, RESAMPLED_SIZE } from '../../../support/tolerances.ts';
import { model, treeOf, type Values } from '../fbx-scene.ts';

/** Writing and reading both resample. */
const TWICE = 2;

function reread(tree: FbxTree): FbxTree {
  return parseFbx(Buffer.concat(serializeBinaryFbx(tree)));
}

/** A Model with any rotation order, pre- and post-rotation, pivots, offsets and scale inheritance. */
const properties: fc.Arbitrary<Values> = fc
  .record({
    order: fc.integer({ min: 0, max: 5 }),
    pre: vector(180),
    post: vector(180),
    pivots: fc.array(vector(2), { minLength: 4, maxLength: 4 }),
    hasPivots: fc.boolean(),
    inherit: fc.integer({ min: 0, max: 2 }),
    translation: vector(10),
    rotation: vector(180),
    scale: real(1).map((x) => 1.5 + x),
  })
  .map(({ order, pre, post, pivots, hasPivots, inherit, translation, rotation: angles, scale }) => ({
    RotationActive: [1],
    RotationOrder: [order],
    PreRotation: pre,
    PostRotation: post,
    ...(hasPivots
      ? {
          RotationPivot: pivots[0],
          RotationOffset: pivots[1],
          ScalingPivot: pivots[2],
          ScalingOffset: pivots[3],
        }
      : {}),
    InheritType: [inherit],
    'Lcl Translation': translation,
    'Lcl Rotation': angles,
    'Lcl Scaling': [scale, scale, scale],
  }));

/** Uneven scales of parents have no exact inverse, as they have none when they are read. */
function withEvenScale(one: Track): Track {
  if (one.path !== 'scale') return one;
  const values = one.values.map((_, k) => 0.5 + Math.abs(one.values[3 * Math.floor(k / 3)]));
  return { ...one, values };
}

const tracks = fc.uniqueArray(
  fc.record({
    target: fc.integer({ min: 0, max: 2 }),
    one: fc.oneof(track(['rotation', 'translation']), track(['scale'], ['STEP', 'LINEAR'])).map(withEvenScale),
  }),
  { minLength: 1, maxLength: 6, selector: ({ target, one }) => `${target} ${one.path}` },
);

function rigOf(nodes: readonly Values[]): FbxTree {
  return treeOf({
    objects: nodes.map((values, k) => model(10 + k, `Bone${k}`, 'LimbNode', values)),
    connections: nodes.map((_, k) => [10 + k, k === 0 ? 0 : 9 + k] as const),
  });
}

describe('addAnimations', () => {
  it('switches off the limits of joints that a clip goes beyond, and no others', () => {
    const limited = (kind: string, names: readonly string[]): Values => ({
      [`${kind}Active`]: [1],
      ...Object.fromEntries(names.map((name) => [`${kind}${name}`, [1]])),
    });
    const hinge = {
      ...limited('Rotation', ['MinX', 'MaxX', 'MinY', 'MaxY', 'MinZ', 'MaxZ']),
      RotationMin: [0, 0, -10],
      RotationMax: [0, 0, 150],
    };
    const tree = rigOf([
      hinge,
      { ...hinge, RotationActive: [0] },
      { ...limited('Translation', ['MaxY']), TranslationMax: [0, 5, 0] },
    ]);
    const [{ sourceNodes }] = readFbxTree(tree).skeletons;
    const turned = new Float64Array(8);
    fromEuler(turned, 0, 3, 0, 90, 'ZYX', DEGREE);
    turned.copyWithin(4, 0, 4);
    const times = Float32Array.of(0, 1);
    const clip = {
      name: 'Move',
      duration: 1,
      tracks: [
        ...[0, 1].map(
          (target) => ({ target, path: 'rotation', interpolation: 'LINEAR', times, values: turned }) as const,
        ),
        { target: 2, path: 'translation', interpolation: 'LINEAR', times, values: Float64Array.of(0, 0, 0, 9, 4, 0) },
      ] satisfies Track[],
    };
    const added = addAnimations(tree, [{ name: 'Move', clip, sourceNodes }], false);
    expect(added.issues).toMatchObject([{ code: 'FBX_SCENE', message: expect.stringContaining('at a joint "Bone0"') }]);
    const before = recordIn(tree.records, 'Objects')?.records ?? [];
    const after = recordIn(added.tree.records, 'Objects')?.records ?? [];
    const isOn = (name: string): unknown =>
      after[0].records[0].records.find(({ properties }) => properties[0] === name)?.properties[4];
    expect(['MinX', 'MaxX', 'MinY', 'MaxY', 'MinZ', 'MaxZ'].map((end) => isOn(`Rotation${end}`))).toEqual([
      1, 0, 1, 1, 1, 1,
    ]);
    expect(after.slice(1, 3)).toEqual(before.slice(1, 3));
  });

  it('defines the kinds of all objects of a file without definitions, which the FBX SDK would leave out', () => {
    const rig = rigOf([{}, {}]);
    const tree = { ...rig, records: rig.records.filter(({ name }) => name !== 'Definitions') };
    const [{ sourceNodes }] = readFbxTree(tree).skeletons;
    const moved = { target: 1, path: 'translation', interpolation: 'LINEAR' } as const;
    const values = Float64Array.of(0, 0, 0, 1, 2, 3);
    const clip = { name: 'Move', duration: 1, tracks: [{ ...moved, times: Float32Array.of(0, 1), values }] };
    const added = addAnimations(tree, [{ name: 'Move', clip, sourceNodes }], false).tree;
    const names = added.records.map(({ name }) => name);
    expect(names.indexOf('Definitions')).toBe(names.indexOf('Objects') - 1);
    const counts = (recordIn(added.records, 'Definitions')?.records ?? [])
      .filter(({ name }) => name === 'ObjectType')
      .map(({ properties, records }) => [properties[0], records[0].properties[0]]);
    const kinds = (recordIn(added.records, 'Objects')?.records ?? []).map(({ name }) => name);
    expect(Object.fromEntries(counts)).toEqual(
      Object.fromEntries([...new Set(kinds)].map((kind) => [kind, kinds.filter((one) => one === kind).length])),
    );
  });

  it('returns the same motion on any Models when the file is read again', () => {
    fc.assert(
      fc.property(fc.array(properties, { minLength: 3, maxLength: 3 }), tracks, (nodes, list) => {
        const tree = rigOf(nodes);
        const { skeletons } = readFbxTree(tree);
        const [{ skeleton, sourceNodes }] = skeletons;
        const moving = list.map(({ target, one }) => ({ ...one, target }));
        const duration = Math.max(...moving.map(({ times }) => times[times.length - 1]));
        const clip = { name: 'Move', duration, tracks: moving };
        const added = addAnimations(tree, [{ name: 'Move', clip, sourceNodes }], false);
        expect(added.issues).toEqual([]);
        const [again] = readFbxTree(reread(added.tree)).clips;
        const steps = moving.filter(({ interpolation }) => interpolation === 'STEP').flatMap(({ times }) => [...times]);
        const size = skeletonSize(skeleton);
        const lever = 4 * 2 * Math.sqrt(3) * 5;
        for (let k = 0; k <= 40; k++) {
          const time = (duration * k) / 40;
          if (steps.some((step) => Math.abs(step - time) < 1e-5)) continue;
          const wanted = restPose(skeleton);
          const got = restPose(skeleton);
          sampleClip(clip, time, wanted);
          sampleClip(again.clips[0], time, got);
          for (let at = 0; at < wanted.length; at += POSE_STRIDE) {
            const angle = quat.angleBetween(wanted, at + 3, got, at + 3);
            expect(angle).toBeLessThan(TWICE * RESAMPLED_RADIANS);
            // Errors of the rotation move what is at the end of a pivot.
            const room = TWICE * (RESAMPLED_SIZE * size + RESAMPLED_RADIANS * lever);
            for (let c = 0; c < 3; c++) {
              expect(Math.abs(wanted[at + c] - got[at + c])).toBeLessThan(room);
              const scale = wanted[at + 7 + c];
              expect(Math.abs(scale - got[at + 7 + c])).toBeLessThan(TWICE * RESAMPLED_SCALE * Math.max(1, scale) * 9);
            }
          }
        }
      }),
      { seed: 21, numRuns: lawRuns(300) },
    );
  });

  it('writes a LINEAR rotation about one axis with its own keys, and straight', () => {
    const tree = rigOf([{}, {}]);
    const half = Math.SQRT1_2;
    const turn: Track = {
      target: 1,
      path: 'rotation',
      interpolation: 'LINEAR',
      times: Float32Array.of(0, 0.5, 1),
      values: Float64Array.of(0, 0, 0, 1, half, 0, 0, half, 1, 0, 0, 0),
    };
    const clip = { name: 'Turn', duration: 1, tracks: [turn] };
    const { tree: out } = addAnimations(tree, [{ name: 'Turn', clip, sourceNodes: [0, 1] }], false);
    const curves = recordIn(out.records, 'Objects')!.records.filter(({ name }) => name === 'AnimationCurve');
    const valuesOf = (curve: FbxRecord, name: string): number[] =>
      Array.from(recordIn(curve.records, name)!.properties[0] as Float32Array, Number);
    expect(curves.map((curve) => valuesOf(curve, 'KeyValueFloat'))).toEqual([
      [0, 90, 180],
      [0, 0],
      [0, 0],
    ]);
    expect(valuesOf(curves[0], 'KeyTime')).toEqual([0, 23093079000, 46186158000]);
    expect(valuesOf(curves[0], 'KeyAttrFlags')).toEqual([4]);
  });

  it('follows a rotation through gimbal lock with few keys', () => {
    const tree = rigOf([{}, {}]);
    const spin = (degrees: number): number[] => {
      const angle = (degrees * Math.PI) / 360;
      return [0, Math.sin(angle), 0, Math.cos(angle)];
    };
    const turn: Track = {
      target: 0,
      path: 'rotation',
      interpolation: 'LINEAR',
      times: Float32Array.of(0, 1, 2),
      values: Float64Array.from([0, 120, 240].flatMap(spin)),
    };
    const clip = { name: 'Turn', duration: 2, tracks: [turn] };
    const { tree: out } = addAnimations(tree, [{ name: 'Turn', clip, sourceNodes: [0, 1] }], false);
    const curves = recordIn(out.records, 'Objects')!.records.filter(({ name }) => name === 'AnimationCurve');
    const y = recordIn(curves[1].records, 'KeyValueFloat')!.properties[0] as Float32Array;
    expect([...y].map(Math.round)).toEqual([0, 120, 240]);
  });

  it('leaves out properties that stay at the values of their node, and keeps one per node and the length of the clip', () => {
    const tree = rigOf([{}, {}]);
    const still = (path: 'translation' | 'scale', target: number, end: number): Track => ({
      target,
      path,
      interpolation: 'LINEAR',
      times: Float32Array.of(0, end),
      values: new Float64Array(6).fill(path === 'scale' ? 1 : 0),
    });
    const turn: Track = {
      target: 1,
      path: 'rotation',
      interpolation: 'LINEAR',
      times: Float32Array.of(0, 1),
      values: Float64Array.of(0, 0, 0, 1, 1, 0, 0, 0),
    };
    const curveNodes = (end: number, targets: readonly number[]): string[] => {
      const stills = targets.flatMap((target) => [still('translation', target, end), still('scale', target, end)]);
      const clip = { name: 'Turn', duration: end, tracks: [turn, ...stills] };
      const { tree: out } = addAnimations(tree, [{ name: 'Turn', clip, sourceNodes: [0, 1] }], false);
      const nodes = recordIn(out.records, 'Objects')!.records.filter(({ name }) => name === 'AnimationCurveNode');
      return nodes.map(({ properties }) => String(properties[1])[0]);
    };
    expect(curveNodes(1, [0, 1])).toEqual(['T', 'R']);
    expect(curveNodes(1, [1])).toEqual(['R']);
    expect(curveNodes(2, [1])).toEqual(['T', 'R', 'S']);
  });

  it('gives the same bytes for the same input', () => {
    const tree = rigOf([{}, { RotationOrder: [3] }]);
    const [one] = fc.sample(track(['rotation']), { seed: 5, numRuns: 1 });
    const clip = { name: 'Move', duration: 9, tracks: [one] };
    const write = (): Buffer =>
      Buffer.concat(serializeBinaryFbx(addAnimations(tree, [{ name: 'A', clip, sourceNodes: [0, 1] }], false).tree));
    expect(write().equals(write())).toBe(true);
  });

  it('reports clips that animate nothing of the file', () => {
    const tree = rigOf([{}, {}]);
    const clip = { name: 'Still', duration: 1, tracks: [] };
    const added = addAnimations(tree, [{ name: 'Still', clip, sourceNodes: [] }], false);
    expect(added.issues.map(({ code }) => code)).toEqual(['CLIP_EMPTY']);
    expect(added.tree.records).toEqual(tree.records);
  });
});

/** Seconds of a real clip that are written again: where keys go does not depend on their number. */
const WRITTEN = 0.5;

/** Keeps the keys before a time, at least two. */
function shortened({ name, tracks }: NewAnimation['clip']): NewAnimation['clip'] {
  const short = tracks.map((one): Track => {
    const count = Math.max(2, one.times.filter((time) => time < WRITTEN).length);
    const width = one.values.length / one.times.length;
    return { ...one, times: one.times.slice(0, count), values: one.values.slice(0, width * count) };
  });
  return { name, duration: Math.max(...short.map(({ times }) => times[times.length - 1])), tracks: short };
}

/** The start of all clips of a file as new ones; half a second of a pose that the file does not have where there are none. */
function clipsOf({ clips, skeletons }: Asset, name: string): NewAnimation[] {
  const own = clips.map((clip): NewAnimation => {
    const merged = mergeSkeletonClips(clip, skeletons);
    return { ...merged, clip: shortened(merged.clip), name: `${clip.name} ${name}` };
  });
  if (own.length > 0) return own;
  const [{ sourceNodes }] = skeletons;
  const [turn] = fc.sample(rotation(), { seed: 7, numRuns: 1 });
  const values = Float64Array.from([...turn, ...turn.toReversed()]);
  const still: Track = { target: 0, path: 'rotation', interpolation: 'LINEAR', times: Float32Array.of(0, 1), values };
  return [{ name, clip: { name, duration: 1, tracks: [still] }, sourceNodes }];
}

/** Names of the animation stacks of a file, without their class. */
function stackNames({ records }: FbxTree): string[] {
  const objects = recordIn(records, 'Objects')?.records ?? [];
  return objects
    .filter(({ name }) => name === 'AnimationStack')
    .map(({ properties }) => String(properties[1]).split('\0')[0]);
}

/** Counts of objects. */
const isCount = (record: FbxRecord): boolean => record.name === 'Count';

/** Definitions without counts, and without types that only new objects have. */
function withoutCounts({ records }: FbxTree, kinds: ReadonlySet<unknown>): unknown {
  const definitions = recordIn(records, 'Definitions')?.records ?? [];
  return definitions
    .filter((record) => !isCount(record) && (record.name !== 'ObjectType' || kinds.has(record.properties[0])))
    .map((record) => ({ ...record, records: record.records.filter((inner) => !isCount(inner)) }));
}

const files = [
  'test/external/oracle/fbx-meshes/body.fbx',
  'test/external/oracle/fbx-poses/pivots.ascii.fbx',
  ...assetFiles('assets', 'fbx'),
  ...assetFiles('cases', 'fbx'),
];

describe.each(
  sampledCases(files, 12)
    .filter((path) => parseFbx(readFileSync(path)).version >= 7000)
    .map((path) => [basename(path), path]),
)('addAnimations on %s', (_, path) => {
  let tree: FbxTree;
  let file: Asset;
  let animations: NewAnimation[];
  beforeAll(() => {
    tree = parseFbx(readFileSync(path));
    file = readFbxTree(tree);
    animations = clipsOf(file, 'again');
  });

  it('keeps everything else', () => {
    const { tree: out } = addAnimations(tree, animations, false);
    const isCovered = new Set(['Objects', 'Connections', 'Definitions', 'Takes']);
    const had = tree.records.filter(({ name }) => name === 'Objects').flatMap(({ records }) => records);
    const hasStack = had.some(({ name }) => name === 'AnimationStack');
    if (!hasStack) for (const name of ['GlobalSettings', 'Documents']) isCovered.add(name);
    expect({ ...out, records: out.records.filter(({ name }) => !isCovered.has(name)) }).toEqual({
      ...tree,
      records: tree.records.filter(({ name }) => !isCovered.has(name)),
    });
    const ids = new Set(had.map(({ properties }) => String(properties[0])));
    for (const name of ['Objects', 'Connections', 'Takes']) {
      const before = recordIn(tree.records, name)?.records ?? [];
      const after = recordIn(out.records, name)?.records ?? [];
      expect(after.slice(0, before.length)).toEqual(before);
      const added = after.slice(before.length);
      if (name === 'Objects') for (const { properties } of added) expect(ids.has(String(properties[0]))).toBe(false);
      expect(added.length > 0 || recordIn(tree.records, name) === undefined).toBe(true);
    }
    const kinds = new Set(recordIn(tree.records, 'Definitions')?.records.map(({ properties }) => properties[0]));
    const isDefined = recordIn(tree.records, 'Definitions') !== undefined;
    if (isDefined) expect(withoutCounts(out, kinds)).toEqual(withoutCounts(tree, kinds));
    const total = (one: FbxTree): number =>
      Number(recordIn(recordIn(one.records, 'Definitions')?.records ?? [], 'Count')?.properties[0] ?? Number.NaN);
    const grown = (recordIn(out.records, 'Objects')?.records.length ?? 0) - had.length;
    const unlisted = unlistedKinds(tree, readScene(tree, []));
    const added = had.filter(({ name }) => unlisted.includes(name)).length;
    if (Number.isFinite(total(tree))) expect(total(out) - total(tree)).toBe(grown + added);
    expect(stackNames(reread(out)).slice(-animations.length)).toEqual(animations.map(({ name }) => name));
  });

  it('replaces the clips', () => {
    const { tree: out } = addAnimations(tree, animations, true);
    const read = readFbxTree(reread(out));
    expect(read.clips.map(({ name }) => name)).toEqual(animations.map(({ name }) => name));
    const isAnimation = ({ name }: FbxRecord): boolean => name.startsWith('Animation');
    const others = (one: FbxTree): FbxRecord[] =>
      recordIn(one.records, 'Objects')!.records.filter((record) => !isAnimation(record));
    expect(others(out)).toEqual(others(tree));
    const ids = new Set(recordIn(out.records, 'Objects')!.records.map(({ properties }) => String(properties[0])));
    const stacks = recordIn(out.records, 'Objects')!.records.filter(({ name }) => name === 'AnimationStack');
    expect(stacks).toHaveLength(animations.length);
    expect(ids.size).toBe(recordIn(out.records, 'Objects')!.records.length);
    expect(read.skeletons).toEqual(file.skeletons.map((one) => ({ ...one, sourceNodes: expect.anything() })));
  });
});
