import { describe, expect, it } from 'vitest';
import { OptionError } from '../../../src/files/option-error.ts';
import { checkIsVrm, holdsOneClip, isUsd, outputFormat } from '../../../src/files/outputs/output-format.ts';
import { openDemo } from '../../support/make/demo-files.ts';

describe('outputFormat', () => {
  it.each([
    ['a.glb', 'glb'],
    ['a/b.c/D.GLTF', 'gltf'],
    ['a.b.VRM', 'vrm'],
    ['a.vrma', 'vrma'],
    ['{clip}.bvh', 'bvh'],
    ['a.usd', 'usd'],
    ['a.USDA', 'usda'],
    ['a.usdc', 'usdc'],
    ['a.usdz', 'usdz'],
  ])('returns the format of %s: %s', (path, format) => {
    expect(outputFormat(path)).toBe(format);
  });

  it.each(['a', 'a.glb/b', 'a.obj', 'a.usdx', 'a.'])('throws with the supported formats for %s', (path) => {
    expect(() => outputFormat(path)).toThrow(OptionError);
    expect(() => outputFormat(path)).toThrow(/\.glb, \.gltf, \.fbx, \.usdz/);
  });

  it('asks for a file name for folders and empty paths', () => {
    expect(() => outputFormat('out/')).toThrow(/^out\/ is a folder; name a file, such as out\/\{clip\}\.glb$/);
    expect(() => outputFormat('a\\b\\')).toThrow(/is a folder/);
    expect(() => outputFormat('')).toThrow(/^The path is empty; name a file/);
  });
});

describe('holdsOneClip', () => {
  it('is true for VRMA and BVH', () => {
    expect((['glb', 'gltf', 'vrm', 'vrma', 'bvh'] as const).filter(holdsOneClip)).toEqual(['vrma', 'bvh']);
  });
});

describe('isUsd', () => {
  it('is true for text, binary and packages', () => {
    const formats = ['glb', 'vrma', 'usd', 'usda', 'usdc', 'usdz'] as const;
    expect(formats.filter(isUsd)).toEqual(['usd', 'usda', 'usdc', 'usdz']);
  });
});

describe('checkIsVrm', () => {
  it('throws for .vrm output of other formats only', async () => {
    const [vrm, glb] = [await openDemo('child.vrm'), await openDemo('walk.glb')];
    expect(() => checkIsVrm(vrm, 'vrm')).not.toThrow();
    expect(() => checkIsVrm(glb, 'glb')).not.toThrow();
    expect(() => checkIsVrm(glb, 'vrm')).toThrow(/walk\.glb is GLTF, not VRM/);
  });
});
