import { describe, expect, it } from 'vitest';
import { geometryBudget } from '../../../../src/core/asset/geometry-budget.ts';
import type { Polygons } from '../../../../src/core/asset/polygons.ts';
import type { IssueTally } from '../../../../src/core/report/issue-tally.ts';
import type { FbxRecord } from '../../../../src/formats/fbx/document/fbx-tree.ts';
import {
  COLORS,
  layerElements,
  NORMALS,
  polygonMaterials,
  UVS,
} from '../../../../src/formats/fbx/meshes/layer-elements.ts';
import { readPolygons } from '../../../../src/formats/fbx/meshes/read-polygons.ts';
import { layer, mesh, polygonRecords, SQUARE } from '../fbx-mesh.ts';

const POLYGONS = [
  [0, 1, 2],
  [2, 3, 0],
] as const;

function meshWith(...elements: readonly FbxRecord[]): { record: FbxRecord; polygons: Polygons } {
  const record = mesh(1, [...polygonRecords(SQUARE.points, POLYGONS), ...elements]);
  return { record, polygons: readPolygons(record, new Map()) };
}

function uvsOf(element: FbxRecord) {
  const { record, polygons } = meshWith(element);
  const faults: IssueTally = new Map();
  const [found] = layerElements(record, UVS, polygons, faults, geometryBudget('FBX_LIMIT'), 8);
  return { u: found && Array.from(found.indices, (i) => (i < 0 ? null : found.values[2 * i])), faults: [...faults] };
}

const pairs = (...list: readonly number[]): number[] => list.flatMap((u) => [u, 0]);

describe('layerElements', () => {
  it('reads mappings by corner, control point, polygon and mesh', () => {
    const direct = (mapping: string, ...list: readonly number[]) =>
      uvsOf(layer('LayerElementUV', mapping, 'Direct', { UV: pairs(...list) })).u;
    expect(direct('ByPolygonVertex', 1, 2, 3, 4, 5, 6)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(direct('ByVertice', 1, 2, 3, 4)).toEqual([1, 2, 3, 3, 4, 1]);
    expect(direct('ByVertex', 1, 2, 3, 4)).toEqual([1, 2, 3, 3, 4, 1]);
    expect(direct('ByPolygon', 1, 2)).toEqual([1, 1, 1, 2, 2, 2]);
    expect(direct('AllSame', 7, 8)).toEqual([7, 7, 7, 7, 7, 7]);
  });

  it('reads indices with every mapping; −1 means no value', () => {
    const indexed = (mapping: string, indices: readonly number[], reference = 'IndexToDirect') =>
      uvsOf(layer('LayerElementUV', mapping, reference, { UV: pairs(10, 20, 30), UVIndex: indices }));
    expect(indexed('ByPolygonVertex', [2, 1, 0, 0, -1, 2])).toEqual({ u: [30, 20, 10, 10, null, 30], faults: [] });
    expect(indexed('ByVertice', [2, 1, 0, 0], 'Index').u).toEqual([30, 20, 10, 10, 10, 30]);
    expect(indexed('ByPolygon', [1, 2]).u).toEqual([20, 20, 20, 30, 30, 30]);
    expect(indexed('AllSame', [2]).u).toEqual([30, 30, 30, 30, 30, 30]);
    expect(indexed('AllSame', []).u).toEqual([10, 10, 10, 10, 10, 10]);
  });

  it('counts missing and invalid values', () => {
    const short = uvsOf(layer('LayerElementUV', 'ByPolygonVertex', 'Direct', { UV: pairs(1, 2, 3, 4) }));
    expect(short).toEqual({
      u: [1, 2, 3, 4, null, null],
      faults: [['corners have an invalid index into LayerElementUV; they got no value', 2]],
    });
    const broken = uvsOf(layer('LayerElementUV', 'AllSame', 'Direct', { UV: [Number.NaN, 1e99] }));
    expect(broken).toEqual({
      u: [0, 0, 0, 0, 0, 0],
      faults: [['numbers of LayerElementUV are not finite; they were set to 0', 2]],
    });
  });

  it('leaves out elements with an unsupported mapping, and empty ones without a fault', () => {
    expect(uvsOf(layer('LayerElementUV', 'ByEdge', 'Direct', { UV: [1, 2] }))).toEqual({
      u: undefined,
      faults: [['layer elements LayerElementUV have an unsupported mapping; they were left out', 1]],
    });
    expect(uvsOf(layer('LayerElementUV', 'ByEdge', 'Direct', {}))).toEqual({ u: undefined, faults: [] });
  });

  it('sorts elements by layer and limits their number', () => {
    const { record, polygons } = meshWith(
      layer('LayerElementColor', 'AllSame', 'Direct', { Colors: [1, 1, 1, 1] }, 'b', 1),
      layer('LayerElementColor', 'AllSame', 'Direct', { Colors: [0, 0, 0, 1] }, 'a', 0),
      layer('LayerElementNormal', 'AllSame', 'Direct', { Normals: [0, -0, 1] }),
    );
    const faults: IssueTally = new Map();
    expect(
      layerElements(record, COLORS, polygons, faults, geometryBudget('FBX_LIMIT'), 8).map(({ name }) => name),
    ).toEqual(['a', 'b']);
    expect(faults.size).toBe(0);
    expect(
      layerElements(record, COLORS, polygons, faults, geometryBudget('FBX_LIMIT'), 1).map(({ name }) => name),
    ).toEqual(['a']);
    expect([...faults.values()]).toEqual([1]);
    // Minus zero is no other value than zero.
    expect(
      Object.is(layerElements(record, NORMALS, polygons, faults, geometryBudget('FBX_LIMIT'), 1)[0].values[1], 0),
    ).toBe(true);
  });
});

describe('polygonMaterials', () => {
  const materials = (mapping: string, list: readonly number[]) => {
    const { record, polygons } = meshWith(layer('LayerElementMaterial', mapping, 'IndexToDirect', { Materials: list }));
    return [...polygonMaterials(record, polygons)];
  };

  it('reads one material per polygon or one for all; 0 without a declaration', () => {
    expect(materials('ByPolygon', [3, 1])).toEqual([3, 1]);
    expect(materials('ByPolygon', [3])).toEqual([3, 0]);
    expect(materials('ByPolygon', [3, 1, 2, 2])).toEqual([3, 1]);
    expect(materials('AllSame', [2])).toEqual([2, 2]);
    expect(materials('AllSame', [])).toEqual([0, 0]);
    const { record, polygons } = meshWith();
    expect([...polygonMaterials(record, polygons)]).toEqual([0, 0]);
  });
});
