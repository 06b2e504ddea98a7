import { describe, expect, it } from 'vitest';
import { OptionError } from '../../../src/files/option-error.ts';
import { type OutputPlan, planOutput, writeUnchanged } from '../../../src/files/outputs/plan-output.ts';
import { demoBytes, openDemo } from '../../support/make/demo-files.ts';
import { openUsdDemo } from '../../support/make/usd-demo.ts';

describe('planOutput', () => {
  it.each([
    ['a glTF keeps everything as glTF', () => openDemo('walk.glb'), 'a.gltf', true, 'everything'],
    ['a USD keeps everything as USD', () => openUsdDemo('walk.glb', 'walk.usdc'), 'a.usdz', true, 'everything'],
    ['a glTF becomes a new USD with its visible content', () => openDemo('walk.glb'), 'a.usda', true, 'visible'],
    ['without its mesh a glTF becomes a skeleton', () => openDemo('walk.glb'), 'a.glb', false, 'skeleton'],
    ['a .vrma and a .bvh hold a skeleton', () => openDemo('walk.glb'), 'a.vrma', true, 'skeleton'],
    ['a BVH has nothing but a skeleton', () => openDemo('turn.bvh'), 'a.glb', true, 'skeleton'],
  ] as const)('%s', async (_, open, output, mesh, holds) => {
    const plan = await planOutput(await open(), output, { mesh });
    expect([plan.holds, plan.visible !== null]).toEqual([holds, holds === 'visible']);
  });

  it('copies a VRMA with one clip that stays as it is', async () => {
    const file = await openDemo('wave.vrma');
    expect((await planOutput(file, 'a.vrma', { isUnchanged: true })).holds).toBe('everything');
    expect((await planOutput(file, 'a.vrma')).holds).toBe('skeleton');
  });

  it('refuses a .vrm of a file that is none, and one without a mesh', async () => {
    await expect(planOutput(await openDemo('walk.glb'), 'a.vrm')).rejects.toThrow(/is GLTF, not VRM/);
    await expect(planOutput(await openDemo('child.vrm'), 'a.vrm', { mesh: false })).rejects.toThrow(OptionError);
  });
});

describe('writeUnchanged', () => {
  it('writes the bytes of a file in its own container', async () => {
    const file = await openDemo('walk.glb');
    const [{ path, parts }] = await writeUnchanged(file, await planOutput(file, 'a.glb'), []);
    expect(path).toBe('a.glb');
    expect(Buffer.concat(parts).equals(Buffer.from(demoBytes('walk.glb')))).toBe(true);
  });

  it('throws RangeError for a file that its format cannot hold without loss', async () => {
    const plan: OutputPlan = { output: 'a.glb', format: 'glb', holds: 'everything', visible: null };
    await expect(writeUnchanged(await openDemo('turn.bvh'), plan, [])).rejects.toThrow(/without loss/);
  });
});
