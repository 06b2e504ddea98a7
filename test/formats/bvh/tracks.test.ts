import fc from 'fast-check';
import { Matrix4, Quaternion } from 'three';
import { describe, expect, it } from 'vitest';
import type { BvhChannel, BvhJoint, BvhMotion } from '../../../src/formats/bvh/bvh-tree.ts';
import { rotationTrack, staysAt, translationTrack } from '../../../src/formats/bvh/tracks.ts';
import { lawRuns } from '../../support/law-runs.ts';
import { EXACT } from '../../support/tolerances.ts';

function joint(channels: BvhChannel[], column = 0): BvhJoint {
  return { kind: 'joint', name: 'a', parent: 0, offset: Float64Array.of(1, 2, 3), channels, column };
}

function motion(rows: readonly (readonly number[])[]): BvhMotion {
  return { frameCount: rows.length, frameTime: 1, values: Float64Array.from(rows.flat()) };
}

const times = Float64Array.of(0, 1, 2);

describe('rotationTrack', () => {
  it('multiplies the matrices of any channels in the order of the file', () => {
    const rotation = fc.constantFrom<BvhChannel>('Xrotation', 'Yrotation', 'Zrotation', 'Yposition');
    const angle = fc.double({ min: -720, max: 720, noNaN: true });
    fc.assert(
      fc.property(fc.array(fc.tuple(rotation, angle), { minLength: 1, maxLength: 6 }), (pairs) => {
        const channels = pairs.map(([channel]) => channel);
        const expected = new Matrix4();
        for (const [channel, degrees] of pairs) {
          const radians = (degrees * Math.PI) / 180;
          if (channel === 'Xrotation') expected.multiply(new Matrix4().makeRotationX(radians));
          if (channel === 'Yrotation') expected.multiply(new Matrix4().makeRotationY(radians));
          if (channel === 'Zrotation') expected.multiply(new Matrix4().makeRotationZ(radians));
        }
        const track = rotationTrack(
          joint(channels, 1),
          4,
          motion([[99, ...pairs.map(([, degrees]) => degrees)]]),
          times,
        );
        if (channels.every((channel) => channel === 'Yposition')) {
          expect(track).toBeNull();
          return;
        }
        const [x, y, z, w] = track!.values;
        const actual = new Matrix4().makeRotationFromQuaternion(new Quaternion(x, y, z, w));
        for (let i = 0; i < 16; i++) expect(Math.abs(actual.elements[i]! - expected.elements[i]!)).toBeLessThan(EXACT);
        expect(track).toMatchObject({ target: 4, path: 'rotation', interpolation: 'LINEAR', times });
      }),
      { seed: 5, numRuns: lawRuns(1000) },
    );
  });

  it('keeps neighbors in one hemisphere when the angle jumps by 360°, and starts with w above 0', () => {
    const track = rotationTrack(joint(['Yrotation']), 0, motion([[350], [10], [-350], [179], [-179]]), times)!;
    const ws = [0, 1, 2, 3, 4].map((k) => track.values[k * 4 + 3]!);
    expect(ws[0]).toBeGreaterThan(0.99);
    expect(ws[1]).toBeGreaterThan(0.99);
    expect(ws[2]).toBeGreaterThan(0.99);
    expect(ws[3]).toBeCloseTo(Math.cos((89.5 * Math.PI) / 180), 12);
    expect(ws[4]).toBeCloseTo(-Math.cos((89.5 * Math.PI) / 180), 12);
  });
});

describe('translationTrack', () => {
  it('replaces the OFFSET by positions, and keeps the OFFSET on axes without a channel', () => {
    const track = translationTrack(
      joint(['Zposition', 'Xrotation', 'Xposition']),
      2,
      motion([
        [7, 50, 8],
        [9, 50, 10],
      ]),
      times,
      false,
    )!;
    expect([...track.values]).toEqual([8, 2, 7, 10, 2, 9]);
    expect(track).toMatchObject({ target: 2, path: 'translation', interpolation: 'LINEAR' });
  });

  it('adds positions to the OFFSET if requested', () => {
    const track = translationTrack(joint(['Yposition']), 0, motion([[0.5], [-1]]), times, true)!;
    expect([...track.values]).toEqual([1, 2.5, 3, 1, 1, 3]);
  });

  it('is null without position channels', () => {
    expect(translationTrack(joint(['Xrotation']), 0, motion([[1]]), times, false)).toBeNull();
  });
});

describe('staysAt', () => {
  it('allows every axis the tolerance and no more', () => {
    const track = translationTrack(joint(['Yposition']), 0, motion([[2], [2.01]]), times, false)!;
    expect(staysAt(track, Float64Array.of(1, 2, 3), 0.02)).toBe(true);
    expect(staysAt(track, Float64Array.of(1, 2, 3), 0.005)).toBe(false);
  });
});
