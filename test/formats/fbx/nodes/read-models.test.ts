import { describe, expect, it } from 'vitest';
import type { Issue } from '../../../../src/core/report/issue.ts';
import { localToModelMatrices } from '../../../../src/core/skeleton/pose.ts';
import type { FbxRecord } from '../../../../src/formats/fbx/document/fbx-tree.ts';
import { type ModelForest, readModels } from '../../../../src/formats/fbx/nodes/read-models.ts';
import { IS_FULL_RUN } from '../../../support/law-runs.ts';
import { expectNear } from '../../../support/near.ts';
import { columns, localTransform, type Matrix, multiplied, scaled } from '../../../support/reference/fbx-transform.ts';
import { EXACT_CHAIN } from '../../../support/tolerances.ts';
import { model, sceneOf } from '../fbx-scene.ts';

type Links = readonly (readonly [number, number])[];

function forestOf(objects: readonly FbxRecord[], connections: Links): { forest: ModelForest; issues: Issue[] } {
  const { scene, issues } = sceneOf({ objects, connections });
  return { forest: readModels(scene, issues), issues };
}

function nulls(count: number): FbxRecord[] {
  return Array.from({ length: count }, (_, i) => model(i + 1, `n${i + 1}`, 'Null'));
}

/** name<parent name, in order. */
function shown({ models, parents }: ModelForest): string[] {
  return models.map(({ name }, node) => `${name}<${parents[node] < 0 ? '' : models[parents[node]].name}`);
}

function worldsOf({ parents, rest }: ModelForest): Float64Array {
  const out = new Float64Array(parents.length * 16);
  localToModelMatrices(out, parents, rest);
  return out;
}

describe('readModels', () => {
  it('returns Models depth first, roots and children in the order of the connections', () => {
    const { forest, issues } = forestOf(nulls(5), [
      [4, 0],
      [1, 0],
      [3, 4],
      [2, 4],
      [5, 3],
    ]);
    expect(shown(forest)).toEqual(['n4<', 'n3<n4', 'n5<n3', 'n2<n4', 'n1<']);
    expect([...forest.ends]).toEqual([4, 3, 3, 4, 5]);
    expect(forest.indexById.get('5')).toBe(2);
    expect(issues).toEqual([]);
  });

  it('makes Models without connections roots', () => {
    expect(shown(forestOf(nulls(2), [[2, 0]]).forest)).toEqual(['n2<', 'n1<']);
    expect(shown(forestOf([], []).forest)).toEqual([]);
  });

  it('uses the first of two parents and reports it', () => {
    const { forest, issues } = forestOf(nulls(3), [
      [1, 0],
      [2, 0],
      [3, 1],
      [3, 2],
    ]);
    expect(shown(forest)).toEqual(['n1<', 'n3<n1', 'n2<']);
    expect(issues.map(({ code, message }) => `${code} ${message}`)).toEqual([
      'FBX_SCENE The Model "n3" has several parents; the first one was used. Keep one parent.',
    ]);
  });

  it('cuts cycles and keeps the descendants', () => {
    const { forest, issues } = forestOf(nulls(5), [
      [1, 2],
      [2, 3],
      [3, 1],
      [4, 2],
      [5, 5],
    ]);
    expect(shown(forest).sort()).toEqual(['n1<', 'n2<n3', 'n3<n1', 'n4<n2', 'n5<']);
    expect(issues.map(({ message }) => message)).toEqual([
      '2 Models (the first is "n1") have itself among its ancestors; the cycle was cut there. Parent it to another Model.',
    ]);
  });

  it('reads a chain of very many Models', () => {
    const count = IS_FULL_RUN ? 100_000 : 20_000;
    const links = Array.from({ length: count - 1 }, (_, i) => [i + 2, i + 1] as const);
    const { forest } = forestOf(nulls(count), links);
    expect(forest.parents[count - 1]).toBe(count - 2);
    expect(forest.ends[0]).toBe(count);
  });

  it('computes the rest pose from Lcl values, pivots and pre-rotations', () => {
    const values = {
      RotationActive: [1],
      'Lcl Translation': [1, 2, 3],
      'Lcl Rotation': [10, 20, 30],
      PreRotation: [0, 0, 90],
      RotationPivot: [5, 0, 0],
    };
    const { forest } = forestOf([model(1, 'a', 'Null', values)], [[1, 0]]);
    const zero = [0, 0, 0];
    const expected = localTransform({
      translation: [1, 2, 3],
      rotation: [10, 20, 30],
      scale: [1, 1, 1],
      order: 0,
      preRotation: [0, 0, 90],
      postRotation: zero,
      rotationOffset: zero,
      rotationPivot: [5, 0, 0],
      scalingOffset: zero,
      scalingPivot: zero,
    });
    expectNear(worldsOf(forest), columns(expected), EXACT_CHAIN);
  });

  it('reports invalid properties and spheric orders once each', () => {
    const { issues } = forestOf(
      [
        model(1, 'a', 'Null', { 'Lcl Scaling': ['big', 1, 1], PreRotation: [1], RotationActive: [1] }),
        model(2, 'b', 'Null', { 'Lcl Scaling': [Number.NaN, 1, 1] }),
        model(3, 'c', 'Null', { RotationOrder: [6], RotationActive: [1] }),
      ],
      [],
    );
    expect(issues.map(({ message }) => message)).toEqual([
      '2 Models (the first is "a") have properties other than three finite numbers: Lcl Scaling, PreRotation. The defaults were used; correct the values.',
      'The Model "c" has a spheric rotation order; it was read as XYZ. Convert the rotation order before exporting.',
    ]);
  });
});

describe('readModels: transforms beyond float32', () => {
  it('are replaced by the identity and reported', () => {
    const far = { 'Lcl Translation': [3e38, 0, 0], RotationOffset: [3e38, 0, 0] };
    const { forest, issues } = forestOf([model(1, 'a', 'Null', far), model(2, 'b', 'Null')], []);
    expect([...forest.rest.slice(0, 10)]).toEqual([0, 0, 0, 0, 0, 0, 1, 1, 1, 1]);
    expect(issues.map(({ message }) => message)).toEqual([
      'The Model "a" has a transform with numbers beyond float32; it was replaced by the identity. Correct the values.',
    ]);
  });
});

describe('readModels: scale inheritance', () => {
  const S = (factor: number): [number, number, number] => [factor, factor, factor];
  const chain = (types: readonly number[], scales: readonly (readonly number[])[], turn = [0, 0, 0]) =>
    forestOf(
      types.map((type, i) =>
        model(i + 1, `n${i}`, 'LimbNode', {
          InheritType: [type],
          'Lcl Translation': [0, 10, 0],
          'Lcl Rotation': turn,
          'Lcl Scaling': [...scales[i]],
        }),
      ),
      types.map((_, i) => [i + 1, i] as const),
    );

  /**
   * World matrices by Autodesk's rules: the rotations of all above, times the scale that comes down, times the local one;
   * places go through the whole matrix of the parent.
   */
  function byTheRules(types: readonly number[], scales: readonly number[], degrees: number): number[] {
    const at = (rotation: number, scale: number, place: readonly number[]): Matrix =>
      multiplied(
        localTransform({ ...STILL, translation: place, rotation: [0, 0, rotation] }),
        scaled([scale, scale, scale]),
      );
    const out: number[] = [];
    let parent = at(0, 1, [0, 0, 0]);
    let parentScale = 1;
    let parentLocal = 1;
    types.forEach((type, i) => {
      const place = multiplied(parent, localTransform({ ...STILL, translation: [0, 10, 0] })).map((row) => row[3]);
      const inherited = type === 2 ? parentScale / parentLocal : parentScale;
      parentScale = inherited * scales[i];
      parentLocal = scales[i];
      parent = at(degrees * (i + 1), parentScale, place.slice(0, 3));
      out.push(...columns(parent));
    });
    return out;
  }
  const STILL = {
    rotation: [0, 0, 0],
    scale: [1, 1, 1],
    order: 0,
    preRotation: [0, 0, 0],
    postRotation: [0, 0, 0],
    rotationOffset: [0, 0, 0],
    rotationPivot: [0, 0, 0],
    scalingOffset: [0, 0, 0],
    scalingPivot: [0, 0, 0],
  };

  it('is exact for all three types with uniform scales', () => {
    const scales = [0.01, 0.01, 2, 3, 0.5];
    for (const types of [
      [1, 2, 2, 2, 2],
      [1, 1, 1, 1, 1],
      [0, 0, 0, 0, 0],
      [2, 1, 2, 0, 2],
    ]) {
      const { forest, issues } = chain(types, scales.map(S), [0, 0, 25]);
      expectNear(worldsOf(forest), byTheRules(types, scales, 25), EXACT_CHAIN);
      expect(issues).toEqual([]);
    }
  });

  it('is reported only if it would need shear', () => {
    const uneven = [[1, 2, 1], S(1), S(1)];
    const codes = (types: number[]): string[] => chain(types, uneven, [30, 30, 0]).issues.map(({ code }) => code);
    // RSrs is what a tree of translation, rotation and scale does anyway.
    expect(codes([1, 1, 1])).toEqual([]);
    expect(codes([1, 0, 1])).toEqual(['NODE_TRANSFORM_REPAIRED']);
    expect(codes([1, 2, 1])).toEqual(['NODE_TRANSFORM_REPAIRED']);
    expect(codes([1, 1, 2])).toEqual(['NODE_TRANSFORM_REPAIRED']);
    expect(codes([2, 1, 1])).toEqual([]);
  });

  it('returns finite numbers for any properties', () => {
    for (const scale of [S(0), [0, 1, 1], S(1e30), S(1e-30), S(5e-324), [1, 5e-324, 1]]) {
      const { forest } = chain([2, 2, 2, 2], [scale, scale, scale, scale], [30, 30, 0]);
      expect(forest.rest.every(Number.isFinite)).toBe(true);
    }
  });
});
