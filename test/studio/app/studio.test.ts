import { describe, expect, test } from 'vitest';
import { chooseFiles } from '../../../studio/src/app/studio.ts';
import type { FileRole, FileSummary } from '../../../studio/src/engine/protocol.ts';

type Described = Pick<FileSummary, 'role' | 'humanoid'>;

const HUMANOID = {} as FileSummary['humanoid'];

/** Files with these roles; `?` marks one whose bones were not recognized. */
function files(...roles: readonly (FileRole | `${FileRole}?` | null)[]): (Described | null)[] {
  return roles.map((role) =>
    role === null ? null : { role: role.replace('?', '') as FileRole, humanoid: role.endsWith('?') ? null : HUMANOID },
  );
}

describe('chooseFiles', () => {
  test('takes the first motion and all characters in any order', () => {
    expect(chooseFiles(files('character', null, 'motion', 'motion', 'character'))).toEqual({
      motion: 2,
      characters: [0, 4],
    });
  });

  test('takes a character with clips as what the other files lack', () => {
    expect(chooseFiles(files('both', 'motion'))).toEqual({ motion: 1, characters: [0] });
    expect(chooseFiles(files('both', 'character'))).toEqual({ motion: 0, characters: [1] });
    expect(chooseFiles(files('character', 'both'))).toEqual({ motion: 1, characters: [0] });
  });

  test('takes the first of several characters with clips as the motion, the others as characters', () => {
    expect(chooseFiles(files('both', 'both', 'both'))).toEqual({ motion: 0, characters: [1, 2] });
  });

  test('takes a single character with clips as the character', () => {
    expect(chooseFiles(files('both'))).toEqual({ motion: -1, characters: [0] });
    expect(chooseFiles(files(null))).toEqual({ motion: -1, characters: [] });
  });

  test('puts at most six characters on stage at once', () => {
    expect(chooseFiles(files(...Array<FileRole>(9).fill('character'))).characters).toEqual([0, 1, 2, 3, 4, 5]);
  });

  test('takes files whose bones were not recognized where no others serve', () => {
    expect(chooseFiles(files('character?', 'character', 'motion'))).toEqual({ motion: 2, characters: [1] });
    expect(chooseFiles(files('character?', 'character'))).toEqual({ motion: -1, characters: [1] });
    expect(chooseFiles(files('character?', 'motion'))).toEqual({ motion: 1, characters: [0] });
    expect(chooseFiles(files('motion?', 'character'))).toEqual({ motion: 0, characters: [1] });
    expect(chooseFiles(files('neither', 'character?'))).toEqual({ motion: -1, characters: [1] });
  });
});
