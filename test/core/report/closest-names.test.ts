import { describe, expect, it } from 'vitest';
import { closestNames } from '../../../src/core/report/closest-names.ts';

describe('closestNames', () => {
  it('returns the closest spelling first, ignoring case', () => {
    expect(closestNames('hps', ['head', 'Hips', 'hops', 'spine'])).toEqual(['Hips', 'hops']);
    expect(closestNames('LEFTHAND', ['leftFoot', 'leftHand'])[0]).toBe('leftHand');
  });

  it('finds names that contain the searched name', () => {
    expect(closestNames('Hips', ['mixamorig:Hips', 'x'])).toEqual(['mixamorig:Hips']);
  });

  it('returns at most three different names, and none without a close one', () => {
    expect(closestNames('arm', ['arm1', 'arm2', 'arm3', 'arm4', 'arm1'])).toHaveLength(3);
    expect(closestNames('hips', ['Camera', 'Light', ''])).toEqual([]);
    expect(closestNames('', ['a', 'b'])).toEqual([]);
  });

  it('is fast for names of any length and number', () => {
    const names = Array.from({ length: 100_000 }, (_, i) => `node ${i}`);
    expect(closestNames('x'.repeat(1e6), names)).toEqual([]);
    expect(closestNames('node 77', names)[0]).toBe('node 77');
  });
});
