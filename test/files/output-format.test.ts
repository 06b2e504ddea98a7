import { describe, expect, it } from 'vitest';
import { OptionError } from '../../src/files/option-error.ts';
import { outputFormat } from '../../src/files/output-format.ts';

describe('outputFormat', () => {
  it.each([
    ['a.glb', 'glb'],
    ['a/b.c/D.GLTF', 'gltf'],
    ['a.b.VRM', 'vrm'],
  ])('of %s is %s', (path, format) => {
    expect(outputFormat(path)).toBe(format);
  });

  it.each(['a', 'a.glb/b', 'a.fbx', 'a.vrma', 'a.'])('refuses %s and says what can be written', (path) => {
    expect(() => outputFormat(path)).toThrow(OptionError);
    expect(() => outputFormat(path)).toThrow(/\.glb, \.gltf or/);
  });
});
