import { describe, expect, it } from 'vitest';
import type { Findings } from '../../../../../src/formats/usd/read/geometry-findings.ts';
import { readPolygons } from '../../../../../src/formats/usd/read/meshes/read-polygons.ts';
import {
  type PrimvarInterpolation,
  type PrimvarValues,
  primvarHolder,
  readNormals,
  readPrimvar,
  uvNames,
} from '../../../../../src/formats/usd/read/meshes/read-primvars.ts';
import { stageOf } from '../../stage/scene.ts';

/** Four points, a triangle and a quad. */
const MESH = `point3f[] points = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)]
  int[] faceVertexCounts = [3, 4]
  int[] faceVertexIndices = [0, 1, 2, 0, 1, 2, 3]`;

function primvar(
  type: string,
  value: string,
  authored: PrimvarInterpolation | 'varying' | '',
  more = '',
): { values: PrimvarValues | null; messages: string[] } {
  const metadata = authored === '' ? '' : ` (\ninterpolation = "${authored}"\n)`;
  const stage = stageOf(`def Mesh "M" {\n${MESH}\n${type}[] primvars:x = ${value}${metadata}\n${more}\n}`);
  const findings: Findings = new Map();
  const polygons = readPolygons(stage, '/M', findings);
  const values = readPrimvar(stage, { prim: '/M', name: 'primvars:x', width: 1 }, polygons, findings);
  return { values, messages: [...findings.keys()] };
}

describe('readPrimvar', () => {
  it.each([
    ['constant', '[5]', [0, 0, 0, 0, 0, 0, 0]],
    ['uniform', '[5, 6]', [0, 0, 0, 1, 1, 1, 1]],
    ['vertex', '[5, 6, 7, 8]', [0, 1, 2, 0, 1, 2, 3]],
    ['varying', '[5, 6, 7, 8]', [0, 1, 2, 0, 1, 2, 3]],
    ['faceVarying', '[1, 2, 3, 4, 5, 6, 7]', [0, 1, 2, 3, 4, 5, 6]],
  ] as const)('maps %s values to corners', (interpolation, value, indices) => {
    const { values, messages } = primvar('float', value, interpolation);
    expect([...(values?.indices ?? [])]).toEqual(indices);
    expect(messages).toEqual([]);
  });

  it('applies indices', () => {
    const { values } = primvar('float', '[5, 6]', 'vertex', 'int[] primvars:x:indices = [1, 0, 1, 0]');
    expect([...(values?.indices ?? [])]).toEqual([1, 0, 1, 1, 0, 1, 0]);
  });

  it('returns −1 for invalid indices, with a finding', () => {
    const { values, messages } = primvar('float', '[5, 6]', 'vertex', 'int[] primvars:x:indices = [1, -1, 9, 0]');
    expect([...(values?.indices ?? [])]).toEqual([1, -1, -1, 1, -1, -1, 0]);
    expect(messages).toEqual(['Indices of primvars:x refer to missing values; the affected face-vertices have none']);
  });

  it('uses the interpolation that fits the number of values', () => {
    const { values, messages } = primvar('float', '[5, 6, 7, 8]', '');
    expect(values?.interpolation).toBe('vertex');
    expect(messages).toEqual([
      'The number of primvars:x values does not fit their interpolation constant; they were read as vertex',
    ]);
  });

  it('returns null if the number of values fits no interpolation', () => {
    const { values, messages } = primvar('float', '[5, 6, 7]', 'faceVarying');
    expect(values).toBeNull();
    expect(messages).toHaveLength(1);
  });

  it('returns null for another type, and replaces non-finite numbers by 0', () => {
    expect(primvar('token', '["a"]', 'constant').values).toBeNull();
    const { values, messages } = primvar('float', '[nan, -0, 7, inf]', 'vertex');
    expect([...(values?.values ?? [])]).toEqual([0, 0, 7, 0]);
    expect(messages).toEqual(['Numbers of primvars:x are not finite and were set to 0']);
  });
});

describe('primvarHolder', () => {
  it('finds constant primvars of ancestors', () => {
    const stage = stageOf(`def Xform "A" {
      color3f[] primvars:displayColor = [(1, 0, 0)]
      color3f[] primvars:other = [(1, 0, 0)] (
        interpolation = "vertex"
      )
      def Mesh "M" {
      } }`);
    expect(primvarHolder(stage, '/A/M', 'primvars:displayColor')).toBe('/A');
    expect(primvarHolder(stage, '/A/M', 'primvars:other')).toBeNull();
    expect(primvarHolder(stage, '/A', 'primvars:other')).toBe('/A');
  });
});

it('uvNames: lists the primvars of pairs, st first', () => {
  const stage = stageOf(`def Mesh "M" {
    float2[] primvars:uv2 = [(0, 0)]
    texCoord2f[] primvars:st = [(0, 0)]
    int[] primvars:st:indices = [0]
    texCoord2h[] primvars:map1 = [(0, 0)]
    float primvars:size = 1
    float3[] primvars:rest = [(0, 0, 0)]
  }`);
  expect(uvNames(stage, '/M')).toEqual(['st', 'map1', 'uv2']);
});

it('readNormals: prefers primvars:normals over normals', () => {
  const read = (more: string): number[] => {
    const stage = stageOf(
      `def Mesh "M" {\n${MESH}\nnormal3f[] normals = [(1, 0, 0), (1, 0, 0), (1, 0, 0), (1, 0, 0)]\n${more}\n}`,
    );
    const polygons = readPolygons(stage, '/M', new Map());
    return [...(readNormals(stage, '/M', polygons, new Map())?.values ?? [])].slice(0, 3);
  };
  expect(read('')).toEqual([1, 0, 0]);
  expect(read('normal3f[] primvars:normals = [(0, 0, 1)]')).toEqual([0, 0, 1]);
});
