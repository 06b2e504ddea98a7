import { describe, expect, it } from 'vitest';
import { closestNames } from '../../../src/core/report/closest-names.ts';

describe('names that could be meant', () => {
  it('finds the nearest spelling first, whatever the case', () => {
    expect(closestNames('hps', ['head', 'Hips', 'hops', 'spine'])).toEqual(['Hips', 'hops']);
    expect(closestNames('LEFTHAND', ['leftFoot', 'leftHand'])[0]).toBe('leftHand');
  });

  it('finds names that contain the word', () => {
    expect(closestNames('Hips', ['mixamorig:Hips', 'x'])).toEqual(['mixamorig:Hips']);
  });

  it('suggests three at most, each once, and nothing where nothing is near', () => {
    expect(closestNames('arm', ['arm1', 'arm2', 'arm3', 'arm4', 'arm1'])).toHaveLength(3);
    expect(closestNames('hips', ['Camera', 'Light', ''])).toEqual([]);
    expect(closestNames('', ['a', 'b'])).toEqual([]);
  });

  it('is quick on names of any length and number', () => {
    const names = Array.from({ length: 100_000 }, (_, i) => `node ${i}`);
    expect(closestNames('x'.repeat(1e6), names)).toEqual([]);
    expect(closestNames('node 77', names)[0]).toBe('node 77');
  });
});
