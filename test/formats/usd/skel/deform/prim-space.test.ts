import { describe, expect, it } from 'vitest';
import type { BoundPrim } from '../../../../../src/formats/usd/skel/bound-prim.ts';
import type { DeformedPrim } from '../../../../../src/formats/usd/skel/deform/deform-prim.ts';
import { toPrimSpace } from '../../../../../src/formats/usd/skel/deform/prim-space.ts';
import { boundPrims, stageOf } from '../scene.ts';

const translate = (x: number, y: number, z: number): string =>
  `double3 xformOp:translate = (${x}, ${y}, ${z})\nuniform token[] xformOpOrder = ["xformOp:translate"]`;

/** A skeleton 5 up, a parent 3 along x, and a mesh in it that is twice as wide in x. */
const STAGE = stageOf(`
  def SkelRoot "R" (prepend apiSchemas = ["SkelBindingAPI"]) {
    rel skel:skeleton = </R/S>
    int[] primvars:skel:jointIndices = [0]
    float[] primvars:skel:jointWeights = [1]
    def Skeleton "S" {
      ${translate(0, 5, 0)}
    }
    def Xform "X" {
      ${translate(3, 0, 0)}
      def Mesh "M" {
        float3 xformOp:scale = (2, 1, 1)
        uniform token[] xformOpOrder = ["xformOp:scale"]
      }
    }
    def Mesh "Flat" {
      float3 xformOp:scale = (0, 1, 1)
      uniform token[] xformOpOrder = ["xformOp:scale"]
    }
  }`);

const DEFORMED: DeformedPrim = {
  weights: null,
  shapes: null,
  points: Float64Array.of(7, 1, 1),
  normals: Float64Array.of(1, 0, 1),
  normalsInterpolation: 'vertex',
  transform: null,
  isSkinned: true,
  issues: [],
};

const bound = (path: string): BoundPrim => boundPrims(STAGE).get(path) as BoundPrim;

describe('toPrimSpace', () => {
  it('keeps world positions; transforms normals by the inverse transpose without normalization', () => {
    const { points, normals } = toPrimSpace(STAGE, '/R/S', bound('/R/X/M'), DEFORMED, 'default');
    expect([...points]).toEqual([2, 6, 1]);
    expect([...(normals ?? [])]).toEqual([2, 0, 1]);
  });

  it('returns a matrix relative to the parent for a rigid prim', () => {
    const transform = Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 1, 1, 1, 1);
    const result = toPrimSpace(STAGE, '/R/S', bound('/R/X/M'), { ...DEFORMED, transform }, 'default');
    expect([...(result.transform ?? [])].slice(12)).toEqual([-2, 6, 1, 1]);
    expect(result.points).toBe(DEFORMED.points);
  });

  it('returns prims that are not skinned unchanged', () => {
    const unskinned = { ...DEFORMED, isSkinned: false };
    expect(toPrimSpace(STAGE, '/R/S', bound('/R/X/M'), unskinned, 'default').points).toBe(DEFORMED.points);
    const free = { ...bound('/R/X/M'), influences: { ...bound('/R/X/M').influences, hasInfluences: false } };
    expect(toPrimSpace(STAGE, '/R/S', free, DEFORMED, 'default').points).toBe(DEFORMED.points);
  });

  it('stays in skeleton space if the prim transform is singular', () => {
    const { points } = toPrimSpace(STAGE, '/R/S', bound('/R/Flat'), DEFORMED, 'default');
    expect([...points]).toEqual([7, 1, 1]);
  });
});
