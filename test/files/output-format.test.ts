import { describe, expect, it } from 'vitest';
import { OptionError } from '../../src/files/option-error.ts';
import { holdsOneClip, outputFormat } from '../../src/files/output-format.ts';

describe('outputFormat', () => {
  it.each([
    ['a.glb', 'glb'],
    ['a/b.c/D.GLTF', 'gltf'],
    ['a.b.VRM', 'vrm'],
    ['a.vrma', 'vrma'],
    ['{clip}.bvh', 'bvh'],
  ])('of %s is %s', (path, format) => {
    expect(outputFormat(path)).toBe(format);
  });

  it.each(['a', 'a.glb/b', 'a.fbx', 'a.usd', 'a.'])('refuses %s and says what can be written', (path) => {
    expect(() => outputFormat(path)).toThrow(OptionError);
    expect(() => outputFormat(path)).toThrow(/\.glb, \.gltf or/);
  });
});

describe('holdsOneClip', () => {
  it('is so for VRMA and BVH', () => {
    expect((['glb', 'gltf', 'vrm', 'vrma', 'bvh'] as const).filter(holdsOneClip)).toEqual(['vrma', 'bvh']);
  });
});
