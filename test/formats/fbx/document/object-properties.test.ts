import { describe, expect, it } from 'vitest';
import type { FbxProperty } from '../../../../src/formats/fbx/document/fbx-tree.ts';
import {
  boolProperty,
  type FbxProperties,
  numberProperty,
  propertyOf,
  readProperties,
  readTemplates,
  vectorProperty,
} from '../../../../src/formats/fbx/document/object-properties.ts';
import { rec } from '../fbx-bytes.ts';
import { properties60, properties70, treeOf } from '../fbx-scene.ts';

function withValues(
  values: Record<string, FbxProperty[]>,
  defaults: Record<string, FbxProperty[]> = {},
): FbxProperties {
  return { own: new Map(Object.entries(values)), defaults: new Map(Object.entries(defaults)) };
}

describe('FBX object properties', () => {
  it('readProperties: reads Properties70 (four words before the values) and Properties60 (three)', () => {
    expect(readProperties(rec('Model', [], [properties70({ Size: [1, 2, 3] })])).get('Size')).toEqual([1, 2, 3]);
    expect(readProperties(rec('Model', [], [properties60({ Size: [1, 2, 3] })])).get('Size')).toEqual([1, 2, 3]);
  });

  it('readProperties: returns an empty map without a table, and the first of several values', () => {
    expect(readProperties(rec('Model', [])).size).toBe(0);
    const twice = rec(
      'Properties70',
      [],
      [rec('P', ['a', '', '', '', 1]), rec('P', ['a', '', '', '', 2]), rec('P', [5])],
    );
    expect([...readProperties(rec('Model', [], [twice]))]).toEqual([['a', [1]]]);
  });

  it('propertyOf: falls back to the template of the kind of object', () => {
    const templates = readTemplates(treeOf({ templates: { Model: { InheritType: [1], Size: [2] } } }));
    const properties = { own: new Map([['Size', [3]]]), defaults: templates.get('Model') ?? new Map() };
    expect(propertyOf(properties, 'InheritType')).toEqual([1]);
    expect(propertyOf(properties, 'Size')).toEqual([3]);
    expect(propertyOf(properties, 'Other')).toBeUndefined();
    expect(templates.has('NodeAttribute')).toBe(false);
  });

  it('readTemplates: is empty for missing or invalid Definitions', () => {
    const odd = [rec('Definitions', [], [rec('ObjectType', [7]), rec('Count', [1]), rec('ObjectType', ['Model'])])];
    expect(readTemplates({ encoding: 'binary', version: 7400, records: odd }).size).toBe(0);
    expect(readTemplates({ encoding: 'binary', version: 7400, records: [] }).size).toBe(0);
  });

  it('numberProperty and boolProperty: return the fallback for invalid values', () => {
    const properties = withValues({ a: [2], b: ['2'], c: [0], d: [], e: [true] });
    expect(numberProperty(properties, 'a', 9)).toBe(2);
    for (const name of ['b', 'd', 'z']) expect(numberProperty(properties, name, 9)).toBe(9);
    expect(boolProperty(properties, 'a', false)).toBe(true);
    expect(boolProperty(properties, 'c', true)).toBe(false);
    expect(boolProperty(properties, 'e', false)).toBe(true);
    expect(boolProperty(properties, 'z', true)).toBe(true);
  });

  it('vectorProperty: reports invalid vectors, not missing ones', () => {
    const broken = new Set<string>();
    const properties = withValues({
      good: [1, 2n, 3],
      nan: [1, Number.NaN, 3],
      short: [1, 2],
      text: ['a', 2, 3],
      big: [1e39, 0, 0],
    });
    expect(vectorProperty(properties, 'good', [0, 0, 0], broken)).toEqual([1, 2, 3]);
    expect(vectorProperty(properties, 'missing', [4, 5, 6], broken)).toEqual([4, 5, 6]);
    expect(broken.size).toBe(0);
    for (const name of ['nan', 'short', 'text', 'big']) {
      expect(vectorProperty(properties, name, [4, 5, 6], broken)).toEqual([4, 5, 6]);
    }
    expect([...broken]).toEqual(['nan', 'short', 'text', 'big']);
  });
});
