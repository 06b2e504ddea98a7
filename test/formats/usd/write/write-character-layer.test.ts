import { describe, expect, it } from 'vitest';
import type { NewAnimation } from '../../../../src/core/asset/asset.ts';
import type { CustomProperties } from '../../../../src/core/asset/geometry.ts';
import type { Issue } from '../../../../src/core/report/issue.ts';
import { definePrim, makeLayer } from '../../../../src/formats/usd/author/author-prims.ts';
import { readUsdGeometry } from '../../../../src/formats/usd/read/read-usd-geometry.ts';
import { readUsdScene } from '../../../../src/formats/usd/read/read-usd-scene.ts';
import { readBindings } from '../../../../src/formats/usd/skel/bindings.ts';
import { numbersOf, textsOf } from '../../../../src/formats/usd/skel/typed-values.ts';
import { attributeValue, timeSamplesOf } from '../../../../src/formats/usd/stage/attribute-values.ts';
import { openStage } from '../../../../src/formats/usd/stage/open-stage.ts';
import { targetsOf } from '../../../../src/formats/usd/stage/relationship-targets.ts';
import type { Stage } from '../../../../src/formats/usd/stage/stage.ts';
import { localToWorld } from '../../../../src/formats/usd/stage/xform-ops.ts';
import { serializeUsda } from '../../../../src/formats/usd/text/serialize-usda.ts';
import { linearAnimation } from '../../../../src/formats/usd/write/animation/linear-animation.ts';
import { addNodePrims, characterAnimations } from '../../../../src/formats/usd/write/write-character-layer.ts';
import { USD_WRITTEN } from '../../../support/tolerances.ts';
import { animation, geometryOf, mesh, skin, track, triangle } from './small-geometry.ts';
import { bindClip, largestMiss, METERS_Y, pointsByCore, pointsByUsd, written } from './written-points.ts';

const ROTATED = [0, 0, Math.SQRT1_2, Math.SQRT1_2];
const STILL = [0, 0, 0, 1];

/** An armature with scale 0.01 and two joints, a skinned mesh, a hat on the head and a separate ground. */
const HERO = geometryOf(
  [
    ['Armature', -1, [0, 0, 0], 0.01],
    ['mixamorig:Hips', 0, [0, 100, 0]],
    ['head', 1, [0, 50, 0]],
    ['Body', 0],
    ['hat', 2, [0, 10, 0]],
    ['ground', -1, [0, -1, 0]],
  ],
  {
    meshes: [mesh('body', [triangle([0, 1, 1])]), mesh('top hat'), mesh('floor')],
    skins: [
      skin(
        [2, 1],
        [
          [0, 1.5, 0],
          [0, 1, 0],
        ],
      ),
    ],
    shown: [
      { node: 3, mesh: 0, skin: 0 },
      { node: 4, mesh: 1 },
      { node: 5, mesh: 2 },
    ],
  },
);
const NOD = animation('Nod', [track(2, 'rotation', [0, 1], [...STILL, ...ROTATED])]);
const HOP = animation('Hop', [track(1, 'translation', [0, 0.5, 1], [0, 100, 0, 0, 130, 0, 0, 100, 0])]);

function types(stage: Stage): Record<string, string> {
  return Object.fromEntries(stage.prims.map(({ path, typeName }) => [path, typeName]));
}

describe('writeCharacterLayer', () => {
  it('hides hidden meshes, and writes custom properties of Xforms and of skinned meshes', () => {
    const properties = { title: 'Größe', count: 3, ratio: 1.5, isOn: true, pair: [1, 2], four: [1, 2, 3, 4] };
    const { layer, issues } = written({
      ...HERO,
      instances: HERO.instances.map((one) => (one.node === 5 ? { ...one, isHidden: true } : one)),
      customProperties: new Map<number, CustomProperties>([
        [0, properties],
        [2, { onJoint: 1 }],
        [3, { ...properties, 'no name': 1 }],
        [4, { onHat: 1 }],
      ]),
    });
    expect(issues.map(({ message }) => message)).toEqual([
      'USD has no place for custom properties of some nodes, or for their names; they were dropped: 1 × onJoint, 1 × no name.',
    ]);
    const stage = openStage(layer);
    const visibility = (path: string) => textsOf(attributeValue(stage, path, 'visibility', 'default'));
    expect([visibility('/Hero/ground/floor'), visibility('/Hero/Armature/hat')]).toEqual([['invisible'], null]);
    const { nodes, customProperties = new Map() } = readUsdGeometry(readUsdScene(stage), () => null).geometry;
    expect([...customProperties].map(([node, found]) => [nodes.names[node], found])).toEqual([
      ['Armature', properties],
      ['Body', properties],
      ['hat', { onHat: 1 }],
    ]);
  });

  it('writes a SkelRoot, a Skeleton below the parent of the joints, and Xforms for static nodes', () => {
    const { layer, issues } = written(HERO, [NOD, HOP]);
    expect(issues).toEqual([]);
    const stage = openStage(layer);
    expect(types(stage)).toEqual({
      '/Hero': 'SkelRoot',
      '/Hero/Armature': 'Xform',
      '/Hero/Armature/Skeleton': 'Skeleton',
      '/Hero/Armature/Skeleton/Nod': 'SkelAnimation',
      '/Hero/Armature/Skeleton/Hop': 'SkelAnimation',
      '/Hero/Armature/Body': 'Mesh',
      '/Hero/Armature/hat': 'Mesh',
      '/Hero/ground': 'Xform',
      '/Hero/ground/floor': 'Mesh',
    });
    const skeleton = '/Hero/Armature/Skeleton';
    const joints = textsOf(attributeValue(stage, skeleton, 'joints', 'default'));
    expect(joints).toEqual(['mixamorig_Hips', 'mixamorig_Hips/head']);
    expect(textsOf(attributeValue(stage, skeleton, 'jointNames', 'default'))).toEqual(['mixamorig:Hips', 'head']);
    expect(targetsOf(stage, skeleton, 'skel:animationSource')).toEqual([`${skeleton}/Nod`]);
    expect(stage.metrics).toMatchObject({
      upAxis: 'Y',
      metersPerUnit: 1,
      timeCodesPerSecond: 24,
      defaultPrim: '/Hero',
    });
    expect([stage.metrics.startTimeCode, stage.metrics.endTimeCode]).toEqual([0, 24]);
  });

  it('writes bindings that are valid by the strict rules of OpenUSD, with the world points of glTF', () => {
    const { layer } = written(HERO, [NOD, HOP]);
    const strict = readBindings(openStage(layer), '/Hero', { isStrict: true });
    expect(strict.issues).toEqual([]);
    expect(strict.bindings.flatMap(({ prims }) => prims.map(({ prim }) => prim))).toHaveLength(2);
    for (const clip of [NOD, HOP]) {
      bindClip(layer, clip.name);
      for (const time of [0, 0.25, 0.5, 1]) {
        const shown = pointsByUsd(openStage(layer), time).values();
        expect(largestMiss(shown, pointsByCore(HERO, clip, time))).toBeLessThan(USD_WRITTEN);
      }
    }
  });

  it('writes a joint order for meshes whose skin lacks joints of the Skeleton', () => {
    const bones = [
      ['hips', -1],
      ['head', 0, [0, 1, 0]],
      ['head_end', 1, [0, 1, 0]],
      ['hat', 2],
    ] as const;
    const geometry = geometryOf(bones, {
      meshes: [mesh('body', [triangle([0, 1, 1])]), mesh('top')],
      skins: [
        skin(
          [1, 0],
          [
            [0, 1, 0],
            [0, 0, 0],
          ],
        ),
      ],
      shown: [
        { node: 0, mesh: 0, skin: 0 },
        { node: 3, mesh: 1 },
      ],
    });
    const stage = openStage(written(geometry, []).layer);
    const skeleton = stage.prims.find(({ typeName }) => typeName === 'Skeleton')?.path ?? '';
    expect(textsOf(attributeValue(stage, skeleton, 'joints', 'default'))).toHaveLength(3);
    const orders = stage.prims.flatMap(({ path, typeName }) =>
      typeName === 'Mesh' ? [textsOf(attributeValue(stage, path, 'skel:joints', 'default'))] : [],
    );
    expect(orders).toEqual([['hips', 'hips/head'], ['hips/head/head_end']]);
    const shown = pointsByUsd(stage, 0).values();
    expect(largestMiss(shown, pointsByCore(geometry, animation('Still', []), 0))).toBeLessThan(USD_WRITTEN);
  });

  it('makes joint names unique and keeps the original ones in jointNames', () => {
    const nodes = [
      ['a b', -1],
      ['a-b', 0],
      ['骨', 1],
      ['', 2],
    ] as const;
    const bones = skin(
      [0, 1, 2, 3],
      [
        [0, 0, 0],
        [0, 0, 0],
        [0, 0, 0],
        [0, 0, 0],
      ],
    );
    const stage = openStage(written(geometryOf(nodes, { skins: [bones] })).layer);
    const joints = textsOf(attributeValue(stage, '/Hero/Skeleton', 'joints', 'default'));
    expect(joints).toEqual(['a_b', 'a_b/a_b_1', 'a_b/a_b_1/joint', 'a_b/a_b_1/joint/joint_1']);
    expect(textsOf(attributeValue(stage, '/Hero/Skeleton', 'jointNames', 'default'))).toEqual(['a b', 'a-b', '骨', '']);
  });

  it('writes axes and unit at the root only', () => {
    const space = { upAxis: 'Z', metersPerUnit: 0.01, rotation: ROTATED } as const;
    const stage = openStage(written(HERO, [], space).layer);
    expect(stage.metrics).toMatchObject({ upAxis: 'Z', metersPerUnit: 0.01, startTimeCode: null, endTimeCode: null });
    const matrix = numbersOf(attributeValue(stage, '/Hero', 'xformOp:transform', 'default'), 16) ?? [];
    // x becomes y, row by row.
    expect(matrix[0]).toBeCloseTo(0, 12);
    expect(matrix[1]).toBeCloseTo(1, 12);
    expect(matrix[4]).toBeCloseTo(-1, 12);
  });

  const ROBOT = geometryOf(
    [
      ['arm', -1],
      ['hand', 0, [1, 0, 0]],
    ],
    { meshes: [mesh('box')], shown: [{ node: 1 }] },
  );
  const WAVE = animation('wave', [track(0, 'rotation', [0, 1], [...STILL, ...ROTATED])]);
  const PUSH = animation('push', [track(0, 'translation', [0, 1], [0, 0, 0, 1, 0, 0])]);

  it('writes nodes without a skin as animated Xforms if one clip animates them', () => {
    const { layer, issues } = written(ROBOT, [WAVE]);
    const stage = openStage(layer);
    expect([types(stage), issues]).toEqual([
      { '/Hero': 'Xform', '/Hero/arm': 'Xform', '/Hero/arm/hand': 'Xform', '/Hero/arm/hand/box': 'Mesh' },
      [],
    ]);
    for (const time of [0, 0.3, 1]) {
      expect(largestMiss(pointsByUsd(stage, time).values(), pointsByCore(ROBOT, WAVE, time))).toBeLessThan(USD_WRITTEN);
    }
  });

  it('writes a Skeleton for nodes without a skin if several clips animate them, and for humanoid bones', () => {
    const { layer, issues } = written(ROBOT, [WAVE, PUSH]);
    expect(issues).toEqual([]);
    expect(types(openStage(layer))).toEqual({
      '/Hero': 'SkelRoot',
      '/Hero/Skeleton': 'Skeleton',
      '/Hero/Skeleton/wave': 'SkelAnimation',
      '/Hero/Skeleton/push': 'SkelAnimation',
      '/Hero/hand': 'Mesh',
    });
    for (const clip of [WAVE, PUSH]) {
      bindClip(layer, clip.name);
      for (const time of [0, 0.3, 1]) {
        const shown = pointsByUsd(openStage(layer), time).values();
        expect(largestMiss(shown, pointsByCore(ROBOT, clip, time))).toBeLessThan(USD_WRITTEN);
      }
    }
    const still = openStage(written(ROBOT, [], METERS_Y, [10, 11]).layer);
    expect(textsOf(attributeValue(still, '/Hero/Skeleton', 'joints', 'default'))).toEqual(['arm', 'arm/hand']);
    expect(largestMiss(pointsByUsd(still, 0).values(), pointsByCore(ROBOT, null, 0))).toBeLessThan(USD_WRITTEN);
  });

  it('writes a separate Skeleton for a skin with another bind pose, and a geomBindTransform for an offset one', () => {
    const nodes = [
      ['a', -1],
      ['b', 0, [0, 1, 0]],
    ] as const;
    const skinnedMeshes = [
      mesh('one', [triangle([0, 1, 1])]),
      mesh('two', [triangle([0, 1, 0])]),
      mesh('three', [triangle([1, 0, 1])]),
    ];
    const skins = [
      skin(
        [0, 1],
        [
          [0, 0, 0],
          [0, 1, 0],
        ],
      ),
      skin(
        [0, 1],
        [
          [5, 0, 0],
          [5, 1, 0],
        ],
      ),
      skin(
        [0, 1],
        [
          [0, 0, 0],
          [0, 2, 0],
        ],
      ),
    ];
    const shown = [0, 1, 2].map((k) => ({ node: 0, mesh: k, skin: k }));
    const geometry = geometryOf(nodes, { meshes: skinnedMeshes, skins, shown });
    const clip = animation('bend', [track(1, 'rotation', [0, 1], [...STILL, ...ROTATED])]);
    const { layer } = written(geometry, [clip]);
    const stage = openStage(layer);
    const meshes = stage.prims.filter(({ typeName }) => typeName === 'Mesh').map(({ path }) => path);
    expect(meshes.map((path) => targetsOf(stage, path, 'skel:skeleton')?.[0])).toEqual([
      '/Hero/Skeleton',
      '/Hero/Skeleton',
      '/Hero/Skeleton_1',
    ]);
    const binds = meshes.map((path) => attributeValue(stage, path, 'primvars:skel:geomBindTransform', 'default'));
    expect([binds[0], binds[2]]).toEqual([null, null]);
    expect(Array.from(numbersOf(binds[1], 16) ?? []).slice(12)).toEqual([-5, 0, 0, 1]);
    for (const time of [0, 0.4]) {
      expect(largestMiss(pointsByUsd(stage, time).values(), pointsByCore(geometry, clip, time))).toBeLessThan(
        USD_WRITTEN,
      );
    }
  });

  it('writes morph targets, also of meshes without joints, and their static weights', () => {
    const offsets = {
      vertices: null,
      positions: Float32Array.of(0, 0, 1, 0, 0, 0, 0, 0, 2),
      normals: null,
      tangents: null,
    };
    const face = mesh('face', [triangle(null, { morphTargets: [offsets] })], {
      morphNames: ['smile'],
      morphWeights: Float32Array.of(0.5),
    });
    const geometry = geometryOf([['head', -1, [0, 2, 0]]], { meshes: [face], shown: [{}] });
    const still = openStage(written(geometry).layer);
    expect(types(still)['/Hero/head/Skeleton']).toBe('Skeleton');
    expect(largestMiss(pointsByUsd(still, 0).values(), pointsByCore(geometry, null, 0))).toBeLessThan(USD_WRITTEN);
    const morph = {
      sourceNode: 10,
      nodeName: 'head',
      targetCount: 1,
      interpolation: 'LINEAR',
    } as const;
    const smile = animation('smile', [], {
      morphs: [{ ...morph, times: Float64Array.of(0, 1), values: Float64Array.of(0, 1) }],
    });
    const stage = openStage(written(geometry, [smile]).layer);
    const weights = attributeValue(stage, '/Hero/head/Skeleton/smile', 'blendShapeWeights', 'default');
    expect(Array.from(numbersOf(weights, 1) ?? [])).toEqual([0.5]);
    for (const time of [0, 0.25, 1]) {
      expect(largestMiss(pointsByUsd(stage, time).values(), pointsByCore(geometry, smile, time))).toBeLessThan(
        USD_WRITTEN,
      );
    }
  });

  it('omits unanimated joints from animations if half precision cannot store their scale', () => {
    const geometry = geometryOf(
      [
        ['root', -1, [0, 0, 0], 0.01],
        ['tip', 0, [0, 100, 0]],
      ],
      {
        meshes: [mesh('body', [triangle([0, 1, 1])])],
        skins: [
          skin(
            [0, 1],
            [
              [0, 0, 0],
              [0, 1, 0],
            ],
          ),
        ],
        shown: [{ skin: 0 }],
      },
    );
    const clip = animation('bend', [track(1, 'rotation', [0, 1], [...STILL, ...ROTATED])]);
    const stage = openStage(written(geometry, [clip]).layer);
    expect(textsOf(attributeValue(stage, '/Hero/Skeleton/bend', 'joints', 'default'))).toEqual(['root/tip']);
    expect(largestMiss(pointsByUsd(stage, 0.6).values(), pointsByCore(geometry, clip, 0.6))).toBeLessThan(USD_WRITTEN);
  });

  it('reports primitives without triangles, empty clips and tracks of missing nodes', () => {
    const geometry = geometryOf([['a', -1]], {
      meshes: [mesh('dots', [triangle(null, { mode: 'points' })])],
      shown: [{}],
    });
    const clip = animation('elsewhere', [track(0, 'translation', [0], [0, 0, 0])], { sourceNodes: [99] });
    const { issues } = written(geometry, [clip]);
    expect(issues.map(({ code }) => code).sort()).toEqual(['CHANNELS_DROPPED', 'CLIP_EMPTY', 'GEOMETRY_DROPPED']);
  });

  it('writes two samples of constant properties', () => {
    const stage = openStage(written(HERO, [NOD], METERS_Y).layer);
    const path = '/Hero/Armature/Skeleton/Nod';
    for (const name of ['translations', 'rotations', 'scales']) {
      expect(Array.from(timeSamplesOf(stage, path, name)), name).toEqual([0, 24]);
    }
  });

  it('writes idiomatic USD text', () => {
    const text = serializeUsda(written(HERO, [NOD]).layer);
    expect(text).toContain('def SkelRoot "Hero" (');
    expect(text).toContain('prepend apiSchemas = ["SkelBindingAPI"]');
    expect(text).toMatch(
      /int\[\] primvars:skel:jointIndices = \[1, 0, 0\] \(\s*elementSize = 1\s*interpolation = "vertex"/,
    );
    expect(text).toContain('uniform token subdivisionScheme = "none"');
  });
});

const CODES = { origin: 0, perSecond: 1 };

describe('addNodePrims', () => {
  const geometry = geometryOf(
    [
      ['room', -1, [1, 0, 0]],
      ['door', 0, [0, 2, 0]],
      ['hips', 0],
      ['ring', 2],
      ['body', 0],
    ],
    { meshes: [mesh('body', [triangle([0, 0, 0])])], skins: [skin([2], [[0, 0, 0]])], shown: [{ node: 4, skin: 0 }] },
  );
  const nearestJointNode = Int32Array.of(-1, -1, 2, 2, -1);

  it('adds Xforms, except for joints, their descendants and nodes that only hold skinned meshes', () => {
    const layer = makeLayer({});
    definePrim(layer, '/Root', 'Xform');
    const paths = addNodePrims(layer, '/Root', geometry, { nearestJointNode }, [], CODES);
    expect(paths).toEqual(['/Root/room', '/Root/room/door', '', '', '']);
    expect([...localToWorld(openStage(layer), '/Root/room/door', 'default').subarray(12, 15)]).toEqual([1, 2, 0]);
  });

  it('animates Xforms by the first clip', () => {
    const layer = makeLayer({});
    definePrim(layer, '/Root', 'Xform');
    const clips = [4, 8].map((end) => {
      const open = animation('open', [track(1, 'translation', [0, 2], [0, 2, 0, end, 2, 0])]);
      return linearAnimation(open, (source) => source - 10, geometry.nodes, 1).animation;
    });
    addNodePrims(layer, '/Root', geometry, { nearestJointNode }, clips, CODES);
    const stage = openStage(layer);
    expect([0, 1, 2].map((time) => localToWorld(stage, '/Root/room/door', time)[12])).toEqual([1, 3, 5]);
  });
});

/** A joint, a node that only holds a skinned mesh, and a face with one morph target. */
const GEOMETRY = geometryOf(
  [
    ['hips', -1, [0, 3, 0]],
    ['body', -1],
    ['face', 0, [4, 0, 0]],
  ],
  {
    meshes: [
      mesh('body', [triangle([0, 0, 0])]),
      mesh('face', [triangle()], { morphNames: ['smile'], morphWeights: Float32Array.of(0) }),
    ],
    skins: [skin([0], [[0, 0, 0]])],
    shown: [
      { node: 1, skin: 0 },
      { node: 2, mesh: 1 },
    ],
  },
);
const slide = (node: number) => track(node, 'translation', [0, 1], [0, 0, 0, 1, 0, 0]);

function readAnimations(clips: NewAnimation[]) {
  const issues: Issue[] = [];
  const found = characterAnimations(GEOMETRY, clips, issues).map(({ name, tracks, morphs }) => {
    return [name, [...tracks.keys()], [...morphs.keys()]];
  });
  return { found, codes: issues.map(({ code }) => code) };
}

describe('characterAnimations', () => {
  it('drops tracks of nodes whose transform has no effect', () => {
    expect(readAnimations([animation('walk', [slide(0), slide(1), slide(2)])])).toEqual({
      found: [['walk', [0, 2], []]],
      codes: [],
    });
  });

  it('drops clips without effect and tracks of unknown nodes, with issues', () => {
    const unknown = animation('unknown', [slide(0)], { sourceNodes: [99] });
    expect(readAnimations([animation('still', [slide(1)]), unknown, animation('walk', [slide(0)])])).toEqual({
      found: [['walk', [0], []]],
      codes: ['CLIP_EMPTY', 'CLIP_EMPTY', 'CHANNELS_DROPPED'],
    });
  });

  it('keeps weights of existing morph targets', () => {
    const weights = (sourceNode: number, targetCount: number) => {
      const values = new Float64Array(2 * targetCount);
      return {
        sourceNode,
        nodeName: '',
        targetCount,
        interpolation: 'LINEAR',
        times: Float64Array.of(0, 1),
        values,
      } as const;
    };
    expect(readAnimations([animation('smile', [], { morphs: [weights(12, 1)] })])).toEqual({
      found: [['smile', [], [2]]],
      codes: [],
    });
    const mismatched = animation('mismatched', [slide(0)], { morphs: [weights(12, 2), weights(10, 1)] });
    expect(readAnimations([mismatched])).toEqual({ found: [['mismatched', [0], []]], codes: ['CHANNELS_DROPPED'] });
  });
});
