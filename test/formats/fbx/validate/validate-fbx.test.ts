import { describe, expect, it } from 'vitest';
import { binaryTree } from '../../../../src/formats/fbx/document/binary-tree.ts';
import type { FbxProperty, FbxRecord, FbxTree } from '../../../../src/formats/fbx/document/fbx-tree.ts';
import { validateFbxTree } from '../../../../src/formats/fbx/validate/validate-fbx.ts';
import { rec } from '../fbx-bytes.ts';
import { bindPose, model, moved, properties70, type TreeParts, treeOf, type Values } from '../fbx-scene.ts';

const SECOND = 46_186_158_000;

/** +Y up, +Z front, centimeters, 30 frames per second. */
const SETTINGS: Values = {
  UpAxis: [1],
  UpAxisSign: [1],
  FrontAxis: [2],
  FrontAxisSign: [1],
  CoordAxis: [0],
  CoordAxisSign: [1],
  UnitScaleFactor: [1],
  TimeMode: [6],
};

function skinCluster(id: number, transform: readonly number[], link: readonly number[]): FbxRecord {
  return rec(
    'Deformer',
    [id, `${id}\0\x01SubDeformer`, 'Cluster'],
    [
      rec('Indexes', [Int32Array.of(0, 1)]),
      rec('Weights', [Float64Array.of(1, 1)]),
      rec('Transform', [Float64Array.from(transform)]),
      rec('TransformLink', [Float64Array.from(link)]),
    ],
  );
}

function curve(id: number, times: readonly number[], values: readonly number[]): FbxRecord {
  return rec(
    'AnimationCurve',
    [id, '\0\x01AnimCurve', ''],
    [
      rec('KeyTime', [BigInt64Array.from(times, (time) => BigInt(Math.round(time * SECOND)))]),
      rec('KeyValueFloat', [Float32Array.from(values)]),
      rec('KeyAttrFlags', [Int32Array.of(4)]),
      rec('KeyAttrDataFloat', [Float32Array.of(0, 0, 0, 0)]),
      rec('KeyAttrRefCount', [Int32Array.of(times.length)]),
    ],
  );
}

function stack(id: number, start: number, stop: number): FbxRecord {
  const ranges = properties70({ LocalStart: [start * SECOND], LocalStop: [stop * SECOND] });
  return rec('AnimationStack', [id, 'walk\0\x01AnimStack', ''], [ranges]);
}

/** A root with one joint below, a skin of two points on both, a BindPose and a clip of a second. */
const OBJECTS: Readonly<Record<string, FbxRecord>> = {
  root: model(1, 'root', 'LimbNode'),
  hips: model(2, 'hips', 'LimbNode', { 'Lcl Translation': [0, 100, 0] }),
  mesh: model(3, 'body', 'Mesh'),
  geometry: rec('Geometry', [4, 'body\0\x01Geometry', 'Mesh'], [rec('Vertices', [Float64Array.of(0, 0, 0, 0, 1, 0)])]),
  skin: rec('Deformer', [5, 'skin\0\x01Deformer', 'Skin']),
  ofRoot: skinCluster(6, moved(0, 0, 0), moved(0, 0, 0)),
  ofHips: skinCluster(7, moved(0, -100, 0), moved(0, 100, 0)),
  pose: bindPose(8, { 1: moved(0, 0, 0), 2: moved(0, 100, 0), 3: moved(0, 0, 0) }),
  stack: stack(9, 0, 1),
  layer: rec('AnimationLayer', [10, 'base\0\x01AnimLayer', '']),
  node: rec('AnimationCurveNode', [11, 'R\0\x01AnimCurveNode', '']),
  curve: curve(12, [0, 0.5, 1], [0, 10, 0]),
};
const CONNECTIONS: readonly (readonly [FbxProperty, FbxProperty, string?])[] = [
  [1, 0],
  [2, 1],
  [3, 0],
  [4, 3],
  [5, 4],
  [6, 5],
  [7, 5],
  [1, 6],
  [2, 7],
  [10, 9],
  [11, 10],
  [11, 2, 'Lcl Rotation'],
  [12, 11, 'd|X'],
];

/** The findings of the file with other objects, connections or settings, as codes and texts. */
function findings(change: Readonly<Record<string, FbxRecord>> = {}, parts: TreeParts = {}): string[] {
  const objects = Object.values({ ...OBJECTS, ...change });
  const tree = treeOf({ objects, connections: CONNECTIONS, settings: SETTINGS, ...parts });
  return validateFbxTree(tree).issues.map(({ code, message }) => `${code} ${message}`);
}

describe('validateFbxTree', () => {
  it('finds nothing in a file that every importer reads', () => {
    expect(findings()).toEqual([]);
  });

  it.each<[string, Readonly<Record<string, FbxRecord>>, TreeParts, RegExp]>([
    ['objects that share an id', { twin: model(2, 'twin', 'Null') }, {}, /^FBX_ID_REPEATED .*"Model twin"/],
    [
      'connections to missing objects',
      {},
      { connections: [...CONNECTIONS, [2, 77]] },
      /^FBX_CONNECTION_BROKEN .*"2 to 77"/,
    ],
    ['curves of missing nodes', {}, { connections: [...CONNECTIONS, [88, 2, 'Lcl Scaling']] }, /"88 to 2 Lcl Scaling"/],
    [
      'names that nodes share',
      { hips: model(2, 'root', 'LimbNode', { 'Lcl Translation': [0, 100, 0] }) },
      {},
      /^FBX_NAME .*"root"/,
    ],
    ['joints without a name', { root: model(1, '', 'LimbNode') }, {}, /^FBX_NAME .*without a name/],
    [
      'the name that Unreal Engine leaves out',
      { root: model(1, 'Armature', 'LimbNode') },
      {},
      /^FBX_NAME .*"Armature"/,
    ],
    ['missing axes', {}, { settings: { UnitScaleFactor: [1], TimeMode: [6] } }, /^FBX_AXES/],
    ['axes of a left-handed system', {}, { settings: { ...SETTINGS, FrontAxisSign: [-1] } }, /^FBX_AXES/],
    ['another unit than centimeters', {}, { settings: { ...SETTINGS, UnitScaleFactor: [100] } }, /^FBX_UNIT .*100 cm/],
    ['a missing unit', {}, { settings: { ...SETTINGS, UnitScaleFactor: [0] } }, /^FBX_UNIT .*missing/],
    [
      'scaled roots',
      { root: model(1, 'root', 'LimbNode', { 'Lcl Scaling': [100, 100, 100] }) },
      {},
      /^FBX_ROOT_TRANSFORM Scaled .*"root"/,
    ],
    [
      'turned nodes above the joints',
      { holder: model(20, 'holder', 'Null', { 'Lcl Rotation': [-90, 0, 0] }) },
      { connections: [[1, 20], [20, 0], ...CONNECTIONS.slice(1)] },
      /^FBX_ROOT_TRANSFORM Turned .*"holder"/,
    ],
    ['several roots', { other: model(20, 'other', 'LimbNode') }, {}, /^FBX_ROOTS .*"root", "other"/],
    [
      'joints that are no LimbNode',
      { hips: model(2, 'hips', 'Null', { 'Lcl Translation': [0, 100, 0] }) },
      {},
      /^FBX_JOINT_TYPE .*"hips"/,
    ],
    [
      'joints outside of the BindPose',
      { pose: bindPose(8, { 1: moved(0, 0, 0) }) },
      {},
      /^FBX_BIND_POSE .*in no BindPose.*"hips"/,
    ],
    [
      'a BindPose that contradicts the clusters',
      { pose: bindPose(8, { 1: moved(0, 0, 0), 2: moved(0, 90, 0) }) },
      {},
      /^FBX_BIND_POSE .*another matrix.*"hips"/,
    ],
    [
      'clusters that bind the mesh in different places',
      { ofHips: skinCluster(7, moved(0, -90, 0), moved(0, 100, 0)) },
      {},
      /^FBX_CLUSTER .*different places.*"body"/,
    ],
    [
      'clusters without a joint',
      {},
      { connections: CONNECTIONS.filter(([a, b]) => a !== 2 || b !== 7) },
      /^FBX_CLUSTER .*without a joint/,
    ],
    [
      'influences beyond the mesh',
      { geometry: rec('Geometry', [4, 'body\0\x01Geometry', 'Mesh'], [rec('Vertices', [Float64Array.of(0, 0, 0)])]) },
      {},
      /^FBX_CLUSTER .*do not fit the mesh.*"root", "hips"/,
    ],
    ['keys out of order', { curve: curve(12, [0, 0.5, 0.4], [0, 1, 2]) }, {}, /^FBX_CURVE .*"hips"/],
    ['keys without values', { curve: curve(12, [0, 0.5, 1], [0, 1]) }, {}, /^FBX_CURVE .*"hips"/],
    ['angles that jump', { curve: curve(12, [0, 0.5, 1], [170, -170, -160]) }, {}, /^FBX_CURVE_SPIN .*"hips"/],
    ['keys after the declared end', { curve: curve(12, [0, 0.5, 3], [0, 1, 2]) }, {}, /^FBX_TAKE_CUT .*"walk"/],
    ['a missing frame rate', {}, { settings: { ...SETTINGS, TimeMode: undefined as never } }, /^FBX_TIME_MODE/],
  ])('reports %s', (_, objects, parts, expected) => {
    const { settings, ...rest } = parts;
    const written =
      settings && Object.fromEntries(Object.entries(settings).filter(([, values]) => values !== undefined));
    const found = findings(objects, written === undefined ? rest : { ...rest, settings: written });
    expect(found.filter((finding) => expected.test(finding))).toHaveLength(1);
  });

  it('reports what the FBX SDK reads nothing without: file id, creation time and footer that belong together, and kinds of objects', () => {
    const tree = treeOf({ objects: Object.values(OBJECTS), connections: CONNECTIONS, settings: SETTINGS });
    const found = (change: Partial<FbxTree>): string[] =>
      validateFbxTree({ ...tree, ...change }).issues.map(({ code, message }) => `${code} ${message}`);
    const without = (...names: readonly string[]): Partial<FbxTree> => ({
      records: tree.records.filter(({ name }) => !names.includes(name)),
    });
    expect(found(without('FileId'))).toEqual([expect.stringMatching(/^FBX_SDK .*\(1\): "FileId"/)]);
    expect(found(without('CreationTime'))).toEqual([expect.stringMatching(/^FBX_SDK .*"CreationTime"/)]);
    expect(found(without('Definitions'))).toEqual([expect.stringMatching(/^FBX_SDK .*\(7\): "Model", "Geometry"/)]);
    const { footerId: _footerId, ...cut } = tree;
    expect(validateFbxTree(cut).issues).toMatchObject([{ code: 'FBX_SDK' }]);
    expect(found({ ...without('FileId', 'CreationTime'), encoding: 'ascii' })).toEqual([]);
    const neutral = binaryTree(cut);
    expect(validateFbxTree(neutral).issues).toEqual([]);
    const other = { ...neutral, footerId: new Uint8Array(16) };
    expect(validateFbxTree(other).issues).toMatchObject([{ message: expect.stringContaining('(1): "footer"') }]);
  });

  it('tells that joints rest in another pose than they were bound in', () => {
    const found = findings({ hips: model(2, 'hips', 'LimbNode', { 'Lcl Translation': [0, 90, 0] }) });
    expect(found).toEqual([expect.stringMatching(/^FBX_REST_OFF_BIND .*"hips"/)]);
  });

  it('accepts what Maya leaves out: connections between missing objects, and to attributes of nodes', () => {
    expect(findings({}, { connections: [...CONNECTIONS, [70, 71], [72, 2, 'visibility']] })).toEqual([]);
  });
});
