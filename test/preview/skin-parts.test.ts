import { describe, expect, it } from 'vitest';
import { type ContactSurface, describeContactSurface } from '../../src/core/contacts/surface/contact-surface.ts';
import type { Humanoid } from '../../src/core/humanoid/humanoid.ts';
import { restPose } from '../../src/core/skeleton/pose.ts';
import { readSkinPoints } from '../../src/files/humanoid/contact-surface.ts';
import { chooseHumanoid } from '../../src/files/humanoid/find-humanoid.ts';
import { outlineOf, type SkinPart, skinInPose, skinInReference } from '../../src/preview/skin-parts.ts';
import { CLOTHES, dress } from '../contacts/clothes.ts';
import { demoBody } from '../contacts/demo-pair.ts';
import { openDemo } from '../support/make/demo-files.ts';

async function demo(name: string): Promise<{ humanoid: Humanoid; surface: ContactSurface }> {
  const file = await openDemo(name);
  const { humanoid, part } = chooseHumanoid(file, 'target', {}).found!;
  return { humanoid, surface: describeContactSurface(humanoid, readSkinPoints(file, part)) };
}

function lowest(parts: readonly SkinPart[]): number {
  return Math.min(
    ...parts.flatMap(({ points, radii }) => Array.from(radii, (radius, k) => points[3 * k + 1] - radius)),
  );
}

describe('skinInReference', () => {
  it.each(['chibi.vrm', 'giant.glb', 'turn.bvh'])('stands %s on its floor, feet on their sides', async (name) => {
    const { humanoid, surface } = await demo(name);
    const parts = skinInReference(humanoid, surface);
    expect(parts.reduce((sum, { radii }) => sum + radii.length, 0)).toBe(
      surface.bones.length + surface.cloth.bones.length,
    );
    expect(Math.abs(lowest(parts) - surface.floor)).toBeLessThan(0.02 * humanoid.height);
    for (const [side, sign] of [
      ['left', 1],
      ['right', -1],
    ] as const) {
      const feet = parts.filter(({ kind }) => kind === side);
      expect(feet.length).toBeGreaterThan(0);
      for (const { points } of feet) expect(sign * (points[0] + points[points.length - 3])).toBeGreaterThan(0);
    }
  });
});

describe('skinInReference: clothes', () => {
  it('has cloth apart from the skin', async () => {
    const { humanoid, skin, surface } = await demoBody();
    const undressed = { humanoid, skin, radii: surface.radii };
    const dressed = describeContactSurface(humanoid, dress(undressed, CLOTHES.skirt(undressed)));
    const [kinds, bare] = [dressed, surface].map((one) => skinInReference(humanoid, one).map(({ kind }) => kind));
    const count = (list: typeof kinds): number => list.filter((kind) => kind === 'cloth').length;
    expect(count(kinds)).toBeGreaterThan(count(bare));
    expect(kinds.filter((kind) => kind !== 'cloth')).toEqual(bare.filter((kind) => kind !== 'cloth'));
  });
});

describe('skinInPose', () => {
  it('moves with the hips, in meters and in the canonical frame', async () => {
    const { humanoid, surface } = await demo('giant.glb');
    const local = restPose(humanoid.skeleton);
    const before = skinInPose(humanoid, surface, local);
    const root = humanoid.skeleton.parents.indexOf(-1);
    for (let axis = 0; axis < 3; axis++) local[10 * root + axis] += 1 / humanoid.metersPerUnit;
    const after = skinInPose(humanoid, surface, local);
    const moved = after.flatMap(({ points }, part) => {
      return Array.from({ length: points.length / 3 }, (_, k) => {
        return Math.hypot(...[0, 1, 2].map((axis) => points[3 * k + axis] - before[part].points[3 * k + axis]));
      });
    });
    for (const distance of moved) expect(distance).toBeCloseTo(Math.sqrt(3), 6);
  });
});

describe('outlineOf', () => {
  const onScreen = ([x, y]: readonly [number, number, number]): [number, number] => [100 * x, -100 * y];

  it('is the convex hull of vertices', () => {
    const points = Float64Array.of(0, 0, 0, 1, 0, 0, 1, 1, 5, 0, 1, 0, 0.5, 0.5, 0);
    const outline = outlineOf({ kind: null, points, radii: new Float64Array(5) }, onScreen, 100);
    expect(outline).toHaveLength(8);
    expect([Math.min(...outline), Math.max(...outline)]).toEqual([-100, 100]);
  });

  it('is a circle around a point with a radius', () => {
    const part: SkinPart = { kind: null, points: Float64Array.of(1, 1, 0), radii: Float64Array.of(0.1) };
    const outline = outlineOf(part, onScreen, 100);
    expect(outline.length).toBeGreaterThan(16);
    for (let at = 0; at < outline.length; at += 2) {
      expect(Math.hypot(outline[at] - 100, outline[at + 1] + 100)).toBeCloseTo(10, 9);
    }
  });
});
