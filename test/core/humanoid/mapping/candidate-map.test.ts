import { describe, expect, it } from 'vitest';
import { BONE, BONE_COUNT, BONES, type BoneName } from '../../../../src/core/humanoid/bones.ts';
import { candidateMap, scoreOf } from '../../../../src/core/humanoid/mapping/candidate-map.ts';
import { rigOf } from '../../../make/rig-text.ts';

const { names, parents } = rigOf('hips > spine > head\nstray');

function score(bones: Readonly<Partial<Record<BoneName, string>>>, worth?: number): number {
  const nodes = new Int32Array(BONE_COUNT).fill(-1);
  for (const [bone, name] of Object.entries(bones)) nodes[BONE[bone as BoneName]] = names.indexOf(name);
  return candidateMap('test', parents, nodes, new Float32Array(BONE_COUNT), worth).score;
}

describe('how much of a body a reading is', () => {
  it('counts required bones most, fingers, eyes and jaw least', () => {
    expect(score({ hips: 'hips', spine: 'spine', head: 'head' })).toBe(9);
    expect(score({ hips: 'hips', spine: 'spine', neck: 'head' })).toBe(8);
    expect(score({ hips: 'hips', spine: 'spine', jaw: 'head' })).toBe(7);
    expect(score({})).toBe(0);
  });

  it('counts a bone that hangs wrongly a quarter', () => {
    expect(score({ hips: 'hips', spine: 'spine', head: 'stray' })).toBe(6.75);
  });

  it('counts a reading for what it is worth', () => {
    expect(score({ hips: 'hips', spine: 'spine', head: 'head' }, 0.5)).toBe(4.5);
    expect(scoreOf(new Int32Array(BONES.length).fill(-1), new Uint8Array(BONES.length))).toBe(0);
  });
});
