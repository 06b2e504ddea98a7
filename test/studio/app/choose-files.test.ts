import { describe, expect, test } from 'vitest';
import { chooseFiles } from '../../../studio/src/app/choose-files.ts';

describe('chooseFiles', () => {
  test('takes the first motion and the first character in any order', () => {
    expect(chooseFiles(['character', undefined, 'motion', 'motion', 'character'])).toEqual({ motion: 2, character: 0 });
  });

  test('takes a character with clips as what the other files lack', () => {
    expect(chooseFiles(['both', 'motion'])).toEqual({ motion: 1, character: 0 });
    expect(chooseFiles(['both', 'character'])).toEqual({ motion: 0, character: 1 });
    expect(chooseFiles(['character', 'both'])).toEqual({ motion: 1, character: 0 });
  });

  test('takes the first of several characters with clips as the motion, the next as the character', () => {
    expect(chooseFiles(['both', 'both', 'both'])).toEqual({ motion: 0, character: 1 });
  });

  test('takes a single character with clips as the character', () => {
    expect(chooseFiles(['both'])).toEqual({ motion: -1, character: 0 });
    expect(chooseFiles([undefined])).toEqual({ motion: -1, character: -1 });
  });
});
