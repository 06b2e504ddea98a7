import { describe, expect, it } from 'vitest';
import {
  absolutePath,
  childPath,
  nameOfPath,
  parentPath,
  primPathOf,
  propertyNameOf,
  propertyPath,
  stripVariantSelections,
} from '../../../../src/formats/usd/layer/paths.ts';

describe('paths', () => {
  it('primPathOf and propertyNameOf: split a path into prim and property', () => {
    expect(
      ['/A/B.c:d', '/A', '/', '../..', '/A{v=.x}', '/A{v=.x}B.c'].map((path) => [
        primPathOf(path),
        propertyNameOf(path),
      ]),
    ).toEqual([
      ['/A/B', 'c:d'],
      ['/A', ''],
      ['/', ''],
      ['../..', ''],
      ['/A{v=.x}', ''],
      ['/A{v=.x}B', 'c'],
    ]);
  });

  it('childPath and propertyPath: join paths', () => {
    expect([childPath('/', 'A'), childPath('/A', 'B'), childPath('/A{v=x}', 'B')]).toEqual(['/A', '/A/B', '/A{v=x}B']);
    expect(propertyPath('/A', 'x')).toBe('/A.x');
  });

  it('stripVariantSelections: removes variant selections', () => {
    expect(['/A{v=x}B/C{w=y}.z', '/A{v=x}{w=y}B', '/A{v=x}', '/A'].map(stripVariantSelections)).toEqual([
      '/A/B/C.z',
      '/A/B',
      '/A',
      '/A',
    ]);
  });

  it('parentPath: returns the parent of prims, properties and variants', () => {
    expect(['/A/B', '/A', '/', '/A.b', '/A{v=x}B', '/A{v=x}', '/A{v=x}{w=y}'].map(parentPath)).toEqual([
      '/A',
      '/',
      '',
      '/A',
      '/A{v=x}',
      '/A',
      '/A{v=x}',
    ]);
    expect(['/A/B', '/A{v=x}C', '/A'].map(nameOfPath)).toEqual(['B', 'C', 'A']);
  });

  it.each<[string, string, string | null]>([
    ['/X', '/A', '/X'],
    ['', '/A', ''],
    ['B', '/A', '/A/B'],
    ['../B.c', '/A/D', '/A/B.c'],
    ['.c', '/A', '/A.c'],
    ['../.c', '/A/B', '/A.c'],
    ['..', '/A', '/'],
    ['.', '/A', '/A'],
    ['../..', '/A', null],
    ['../.c', '/A', null],
    ['B', '/A{v=x}C', '/A/C/B'],
  ])('absolutePath: %s at %s', (path, anchor, absolute) => {
    expect(absolutePath(path, anchor)).toBe(absolute);
  });
});
