import { describe, expect, it } from 'vitest';
import * as quat from '../../../../src/core/math/quat.ts';
import * as vec3 from '../../../../src/core/math/vec3.ts';
import { usdSpace } from '../../../../src/files/adapters/usd/usd-space.ts';
import { chooseHumanoid } from '../../../../src/files/humanoid/find-humanoid.ts';
import { openDemo } from '../../../support/make/demo-files.ts';
import { openUsdDemo } from '../../../support/make/usd-demo.ts';
import { expectNear } from '../../../support/near.ts';
import { EXACT } from '../../../support/tolerances.ts';

const STILL = [0, 0, 0, 1];

/** Rotates a direction to a space. */
function turned({ rotation }: ReturnType<typeof usdSpace>, direction: readonly number[]): number[] {
  const out = new Float64Array(3);
  vec3.rotate(out, 0, Float64Array.from(rotation), 0, direction, 0);
  return [...out];
}

describe('usdSpace', () => {
  it('is Y-up and meters for glTF, rotated by 180° for VRM 0.x, which faces −Z', async () => {
    const { asset } = await openDemo('mixamo.glb');
    const space = { upAxis: 'Y', metersPerUnit: 1, rotation: STILL };
    expect(usdSpace(asset, null)).toEqual(space);
    const [vrm0, vrm1] = [await openDemo('chibi.vrm'), await openDemo('child.vrm')];
    const spaceOf = (vrm: typeof vrm0) => usdSpace(vrm.asset, chooseHumanoid(vrm, 'only', {}).found!.humanoid);
    expect(spaceOf(vrm0)).toEqual({ ...space, rotation: [0, 1, 0, 0] });
    expect(spaceOf(vrm1)).toEqual(space);
  });

  it('uses the declared up axis and unit', () => {
    const fbx = { format: 'fbx', metersPerUnit: 0.01, up: [0, 0, 1] } as const;
    expect(usdSpace(fbx, null)).toEqual({ upAxis: 'Z', metersPerUnit: 0.01, rotation: STILL });
    const usd = { format: 'usd', metersPerUnit: null, up: null } as const;
    expect(usdSpace(usd, null)).toEqual({ upAxis: 'Y', metersPerUnit: 1, rotation: STILL });
  });

  it('rotates by the shortest arc for other up axes', () => {
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

  it('uses up axis and unit of the humanoid where the file declares none', async () => {
    const file = await openDemo('turn.bvh');
    const { humanoid } = chooseHumanoid(file, 'only', {}).found!;
    expect(usdSpace(file.asset, humanoid)).toMatchObject({ upAxis: 'Y', metersPerUnit: 0.01 });
    // The same humanoid on its back, with its head along +Z.
    const frame = new Float64Array(4);
    quat.fromTo(frame, 0, [0, 0, 1], 0, [0, 1, 0], 0);
    const lying = { ...humanoid, frame, metersPerUnit: 0.5 };
    expect(usdSpace({ ...file.asset, up: null }, lying)).toMatchObject({ upAxis: 'Z', metersPerUnit: 0.5 });
    // The unit of the humanoid replaces an implausible declared unit.
    const silent = { ...file.asset, format: 'usd', metersPerUnit: 100, up: null } as const;
    expect(usdSpace(silent, humanoid).metersPerUnit).toBe(0.01);
  });

  it('rotates humanoids by multiples of 90° to face the viewer: +Z, at Z-up −Y', async () => {
    const file = await openDemo('turn.bvh');
    const { humanoid } = chooseHumanoid(file, 'only', {}).found!;
    for (const [up, front] of [
      [
        [0, 1, 0],
        [0, 0, 1],
      ],
      [
        [0, 0, 1],
        [0, -1, 0],
      ],
    ] as const) {
      // 40° from an axis still belongs to that quarter.
      for (const degrees of [0, 90, 180, -90, 130, -50, 40]) {
        const upright = new Float64Array(4);
        quat.fromTo(upright, 0, up, 0, [0, 1, 0], 0);
        const half = (degrees * Math.PI) / 360;
        const frame = new Float64Array(4);
        quat.multiply(frame, 0, [0, Math.sin(half), 0, Math.cos(half)], 0, upright, 0);
        const space = usdSpace({ format: 'fbx', metersPerUnit: 1, up }, { ...humanoid, frame });
        const facing = new Float64Array(4);
        quat.conjugate(facing, 0, frame, 0);
        vec3.rotate(facing, 0, facing, 0, [0, 0, 1], 0);
        const cosine = vec3.dot(turned(space, [...facing.subarray(0, 3)]), 0, front, 0);
        expect(cosine, `${degrees}° at up ${up}`).toBeCloseTo(
          Math.cos(((degrees - 90 * Math.round(degrees / 90)) * Math.PI) / 180),
          6,
        );
        expectNear(turned(space, up), up, EXACT);
      }
    }
  });

  it('is unchanged from USD to USD', async () => {
    const file = await openUsdDemo('turn.bvh', 'turn.usda');
    const { humanoid } = chooseHumanoid(file, 'only', {}).found!;
    expect(usdSpace(file.asset, humanoid)).toEqual({ upAxis: 'Y', metersPerUnit: 0.01, rotation: STILL });
  });
});
