import { describe, expect, it } from 'vitest';
import type { Findings } from '../../../../src/formats/usd/read/geometry-findings.ts';
import { readPolygons } from '../../../../src/formats/usd/read/read-polygons.ts';
import {
  type Interpolation,
  type PrimvarValues,
  primvarHolder,
  readNormals,
  readPrimvar,
  uvNames,
} from '../../../../src/formats/usd/read/read-primvars.ts';
import { stageOf } from '../stage/scene.ts';

/** Four points, a triangle and a quad. */
const MESH = `point3f[] points = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)]
  int[] faceVertexCounts = [3, 4]
  int[] faceVertexIndices = [0, 1, 2, 0, 1, 2, 3]`;

function primvar(
  type: string,
  value: string,
  said: Interpolation | 'varying' | '',
  more = '',
): { values: PrimvarValues | null; told: string[] } {
  const metadata = said === '' ? '' : ` (\ninterpolation = "${said}"\n)`;
  const stage = stageOf(`def Mesh "M" {\n${MESH}\n${type}[] primvars:x = ${value}${metadata}\n${more}\n}`);
  const findings: Findings = new Map();
  const polygons = readPolygons(stage, '/M', findings);
  const values = readPrimvar(stage, '/M', 'primvars:x', 1, polygons, 'constant', findings);
  return { values, told: [...findings.keys()] };
}

describe('a primvar at the corners of a mesh', () => {
  it.each([
    ['constant', '[5]', [0, 0, 0, 0, 0, 0, 0]],
    ['uniform', '[5, 6]', [0, 0, 0, 1, 1, 1, 1]],
    ['vertex', '[5, 6, 7, 8]', [0, 1, 2, 0, 1, 2, 3]],
    ['varying', '[5, 6, 7, 8]', [0, 1, 2, 0, 1, 2, 3]],
    ['faceVarying', '[1, 2, 3, 4, 5, 6, 7]', [0, 1, 2, 3, 4, 5, 6]],
  ] as const)('goes by what it is: %s', (interpolation, value, indices) => {
    const { values, told } = primvar('float', value, interpolation);
    expect([...(values?.indices ?? [])]).toEqual(indices);
    expect(told).toEqual([]);
  });

  it('goes through its indices', () => {
    const { values } = primvar('float', '[5, 6]', 'vertex', 'int[] primvars:x:indices = [1, 0, 1, 0]');
    expect([...(values?.indices ?? [])]).toEqual([1, 0, 1, 1, 0, 1, 0]);
  });

  it('has no value where an index leads to none', () => {
    const { values, told } = primvar('float', '[5, 6]', 'vertex', 'int[] primvars:x:indices = [1, -1, 9, 0]');
    expect([...(values?.indices ?? [])]).toEqual([1, -1, -1, 1, -1, -1, 0]);
    expect(told).toEqual(['Corners have no value of primvars:x although one is due']);
  });

  it('is what its number fits, where that is not what it says', () => {
    const { values, told } = primvar('float', '[5, 6, 7, 8]', '');
    expect(values?.interpolation).toBe('vertex');
    expect(told).toEqual([
      'Values of primvars:x that are constant by their interpolation but vertex by their number were taken so',
    ]);
  });

  it('is left out where its number fits nothing', () => {
    const { values, told } = primvar('float', '[5, 6, 7]', 'faceVarying');
    expect(values).toBeNull();
    expect(told).toHaveLength(1);
  });

  it('is none of another type, and has 0 for what is not finite', () => {
    expect(primvar('token', '["a"]', 'constant').values).toBeNull();
    const { values, told } = primvar('float', '[nan, -0, 7, inf]', 'vertex');
    expect([...(values?.values ?? [])]).toEqual([0, 0, 7, 0]);
    expect(told).toEqual(['Numbers of primvars:x that are not finite were set to 0']);
  });

  it('goes down the tree where it is constant', () => {
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

it('uv sets are the pairs among the primvars, st first', () => {
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

it('primvars:normals win over normals', () => {
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
