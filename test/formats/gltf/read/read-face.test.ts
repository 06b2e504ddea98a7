import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { FaceRig } from '../../../../src/core/face/face-rig.ts';
import { defaultLookAt } from '../../../../src/core/face/look-at.ts';
import type { Issue } from '../../../../src/core/report/issue.ts';
import { parseGltf } from '../../../../src/formats/gltf/index.ts';
import { readFace } from '../../../../src/formats/gltf/read/read-face.ts';
import { asset, HAS_ASSETS } from '../../../support/assets.ts';
import { documentOf } from '../../../support/make/glb.ts';

const nodes = [{ name: 'Body' }, { name: 'Face', mesh: 1 }, { name: 'Twin', mesh: 1, weights: [0.5, 0] }, { mesh: 0 }];
const meshes = [
  { primitives: [{ attributes: {} }] },
  { primitives: [{ attributes: {}, targets: [{}, {}] }], weights: [0, 0.25], extras: { targetNames: ['a', 'blink'] } },
];

function read(extensions: object, more: object = {}): { rig: FaceRig; issues: readonly Issue[] } {
  return readFace(documentOf({ nodes, meshes, extensions, ...more }));
}

describe('readFace', () => {
  it('finds the nodes with morph targets, their names and default weights', () => {
    const { rig, issues } = read({});
    const targetNames = ['a', 'blink'];
    expect(rig).toEqual({
      morphNodes: [
        { node: 1, name: 'Face', targetNames, weights: Float64Array.of(0, 0.25) },
        { node: 2, name: 'Twin', targetNames, weights: Float64Array.of(0.5, 0) },
      ],
      expressions: [],
      lookAt: null,
    });
    expect(issues).toEqual([]);
  });

  it.each([
    [{ primitives: [{ targets: [{}, {}], extras: { targetNames: ['a', 'b'] } }] }, ['a', 'b']],
    [{ primitives: [{ targets: [{ extras: { name: 'a' } }, {}] }] }, ['a', '']],
    [{ primitives: [{ targets: [{}, {}] }], extras: { targetNames: ['a'] } }, ['a', '']],
    [{ primitives: [{ targets: [{}, {}] }], extras: { targetNames: [1, {}] } }, null],
    [{ primitives: [{ targets: [{}, {}] }], extras: { targetNames: 'ab' } }, null],
  ])('reads target names from extras: %j', (mesh, names) => {
    const { rig } = read({}, { meshes: [mesh], nodes: [{ mesh: 0 }] });
    expect(rig.morphNodes[0].targetNames).toEqual(names);
  });

  it('reads expressions of VRM 1.0', () => {
    const blink = { morphTargetBinds: [{ node: 1, index: 1, weight: 0.5 }], isBinary: true, overrideMouth: 'block' };
    const wave = { textureTransformBinds: [{ material: 0 }], overrideBlink: 'blend' };
    const { rig } = read({ VRMC_vrm: { expressions: { preset: { blink }, custom: { wave } } } });
    expect(rig.expressions).toEqual([
      {
        name: 'blink',
        binds: [{ node: 1, target: 1, weight: 0.5 }],
        isBinary: true,
        overrideBlink: 'none',
        overrideLookAt: 'none',
        overrideMouth: 'block',
        changesMaterials: false,
      },
      expect.objectContaining({ name: 'wave', binds: [], overrideBlink: 'blend', changesMaterials: true }),
    ]);
  });

  it('reads VRM 0.x groups with VRM 1.0 names, bound to every node of the mesh', () => {
    const blendShapeGroups = [
      { name: 'Smile', presetName: 'joy', binds: [{ mesh: 1, index: 0, weight: 40 }] },
      { name: 'Own', presetName: 'unknown', binds: [{ mesh: 1, index: 1 }], materialValues: [{}] },
      { name: 'Again', presetName: 'joy', binds: [] },
      { presetName: 'unknown' },
    ];
    const { rig } = read({ VRM: { blendShapeMaster: { blendShapeGroups } } });
    expect(rig.expressions.map(({ name, binds, changesMaterials }) => [name, binds, changesMaterials])).toEqual([
      ['happy', [1, 2].map((node) => ({ node, target: 0, weight: 0.4 })), false],
      ['Own', [1, 2].map((node) => ({ node, target: 1, weight: 1 })), true],
    ]);
  });

  it('reports and drops bindings to missing targets', () => {
    const morphTargetBinds = [{ node: 0, index: 0 }, { node: 1, index: 2 }, { node: 1, index: -1 }, { index: 0 }, null];
    const { rig, issues } = read({ VRMC_vrm: { expressions: { preset: { aa: { morphTargetBinds } } } } });
    expect(rig.expressions[0].binds).toEqual([]);
    expect(issues.map(({ code }) => code)).toEqual(Array.from({ length: 5 }, () => 'VRM_FACE'));
    const groups = [
      {
        name: 'a',
        binds: [
          { mesh: 0, index: 0 },
          { mesh: 7, index: 0 },
        ],
      },
    ];
    expect(read({ VRM: { blendShapeMaster: { blendShapeGroups: groups } } }).issues).toHaveLength(2);
  });

  it('reads the look-at of VRM 1.0, with default ranges', () => {
    const { rig } = read({ VRMC_vrm: { lookAt: { type: 'expression', rangeMapVerticalUp: { inputMaxValue: 45 } } } });
    const range = { inputMax: 90, output: 1, curve: null };
    expect(rig.lookAt).toEqual({
      ...defaultLookAt('expression'),
      horizontalInner: range,
      horizontalOuter: range,
      verticalDown: range,
      verticalUp: { inputMax: 45, output: 1, curve: null },
    });
    expect(read({ VRMC_vrm: { lookAt: {} } }).rig.lookAt).toMatchObject({ type: 'bone', verticalUp: { output: 10 } });
  });

  it('reads the look-at of VRM 0.x with its curves, in glTF axes', () => {
    const firstPerson = {
      lookAtTypeName: 'BlendShape',
      firstPersonBoneOffset: { x: 0.01, y: 0.1, z: 0.2 },
      lookAtHorizontalOuter: { curve: [0, 0, 0, 1, 1, 1, 1, 0], xRange: 60, yRange: 0.5 },
      lookAtVerticalUp: { curve: [0, 0, 0, 0, 1, 1, 0, 0], xRange: 0 },
      lookAtVerticalDown: { curve: [1, 0, 0, 0, 0, 1, 0, 0] },
    };
    const { lookAt } = read({ VRM: { firstPerson } }).rig;
    expect(lookAt).toMatchObject({ type: 'expression', offsetFromHeadBone: [0.01, 0.1, -0.2] });
    expect(lookAt?.horizontalOuter).toEqual({ inputMax: 60, output: 0.5, curve: null });
    expect(lookAt?.verticalUp).toEqual({ inputMax: 0.01, output: 1, curve: Float64Array.of(0, 0, 0, 0, 1, 1, 0, 0) });
    expect(lookAt?.verticalDown).toEqual({ inputMax: 90, output: 1, curve: null });
  });

  it.each([
    { VRMC_vrm: { expressions: { preset: [], custom: 5 }, lookAt: 'up' } },
    { VRMC_vrm: { expressions: { preset: { aa: { morphTargetBinds: {} } } } } },
    { VRM: { blendShapeMaster: { blendShapeGroups: [null, 4, { name: 'a', binds: 'x' }] }, firstPerson: [] } },
    { VRM: { blendShapeMaster: null } },
    { VRM: [] },
  ])('does not throw for %j', (extensions) => {
    expect(read(extensions).rig.morphNodes).toHaveLength(2);
  });
});

describe.skipIf(!HAS_ASSETS)('readFace on real-world files', () => {
  it('finds the face of a VRM 0.x', () => {
    const { rig, issues } = readFace(parseGltf(readFileSync(asset('assets/vrm/Godette_vrm_v4.vrm'))));
    expect(issues).toEqual([]);
    expect(rig.morphNodes.map(({ weights }) => weights.length)).toEqual([15]);
    expect(rig.expressions).toHaveLength(17);
    expect(rig.expressions.find(({ name }) => name === 'angry')?.binds).toHaveLength(4);
    expect(rig.lookAt?.horizontalOuter.curve).toHaveLength(12);
  });
});
