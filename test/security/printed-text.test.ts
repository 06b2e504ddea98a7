/** W5: names of files are printed as text, in JSON without loss. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { writeLines } from '../../src/cli/io.ts';
import { recordIo, runHere } from '../cli/run-here.ts';
import { glbOf } from '../support/make/glb.ts';

const HOSTILE = 'a\u009b31mb\u202ec\u200bd\u2066e\u2028f\ufeffg\u{e0041}h\u001b[2Ji\u007f\u00ad';
/** C0 but the line feed, DEL, C1, and all characters of the categories format, line separator and paragraph separator. */
const HIDDEN = /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

function hostileFile(): string {
  const file = join(mkdtempSync(join(tmpdir(), 'printed-')), 'x.glb');
  const nodes = [{ name: HOSTILE, children: [1] }, { name: `${HOSTILE}2` }];
  writeFileSync(file, glbOf({ asset: { version: '2.0' }, scenes: [{ nodes: [0] }], nodes }));
  return file;
}

it.each([['inspect', '--nodes'], ['map'], ['validate']])(
  'W5: %s prints no hidden character, in JSON and as text',
  async (...command) => {
    const file = hostileFile();
    for (const json of [[], ['--json']]) {
      const { stdout, stderr } = await runHere([...command, file, ...json]);
      expect(stdout.length + stderr.length).toBeGreaterThan(0);
      expect(stdout).not.toMatch(HIDDEN);
      expect(stderr).not.toMatch(HIDDEN);
    }
  },
);

it('W5: escapes in JSON are the same characters for whoever reads it', async () => {
  const { stdout } = await runHere(['inspect', hostileFile(), '--nodes', '--json']);
  const names = JSON.parse(stdout).skeletons[0].tree.map(({ name }: { name: string }) => name);
  expect(names).toContain(HOSTILE);
});

it('W5: lines keep letters of all scripts, emoji, and the escape codes of styles', () => {
  const { io, out } = recordIo();
  writeLines(io.stdout, ['\u001b[31mFüße 走る 😀\u001b[39m', 'x\u202ey']);
  expect(out.stdout).toBe('\u001b[31mFüße 走る 😀\u001b[39m\nx\\u202ey\n');
});
