/** The script of the GitHub Action, run as a runner runs it. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter } from 'node:path';
import { expect, it } from 'vitest';
import { bundledProgram } from './support/bundle.ts';
import { documentText } from './support/documents.ts';
import { IS_FULL_RUN } from './support/law-runs.ts';
import { temporaryFolder, writeDemo } from './support/make/demo-files.ts';

const ANYRIG = await bundledProgram('anyrig');
const at = temporaryFolder();
const action = documentText('action.yml');

/** The longest script of the action; the other one installs the package. */
function script(): string {
  const [, second] = [...action.matchAll(/^ {6}run: \|\n((?: {8}.*\n)+)/gm)].map(([, block]) => block);
  return second.replaceAll(/^ {8}/gm, '');
}

/** Puts a command `anyrig` on the path that runs the bundle. */
function commandFolder(): string {
  mkdirSync(at('bin'));
  writeFileSync(at('bin/anyrig'), `#!/bin/sh\nexec "${process.execPath}" "${ANYRIG}" "$@"\n`, { mode: 0o755 });
  return at('bin');
}

const path = `${commandFolder()}${delimiter}${process.env['PATH']}`;

function runAction(report: string, inputs: Record<string, string>): { status: number | null; text: string } {
  const env = {
    ...process.env,
    FILES: '*.glb\n\n*.vrm\n',
    REQUIRE_EXT: 'false',
    MOTION: '',
    RESULT: '',
    PREVIEW: 'true',
  };
  const ran = spawnSync('bash', ['-c', script()], {
    cwd: at('repository'),
    env: { ...env, PATH: path, REPORT: at(report), ...inputs },
    encoding: 'utf8',
  });
  return { status: ran.status, text: ran.stdout + ran.stderr };
}

it.runIf(IS_FULL_RUN)(
  'action.yml: validates, draws and compares the files of a repository, and fails for a broken one',
  () => {
    mkdirSync(at('repository/a b'), { recursive: true });
    writeDemo(at, 'walk.glb', 'repository/walk.glb');
    writeDemo(at, 'child.vrm', 'repository/a b/avatar.vrm');
    writeDemo(at, 'walk.glb', 'repository/unknown-to-git.glb');
    const git = (...args: string[]): unknown => execFileSync('git', args, { cwd: at('repository'), stdio: 'ignore' });
    git('init');
    git('add', 'walk.glb', 'a b');
    const good = runAction('good', { MOTION: 'walk.glb', RESULT: 'walk.glb' });
    expect(good.status, good.text).toBe(0);
    expect(readdirSync(at('good')).sort()).toEqual([
      'a b_avatar.vrm.png',
      'compare.html',
      'compare.png',
      'walk.glb.png',
    ]);
    expect(readFileSync(at('good/walk.glb.png')).subarray(1, 4).toString()).toBe('PNG');

    const hostile = '$(touch hacked); `touch hacked`.glb';
    writeFileSync(at('repository', hostile), 'not a model');
    git('add', '.');
    const bad = runAction('bad', { PREVIEW: 'false', FILES: '*hacked*' });
    expect(bad.status, bad.text).toBe(1);
    expect(readdirSync(at('repository'))).not.toContain('hacked');
  },
  120_000,
);

it('action.yml: gives inputs to scripts as variables only', () => {
  const scripts = [...action.matchAll(/^ {6}run: \|\n((?: {8}.*\n)+)/gm)].map(([, block]) => block);
  expect(scripts).toHaveLength(2);
  expect(scripts.filter((text) => text.includes('${{'))).toEqual([]);
});
