import { describe, expect, it } from 'vitest';
import { geometryBudget } from '../../../../../src/core/asset/geometry-budget.ts';
import type { Issue } from '../../../../../src/core/report/issue.ts';
import { type Findings, reportFindings } from '../../../../../src/formats/usd/read/geometry-findings.ts';
import { readUsdScene } from '../../../../../src/formats/usd/read/read-usd-scene.ts';
import type { SceneSkeleton, UsdScene } from '../../../../../src/formats/usd/read/scene.ts';
import {
  bindingKey,
  createSkinTable,
  type PrimBinding,
  readBinding,
  skinOf,
} from '../../../../../src/formats/usd/read/skeletons/read-skin.ts';
import type { BoundPrim } from '../../../../../src/formats/usd/skel/bound-prim.ts';
import { messagesOf, stageOf } from '../../skel/scene.ts';

const API = 'prepend apiSchemas = ["SkelBindingAPI"]';
const move = (x: number): string => `((1,0,0,0),(0,1,0,0),(0,0,1,0),(${x},0,0,1))`;

/** A skeleton of two joints, bound at x = 1 and x = 3, and meshes; `bind`: its bind pose. */
function sceneOf(meshes: string, bind = `uniform matrix4d[] bindTransforms = [${move(1)}, ${move(3)}]`): UsdScene {
  return readUsdScene(
    stageOf(`
      def SkelRoot "R" (${API}) {
        rel skel:skeleton = </R/S>
        def Skeleton "S" {
          uniform token[] joints = ["a", "a/b"]
          ${bind}
          uniform matrix4d[] restTransforms = [${move(1)}, ${move(2)}]
        }
        ${meshes}
      }`),
  );
}

const mesh = (name: string, indices: string, weights: string, more = '', elementSize = 1): string => `
  def Mesh "${name}" (${API}) {
    int[] primvars:skel:jointIndices = ${indices} (elementSize = ${elementSize}
      interpolation = "vertex")
    float[] primvars:skel:jointWeights = ${weights} (elementSize = ${elementSize}
      interpolation = "vertex")
    ${more}
  }`;

interface Read {
  readonly binding: PrimBinding | null;
  readonly messages: string[];
  readonly skeleton: SceneSkeleton;
  readonly bound: BoundPrim;
}

/** Reads the binding of a mesh with `pointCount` points. */
function read(scene: UsdScene, name: string, pointCount: number): Read {
  const issues: Issue[] = [];
  const findings: Findings = new Map();
  const skeleton = scene.skeletons[0];
  const bound = skeleton.bound.find(({ prim }) => prim === `/R/${name}`);
  if (bound === undefined) throw new Error(`${name} is not bound`);
  const budget = geometryBudget('USD_LIMIT');
  const binding = readBinding(scene.stage, skeleton, bound, pointCount, { budget, findings, issues });
  reportFindings(findings, issues);
  return { binding, messages: messagesOf(issues), skeleton, bound };
}

describe('readBinding', () => {
  it('reads joints, influences and inverse bind matrices', () => {
    const scene = sceneOf(mesh('M', '[1, 0]', '[1, 1]', `matrix4d primvars:skel:geomBindTransform = ${move(10)}`));
    const { binding, messages } = read(scene, 'M', 2);
    expect(messages).toEqual([]);
    expect(binding?.joints).toEqual([0, 1]);
    expect([binding?.inverseBind[12], binding?.inverseBind[28]]).toEqual([9, 7]);
    expect([...binding!.influences.indices]).toEqual([1, 0]);
  });

  it('uses the joint order of the prim, each joint once', () => {
    const own = 'uniform token[] skel:joints = ["a/b", "x", "a", "y"]';
    const { binding, messages } = read(sceneOf(mesh('M', '[0, 2, 1, 3]', '[1, 1, 1, 1]', own)), 'M', 4);
    expect(binding?.joints).toEqual([1, -1, 0]);
    expect([...binding!.influences.indices]).toEqual([0, 2, 1, 1]);
    expect(messages).toEqual([
      'Joints of skel:joints are missing in the skeleton; their points follow the Skeleton prim (2 occurrences, the first at /R/M).',
    ]);
  });

  it.each([
    ['no bind pose', mesh('M', '[0]', '[1]'), '', 'its skeleton has no bind pose'],
    ['missing joints', mesh('M', '[2]', '[1]'), undefined, 'an influence has joint index 2; expected 0…1'],
    [
      'an unknown skinning method',
      mesh('M', '[0]', '[1]', 'uniform token primvars:skel:skinningMethod = "other"'),
      undefined,
      'its skinning method is other; expected classicLinear or dualQuaternion',
    ],
  ])('returns null and reports the reason with %s', (_, meshes, bind, reason) => {
    const { binding, messages } = read(sceneOf(meshes, bind), 'M', 1);
    expect(binding).toBeNull();
    expect(messages).toEqual([
      `/R/M cannot be skinned: ${reason}. It was read as a rigid mesh. Fix its binding and export it again.`,
    ]);
  });

  it('returns null without an issue without influences or points', () => {
    const scene = sceneOf(`def Mesh "Bare" {\n}\n${mesh('Empty', '[]', '[]')}`);
    expect(read(scene, 'Bare', 3)).toMatchObject({ binding: null, messages: [] });
    expect(read(scene, 'Empty', 0)).toMatchObject({ binding: null, messages: [] });
  });

  it('replaces non-finite matrices by the identity', () => {
    const huge = `matrix4d primvars:skel:geomBindTransform = ${move(1e300)}`;
    const { binding, messages } = read(sceneOf(mesh('M', '[0]', '[1]', huge)), 'M', 1);
    expect(binding?.inverseBind[12]).toBe(0);
    expect(messages).toEqual([
      'Bind matrices are not finite and were replaced by the identity (2 occurrences, the first at /R/M).',
    ]);
  });
});

describe('skins', () => {
  it('bindingKey: is equal for the same inherited binding, and differs for another method or joint order', () => {
    const order = 'uniform token[] skel:joints = ["a"]';
    const scene = sceneOf(`
      def Xform "X" (${API}) {
        int[] primvars:skel:jointIndices = [0]
        float[] primvars:skel:jointWeights = [1]
        def Mesh "A" {
        }
        def Mesh "B" {
        }
        def Mesh "C" (${API}) {
          ${order}
        }
        def Mesh "D" (${API}) {
          uniform token primvars:skel:skinningMethod = "dualQuaternion"
        }
      }`);
    const [skeleton] = scene.skeletons;
    const keys = new Map(skeleton.bound.map((bound) => [bound.prim, bindingKey(scene.stage, skeleton, bound)]));
    expect(keys.get('/R/X/A')).toBe(keys.get('/R/X/B'));
    expect(new Set(keys.values()).size).toBe(3);
  });

  it('skinOf: shares skins with the same joints and matrices, and arrays of equal matrices', () => {
    const scene = sceneOf(mesh('M', '[1, 0]', '[1, 1]'));
    const { binding, skeleton } = read(scene, 'M', 2);
    const table = createSkinTable();
    const twin = { ...skeleton, jointNodes: skeleton.jointNodes.map((node) => node + 100) };
    const outside: PrimBinding = { ...binding!, joints: [-1, 1] };
    const again = { ...binding!, inverseBind: binding!.inverseBind.slice() };
    const indices = [
      skinOf(table, skeleton, binding!),
      skinOf(table, skeleton, again),
      skinOf(table, twin, again),
      skinOf(table, skeleton, outside),
    ];
    expect(indices).toEqual([0, 0, 1, 2]);
    expect(table.skins.map(({ name }) => name)).toEqual(['S', 'S', 'S']);
    expect(table.skins[1].inverseBindMatrices).toBe(table.skins[0].inverseBindMatrices);
    expect([...table.skins[2].joints]).toEqual([skeleton.node, skeleton.jointNodes[1]]);
  });
});
