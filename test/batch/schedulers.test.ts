/** The command lines of docs/batch-machines.md for GNU parallel, Slurm and Kubernetes: together they make what one machine makes. */
import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { bundledProgram } from '../support/bundle.ts';
import { blocks, documentText } from '../support/documents.ts';
import { IS_FULL_RUN } from '../support/law-runs.ts';
import { demoBytes, temporaryFolder } from '../support/make/demo-files.ts';
import { resultsIn } from './batch-files.ts';

const at = temporaryFolder();
const page = documentText('docs/batch-machines.md');
const HAS_PARALLEL = spawnSync('parallel', ['--version']).status === 0;
const NODE = `exec node ${await bundledProgram('anyrig')}`;
const MERGE = 'anyrig batch merge -o out';
const MINUTES = 5 * 60_000;

/** Programs that the lines call: anyrig, and what starts it on a machine. */
const PROGRAMS = {
  anyrig: `${NODE} "$@"`,
  npx: `[ "$1 $2" = "-y anyrig" ] || exit 9; shift 2; ${NODE} "$@"`,
  srun: 'exec "$@"',
};

/** Returns the line of the page that starts with a command. */
function lineOf(command: string): string {
  const lines = blocks(page, 'sh').flatMap((block) => block.split('\n'));
  const line = lines.find((one) => one.startsWith(`${command} `));
  if (line === undefined) throw new Error(`docs/batch-machines.md has no line for ${command}`);
  return line;
}

/** Runs a line in a folder of its own with the same library. */
function run(folder: string, line: string, env: Record<string, string> = {}): SpawnSyncReturns<string> {
  mkdirSync(at(folder, 'motions'), { recursive: true });
  mkdirSync(at(folder, 'characters'), { recursive: true });
  for (const name of ['turn.bvh', 'wave.vrma']) writeFileSync(at(folder, 'motions', name), demoBytes(name));
  for (const name of ['giant.glb', 'chibi.vrm']) writeFileSync(at(folder, 'characters', name), demoBytes(name));
  const path = `${at('bin')}${delimiter}${process.env['PATH']}`;
  return spawnSync('sh', ['-c', line], {
    cwd: at(folder),
    env: { ...process.env, ...env, PATH: path },
    encoding: 'utf8',
  });
}

describe.skipIf(!IS_FULL_RUN)('docs/batch-machines.md', () => {
  beforeAll(() => {
    mkdirSync(at('bin'));
    for (const [name, script] of Object.entries(PROGRAMS)) {
      writeFileSync(at('bin', name), `#!/bin/sh\n${script}\n`);
      chmodSync(at('bin', name), 0o755);
    }
    const { status, stderr } = run('one', 'anyrig batch motions --onto characters -o out --jobs 1');
    expect(status, stderr).toBe(0);
  }, MINUTES);

  function expectSame(folder: string): void {
    const [own, one] = [resultsIn(at(folder, 'out')), resultsIn(at('one/out'))];
    expect([...own.keys()]).toEqual([...one.keys()]);
    // Both reports are among the files.
    expect([...own].filter(([name, bytes]) => one.get(name)?.equals(bytes) !== true).map(([name]) => name)).toEqual([]);
    expect(readFileSync(at(folder, 'out/report.json'), 'utf8')).toContain('"made"');
  }

  it.skipIf(!HAS_PARALLEL)(
    'GNU parallel makes what one machine makes',
    () => {
      expect(run('parallel', lineOf('parallel')).status).toBe(0);
      expectSame('parallel');
    },
    MINUTES,
  );

  it(
    'a Slurm array makes what one machine makes',
    () => {
      const count = Number(/--array=1-(\d+)/.exec(page)?.[1]);
      for (let k = 1; k <= count; k++) {
        const env = { SLURM_ARRAY_TASK_ID: String(k), SLURM_ARRAY_TASK_COUNT: String(count) };
        expect(run('slurm', lineOf('srun'), env).status).toBe(0);
      }
      expect(run('slurm', MERGE).status).toBe(0);
      expectSame('slurm');
    },
    MINUTES,
  );

  it(
    'an indexed job of Kubernetes makes what one machine makes',
    () => {
      const line = /command: \[sh, -c, '([^']*JOB_COMPLETION_INDEX[^']*)'\]/.exec(page)?.[1] ?? '';
      const count = Number(/completions: (\d+)/.exec(page)?.[1]);
      for (let k = 0; k < count; k++)
        expect(run('kubernetes', line, { JOB_COMPLETION_INDEX: String(k) }).status).toBe(0);
      expect(run('kubernetes', MERGE).status).toBe(0);
      expectSame('kubernetes');
    },
    MINUTES,
  );
});
