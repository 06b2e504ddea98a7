import { describe, expect, it } from 'vitest';
import { BONE, BONE_COUNT, BONES, type BoneName } from '../../../../src/core/humanoid/bones.ts';
import { createCandidate, scoreMap } from '../../../../src/core/humanoid/mapping/candidate-map.ts';
import { rigOf } from '../../../support/make/rig-text.ts';

const { names, parents } = rigOf('hips > spine > head\nstray');

function score(bones: Readonly<Partial<Record<BoneName, string>>>, weight?: number): number {
  const nodes = new Int32Array(BONE_COUNT).fill(-1);
  for (const [bone, name] of Object.entries(bones)) nodes[BONE[bone as BoneName]] = names.indexOf(name);
  return createCandidate('test', parents, nodes, new Float32Array(BONE_COUNT), weight).score;
}

describe('createCandidate', () => {
  it('scores required bones highest, and fingers, eyes and jaw lowest', () => {
    expect(score({ hips: 'hips', spine: 'spine', head: 'head' })).toBe(9);
    expect(score({ hips: 'hips', spine: 'spine', neck: 'head' })).toBe(8);
    expect(score({ hips: 'hips', spine: 'spine', jaw: 'head' })).toBe(7);
    expect(score({})).toBe(0);
  });

  it('scores a bone with a hierarchy fault a quarter', () => {
    expect(score({ hips: 'hips', spine: 'spine', head: 'stray' })).toBe(6.75);
  });

  it('multiplies the score by the weight', () => {
    expect(score({ hips: 'hips', spine: 'spine', head: 'head' }, 0.5)).toBe(4.5);
    expect(scoreMap(new Int32Array(BONES.length).fill(-1), new Uint8Array(BONES.length))).toBe(0);
  });
});
