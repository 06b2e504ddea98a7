import { describe, expect, it } from 'vitest';
import { describeUsdSkel } from '../../../../../src/formats/usd/skel/report/describe-usd-skel.ts';
import { stageOf } from '../scene.ts';

const move = (x: number): string => `((1,0,0,0),(0,1,0,0),(0,0,1,0),(${x},0,0,1))`;
const animation = (name: string, x: number): string => `
  def SkelAnimation "${name}" {
    uniform token[] joints = ["a"]
    uniform token[] blendShapes = ["tall"]
    float3[] translations.timeSamples = { 1: [(${x}, 0, 0)], 3: [(${x + 4}, 0, 0)]
    }
    quatf[] rotations = [(1, 0, 0, 0)]
    half3[] scales = [(1, 1, 1)]
    float[] blendShapeWeights = [0.5]
  }`;
const API = 'prepend apiSchemas = ["SkelBindingAPI"]';
const SCENE = `(
  upAxis = "Z"
  timeCodesPerSecond = 30
  startTimeCode = 1
  endTimeCode = 3
)
def SkelRoot "R" (
  ${API}
)
{
  rel skel:skeleton = </R/S>
  def Skeleton "S" (
    ${API}
  )
  {
    uniform token[] joints = ["a", "a/b"]
    uniform matrix4d[] bindTransforms = [${move(1)}, ${move(2)}]
    uniform matrix4d[] restTransforms = [${move(1)}, ${move(1)}]
    rel skel:animationSource = </R/A>
  }
  ${animation('A', 2)}
  ${animation('B', 100)}
  def Mesh "M" (
    ${API}
  )
  {
    point3f[] points = [(1, 0, 0)]
    normal3f[] normals = [(0, 0, 1)]
    int[] primvars:skel:jointIndices = [1] (
      elementSize = 1
      interpolation = "vertex"
    )
    float[] primvars:skel:jointWeights = [1] (
      elementSize = 1
      interpolation = "vertex"
    )
    uniform token[] skel:joints = ["a", "a/b"]
    uniform token[] skel:blendShapes = ["tall"]
    rel skel:blendShapeTargets = </R/M/Tall>
    rel skel:animationSource = </R/B>
    rel skel:skeleton = </R/S>
    def BlendShape "Tall" {
      uniform vector3f[] offsets = [(0, 2, 0)]
      uniform int[] pointIndices = [0]
    }
  }
}
`;

describe('describeUsdSkel', () => {
  it('describes bindings and their values at the default time and at times', () => {
    const report = describeUsdSkel(stageOf(SCENE), { file: 'a.usda' });
    const { roots, ...about } = report;
    const facts = { file: 'a.usda', upAxis: 'Z', tcps: 30, start: 1, end: 3, messages: [], issues: [] };
    expect(about).toEqual(facts);
    expect(roots.map(({ path, bindings }) => [path, bindings.length])).toEqual([['/R', 1]]);
    const [{ samples, targets, ...binding }] = roots[0].bindings;
    expect(binding).toEqual({
      skeleton: '/R/S',
      valid: true,
      joints: ['a', 'a/b'],
      parents: [-1, 0],
      hasBind: true,
      hasRest: true,
      anim: '/R/A',
      animJoints: ['a'],
      blendShapes: ['tall'],
      mapper: { identity: 0, sparse: 1, null: 0 },
      times: [1, 3],
    });
    expect(targets).toEqual([
      {
        prim: '/R/M',
        hasInfluences: 1,
        rigid: 0,
        n: 1,
        method: 'classicLinear',
        geomBind: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1],
        hasBlendShapes: 1,
        joints: ['a', 'a/b'],
        blendShapes: ['tall'],
      },
    ]);
    expect(samples.map(({ t }) => t)).toEqual(['default', 1, 1.5, 3]);
    // The joint a is at 3, a/b at 4, which was at 2 when it was bound; the shape counts half.
    const { local, skel, skinning, restRelative, ...sample } = samples[2];
    const xs = [local, skel, skinning, restRelative].map((matrices) => matrices?.map((matrix) => matrix[12]));
    expect(xs).toEqual([
      [3, 1],
      [3, 4],
      [2, 2],
      [2, 0],
    ]);
    expect(sample).toEqual({
      t: 1.5,
      weights: [0.5],
      prims: [
        {
          prim: '/R/M',
          primWeights: [0.5],
          subShapeWeights: [0.5],
          blendShapeIndices: [0],
          subShapeIndices: [1],
          skinOk: 1,
          points: [[3, 1, 0]],
          normals: [[0, 0, 1]],
        },
      ],
    });
    expect(JSON.parse(JSON.stringify(report))).toEqual(report);
  });

  it('looks up animations as requested', () => {
    const { roots } = describeUsdSkel(stageOf(SCENE), { animationBinding: 'bindingSite' });
    expect(roots[0].bindings.map(({ anim }) => anim)).toEqual(['/R/B']);
    expect(roots[0].bindings[0].samples[1].prims[0].points).toEqual([[100, 1, 0]]);
  });

  it('uses properties without their API schema only if not strict', () => {
    const stage = stageOf(SCENE.replaceAll(API, ''));
    const lenient = describeUsdSkel(stage);
    expect(lenient.roots[0].bindings.length).toBe(1);
    expect(lenient.messages[0]).toMatch(/but SkelBindingAPI is not applied. It is used here/);
    const strict = describeUsdSkel(stage, { isStrict: true });
    expect(strict.roots).toEqual([{ path: '/R', bindings: [] }]);
    expect(strict.issues.map(({ code }) => code)).toContain('USD_BINDING_INVALID');
  });

  it('computes no samples if they are not requested', () => {
    const { roots } = describeUsdSkel(stageOf(SCENE), { hasSamples: false });
    expect(roots[0].bindings[0]).toMatchObject({ valid: true, times: [1, 3], samples: [] });
  });

  it('reports an invalid skeleton once', () => {
    const twisted = SCENE.replace('uniform token[] joints = ["a", "a/b"]', 'uniform token[] joints = ["a/b", "a"]');
    const { roots, messages } = describeUsdSkel(stageOf(twisted));
    expect(roots[0].bindings).toMatchObject([
      {
        skeleton: '/R/S',
        valid: false,
        joints: ['a/b', 'a'],
        parents: [1, -1],
        hasBind: false,
        times: [],
        samples: [],
      },
    ]);
    expect(roots[0].bindings[0].targets.length).toBe(1);
    expect(messages).toEqual([expect.stringMatching(/joint 0 \(a\/b\)/)]);
    const poor = SCENE.replace('jointIndices = [1]', 'jointIndices = [7]');
    expect(describeUsdSkel(stageOf(poor)).messages).toEqual([
      '/R/M is not skinned: an influence has joint index 7; expected 0…1.',
    ]);
  });

  it('finds nothing on a stage without characters', () => {
    expect(describeUsdSkel(stageOf('def Mesh "M" {\n}\n'))).toMatchObject({ roots: [], upAxis: 'Y', start: 0, end: 0 });
  });
});
