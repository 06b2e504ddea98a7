import { describe, expect, it } from 'vitest';
import { OptionError } from '../../../src/files/option-error.ts';
import { checkIsVrm, holdsOneClip, isUsd, outputFormat } from '../../../src/files/outputs/output-format.ts';
import { openDemo } from '../../make/demo-files.ts';

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
  ])('of %s is %s', (path, format) => {
    expect(outputFormat(path)).toBe(format);
  });

  it.each(['a', 'a.glb/b', 'a.fbx', 'a.usdx', 'a.'])('refuses %s and says what can be written', (path) => {
    expect(() => outputFormat(path)).toThrow(OptionError);
    expect(() => outputFormat(path)).toThrow(/\.glb, \.gltf, \.usdz/);
  });
});

describe('holdsOneClip', () => {
  it('is so for VRMA and BVH', () => {
    expect((['glb', 'gltf', 'vrm', 'vrma', 'bvh'] as const).filter(holdsOneClip)).toEqual(['vrma', 'bvh']);
  });
});

describe('isUsd', () => {
  it('is so for text, binary and packages', () => {
    const formats = ['glb', 'vrma', 'usd', 'usda', 'usdc', 'usdz'] as const;
    expect(formats.filter(isUsd)).toEqual(['usd', 'usda', 'usdc', 'usdz']);
  });
});

describe('checkIsVrm', () => {
  it('lets VRMs be VRMs and nothing else', async () => {
    const [vrm, glb] = [await openDemo('child.vrm'), await openDemo('walk.glb')];
    expect(() => checkIsVrm(vrm, 'vrm')).not.toThrow();
    expect(() => checkIsVrm(glb, 'glb')).not.toThrow();
    expect(() => checkIsVrm(glb, 'vrm')).toThrow(/walk\.glb is no VRM/);
  });
});
