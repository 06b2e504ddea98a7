import { mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { removeTemporaryFiles, temporaryFolderOf, temporaryPrefix } from '../../../src/batch/run/publish.ts';
import { temporaryFolder } from '../../support/make/demo-files.ts';

const at = temporaryFolder();

it('removeTemporaryFiles: removes those of ended processes and old ones of other machines, not those in use', () => {
  const folder = temporaryFolderOf(at());
  mkdirSync(folder, { recursive: true });
  const parent = `${hostname()}-${process.ppid}-0-0.tmp`;
  const names = [
    `${temporaryPrefix()}-0-1.tmp`,
    parent,
    `${hostname()}-99999999-0-1.tmp`,
    'elsewhere-7-0-1.tmp',
    'elsewhere-8-0-1.tmp',
  ];
  for (const name of names) writeFileSync(join(folder, name), '');
  utimesSync(join(folder, 'elsewhere-8-0-1.tmp'), 1, 1);
  removeTemporaryFiles(at(), false);
  expect(readdirSync(folder).sort()).toEqual([names[0], parent, names[3]].sort());
  removeTemporaryFiles(at(), true);
  expect(readdirSync(folder).sort()).toEqual([parent, names[3]].sort());
  removeTemporaryFiles(at('missing'), true);
});
