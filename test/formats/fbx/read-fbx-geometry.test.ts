import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { MeshPrimitive } from '../../../src/core/asset/geometry.ts';
import { FormatError } from '../../../src/core/report/format-error.ts';
import { validateTopology } from '../../../src/core/skeleton/topology.ts';
import type { FbxProperty, FbxRecord, FbxTree } from '../../../src/formats/fbx/document/fbx-tree.ts';
import { parseFbx } from '../../../src/formats/fbx/document/parse-fbx.ts';
import { readFbxTree } from '../../../src/formats/fbx/read-fbx.ts';
import { type FbxGeometry, readFbxGeometry, readFbxTreeGeometry } from '../../../src/formats/fbx/read-fbx-geometry.ts';
import { assetFiles, HAS_ASSETS } from '../../support/assets.ts';
import { IS_FULL_RUN, lawRuns } from '../../support/law-runs.ts';
import { validateInfluences } from '../../support/reference/validate-influences.ts';
import { fbxBinary, rec } from './fbx-bytes.ts';
import { clusterRecords, deformer, layer, mesh, polygonRecords, SQUARE, shape } from './fbx-mesh.ts';
import { model, moved, properties60, properties70, type TreeParts, treeOf, type Values } from './fbx-scene.ts';
import { fbxText } from './fbx-text.ts';

const material = (id: number, name: string): FbxRecord => rec('Material', [id, `${name}\0\x01Material`, '']);
const normals = (...list: readonly number[]): FbxRecord =>
  layer('LayerElementNormal', 'ByVertice', 'Direct', { Normals: list });
const FRONT = normals(0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1);

/** A mesh at one node. */
function meshParts(inside: readonly FbxRecord[], values: Values = {}): TreeParts {
  return {
    objects: [model(1, 'Body', 'Mesh', values), mesh(9, inside, '')],
    connections: [
      [1, 0],
      [9, 1],
    ],
  };
}

async function meshOf(inside: readonly FbxRecord[], values: Values = {}) {
  const { geometry, issues, controlPoints } = await readFbxTreeGeometry(treeOf(meshParts(inside, values)));
  const primitives = geometry.meshes[0]?.primitives ?? [];
  return {
    geometry,
    primitive: primitives[0],
    primitives,
    points: controlPoints[0],
    messages: issues.map((i) => i.message),
  };
}

const square = (...more: readonly FbxRecord[]): FbxRecord[] => [
  ...polygonRecords(SQUARE.points, SQUARE.polygons),
  ...more,
];

/** Normal of a triangle, of any length. */
function facing({ indices, positions }: MeshPrimitive, triangle: number): number[] {
  const [a, b, c] = [0, 1, 2].map((k) => positions.subarray(3 * indices![3 * triangle + k]));
  const u = [0, 1, 2].map((i) => b[i] - a[i]);
  const v = [0, 1, 2].map((i) => c[i] - a[i]);
  return [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
}

describe('readFbxGeometry', () => {
  it('hides meshes that Visibility, inherited where the Model says so, or their own Show hides', async () => {
    const nodes: readonly (readonly [name: string, parent: number, values: Values])[] = [
      ['invisible', 0, { Visibility: [0] }],
      ['below', 1, {}],
      ['alone', 1, { 'Visibility Inheritance': [0] }],
      ['unshown', 0, { Show: [0] }],
      ['below unshown', 4, { Visibility: [1] }],
    ];
    const { geometry } = await readFbxTreeGeometry(
      treeOf({
        objects: [...nodes.map(([name, , values], k) => model(k + 1, name, 'Mesh', values)), mesh(9, square(), '')],
        connections: nodes.flatMap(([, parent], k): [number, number][] => [
          [k + 1, parent],
          [9, k + 1],
        ]),
      }),
    );
    const hidden = geometry.instances.filter(({ isHidden }) => isHidden).map(({ node }) => geometry.nodes.names[node]);
    expect(hidden.sort()).toEqual(['below', 'invisible', 'unshown']);
  });

  it('reads user properties of Models, and reports those that are neither texts, numbers, booleans nor vectors', async () => {
    const rows: readonly FbxProperty[][] = [
      ['title', 'KString', '', 'U', 'Größe'],
      ['count', 'int', 'Integer', 'A+U', 3],
      ['isOn', 'Bool', '', 'U', 1],
      ['offset', 'Vector3D', 'Vector', 'U', 1, 2, 3.5],
      ['kind', 'enum', '', 'U', 1, 'hat~shoe'],
      ['Size', 'double', 'Number', '', 100],
      ['hidden', 'int', 'Integer', 'UH', 5],
      ['MaxHandle', 'int', 'Integer', 'U', 5],
      ['LODBox', 'bool', '', 'U', 0],
      ['group', 'Compound', '', 'U'],
      ['matrix', 'matrix4x4', '', 'U', ...new Array<number>(16).fill(0)],
    ];
    const table = rec(
      'Properties70',
      [],
      rows.map((row) => rec('P', row)),
    );
    const { geometry, issues } = await readFbxTreeGeometry(
      treeOf({ objects: [rec('Model', [1, 'Body\0\x01Model', 'Null'], [table])], connections: [[1, 0]] }),
    );
    const properties = { title: 'Größe', count: 3, isOn: true, offset: [1, 2, 3.5], kind: 'shoe' };
    expect([...(geometry.customProperties ?? [])]).toEqual([[0, properties]]);
    expect(issues.map(({ message }) => message)).toEqual([
      '1 user properties (the first is "matrix") are neither texts, numbers, booleans nor vectors of 2 to 4 numbers; they were left out.',
    ]);
  });

  it('triangulates polygons, and adds no attributes', async () => {
    const { geometry, primitive, points, messages } = await meshOf(square());
    expect(primitive).toEqual({
      mode: 'triangles',
      vertexCount: 4,
      indices: Uint32Array.of(0, 1, 2, 0, 2, 3),
      positions: Float32Array.from(SQUARE.points),
      normals: null,
      tangents: null,
      uvs: [],
      colors: [],
      influences: null,
      morphTargets: [],
      material: -1,
    });
    expect(points).toEqual([Int32Array.of(0, 1, 2, 3)]);
    expect(geometry.meshes[0]).toMatchObject({ name: 'Body', morphNames: [] });
    expect(geometry.instances).toEqual([{ node: 0, mesh: 0, skin: -1, morphWeights: null }]);
    expect(geometry).toMatchObject({ materials: [], textures: [], skins: [] });
    expect(messages).toEqual([]);
  });

  it('shares a vertex between corners that agree in all values', async () => {
    const two = polygonRecords(SQUARE.points, [
      [0, 1, 2],
      [2, 3, 0],
    ]);
    const uv = (list: readonly number[]) =>
      layer('LayerElementUV', 'ByPolygonVertex', 'Direct', { UV: list.flatMap((u) => [u, 0.25]) });
    const smooth = await meshOf([...two, uv([0, 1, 2, 2, 3, 0])]);
    expect(smooth.primitive.vertexCount).toBe(4);
    expect([...smooth.primitive.indices!]).toEqual([0, 1, 2, 2, 3, 0]);
    expect([...smooth.primitive.uvs[0]]).toEqual([0, 0.75, 1, 0.75, 2, 0.75, 3, 0.75]);
    const split = await meshOf([...two, uv([0, 1, 2, 2, 3, 9])]);
    expect(split.primitive.vertexCount).toBe(5);
    expect([...split.points[0]]).toEqual([0, 1, 2, 3, 0]);
  });

  it('normalizes normals, and uses the polygon normal for corners without one', async () => {
    const { primitive } = await meshOf(square(normals(0, 3, 4, 0, 0, 0, 0, 0, 2, 0, 1, 0)));
    expect([...primitive.normals!]).toEqual([0, 0.6, 0.8, 0, 0, 1, 0, 0, 1, 0, 1, 0].map(Math.fround));
  });

  it('computes the handedness of tangents from binormals', async () => {
    const along = layer('LayerElementTangent', 'AllSame', 'Direct', { Tangents: [2, 0, 0] });
    const across = (y: number) => layer('LayerElementBinormal', 'AllSame', 'Direct', { Binormals: [0, y, 0] });
    const tangents = async (...more: FbxRecord[]) => (await meshOf(square(FRONT, ...more))).primitive.tangents;
    expect([...(await tangents(along, across(1)))!.subarray(0, 4)]).toEqual([1, 0, 0, 1]);
    expect([...(await tangents(along, across(-1)))!.subarray(0, 4)]).toEqual([1, 0, 0, -1]);
    expect([...(await tangents(along))!.subarray(0, 4)]).toEqual([1, 0, 0, 1]);
    expect((await meshOf(square(along))).primitive.tangents).toBeNull();
  });

  it('converts colors to linear', async () => {
    const { primitive } = await meshOf(
      square(layer('LayerElementColor', 'AllSame', 'Direct', { Colors: [1, 0.5, -1, 0.5] })),
    );
    expect(Array.from(primitive.colors[0].subarray(0, 4), (value) => Number(value.toFixed(4)))).toEqual([
      1, 0.214, 0, 0.5,
    ]);
  });

  it('makes a primitive per material, in the order of the polygons', async () => {
    const strip = polygonRecords(
      [0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0, 2, 0, 0],
      [
        [0, 1, 2],
        [1, 3, 2],
        [1, 4, 3],
        [0, 1, 4],
      ],
    );
    const by = layer('LayerElementMaterial', 'ByPolygon', 'IndexToDirect', { Materials: [1, 0, 1, 7] });
    const parts = meshParts([...strip, by]);
    const { geometry } = await readFbxTreeGeometry(
      treeOf({
        objects: [...parts.objects!, material(5, 'skin'), material(6, 'cloth')],
        connections: [...parts.connections!, [5, 1], [6, 1]],
      }),
    );
    expect(geometry.materials.map(({ name }) => name)).toEqual(['skin', 'cloth']);
    const [{ primitives }] = geometry.meshes;
    expect(primitives.map((one) => [one.material, one.indices!.length])).toEqual([
      [1, 6],
      [0, 3],
      [-1, 3],
    ]);
  });

  it('applies the geometric transform, and flips triangles if it mirrors', async () => {
    const along = layer('LayerElementTangent', 'AllSame', 'Direct', { Tangents: [1, 0, 0] });
    const across = layer('LayerElementBinormal', 'AllSame', 'Direct', { Binormals: [0, 1, 0] });
    const { primitive } = await meshOf(square(normals(1, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1), along, across), {
      GeometricTranslation: [10, 0, 0],
      GeometricRotation: [0, 0, 90],
      GeometricScaling: [2, 1, 1],
    });
    const expected = [10, 0, 0, 10, 4, 0, 8, 4, 0, 8, 0, 0];
    expect([...primitive.positions].every((value, i) => Math.abs(value - expected[i]) < 1e-6)).toBe(true);
    // Normals by the inverse transpose: (1, 0, 1) shrinks to (0.5, 0, 1), then turns to y.
    expect([...primitive.normals!.subarray(0, 3)].map((value) => value.toFixed(4))).toEqual(
      [0, 0.5 / Math.hypot(0.5, 1), 1 / Math.hypot(0.5, 1)].map((value) => value.toFixed(4)),
    );
    const mirrored = (await meshOf(square(FRONT, along, across), { GeometricScaling: [-1, 1, 1] })).primitive;
    expect(Array.from(mirrored.normals!.subarray(0, 3), (value) => value + 0)).toEqual([0, 0, 1]);
    expect(facing(mirrored, 0)[2]).toBeGreaterThan(0);
    expect(Array.from(mirrored.tangents!.subarray(0, 4), (value) => value + 0)).toEqual([-1, 0, 0, -1]);
  });

  it('returns sparse morph targets with names, weights and scaled normal deltas', async () => {
    const channel = deformer(
      12,
      'BlendShapeChannel',
      [rec('DeformPercent', [25]), rec('FullWeights', [Float64Array.of(50)])],
      'Smile',
    );
    const parts = meshParts(square(normals(0, 0, 2, 0, 0, 2, 0, 0, 2, 0, 0, 2)), { GeometricScaling: [3, 3, 3] });
    const bent = shape(13, [3, 1], [0, 0, 5, 1, 2, 3]);
    const withNormals = rec(bent.name, bent.properties, [
      ...bent.records,
      rec('Normals', [Float64Array.of(0, 0, 0, 1, 0, 0)]),
    ]);
    const { geometry, issues } = await readFbxTreeGeometry(
      treeOf({
        objects: [...parts.objects!, deformer(11, 'BlendShape'), channel, withNormals],
        connections: [...parts.connections!, [11, 9], [12, 11], [13, 12]],
      }),
    );
    const [{ primitives, morphNames, morphWeights }] = geometry.meshes;
    expect(morphNames).toEqual(['Smile']);
    expect([...morphWeights]).toEqual([0.5]);
    expect(primitives[0].morphTargets).toEqual([
      {
        vertices: Uint32Array.of(1, 3),
        positions: Float32Array.of(3, 6, 9, 0, 0, 15),
        normals: Float32Array.of(0.5, 0, 0, 0, 0, 0),
        tangents: null,
      },
    ]);
    expect(issues).toEqual([]);
  });

  it('shares a mesh between nodes, unless materials or geometric transform differ', async () => {
    const { geometry } = await readFbxTreeGeometry(
      treeOf({
        objects: [
          model(1, 'A', 'Mesh'),
          model(2, 'B', 'Mesh'),
          model(3, 'C', 'Mesh', { GeometricTranslation: [1, 0, 0] }),
          mesh(9, square(), 'Square'),
        ],
        connections: [
          [1, 0],
          [2, 0],
          [3, 0],
          [9, 1],
          [9, 2],
          [9, 3],
        ],
      }),
    );
    expect(geometry.meshes.map(({ name }) => name)).toEqual(['Square', 'Square']);
    expect(geometry.instances.map(({ node, mesh: index }) => [node, index])).toEqual([
      [0, 0],
      [1, 0],
      [2, 1],
    ]);
  });

  it('returns all nodes with the sourceNodes of readFbx, and the joints of all skins', async () => {
    const tree = treeOf({
      objects: [
        mesh(9, square(), 'Square'),
        model(3, 'Body', 'Mesh'),
        model(1, 'Hips', 'LimbNode', { 'Lcl Translation': [0, 5, 0] }),
        model(2, 'Spine', 'LimbNode'),
        deformer(10, 'Skin'),
        deformer(
          11,
          'Cluster',
          clusterRecords([0, 1, 2, 3], [1, 1, 1, 1], { TransformLink: moved(0, 5, 0), Transform: moved(0, -5, 0) }),
        ),
      ],
      connections: [
        [1, 0],
        [2, 1],
        [3, 0],
        [9, 3],
        [10, 9],
        [11, 10],
        [2, 11],
      ],
    });
    const { geometry } = await readFbxTreeGeometry(tree);
    expect(geometry.nodes).toMatchObject({ names: ['Hips', 'Spine', 'Body'], bind: null });
    expect([...geometry.nodes.parents]).toEqual([-1, 0, -1]);
    expect([...geometry.nodes.joints]).toEqual([0, 1, 0]);
    expect([...geometry.sourceNodes]).toEqual([2, 3, 1]);
    expect([...geometry.skins[0].joints]).toEqual([1]);
    expect(geometry.instances).toEqual([{ node: 2, mesh: 0, skin: 0, morphWeights: null }]);
    expect([...readFbxTree(tree).skeletons[0].sourceNodes]).toEqual([2, 3]);
    const fromBytes = await readFbxGeometry(fbxBinary(tree));
    expect(fromBytes.geometry).toEqual(geometry);
    expect((await readFbxGeometry(new TextEncoder().encode(fbxText(tree)))).geometry).toEqual(geometry);
  });

  it('reads meshes of FBX 6.1 from Models', async () => {
    const smile = rec('Shape', ['Smile'], [rec('Indexes', [1]), rec('Vertices', [0, 0, 5])]);
    const body = rec('Model', ['Model::Body', 'Mesh'], [properties60({ Smile: [40] }), ...square(FRONT), smile]);
    const link = clusterRecords([0, 1, 2, 3], [1, 1, 1, 1], {
      TransformLink: moved(0, 5, 0),
      Transform: moved(0, -5, 0),
    });
    const { geometry, issues } = await readFbxTreeGeometry(
      treeOf({
        version: 6100,
        objects: [
          body,
          rec('Model', ['Model::Hips', 'Limb']),
          rec('Deformer', ['Deformer::Skin', 'Skin']),
          rec('Deformer', ['SubDeformer::Cluster', 'Cluster'], link),
          rec('Material', ['Material::Skin', '']),
        ],
        connections: [
          ['Model::Body', 'Model::Scene'],
          ['Model::Hips', 'Model::Scene'],
          ['Deformer::Skin', 'Model::Body'],
          ['SubDeformer::Cluster', 'Deformer::Skin'],
          ['Model::Hips', 'SubDeformer::Cluster'],
          ['Material::Skin', 'Model::Body'],
        ],
      }),
    );
    expect(issues).toEqual([]);
    const [{ name, primitives, morphNames, morphWeights }] = geometry.meshes;
    expect({ name, morphNames, weights: [...morphWeights] }).toEqual({
      name: 'Body',
      morphNames: ['Smile'],
      weights: [0.4],
    });
    expect(primitives[0]).toMatchObject({ vertexCount: 4, material: 0 });
    expect([...primitives[0].morphTargets[0].positions!]).toEqual([0, 0, 5]);
    expect([...geometry.skins[0].inverseBindMatrices.subarray(12, 15)]).toEqual([0, -5, 0]);
  });
});

describe('readFbxGeometry: invalid geometry', () => {
  it('is left out and reported with its name and the reason', async () => {
    const { primitives, messages } = await meshOf([
      ...polygonRecords(SQUARE.points, [[0, 1, 2], [0, 1], [0, 1, 9], [0]]),
    ]);
    expect(primitives[0].indices).toHaveLength(3);
    expect(messages).toEqual([
      'Mesh "Body": 1 corners refer to missing control points; their polygons were left out.',
      'Mesh "Body": 2 polygons have fewer than three corners; they were left out.',
    ]);
  });

  it('is left out without a valid polygon', async () => {
    const { geometry, messages } = await meshOf(polygonRecords(SQUARE.points, []));
    expect(geometry).toMatchObject({ meshes: [], instances: [] });
    expect(messages).toEqual(['Mesh "Body": 1 mesh object without a valid polygon; it was left out.']);
  });

  it('is counted by type for other Geometries than meshes', async () => {
    const { issues } = await readFbxTreeGeometry(
      treeOf({
        objects: [model(1, 'A', 'Nurb'), rec('Geometry', [9, 'N\0\x01Geometry', 'NurbsSurface'])],
        connections: [
          [1, 0],
          [9, 1],
        ],
      }),
    );
    expect(issues).toMatchObject([
      { code: 'FBX_GEOMETRY', message: '1 geometries of type "NurbsSurface" were left out. Convert them to polygons.' },
    ]);
  });

  it('reports control points without weights, and in-between shapes', async () => {
    const parts = meshParts(square());
    const { geometry, issues } = await readFbxTreeGeometry(
      treeOf({
        objects: [
          ...parts.objects!,
          model(2, 'Hips', 'LimbNode'),
          deformer(10, 'Skin'),
          deformer(11, 'Cluster', clusterRecords([0, 1], [1, 1])),
          deformer(12, 'BlendShape'),
          deformer(13, 'BlendShapeChannel', [rec('FullWeights', [Float64Array.of(100, 40)])], 'Open'),
          shape(14, [0], [0, 0, 1]),
          shape(15, [0], [0, 0, 9]),
        ],
        connections: [...parts.connections!, [2, 0], [10, 9], [11, 10], [2, 11], [12, 9], [13, 12], [14, 13], [15, 13]],
      }),
    );
    expect(issues.map(({ message }) => message)).toEqual([
      'Mesh "Body": 2 control points have no skin weight; they follow the topmost joint.',
      'Mesh "Body": 1 in-between shapes were left out; their blend shapes move straight to the last shape.',
    ]);
    // The shape of 100 %, though it comes first.
    expect([...geometry.meshes[0].primitives[0].morphTargets[0].positions!]).toEqual([0, 0, 1]);
  });

  it('throws beyond the memory limit', async () => {
    const cluster = deformer(11, 'Cluster', clusterRecords(new Array(3000).fill(0), new Array(3000).fill(1)));
    const parts = meshParts([
      rec('Vertices', [new Float64Array(3 * 100_000)]),
      rec('PolygonVertexIndex', [Int32Array.of(0, 1, ~2)]),
    ]);
    const tree = treeOf({
      objects: [...parts.objects!, model(2, 'Hips', 'LimbNode'), deformer(10, 'Skin'), cluster],
      connections: [...parts.connections!, [2, 0], [10, 9], [11, 10], [2, 11]],
    });
    await expect(readFbxTreeGeometry(tree)).rejects.toMatchObject({ name: 'FormatError', code: 'FBX_LIMIT' });
  });
});

describe('readFbxGeometry: damaged trees', () => {
  const ODD: readonly FbxProperty[] = [
    Number.NaN,
    -1,
    0,
    1e308,
    '',
    'ByPolygon',
    2n ** 62n,
    Float64Array.of(Number.NaN, 1, 2, 1e300),
    Int32Array.of(-1, 5, -7, 2),
    new Uint8Array(3),
    Int32Array.of(),
  ];
  const whole = treeOf({
    objects: [
      model(1, 'Hips', 'LimbNode'),
      model(2, 'Spine', 'LimbNode'),
      model(3, 'Body', 'Mesh', { GeometricTranslation: [1, 2, 3], GeometricScaling: [1, 2, 1] }),
      mesh(9, [
        ...polygonRecords(
          [...SQUARE.points, 1, 1, 1],
          [
            [0, 1, 2, 3],
            [0, 1, 4],
            [0, 1, 2, 3, 4],
          ],
        ),
        normals(0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1),
        layer('LayerElementUV', 'ByPolygonVertex', 'IndexToDirect', {
          UV: [0, 0, 1, 1],
          UVIndex: [0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1],
        }),
        layer('LayerElementColor', 'ByPolygon', 'Direct', { Colors: new Array(12).fill(0.5) }),
        layer('LayerElementTangent', 'AllSame', 'Direct', { Tangents: [1, 0, 0] }),
        layer('LayerElementBinormal', 'AllSame', 'Direct', { Binormals: [0, 1, 0] }),
        layer('LayerElementMaterial', 'ByPolygon', 'IndexToDirect', { Materials: [0, 1, 0] }),
      ]),
      deformer(10, 'Skin'),
      deformer(
        11,
        'Cluster',
        clusterRecords([0, 1, 2], [1, 0.5, 1], { TransformLink: moved(0, 5, 0), Transform: moved(0, -5, 0) }),
      ),
      deformer(
        12,
        'Cluster',
        clusterRecords([1, 3, 4], [0.5, 1, 1], { TransformLink: moved(0, 6, 0), Transform: moved(0, -6, 0) }),
      ),
      deformer(13, 'BlendShape'),
      deformer(
        14,
        'BlendShapeChannel',
        [rec('DeformPercent', [10]), rec('FullWeights', [Float64Array.of(100)])],
        'Open',
      ),
      shape(15, [0, 2], [0, 0, 1, 0, 1, 0]),
      rec(
        'Material',
        [5, 'skin\0\x01Material', ''],
        [properties70({ DiffuseColor: [1, 0.5, 0], Opacity: [0.5], ShininessExponent: [9] })],
      ),
      material(6, 'cloth'),
      rec(
        'Texture',
        [7, 't\0\x01Texture', ''],
        [properties70({ Scaling: [2, 2, 1] }), rec('RelativeFilename', ['a\\b.png'])],
      ),
      rec('Video', [8, 'v\0\x01Video', 'Clip'], [rec('Content', [Uint8Array.of(0x89, 0x50, 0x4e, 0x47)])]),
    ],
    connections: [
      [1, 0],
      [2, 1],
      [3, 0],
      [9, 3],
      [10, 9],
      [11, 10],
      [12, 10],
      [1, 11],
      [2, 12],
      [13, 9],
      [14, 13],
      [15, 14],
      [5, 3],
      [6, 3],
      [7, 5, 'DiffuseColor'],
      [8, 7],
    ],
  });

  function damaged({ name, properties, records }: FbxRecord, next: () => number): FbxRecord {
    const values = properties.map((value): FbxProperty => {
      if (next() < 0.04) return ODD[Math.floor(next() * ODD.length)];
      if (value instanceof Float64Array || value instanceof Int32Array) {
        if (next() < 0.05) return value.slice(0, Math.floor(next() * value.length));
        if (next() < 0.1) return value.map((number) => (next() < 0.1 ? Math.round(1e4 * (next() - 0.5)) : number));
      }
      return value;
    });
    const inside = records.filter(() => next() > 0.02).map((record) => damaged(record, next));
    if (inside.length > 0 && next() < 0.05) inside.push(inside[Math.floor(next() * inside.length)]);
    return rec(name, next() < 0.03 ? values.slice(0, 1) : values, inside);
  }

  /** What a reader of a Geometry may rely on. */
  function expectSound({ geometry, controlPoints }: FbxGeometry): void {
    const { nodes, sourceNodes, meshes, skins, instances, materials, textures } = geometry;
    expect(validateTopology(nodes.parents, nodes.names)).toMatchObject({ valid: true });
    expect(sourceNodes).toHaveLength(nodes.names.length);
    for (const { joints, inverseBindMatrices } of skins) {
      expect(joints.every((joint) => joint < nodes.names.length)).toBe(true);
      expect(new Set(joints).size).toBe(joints.length);
      expect(inverseBindMatrices).toHaveLength(16 * joints.length);
      expect(inverseBindMatrices.every(Number.isFinite)).toBe(true);
    }
    for (const { node, mesh: index, skin } of instances) {
      expect(nodes.names[node]).toBeDefined();
      for (const { influences, vertexCount } of meshes[index].primitives) {
        expect(influences === null).toBe(skin < 0);
        if (influences === null) continue;
        expect(validateInfluences(influences, vertexCount, skins[skin].joints.length)).toMatchObject({ valid: true });
      }
    }
    for (const [m, { primitives, morphNames, morphWeights }] of meshes.entries()) {
      expect(morphWeights).toHaveLength(morphNames.length);
      expect(morphWeights.every(Number.isFinite)).toBe(true);
      for (const [p, primitive] of primitives.entries()) {
        const { vertexCount, indices, positions, normals: unit, tangents, uvs, colors, morphTargets } = primitive;
        expect(indices!.length % 3).toBe(0);
        expect(indices!.length).toBeGreaterThan(0);
        expect(indices!.every((index) => index < vertexCount)).toBe(true);
        expect(controlPoints[m][p]).toHaveLength(vertexCount);
        const sets: [Float32Array | null, number][] = [
          [positions, 3],
          [unit, 3],
          [tangents, 4],
        ];
        for (const uv of uvs) sets.push([uv, 2]);
        for (const color of colors) sets.push([color, 4]);
        for (const [set, width] of sets) {
          expect(set?.length ?? width * vertexCount).toBe(width * vertexCount);
          expect(set?.every(Number.isFinite) ?? true).toBe(true);
        }
        for (let v = 0; unit !== null && v < vertexCount; v++) {
          expect(Math.abs(Math.hypot(...unit.subarray(3 * v, 3 * v + 3)) - 1)).toBeLessThan(1e-6);
        }
        expect(primitive.material).toBeLessThan(materials.length);
        expect(morphTargets).toHaveLength(morphNames.length);
        for (const { vertices, positions: offsets } of morphTargets) {
          expect(vertices!.every((vertex, i) => vertex < vertexCount && (i === 0 || vertex > vertices![i - 1]))).toBe(
            true,
          );
          expect(offsets).toHaveLength(3 * vertices!.length);
          expect(offsets!.every(Number.isFinite)).toBe(true);
        }
      }
    }
    for (const one of materials) {
      for (const number of [...one.baseColor, one.metallic, one.roughness, ...one.emissive])
        expect(number >= 0 && number < 1e7).toBe(true);
      expect(one.baseColorTexture?.texture ?? -1).toBeLessThan(textures.length);
    }
  }

  it('returns valid meshes for the undamaged tree', async () => {
    const read = await readFbxTreeGeometry(whole);
    expectSound(read);
    expect(read.issues).toEqual([]);
    expect(read.geometry.meshes[0].primitives).toHaveLength(2);
  });

  it('returns valid meshes or throws a FormatError', async () => {
    await fc.assert(
      fc.asyncProperty(fc.infiniteStream(fc.integer({ min: 0, max: 999 })), async (numbers) => {
        const next = (): number => Number(numbers.next().value) / 1000;
        const tree = { ...whole, records: whole.records.map((record) => damaged(record, next)) };
        try {
          expectSound(await readFbxTreeGeometry(tree));
        } catch (error) {
          if (!(error instanceof FormatError)) throw error;
        }
      }),
      { seed: 73, numRuns: lawRuns(1500) },
    );
  });
});

/** Clips of minutes take most of the time of reading. */
function withoutClips(tree: FbxTree): FbxTree {
  const records = tree.records.map((section) => {
    if (section.name !== 'Objects') return section;
    return { ...section, records: section.records.filter(({ name }) => !name.startsWith('Animation')) };
  });
  return { ...tree, records };
}

describe.skipIf(!HAS_ASSETS)('readFbxGeometry: real files', () => {
  it.runIf(IS_FULL_RUN)('returns the meshes in the nodes of the skeletons', async () => {
    const found: Record<string, number[]> = {};
    for (const file of assetFiles('assets/fbx', 'fbx')) {
      const tree = parseFbx(readFileSync(file));
      const { geometry, issues } = await readFbxTreeGeometry(tree);
      const sources = new Set(geometry.sourceNodes);
      for (const { sourceNodes } of readFbxTree(withoutClips(tree)).skeletons) {
        expect([...sourceNodes].filter((source) => !sources.has(source))).toEqual([]);
      }
      // The clusters of the skins of unirig_tira have no weights.
      const known = file.includes('unirig_tira') ? ['RESOURCE_MISSING', 'FBX_GEOMETRY'] : ['RESOURCE_MISSING'];
      expect(issues.filter(({ code }) => !known.includes(code))).toEqual([]);
      const triangles = geometry.meshes.flatMap(({ primitives }) =>
        primitives.map(({ indices }) => indices!.length / 3),
      );
      if (triangles.length > 0) {
        const name = file.split('/').at(-1)!;
        found[name] = [geometry.meshes.length, geometry.skins.length, triangles.reduce((sum, count) => sum + count, 0)];
      }
    }
    expect(found).toMatchObject({
      'SeedSan_betterfbx.fbx': [5, 5, 45058],
      'ozz_pab_skeleton.fbx': [1, 1, 2811],
      'ufbx_maya_kenney_character_7700_binary.fbx': [1, 1, 1604],
    });
  });
});
