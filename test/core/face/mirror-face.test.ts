import { Euler, Quaternion } from 'three';
import { describe, expect, it } from 'vitest';
import type { LookAtTrack } from '../../../src/core/face/face-tracks.ts';
import { mirrorLookAt, mirrorSource } from '../../../src/core/face/mirror-face.ts';

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

describe('mirrorLookAt', () => {
  it('negates yaw and keeps pitch; twice returns the original', () => {
    const mirrored = mirrorLookAt(lookAt(20, 10));
    expect([...mirrored.values]).toEqual([...lookAt(-20, 10).values].map((value) => expect.closeTo(value, 12)));
    expect(mirrored.offsetFromHeadBone).toEqual([-0.1, 0.2, 0.3]);
    expect(mirrorLookAt(mirrored)).toEqual(lookAt(20, 10));
  });
});

describe('mirrorSource', () => {
  it.each([
    ['blinkLeft', 'blinkRight', 'eyeBlinkLeft', 'eyeBlinkRight'],
    ['Eye_L_Look_R', 'Eye_R_Look_L', 'eyeLookInLeft', 'eyeLookInRight'],
    ['blink_l', 'blink_r', 'eyeBlinkLeft', 'eyeBlinkRight'],
    ['ウィンク２', 'eyeBlinkRight', 'eyeBlinkLeft', 'eyeBlinkRight'],
    ['aa', 'aa', 'aa', 'aa'],
  ] as const)('exchanges the sides of the name and the shape: %s', (name, other, shape, otherShape) => {
    const keys = {
      interpolation: 'STEP' as const,
      times: [0] as unknown as Float32Array,
      values: [1] as unknown as Float32Array,
    };
    const source = { name, match: { shape, parts: 1 }, kind: 'morph' as const, keys };
    expect(mirrorSource(source)).toEqual({ ...source, name: other, match: { shape: otherShape, parts: 1 } });
  });
});
