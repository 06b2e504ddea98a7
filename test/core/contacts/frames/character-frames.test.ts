import { beforeAll, describe, expect, test } from 'vitest';
import {
  type CharacterFrames,
  sampleCharacterFrames,
  sampleMiddles,
} from '../../../../src/core/contacts/frames/character-frames.ts';
import { createPosedCharacter, type PosedCharacter } from '../../../../src/core/contacts/frames/posed-character.ts';
import { SIDES } from '../../../../src/core/humanoid/bones.ts';
import { type DemoBody, demoBody } from '../../../contacts/demo-pair.ts';

const COARSE = { start: 0, count: 20, step: 1 / 30 };
const FINE = { start: 0, count: 39, step: 1 / 60 };

let body: DemoBody;
let posed: PosedCharacter;
let fine: CharacterFrames;

beforeAll(async () => {
  body = await demoBody();
  posed = createPosedCharacter(body.humanoid, body.surface);
  fine = sampleCharacterFrames(posed, body.walk, FINE, 'feet');
});

describe('sampleCharacterFrames', () => {
  test('copies the frames that are known, with the same numbers as without', () => {
    const coarse = sampleCharacterFrames(posed, body.walk, COARSE);
    expect(sampleCharacterFrames(posed, body.walk, FINE, 'feet', coarse)).toEqual(fine);
  });
});

describe('sampleMiddles', () => {
  test('has the joints of every second frame', () => {
    const odd = sampleMiddles(posed, body.walk, FINE, false);
    for (const side of SIDES) {
      const [some, all] = [odd.legs[side]!, fine.legs[side]!];
      for (const name of ['hip', 'knee', 'ankle', 'ball', 'heel', 'hinge'] as const) {
        const expected = all[name].map((value, at) => (Math.floor(at / 3) % 2 === 1 ? value : 0));
        expect(some[name]).toEqual(expected);
      }
      expect(some.clearance.every((value) => value === 0)).toBe(true);
    }
  });
});
