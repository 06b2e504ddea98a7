import { describe, expect, it } from 'vitest';
import { type Bones, boneLines, lowConfidenceLines, percent } from '../../../src/cli/show/bones.ts';

const BONES: Bones = {
  hips: { node: 3, name: 'Root', confidence: 0.95, why: 'where legs and spine meet' },
  head: {
    node: 9,
    name: '',
    confidence: 0.8,
    why: 'above the neck',
    runnerUp: { node: 10, name: 'Cap', confidence: 0.85 },
  },
  leftUpperLeg: {
    node: 4,
    name: 'Leg\u001b[2J',
    confidence: 0.5,
    why: 'half of the leg',
    runnerUp: { node: 5, name: '', confidence: 0.1 },
  },
};

it('percent: formats a confidence as whole percent', () => {
  expect([0, 0.256, 1].map(percent)).toEqual(['0 %', '26 %', '100 %']);
});

describe('boneLines', () => {
  it('lists bones as a table, with runner-up and evidence on request', () => {
    expect(boneLines(BONES, false)).toEqual([
      'bone           confidence  node  name',
      'hips                 95 %     3  Root',
      ' head                80 %     9',
      ' leftUpperLeg        50 %     4  Leg [2J',
    ]);
    expect(boneLines(BONES, true)).toEqual([
      'bone           confidence  node  name     runner-up      why',
      'hips                 95 %     3  Root                    where legs and spine meet',
      ' head                80 %     9           Cap (85 %)     above the neck',
      ' leftUpperLeg        50 %     4  Leg [2J  node 5 (10 %)  half of the leg',
    ]);
  });

  it('leaves out the evidence columns without evidence', () => {
    const declared = { hips: { node: 0, name: 'Hips', confidence: 1 } };
    expect(boneLines(declared, true)).toEqual(boneLines(declared, false));
  });
});

describe('lowConfidenceLines', () => {
  it('lists bones with low confidence or a close runner-up, lowest first', () => {
    expect(lowConfidenceLines(BONES)).toEqual([
      'leftUpperLeg  50 %  Leg [2J, half of the leg; runner-up node 5 (10 %)',
      'head          80 %  node 9, above the neck; runner-up Cap (85 %)',
    ]);
  });

  it('leaves out a bone with full confidence, whatever its runner-up is', () => {
    const next = { node: 2, name: 'Spine1', confidence: 1 };
    expect(
      lowConfidenceLines({ spine: { node: 1, name: 'Spine', confidence: 1, why: 'by name', runnerUp: next } }),
    ).toEqual([]);
  });

  it('lists ten bones at most, and no declared bones', () => {
    const one = { node: 1, name: 'x', confidence: 0.1, why: 'guessed' };
    const many = Object.fromEntries(
      ['hips', 'spine', 'chest', 'neck', 'head', 'jaw', 'leftEye', 'rightEye', 'leftHand', 'rightHand', 'leftFoot'].map(
        (bone) => [bone, one],
      ),
    );
    expect(lowConfidenceLines(many)).toHaveLength(11);
    expect(lowConfidenceLines(many).at(-1)).toBe('and 1 more; --why lists all');
    expect(lowConfidenceLines({ hips: { node: 0, name: 'Hips', confidence: 0.2 } })).toEqual([]);
  });
});
