import { readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { STATE_FOLDER } from '../../../src/batch/check/result-path.ts';
import { openJournal, type ReadyLine, readJournals, readReadyLine } from '../../../src/batch/run/journal.ts';
import { temporaryFolder } from '../../support/make/demo-files.ts';

const at = temporaryFolder();

function ready(id: string, key: string): ReadyLine {
  const files = [{ path: `${id}.glb`, bytes: 3, sha256: 'ü'.repeat(8) }];
  const report = { clips: [], figures: null, strips: [], issues: [] };
  return { state: 'ready', id, key, files, resources: [], report };
}

it('readJournals: returns what was appended, the last line of a key last', () => {
  const journal = openJournal(at('a'), 'main');
  journal.append(ready('x', '1'));
  journal.append({ state: 'done', id: 'x', key: '1' });
  journal.append(ready('y', '1'));
  journal.append(ready('x', '2'));
  journal.append({ state: 'removed', id: 'x', key: '1' });
  journal.close();
  const records = readJournals(at('a'));
  expect([...(records.get('x')?.results.keys() ?? [])]).toEqual(['2']);
  expect(records.get('x')).toMatchObject({ lastKey: '1', done: new Set(), journals: new Set(['main.journal.jsonl']) });
  expect(records.get('y')?.results.get('1')).toEqual(ready('y', '1'));
  expect(readJournals(at('none')).size).toBe(0);
});

it('openJournal: goes on after a kill at any byte: only the line that was cut off is lost', () => {
  const whole = openJournal(at('b'), 'main');
  whole.append(ready('x', '1'));
  whole.append(ready('y', '1'));
  whole.close();
  const path = join(at('b'), STATE_FOLDER, 'main.journal.jsonl');
  const bytes = readFileSync(path);
  const firstEnd = bytes.indexOf(10) + 1;
  for (let cut = 0; cut <= bytes.length; cut++) {
    writeFileSync(path, bytes);
    truncateSync(path, cut);
    const journal = openJournal(at('b'), 'main');
    journal.append(ready('z', '1'));
    journal.close();
    const found = [...readJournals(at('b')).keys()];
    // A line without its line break is complete.
    expect(found).toEqual([...(cut >= firstEnd - 1 ? ['x'] : []), ...(cut >= bytes.length - 1 ? ['y'] : []), 'z']);
  }
});

it('readReadyLine: reads lines again by their positions, also after a line that was cut off', () => {
  const path = join(at('c'), STATE_FOLDER, 'main.journal.jsonl');
  const first = openJournal(at('c'), 'main');
  const x = first.append(ready('x', '1'));
  first.close();
  writeFileSync(path, `${readFileSync(path, 'utf8')}{"cut`);
  const second = openJournal(at('c'), 'main');
  const [y, z] = [second.append(ready('y', 'ü')), second.append(ready('z', '1'))];
  expect([x, y, z].map((position) => readReadyLine(position))).toEqual([
    ready('x', '1'),
    ready('y', 'ü'),
    ready('z', '1'),
  ]);
  second.close();
  truncateSync(path, z.from + 1);
  expect(() => readReadyLine(z)).toThrow(/expected a line of/);
});
