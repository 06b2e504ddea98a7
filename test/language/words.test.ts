/** The words of the project: names, comments, messages, help, docs and the titles of tests. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { lintName, lintProse, lintSource } from './lint-words.ts';

const root = resolve(fileURLToPath(new URL('../..', import.meta.url)));

function filesBelow(folder: string, ending: string): string[] {
  const names = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' });
  return names.filter((name) => name.endsWith(ending)).map((name) => `${folder}/${name}`);
}

function textOf(file: string): string {
  return readFileSync(join(root, file), 'utf8');
}

/** Its strings are words in the joint names of other people's files. */
const DATA_FILE = 'src/core/humanoid/mapping/by-name/lexicon.ts';

function inSources(files: readonly string[], scope: 'all' | 'titles'): string[] {
  return files.flatMap((file) => {
    const found = lintSource(file, textOf(file), file === DATA_FILE ? 'code' : scope);
    return found.map(({ line, text, instead }) => `${file}:${line}: "${text}": ${instead}`);
  });
}

/** The table of CONTRIBUTING.md names the words that it replaces. */
function withoutTable(text: string): string {
  return text.replace(/^\| not \| but \|\n(?:\|.*\n)+/m, (table) => '\n'.repeat(table.split('\n').length - 1));
}

describe('banned words', () => {
  it.each(['src', 'bench', 'examples', 'scripts'])('are in no name, comment, message or help text of %s', (folder) => {
    expect(inSources(filesBelow(folder, '.ts'), 'all')).toEqual([]);
  });

  it('are in no file name', () => {
    const names = [...filesBelow('src', '.ts'), ...filesBelow('test', '.ts'), ...filesBelow('docs', '.md')];
    expect(names.filter((name) => lintName(name.replace(/\.\w+$/, '')).length > 0)).toEqual([]);
  });

  it('are in no title of a test', () => {
    expect(inSources(filesBelow('test', '.test.ts'), 'titles')).toEqual([]);
  });

  it.each(['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'ISSUES.md', ...filesBelow('docs', '.md').sort()])(
    'are not in %s',
    (file) => {
      const found = lintProse(withoutTable(textOf(file)));
      expect(found.map(({ line, text, instead }) => `${file}:${line}: "${text}": ${instead}`)).toEqual([]);
    },
  );
});

describe('lintSource', () => {
  const found = (source: string): string[] => lintSource('a.ts', source).map(({ text }) => text);

  it('finds banned words in declared names, also inside compounds and constants', () => {
    expect(found('const hungJoints = 1; function rehangNode() {} interface Mend { gaze: number }')).toEqual([
      'hungJoints',
      'rehangNode',
      'Mend',
      'gaze',
    ]);
    expect(found('const changed = 1; const replaced = 2; const returns = 3;')).toEqual([]);
  });

  it('finds banned phrases that a comment wraps over two lines', () => {
    expect(found('/**\n * Joints that are\n * no bones.\n */\nconst a = 1;')).toHaveLength(1);
  });

  it('reads sentences in strings and templates, not keys or code', () => {
    expect(
      found("const a = 'a joint hangs on another'; const b = 'gaze'; const c = 'the gaze of a face';"),
    ).toHaveLength(2);
    expect(found('/** Calls `hang()` of another library. */ const a = 1;')).toEqual([]);
  });
});
