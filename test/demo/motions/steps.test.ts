import { describe, expect, it } from 'vitest';
import { BONE } from '../../../src/core/humanoid/bones.ts';
import { makeFigure } from '../../../src/demo/figure/figure.ts';
import { makeFootTransform } from '../../../src/demo/figure/legs.ts';
import { ADULT } from '../../../src/demo/figure/proportions.ts';
import { footAt, type Stance, type StepStyle, smooth } from '../../../src/demo/motions/steps.ts';
import { EXACT } from '../../support/tolerances.ts';

const figure = makeFigure(ADULT);
const STYLE: StepStyle = { toeOffPitch: 0.9, strikePitch: -0.3, rollOff: 0.2, rollDown: 0.1, clearance: 0.03 };
const STANCES: readonly Stance[] = [
  { x: 0.1, z: 0, yaw: 0, from: 0, to: 0.5 },
  { x: 0.12, z: 0.9, yaw: 0.6, from: 1.2, to: 2 },
];

function at(time: number): number[] {
  const place = makeFootTransform();
  footAt(place, figure, STANCES, STYLE, time);
  return [...place.ankle, place.yaw, place.pitch, place.toePitch];
}

describe('footAt', () => {
  it('keeps the foot flat and still during a stance, before the first and after the last', () => {
    const { ankle } = figure.proportions;
    for (const time of [-5, 0, 0.3, 0.5]) expect(at(time)).toEqual([0.1, ankle, 0, 0, 0, 0]);
    for (const time of [1.2, 1.7, 2, 9]) expect(at(time)).toEqual([0.12, ankle, 0.9, 0.6, 0, 0]);
  });

  it('is smooth: position, pitch and their speeds are continuous', () => {
    const step = 1e-3;
    for (let time = 0.4; time < 1.3; time += step) {
      const [a, b, c] = [at(time), at(time + step), at(time + 2 * step)];
      for (let k = 0; k < 5; k++) {
        expect(Math.abs(b[k] - a[k])).toBeLessThan(0.015);
        expect(Math.abs(c[k] - 2 * b[k] + a[k])).toBeLessThan(6e-4);
      }
    }
  });

  it('rolls off over a fixed ball and down on a fixed heel', () => {
    const ball = (time: number): number[] => {
      const [x, y, z, yaw, pitch] = at(time);
      const down = figure.joints[BONE.leftToes * 3 + 1] - figure.proportions.ankle;
      const up = down * Math.cos(pitch) - figure.ball * Math.sin(pitch);
      const forward = down * Math.sin(pitch) + figure.ball * Math.cos(pitch);
      return [x + forward * Math.sin(yaw), y + up, z + forward * Math.cos(yaw)];
    };
    for (const time of [0.5, 0.55, 0.62, 0.7]) {
      for (const [c, v] of ball(time).entries()) expect(Math.abs(v - ball(0.5)[c])).toBeLessThan(EXACT);
    }
    const [, strikeHeight, , , pitch] = at(1.1);
    expect(pitch).toBeCloseTo(-0.3, 9);
    expect(strikeHeight).toBeGreaterThan(figure.proportions.ankle);
  });

  it('smooth: rises from 0 to 1, flat at both ends', () => {
    expect([smooth(-1), smooth(0), smooth(0.5), smooth(1), smooth(2)]).toEqual([0, 0, 0.5, 1, 1]);
  });
});
