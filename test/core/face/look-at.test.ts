import fc from 'fast-check';
import { Euler, Quaternion } from 'three';
import { describe, expect, it } from 'vitest';
import type { LookAtTrack } from '../../../src/core/face/face-tracks.ts';
import { defaultLookAt, eyeTracks, lookAtExpressions, mapRange, yawPitch } from '../../../src/core/face/look-at.ts';
import { lawRuns } from '../../support/law-runs.ts';
import { tinyHumanoid } from '../../support/make/tiny-humanoid.ts';
import { EXACT_CHAIN } from '../../support/tolerances.ts';

const degrees = 180 / Math.PI;
const lookAt = (yaw: number, pitch: number): LookAtTrack => {
  const values = Float64Array.from(
    new Quaternion().setFromEuler(new Euler(pitch / degrees, yaw / degrees, 0, 'YXZ')).toArray(),
  );
  return {
    sourceNode: -1,
    offsetFromHeadBone: [0.1, 0.2, 0.3],
    interpolation: 'STEP',
    times: Float32Array.of(0),
    values,
  };
};

describe('yawPitch', () => {
  it('returns the Euler angles of three.js in the order YXZ', () => {
    const angle = fc.double({ min: -3, max: 3, noNaN: true });
    fc.assert(
      fc.property(angle, angle, angle, (x, y, z) => {
        const q = new Quaternion().setFromEuler(new Euler(x, y, z));
        const expected = new Euler().setFromQuaternion(q, 'YXZ');
        const out = new Float64Array(2);
        yawPitch(out, 0, q.toArray(), 0);
        // Close to straight up and down the sine loses all precision.
        if (Math.abs(Math.abs(expected.x) - Math.PI / 2) < 1e-3) return;
        expect(Math.abs(out[0] - expected.y * degrees)).toBeLessThan(1e-6);
        expect(Math.abs(out[1] - expected.x * degrees)).toBeLessThan(1e-6);
      }),
      { seed: 3, numRuns: lawRuns(500) },
    );
  });
});

describe('mapRange', () => {
  it('is linear up to the end of the range, and constant above', () => {
    const range = { inputMax: 90, output: 10, curve: null };
    expect([0, 45, 90, 180].map((angle) => mapRange(range, angle))).toEqual([0, 5, 10, 10]);
  });

  it('evaluates a curve of VRM 0.x, constant outside its keys', () => {
    const smooth = { inputMax: 90, output: 10, curve: Float64Array.of(0, 0, 0, 0, 1, 1, 0, 0) };
    expect([0, 22.5, 45, 90, 99].map((angle) => mapRange(smooth, angle))).toEqual([0, 1.5625, 5, 10, 10]);
    const late = { inputMax: 100, output: 1, curve: Float64Array.of(0.5, 0.25, 0, 0, 0.75, 1, 0, 0) };
    expect([10, 50, 75, 100].map((angle) => mapRange(late, angle))).toEqual([0.25, 0.25, 1, 1]);
  });
});

describe('lookAtExpressions', () => {
  const weights = (yaw: number, pitch: number) =>
    Object.fromEntries(
      lookAtExpressions(defaultLookAt('expression'), lookAt(yaw, pitch)).map(({ shape, keys }) => [
        shape,
        +keys.values[0].toFixed(6),
      ]),
    );

  it('maps positive yaw to lookLeft and positive pitch to lookDown', () => {
    expect(weights(15, 30)).toEqual({ lookLeft: 0.5, lookRight: 0, lookDown: 1, lookUp: 0 });
    expect(weights(-60, -3)).toEqual({ lookLeft: 0, lookRight: 1, lookDown: 0, lookUp: 0.1 });
  });
});

describe('eyeTracks', () => {
  const half = Math.SQRT1_2;
  const humanoid = tinyHumanoid(
    { name: 'hips', at: [0, 1, 0] },
    { name: 'head', parent: 'hips', at: [0, 0.5, 0], turn: [0, 0, half, half] },
    { name: 'leftEye', parent: 'head', at: [0.03, 0.06, 0], turn: [half, 0, 0, half] },
    { name: 'rightEye', parent: 'head', at: [-0.03, 0.06, 0] },
  );

  it('rotates both eyes about world axes by at most 30 degrees, whatever the axes of their bones', () => {
    const tracks = eyeTracks(humanoid, defaultLookAt('bone'), lookAt(50, -12));
    expect(tracks.map(({ target }) => humanoid.skeleton.names[target])).toEqual(['leftEye', 'rightEye']);
    const wanted = new Quaternion().setFromEuler(new Euler(-12 / degrees, 30 / degrees, 0, 'YXZ'));
    for (const { target, values } of tracks) {
      const head = new Quaternion(0, 0, half, half);
      const rest = new Quaternion().fromArray(humanoid.skeleton.rest, 10 * target + 3);
      const world = head.clone().multiply(new Quaternion().fromArray(values));
      const delta = world.multiply(head.clone().multiply(rest).invert());
      expect(1 - Math.abs(delta.dot(wanted))).toBeLessThan(EXACT_CHAIN);
    }
  });

  it('returns no tracks for a humanoid without eye bones', () => {
    const blind = tinyHumanoid({ name: 'hips' }, { name: 'head', parent: 'hips' });
    expect(eyeTracks(blind, defaultLookAt('bone'), lookAt(10, 10))).toEqual([]);
  });
});
