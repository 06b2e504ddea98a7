import { describe, expect, it } from 'vitest';
import { isLossless, unchangedOutputs } from '../../../src/files/outputs/lossless-outputs.ts';
import { demoBytes, openDemo } from '../../make/demo-files.ts';
import { openUsdDemo } from '../../make/usd-demo.ts';

const FORMATS = ['glb', 'gltf', 'vrm', 'vrma', 'bvh', 'usdz', 'usda'] as const;

describe('isLossless', () => {
  it.each([
    ['a glTF', () => openDemo('walk.glb'), ['glb', 'gltf', 'vrm']],
    ['a USD', () => openUsdDemo('walk.glb', 'walk.usdc'), ['usdz', 'usda']],
    ['a BVH', () => openDemo('turn.bvh'), []],
  ] as const)('allows %s only formats of its own family that hold characters', async (_, open, formats) => {
    const file = await open();
    expect(FORMATS.filter((format) => isLossless(file, format))).toEqual(formats);
  });
});

describe('unchangedOutputs', () => {
  it('writes the bytes of a file in its own container', async () => {
    const [{ path, parts }] = await unchangedOutputs(await openDemo('walk.glb'), { path: 'a.glb', format: 'glb' }, []);
    expect(path).toBe('a.glb');
    expect(Buffer.concat(parts).equals(Buffer.from(demoBytes('walk.glb')))).toBe(true);
  });

  it('throws RangeError for a file that is not lossless in the format', async () => {
    const file = await openDemo('turn.bvh');
    expect(() => unchangedOutputs(file, { path: 'a.glb', format: 'glb' }, [])).toThrow(/isLossless/);
  });
});
