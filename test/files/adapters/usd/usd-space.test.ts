import { describe, expect, it } from 'vitest';
import * as quat from '../../../../src/core/math/quat.ts';
import * as vec3 from '../../../../src/core/math/vec3.ts';
import { usdSpace } from '../../../../src/files/adapters/usd/usd-space.ts';
import { findHumanoid } from '../../../../src/files/humanoid/find-humanoid.ts';
import { openDemo } from '../../../make/demo-files.ts';
import { openUsdDemo } from '../../../make/usd-demo.ts';
import { expectNear } from '../../../near.ts';
import { EXACT } from '../../../tolerances.ts';

const STILL = [0, 0, 0, 1];

/** Where a space turns a direction. */
function turned({ rotation }: ReturnType<typeof usdSpace>, direction: readonly number[]): number[] {
  const out = new Float64Array(3);
  vec3.rotate(out, 0, Float64Array.from(rotation), 0, direction, 0);
  return [...out];
}

describe('usdSpace', () => {
  it('is that of glTF, whoever stands in it', async () => {
    const { asset } = await openDemo('mixamo.glb');
    const space = { upAxis: 'Y', metersPerUnit: 1, rotation: STILL };
    expect(usdSpace(asset, null)).toEqual(space);
    const vrm = await openDemo('chibi.vrm');
    expect(usdSpace(vrm.asset, findHumanoid(vrm, 'only', {}).found!.humanoid)).toEqual(space);
  });

  it('is what a file says, where USD has it', () => {
    const fbx = { format: 'fbx', metersPerUnit: 0.01, up: [0, 0, 1] } as const;
    expect(usdSpace(fbx, null)).toEqual({ upAxis: 'Z', metersPerUnit: 0.01, rotation: STILL });
    const usd = { format: 'usd', metersPerUnit: null, up: null } as const;
    expect(usdSpace(usd, null)).toEqual({ upAxis: 'Y', metersPerUnit: 1, rotation: STILL });
  });

  it('is turned the shortest way where USD lacks the axis', () => {
    for (const up of [
      [1, 0, 0],
      [0, -1, 0],
      [0, 0, -1],
    ] as const) {
      const space = usdSpace({ format: 'fbx', metersPerUnit: 1, up }, null);
      expect(space.upAxis).toBe('Y');
      expectNear(turned(space, up), [0, 1, 0], EXACT);
    }
  });

  it('is told by the humanoid where the file says nothing', async () => {
    const file = await openDemo('turn.bvh');
    const { humanoid } = findHumanoid(file, 'only', {}).found!;
    expect(usdSpace(file.asset, humanoid)).toMatchObject({ upAxis: 'Y', metersPerUnit: 0.01 });
    // The same body, lying on its back in the file, the head along +Z.
    const frame = new Float64Array(4);
    quat.fromTo(frame, 0, [0, 0, 1], 0, [0, 1, 0], 0);
    const lying = { ...humanoid, frame, metersPerUnit: 0.5 };
    expect(usdSpace({ ...file.asset, up: null }, lying)).toMatchObject({ upAxis: 'Z', metersPerUnit: 0.5 });
    // Of a unit that makes no sense the humanoid knows better than the file.
    const silent = { ...file.asset, format: 'usd', metersPerUnit: 100, up: null } as const;
    expect(usdSpace(silent, humanoid).metersPerUnit).toBe(0.01);
  });

  it('stays what it is from USD to USD', async () => {
    const file = await openUsdDemo('turn.bvh', 'turn.usda');
    const { humanoid } = findHumanoid(file, 'only', {}).found!;
    expect(usdSpace(file.asset, humanoid)).toEqual({ upAxis: 'Y', metersPerUnit: 0.01, rotation: STILL });
  });
});
