import { describe, expect, it } from 'vitest';
import type { Track } from '../../../../../src/core/animation/clip.ts';
import type { Geometry, Mesh, MeshInstance, Skin } from '../../../../../src/core/asset/geometry.ts';
import { joinInfluenceSets } from '../../../../../src/core/deform/influences.ts';
import * as mat4 from '../../../../../src/core/math/mat4.ts';
import { localToModelMatrices } from '../../../../../src/core/skeleton/pose.ts';
import type { FbxRecord } from '../../../../../src/formats/fbx/document/fbx-tree.ts';
import { parseBinaryFbx } from '../../../../../src/formats/fbx/document/parse-binary.ts';
import { serializeBinaryFbx } from '../../../../../src/formats/fbx/document/serialize-binary.ts';
import { readFbxTree } from '../../../../../src/formats/fbx/read-fbx.ts';
import { readFbxTreeGeometry, readFbxTreeVertices } from '../../../../../src/formats/fbx/read-fbx-geometry.ts';
import { validateFbxTree } from '../../../../../src/formats/fbx/validate/validate-fbx.ts';
import { type NewFbxScene, writeFbxScene } from '../../../../../src/formats/fbx/write/scene/write-fbx-scene.ts';
import { concatParts } from '../../../../../src/formats/gltf/document/parts.ts';
import { DEFAULT_MATERIAL } from '../../../../support/make/default-material.ts';
import { TRIANGLE } from '../../../../support/make/triangle.ts';

type Node = readonly [name: string, parent: number, local?: readonly number[]];

/** Returns a local transform. */
function at(x: number, y: number, z: number, scale: readonly number[] = [1, 1, 1]): number[] {
  return [x, y, z, 0, 0, 0, 1, ...scale];
}

interface Parts {
  readonly joints?: readonly number[];
  readonly hips?: number;
  readonly meshes?: readonly Mesh[];
  readonly skins?: readonly Skin[];
  readonly instances?: readonly Partial<MeshInstance>[];
  readonly more?: Partial<Geometry>;
}

/** Returns a scene in centimeters; all nodes are joints unless others are named. */
function scene(nodes: readonly Node[], parts: Parts = {}): NewFbxScene {
  const { joints = [...nodes.keys()], hips = -1, meshes = [], skins = [], instances = [], more = {} } = parts;
  const parents = Int32Array.from(nodes, ([, parent]) => parent);
  const rest = Float64Array.from(nodes.flatMap(([, , local = at(0, 0, 0)]) => local));
  const binds = new Float64Array(16 * nodes.length);
  localToModelMatrices(binds, parents, rest);
  const tree = {
    name: '',
    names: nodes.map(([name]) => name),
    parents,
    rest,
    bind: null,
    joints: new Uint8Array(nodes.length),
  };
  const sourceNodes = Int32Array.from(nodes, (_, node) => node + 10);
  const geometry: Geometry = {
    nodes: tree,
    sourceNodes,
    meshes,
    skins,
    instances: instances.map((one) => ({ node: 0, mesh: 0, skin: -1, morphWeights: null, ...one })),
    materials: [],
    textures: [],
    ...more,
  };
  const change = { rotation: [0, 0, 0, 1], scale: 1 };
  return {
    nodes: tree,
    sourceNodes,
    rest,
    binds,
    joints,
    hips,
    isOriented: true,
    imageFolder: null,
    change,
    geometry: meshes.length > 0 ? geometry : null,
  };
}

function treeOf(one: NewFbxScene) {
  return parseBinaryFbx(concatParts(serializeBinaryFbx(writeFbxScene(one, []).tree)));
}

function skeletonOf(one: NewFbxScene) {
  const { skeletons } = readFbxTree(treeOf(one));
  expect(skeletons).toHaveLength(1);
  return skeletons[0].skeleton;
}

function mesh(primitive: Partial<Mesh['primitives'][0]> = {}, more: Partial<Mesh> = {}): Mesh {
  return {
    name: 'Body',
    primitives: [{ ...TRIANGLE, ...primitive }],
    morphNames: [],
    morphWeights: new Float32Array(0),
    ...more,
  };
}

function recordsNamed(records: readonly FbxRecord[], name: string): FbxRecord[] {
  return records.flatMap((one) => (one.name === name ? [one] : recordsNamed(one.records, name)));
}

const BOUND = joinInfluenceSets([{ indices: [0, 0, 1], weights: [1, 1, 1] }], 1);

function skinAt(joints: readonly number[], heights: readonly number[]): Skin {
  const matrices = heights.flatMap((y) => [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, -y, 0, 1]);
  return { name: 'skin', joints: Int32Array.from(joints), inverseBindMatrices: Float64Array.from(matrices) };
}

describe('writeFbxScene: joints', () => {
  it('adds a root bone at the origin above the hips', () => {
    const { names, parents, rest } = skeletonOf(
      scene(
        [
          ['Hips', -1, at(0, 90, 0)],
          ['Spine', 0, at(0, 10, 0)],
        ],
        { hips: 0 },
      ),
    );
    expect(names).toEqual(['root', 'Hips', 'Spine']);
    expect([...parents]).toEqual([-1, 0, 1]);
    expect([...rest.slice(0, 3), ...rest.slice(10, 13)]).toEqual([0, 0, 0, 0, 90, 0]);
  });

  it('takes a single joint at the origin for the root bone', () => {
    expect(
      skeletonOf(
        scene(
          [
            ['Ref', -1],
            ['Hips', 0, at(0, 90, 0)],
          ],
          { hips: 1 },
        ),
      ).names,
    ).toEqual(['Ref', 'Hips']);
  });

  it('adds one root bone above several trees of joints', () => {
    const { names, parents } = skeletonOf(
      scene([
        ['a', -1, at(5, 90, 0)],
        ['b', -1, at(-5, 90, 0)],
      ]),
    );
    expect([names, [...parents]]).toEqual([
      ['root', 'a', 'b'],
      [-1, 0, 0],
    ]);
  });

  it('leaves the name root to a joint of the source', () => {
    expect(skeletonOf(scene([['root', -1, at(0, 90, 0)]])).names).toEqual(['root_1', 'root']);
  });

  it('renames joints with equal names, and one called Armature, and says so', () => {
    const nodes: Node[] = [
      ['Armature', -1],
      ['Arm', 0, at(0, 9, 0)],
      ['arm', 1, at(0, 9, 0)],
    ];
    const { issues } = writeFbxScene(scene(nodes), []);
    expect(skeletonOf(scene(nodes)).names).toEqual(['root', 'Arm', 'arm_1']);
    expect(issues.map(({ code, message }) => [code, message.slice(0, 68)])).toEqual([
      ['FBX_SCENE', '2 joints were renamed ("Armature" to "root" is the first): names mus'],
    ]);
  });

  it('folds static nodes above the joints into them, and removes their scale', () => {
    const half = Math.SQRT1_2;
    const { names, rest } = skeletonOf(
      scene(
        [
          ['Armature', -1, [0, 0, 0, -half, 0, 0, half, 0.5, 0.5, 0.5]],
          ['Hips', 0, at(0, 0, 180)],
          ['Leg', 1, at(20, 0, 0)],
        ],
        {
          joints: [1, 2],
          hips: 1,
        },
      ),
    );
    expect(names).toEqual(['root', 'Hips', 'Leg']);
    expect([...rest.slice(10, 13)].map((x) => Math.round(1e6 * x) / 1e6 + 0)).toEqual([0, 90, 0]);
    expect([...rest.slice(17, 23)].map((x) => Math.round(1e6 * x) / 1e6 + 0)).toEqual([1, 1, 1, 10, 0, 0]);
  });

  it('folds static nodes whose uneven scales cancel each other, because Blender would pull the joints below them apart', () => {
    const nodes: Node[] = [
      ['Tall', -1, [0, 0, 0, 0, 0, Math.SQRT1_2, Math.SQRT1_2, 1, 4, 1]],
      ['Short', 0, at(0, 0, 0, [2, 0.5, 2])],
      ['Hips', 1, at(90, 0, 0)],
      ['Leg', 2, at(0, 30, 0)],
    ];
    const one = scene(nodes, { joints: [2, 3], hips: 2 });
    const { names, rest } = skeletonOf(one);
    expect(names).toEqual(['root', 'Hips', 'Leg']);
    expect(Array.from(rest.slice(10), (x) => Math.round(100 * x) / 100 + 0)).toEqual([
      ...[0, 180, 0, 0, 0, 0.71, 0.71, 1, 1, 1],
      ...[0, 60, 0, 0, 0, 0, 1, 1, 1, 1],
    ]);
    expect(writeFbxScene(one, []).issues).toEqual([]);
  });

  it('keeps static nodes whose uneven scales cancel each other only in part', () => {
    const nodes: Node[] = [
      ['Tall', -1, at(0, 0, 0, [1, 4, 1])],
      ['Turned', 0, [0, 0, 0, 0, 0, 0.6, 0.8, 1, 0.25, 1]],
      ['Hips', 1, at(0, 90, 0)],
    ];
    expect(skeletonOf(scene(nodes, { joints: [2], hips: 2 })).names).toEqual(['Tall', 'Turned', 'Hips']);
  });

  it('writes the rest rotation as PreRotation and no Lcl Rotation', () => {
    const tree = treeOf(
      scene([
        ['root', -1],
        ['Arm', 0, [0, 9, 0, 0, 0, Math.SQRT1_2, Math.SQRT1_2, 1, 1, 1]],
      ]),
    );
    const models = tree.records.find(({ name }) => name === 'Objects')!.records.filter(({ name }) => name === 'Model');
    const values = models[1].records
      .find(({ name }) => name === 'Properties70')!
      .records.map(({ properties }) => properties);
    const numbersOf = (name: string) =>
      values
        .find(([one]) => one === name)
        ?.slice(4)
        .map((x) => Math.round(1e6 * Number(x)) / 1e6 + 0);
    expect(numbersOf('PreRotation')).toEqual([0, 0, 90]);
    expect(numbersOf('Lcl Rotation')).toEqual([0, 0, 0]);
    expect(numbersOf('InheritType')).toEqual([1]);
  });

  it('keeps an uneven scale above other joints, and says so', () => {
    const nodes: Node[] = [
      ['root', -1],
      ['wide', 0, at(0, 9, 0, [2, 1, 1])],
      ['arm', 1, at(5, 0, 0)],
    ];
    const { rest } = skeletonOf(scene(nodes));
    expect([...rest.slice(17, 20)]).toEqual([2, 1, 1]);
    expect(writeFbxScene(scene(nodes), []).issues[0].message).toMatch(
      /^1 joint has an uneven scale at rest \(the first is "wide"\)/,
    );
  });

  it('declares centimeters and +Y up, and passes the validator', () => {
    const tree = treeOf(
      scene([
        ['root', -1],
        ['Hips', 0, at(0, 90, 0)],
      ]),
    );
    const { metersPerUnit, up } = readFbxTree(tree);
    expect([metersPerUnit, up]).toEqual([0.01, [0, 1, 0]]);
    expect(validateFbxTree(tree).issues).toEqual([]);
  });

  it('gives the same bytes for the same scene', () => {
    const bytes = () => concatParts(serializeBinaryFbx(writeFbxScene(scene([['Hips', -1, at(0, 9, 0)]]), []).tree));
    expect(bytes()).toEqual(bytes());
  });
});

describe('writeFbxScene: meshes', () => {
  const JOINTS: Node[] = [
    ['root', -1],
    ['Spine', 0, at(0, 100, 0)],
    ['Body', -1],
  ];

  it('writes skinned vertices where they are in the bind pose, with clusters that agree with the BindPose', () => {
    const one = scene(JOINTS, {
      joints: [0, 1],
      meshes: [mesh({ influences: BOUND })],
      skins: [skinAt([0, 1], [0, 100])],
      instances: [{ node: 2, skin: 0 }],
    });
    const tree = treeOf(one);
    expect(validateFbxTree(tree).issues).toEqual([]);
    const { instances, meshes, skins } = readFbxTreeVertices(tree);
    expect(instances).toHaveLength(1);
    expect([...meshes[0].primitives[0].positions]).toEqual([...TRIANGLE.positions]);
    expect([...skins[0].inverseBindMatrices.slice(28, 31)].map((x) => x + 0)).toEqual([0, -100, 0]);
  });

  it('removes rounding to float32 from frames of joints, which the FBX SDK splits into angles', () => {
    // A finger that is turned by nearly 90° about Y: in float32, its axes are 1e-8 off right angles.
    const frame = new Float64Array(16);
    mat4.compose(frame, 0, [0.37, 1.55, 0.03, 0.1, 0.7, -0.08, Math.sqrt(0.4936), 1, 1, 1], 0);
    const inverse = new Float64Array(16);
    mat4.invertAffine(inverse, 0, Float32Array.from(frame), 0);
    const one = scene(JOINTS, {
      joints: [0, 1],
      meshes: [mesh({ influences: BOUND })],
      skins: [
        {
          name: 'skin',
          joints: Int32Array.of(0, 1),
          inverseBindMatrices: Float32Array.of(...skinAt([0], [0]).inverseBindMatrices, ...inverse),
        },
      ],
      instances: [{ node: 2, skin: 0 }],
    });
    const links = recordsNamed(treeOf(one).records, 'TransformLink').map(
      ({ properties }) => properties[0] as Float64Array,
    );
    expect(links).toHaveLength(2);
    for (const link of links) {
      for (const [a, b] of [
        [0, 4],
        [4, 8],
        [8, 0],
      ])
        expect(Math.abs(link[a] * link[b] + link[a + 1] * link[b + 1] + link[a + 2] * link[b + 2])).toBeLessThan(1e-14);
    }
  });

  it('binds a rigid mesh below a joint to that joint', () => {
    const one = scene([...JOINTS.slice(0, 2), ['Hat', 1, at(0, 20, 0)]], {
      joints: [0, 1],
      meshes: [mesh()],
      instances: [{ node: 2 }],
    });
    const { instances, meshes, skins, nodes } = readFbxTreeVertices(treeOf(one));
    expect(instances[0].skin).toBe(0);
    expect(Array.from(skins[0].joints, (joint) => nodes.names[joint])).toEqual(['Spine']);
    expect(meshes[0].primitives[0].positions[1]).toBe(120);
  });

  it('leaves a mesh that no joint moves at its node', () => {
    const one = scene([['Floor', -1, at(1, 2, 3, [2, 3, 4])]], {
      joints: [],
      meshes: [mesh()],
      instances: [{ node: 0 }],
    });
    const { instances, meshes, nodes } = readFbxTreeVertices(treeOf(one));
    expect(instances[0].skin).toBe(-1);
    expect([...nodes.rest.slice(0, 3), ...nodes.rest.slice(7, 10)]).toEqual([1, 2, 3, 1, 1, 1]);
    expect(meshes[0].primitives[0].positions[3]).toBe(2);
  });

  it('reports a skin that binds a joint elsewhere than an earlier one', () => {
    const one = scene([...JOINTS, ['Coat', -1]], {
      joints: [0, 1],
      meshes: [mesh({ influences: BOUND })],
      skins: [skinAt([0, 1], [0, 100]), skinAt([0, 1], [0, 50])],
      instances: [
        { node: 2, skin: 0 },
        { node: 3, skin: 1 },
      ],
    });
    expect(writeFbxScene(one, []).issues.map(({ code, message }) => [code, message.slice(0, 40)])).toEqual([
      ['FBX_GEOMETRY', '1 skins (the first is of "Body") bind jo'],
    ]);
  });

  it('reports joints that are bound as the mirror image of their rest, which Blender turns', () => {
    const one = scene(
      [
        ['root', -1],
        ['Arm', 0, at(0, 9, 0, [-1, 1, 1])],
        ['Body', -1],
      ],
      {
        joints: [0, 1],
        meshes: [mesh({ influences: BOUND })],
        skins: [skinAt([0, 1], [0, 9])],
        instances: [{ node: 2, skin: 0 }],
      },
    );
    expect(writeFbxScene(one, []).issues.map(({ code, message }) => [code, message.slice(0, 83)])).toEqual([
      ['FBX_GEOMETRY', '1 joint is bound as the mirror image of its rest (the first is "Arm"). Blender cann'],
    ]);
  });

  it('joins vertices that differ in their UVs only to one control point', () => {
    const positions = Float32Array.of(...TRIANGLE.positions, ...TRIANGLE.positions.slice(3), 1, 1, 0);
    const uvs = [Float32Array.from({ length: 12 }, (_, i) => i / 12)];
    const one = scene(JOINTS, {
      joints: [0, 1],
      meshes: [mesh({ positions, uvs, vertexCount: 6 })],
      instances: [{ node: 1 }],
    });
    const geometry = treeOf(one)
      .records.find(({ name }) => name === 'Objects')!
      .records.find(({ name }) => name === 'Geometry')!;
    const vertices = geometry.records.find(({ name }) => name === 'Vertices')!.properties[0] as Float64Array;
    expect(vertices).toHaveLength(12);
    const read = readFbxTreeVertices(treeOf(one)).meshes[0].primitives[0];
    expect(read.vertexCount).toBe(6);
    expect(Array.from(read.uvs[0], (x) => Math.round(12 * x))).toEqual([...Array(12).keys()]);
  });

  it('writes morph targets as blend shapes with their weights and unique names', () => {
    const target = { vertices: Uint32Array.of(1), positions: Float32Array.of(0, 0, 2), normals: null, tangents: null };
    const body = mesh(
      { morphTargets: [target, target] },
      { morphNames: ['', ''], morphWeights: Float32Array.of(0.5, 0) },
    );
    const one = scene(JOINTS, { joints: [0, 1], meshes: [body], instances: [{ node: 2 }] });
    const [read] = readFbxTreeVertices(treeOf(one)).meshes;
    expect([read.morphNames, [...read.morphWeights]]).toEqual([
      ['shape0', 'shape1'],
      [0.5, 0],
    ]);
    expect(read.primitives[0].morphTargets[0].positions).toEqual(Float32Array.of(0, 0, 2));
  });

  it('reverses the triangles of a mirrored mesh', () => {
    const one = scene([['Floor', -1, at(0, 0, 0, [-1, 1, 1])]], {
      joints: [],
      meshes: [mesh()],
      instances: [{ node: 0 }],
    });
    const { positions, indices } = readFbxTreeVertices(treeOf(one)).meshes[0].primitives[0];
    const corners = Array.from(indices ?? [0, 1, 2], (vertex) =>
      [...positions.slice(3 * vertex, 3 * vertex + 2)].map((x) => x + 0),
    );
    const [[ax, ay], [bx, by], [cx, cy]] = corners;
    expect((bx - ax) * (cy - ay) - (by - ay) * (cx - ax)).toBeGreaterThan(0);
  });

  it('writes materials with embedded images that are read back', async () => {
    const image = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 1, 2, 3);
    const use = { texture: 0, uvSet: 0, transform: null };
    const material = {
      ...DEFAULT_MATERIAL,
      name: 'Skin',
      metallic: 0.25,
      roughness: 0.5,
      emissive: [0.5, 0, 2] as const,
      normalTexture: use,
      baseColorTexture: use,
    };
    const texture = {
      name: 'skin.png',
      image,
      mimeType: 'image/png',
      wrapU: 'repeat',
      wrapV: 'clamp',
      magFilter: null,
      minFilter: null,
    } as const;
    const one = scene(JOINTS, {
      joints: [0, 1],
      meshes: [mesh({ material: 0, uvs: [new Float32Array(6)] })],
      instances: [{ node: 1 }],
      more: { materials: [material], textures: [texture] },
    });
    const { geometry, issues } = await readFbxTreeGeometry(treeOf(one));
    expect(issues).toEqual([]);
    const [read] = geometry.materials;
    expect([read.name, read.metallic, read.roughness, read.emissive]).toEqual(['Skin', 0.25, 0.5, [0.5, 0, 2]]);
    expect([read.baseColorTexture?.texture, read.normalTexture?.texture, geometry.textures[0].image]).toEqual([
      0,
      0,
      image,
    ]);
    expect([geometry.textures[0].wrapU, geometry.textures[0].wrapV]).toEqual(['repeat', 'clamp']);
  });
});

describe('writeFbxScene: clips', () => {
  const key = (target: number, path: Track['path'], values: readonly number[]): Track => {
    return { target, path, interpolation: 'LINEAR', times: Float64Array.of(0), values: Float64Array.from(values) };
  };
  const animationOf = (tracks: readonly Track[]) => ({
    name: 'clip',
    clip: { name: 'clip', duration: 0, tracks },
    sourceNodes: [10, 11],
  });

  it('holds joints that a clip does not animate at the rest of the source', () => {
    const plain = scene([
      ['root', -1],
      ['Arm', 0, at(0, 9, 0)],
    ]);
    const raised = Float64Array.from(plain.rest);
    raised.set([0, 0, Math.SQRT1_2, Math.SQRT1_2], 13);
    const { animations } = writeFbxScene({ ...plain, rest: raised }, [animationOf([key(0, 'translation', [0, 1, 0])])]);
    expect(animations[0].clip.tracks.map(({ target, path, values }) => [target, path, ...values])).toEqual([
      [0, 'translation', 0, 1, 0],
      [1, 'rotation', 0, 0, 0, 1],
    ]);
  });

  it('drops a clip of other nodes, and says so', () => {
    const clip = { ...animationOf([key(0, 'translation', [0, 1, 0])]), sourceNodes: [99] };
    const { animations, issues } = writeFbxScene(scene([['root', -1]]), [clip]);
    expect(animations).toEqual([]);
    expect(issues.map(({ code }) => code)).toEqual(['CLIP_EMPTY', 'CHANNELS_DROPPED']);
  });
});

describe('writeFbxScene: properties of nodes', () => {
  const nodes: readonly Node[] = [
    ['Hips', -1],
    ['Body', -1],
    ['Group', -1],
  ];
  const parts = { joints: [0], meshes: [mesh()], instances: [{ node: 1, isHidden: true }] };
  const properties = {
    title: 'Größe',
    count: 3,
    ratio: 1.5,
    large: 1e12,
    isOn: true,
    pair: [1, 2],
    triple: [1, 2, 3.5],
    four: [1, 2, 3, 4],
  };

  it('hides a hidden mesh', async () => {
    const { geometry } = await readFbxTreeGeometry(treeOf(scene(nodes, parts)));
    expect(geometry.instances.map(({ isHidden }) => isHidden)).toEqual([true]);
  });

  it('writes custom properties of joints and meshes as user properties', async () => {
    const customProperties = new Map(nodes.slice(0, 2).map((_, node) => [node, properties]));
    const { geometry } = await readFbxTreeGeometry(treeOf(scene(nodes, { ...parts, more: { customProperties } })));
    const read = [...(geometry.customProperties ?? [])].map(([node, found]) => [geometry.nodes.names[node], found]);
    expect(read).toEqual([
      ['Hips', properties],
      ['Body', properties],
    ]);
  });

  it('reports properties of nodes without a Model, and those whose name a Model has', () => {
    const customProperties = new Map([
      [1, { Visibility: 'no', 'a|b': 1 }],
      [2, { tag: 'x' }],
    ]);
    const { issues } = writeFbxScene(scene(nodes, { ...parts, more: { customProperties } }), []);
    expect(issues.map(({ code, message }) => `${code} ${message}`)).toEqual([
      'GEOMETRY_DROPPED FBX has no place for custom properties of some nodes, or for their names; they were dropped: 1 × Visibility, 1 × a|b, 1 × tag.',
    ]);
  });
});
