import { describe, expect, it } from 'vitest';
import { currentTypeName, namedType } from '../../../../src/formats/usd/text/type-names.ts';

describe('type names', () => {
  it.each([
    ['point3f', 'float3', false],
    ['normal3f[]', 'float3', true],
    ['color4h', 'half4', false],
    ['texCoord2d[]', 'double2', true],
    ['frame4d', 'matrix4d', false],
    ['quath', 'quath', false],
    ['token[]', 'token', true],
    ['flaot[]', null, true],
  ])('namedType: returns the stored type of %s', (name, stored, isArray) =>
    expect(namedType(name)).toEqual({ stored, isArray }),
  );

  it.each([
    ['Vec3d', 'double3'],
    ['Vec2i[]', 'int2[]'],
    ['Matrix4d', 'matrix4d'],
    ['Quath', 'quath'],
    ['PointFloat[]', 'point3f[]'],
    ['Color', 'color3d'],
    ['Transform', 'frame4d'],
    ['Vec5d', 'Vec5d'],
    ['Matrix4f', 'Matrix4f'],
    ['float3', 'float3'],
  ])('currentTypeName: converts %s', (old, name) => expect(currentTypeName(old)).toBe(name));
});
