import { describe, expect, it } from 'vitest';
import { readBindings } from '../../../../../src/formats/usd/skel/bindings.ts';
import {
  type DeformedPrim,
  deformPrim,
  geometryAt,
  planPrim,
} from '../../../../../src/formats/usd/skel/deform/deform-prim.ts';
import { readAnimatedSkeleton, sampleSkeleton } from '../../../../../src/formats/usd/skel/skeleton-sample.ts';
import type { Time } from '../../../../../src/formats/usd/stage/stage.ts';
import { boundPrims, messagesOf, stageOf } from '../scene.ts';

const API = '(prepend apiSchemas = ["SkelBindingAPI"])';
const move = (x: number, y: number, z: number): string => `((1,0,0,0),(0,1,0,0),(0,0,1,0),(${x},${y},${z},1))`;

/** Two joints, the second moved by 10 along x at time 1; a mesh of what is given. */
function scene(
  mesh: string,
  { type = 'Mesh', skeleton = `uniform matrix4d[] bindTransforms = [${move(0, 0, 0)}, ${move(0, 1, 0)}]` } = {},
) {
  return stageOf(`
    def SkelRoot "R" ${API} {
      rel skel:skeleton = </R/S>
      def Skeleton "S" ${API} {
        rel skel:animationSource = </R/S/A>
        uniform token[] joints = ["a", "a/b"]
        ${skeleton}
        uniform matrix4d[] restTransforms = [${move(0, 0, 0)}, ${move(0, 1, 0)}]
        def SkelAnimation "A" {
          uniform token[] joints = ["a/b"]
          float3[] translations.timeSamples = { 0: [(0, 1, 0)], 1: [(10, 1, 0)] }
          quatf[] rotations = [(1, 0, 0, 0)]
          half3[] scales = [(1, 1, 1)]
          uniform token[] blendShapes = ["smile", "frown"]
          float[] blendShapeWeights.timeSamples = { 0: [0, 0], 1: [1, 0.5] }
        }
      }
      def ${type} "M" ${API} {
        ${mesh}
        def BlendShape "Smile" {
          uniform vector3f[] offsets = [(0, 0, 1)]
          uniform int[] pointIndices = [1]
        }
        def BlendShape "Bad" {
          uniform vector3f[] offsets = [(0, 0, 1)]
          uniform int[] pointIndices = [9]
        }
      }
    }`);
}

function deform(stage: ReturnType<typeof scene>, time: Time = 1): { prim: DeformedPrim; messages: string[] } {
  const [binding] = readBindings(stage, '/R').bindings;
  const { skeleton, issues } = readAnimatedSkeleton(stage, binding.skeleton, binding.animation);
  if (skeleton === null) throw new Error('the skeleton is not valid');
  const deformer = planPrim(stage, binding.prims[0], skeleton);
  const sample = sampleSkeleton(stage, skeleton, time);
  const prim = deformPrim(stage, deformer, sample, time);
  return { prim, messages: messagesOf([...issues, ...deformer.issues, ...sample.issues, ...prim.issues]) };
}

const POINTS = 'point3f[] points = [(0, 0, 0), (0, 2, 0)]';
const influences = (interpolation: string, indices: string, weights: string): string => `
  int[] primvars:skel:jointIndices = ${indices} (interpolation = "${interpolation}")
  float[] primvars:skel:jointWeights = ${weights} (interpolation = "${interpolation}")`;
const SKIN = influences('vertex', '[0, 1]', '[1, 1]');
const SHAPES = 'uniform token[] skel:blendShapes = ["smile"]\nrel skel:blendShapeTargets = </R/M/Smile>';

describe('deformPrim', () => {
  it('skins after applying blend shapes', () => {
    const { prim, messages } = deform(scene(`${POINTS}\n${SKIN}\n${SHAPES}`));
    expect(messages).toEqual([]);
    expect([...prim.points]).toEqual([0, 0, 0, 10, 2, 1]);
    expect([prim.isSkinned, prim.transform]).toEqual([true, null]);
    expect([...(prim.weights ?? [])]).toEqual([1]);
  });

  it('is at rest without weights at the default time if only samples are authored', () => {
    const { prim } = deform(scene(`${POINTS}\n${SKIN}\n${SHAPES}`), 'default');
    expect([...prim.points]).toEqual([0, 0, 0, 0, 2, 0]);
    expect(prim.weights).toBeNull();
  });

  it('uses the joint order of the mesh; joints missing in the skeleton do not move', () => {
    const order = 'uniform token[] skel:joints = ["x", "a/b"]';
    const { prim } = deform(scene(`${POINTS}\n${SKIN}\n${order}`));
    expect([...prim.points]).toEqual([0, 0, 0, 10, 2, 0]);
    const swapped = deform(scene(`${POINTS}\n${SKIN}\nuniform token[] skel:joints = ["a/b", "a"]`)).prim;
    expect([...swapped.points]).toEqual([10, 0, 0, 0, 2, 0]);
  });

  it('returns a matrix for constant influences and leaves points unchanged', () => {
    const rigid = influences('constant', '[1]', '[1]');
    const { prim } = deform(scene(`${POINTS}\n${rigid}\nmatrix4d primvars:skel:geomBindTransform = ${move(0, 0, 5)}`));
    expect([...prim.points]).toEqual([0, 0, 0, 0, 2, 0]);
    expect([...(prim.transform ?? [])].slice(12)).toEqual([10, 0, 5, 1]);
    const sphere = deform(scene(rigid, { type: 'Sphere' })).prim;
    expect([...(sphere.transform ?? [])].slice(12)).toEqual([10, 0, 0, 1]);
  });

  it('skins normals of points and of face corners', () => {
    const corners = 'int[] faceVertexIndices = [1, 0, 7]';
    const normals = (interpolation: string, values: string): string =>
      `normal3f[] normals = ${values} (interpolation = "${interpolation}")`;
    const vertex = deform(scene(`${POINTS}\n${SKIN}\n${normals('vertex', '[(0, 0, 2), (1, 0, 0)]')}`)).prim;
    expect([vertex.normalsInterpolation, [...(vertex.normals ?? [])]]).toEqual(['vertex', [0, 0, 1, 1, 0, 0]]);
    const faces = deform(
      scene(`${POINTS}\n${SKIN}\n${corners}\n${normals('faceVarying', '[(0, 0, 2), (1, 0, 0), (0, 3, 0)]')}`),
    ).prim;
    expect([faces.normalsInterpolation, [...(faces.normals ?? [])]]).toEqual([
      'faceVarying',
      [0, 0, 1, 1, 0, 0, 0, 1, 0],
    ]);
    expect(deform(scene(`${POINTS}\n${SKIN}\n${normals('uniform', '[(0, 0, 2)]')}`)).prim.normals).toBeNull();
  });

  it.each([
    [influences('vertex', '[0, 2]', '[1, 1]'), 'an influence has joint index 2; expected 0…1'],
    [influences('vertex', '[0, 0, 0]', '[1, 1, 1]'), 'there are 3 influences; expected 2, 1 for each of 2 points'],
    [
      `${SKIN}\nuniform token primvars:skel:skinningMethod = "other"`,
      'its skinning method is other; expected classicLinear or dualQuaternion',
    ],
  ])('leaves points unchanged for invalid influences: %j', (mesh, reason) => {
    const { prim, messages } = deform(scene(`${POINTS}\n${mesh}`));
    expect([prim.isSkinned, [...prim.points]]).toEqual([false, [0, 0, 0, 0, 2, 0]]);
    expect(messages).toEqual([`/R/M is not skinned: ${reason}.`]);
  });

  it('leaves points unchanged without a bind pose', () => {
    const { prim, messages } = deform(scene(`${POINTS}\n${SKIN}`, { skeleton: '' }));
    expect(prim.isSkinned).toBe(false);
    expect(messages.at(-1)).toBe(
      '/R/M is not skinned: the skeleton lacks its bind pose, or the rest pose of a joint without animation; author bindTransforms and restTransforms.',
    );
  });

  it('ignores blend shapes that do not fit and targets of another type', () => {
    const bad = deform(
      scene(`${POINTS}\nuniform token[] skel:blendShapes = ["smile"]\nrel skel:blendShapeTargets = </R/M/Bad>`),
    );
    expect([...bad.prim.points]).toEqual([0, 0, 0, 0, 2, 0]);
    expect(bad.messages).toEqual([
      'The blend shapes of /R/M do not fit its points: /R/M/Bad moves vertex 9, expected one of 0…1. They are ignored.',
    ]);
    const other = deform(
      scene(
        `${POINTS}\nuniform token[] skel:blendShapes = ["frown", "smile"]\nrel skel:blendShapeTargets = [</R/S>, </R/M/Smile>]`,
      ),
    );
    expect([...other.prim.points]).toEqual([0, 0, 0, 0, 2, 1]);
    expect(other.messages).toEqual([
      'skel:blendShapeTargets of /R/M targets /R/S, which is not a BlendShape; the target is ignored.',
    ]);
  });

  it('ignores blend shapes with a different number of targets', () => {
    const stage = scene(
      `${POINTS}\nuniform token[] skel:blendShapes = ["smile", "frown"]\nrel skel:blendShapeTargets = </R/M/Smile>`,
    );
    const { bindings, issues } = readBindings(stage, '/R');
    expect(bindings[0].prims[0].blendShapeTargets).toEqual([]);
    expect(messagesOf(issues)).toEqual([
      '/R/M has 2 skel:blendShapes and 1 skel:blendShapeTargets, which are ignored. Author as many names as targets.',
    ]);
    expect(deform(stage).prim.weights).toBeNull();
  });
});

/** A mesh of two points on one joint. `points`: its points attribute. */
function meshOf(points: string) {
  const stage = stageOf(`
    def SkelRoot "R" (prepend apiSchemas = ["SkelBindingAPI"]) {
      rel skel:skeleton = </R/S>
      def Skeleton "S" {
        uniform token[] joints = ["a"]
      }
      def Mesh "M" (prepend apiSchemas = ["SkelBindingAPI"]) {
        ${points}
        int[] primvars:skel:jointIndices = [0, 0] (interpolation = "vertex")
        float[] primvars:skel:jointWeights = [1, 1] (interpolation = "vertex")
      }
    }`);
  const skeleton = readAnimatedSkeleton(stage, '/R/S', null).skeleton!;
  return { stage, mesh: planPrim(stage, boundPrims(stage).get('/R/M')!, skeleton) };
}

describe('geometryAt', () => {
  it('reads constant geometry once, and again at the default time', () => {
    const { stage, mesh } = meshOf('point3f[] points.timeSamples = { 0: [(0,0,0), (1,0,0)] }');
    const first = geometryAt(stage, mesh, 0);
    expect(geometryAt(stage, mesh, 7)).toBe(first);
    expect(geometryAt(stage, mesh, 'default').vertices.positions.length).toBe(0);
    expect([...geometryAt(stage, mesh, 7).vertices.positions]).toEqual([0, 0, 0, 1, 0, 0]);
  });

  it('reads animated points at each time', () => {
    const { stage, mesh } = meshOf('point3f[] points.timeSamples = { 0: [(0,0,0), (1,0,0)], 2: [(0,0,0), (1,2,0)] }');
    const second = geometryAt(stage, mesh, 1);
    expect([...second.vertices.positions]).toEqual([0, 0, 0, 1, 1, 0]);
    expect(second.plan).not.toBeNull();
    expect(geometryAt(stage, mesh, 1)).toBe(second);
  });
});
