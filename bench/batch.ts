/**
 * `anyrig batch` on the library of batch-library.ts: 2,000 pairs of small files. A run is a process; the files of both runs with worker threads are compared.
 * Memory is measured over 10,000 pairs of the demo in one process.
 */
import { execFile, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { BatchResult } from '../src/batch/index.ts';
import { CHARACTERS, fillFolder, MOTIONS, makeLibrary, writeDemo } from './batch-library.ts';
import { median, type Row } from './measure.ts';

const CLI = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));
/** One-shot commands that stand for the shell loop. */
const SAMPLE = 12;

/** Runs the command line; returns its seconds. */
function runCli(args: readonly string[]): number {
  const start = performance.now();
  const { status, stderr } = spawnSync(process.execPath, [CLI, ...args], { encoding: 'utf8', maxBuffer: 2 ** 28 });
  if (status !== 0) throw new Error(`anyrig ${args.slice(0, 4).join(' ')} ended with ${status}: ${stderr}`);
  return (performance.now() - start) / 1000;
}

function row(name: string, unit: Row['unit'], value: number, against: [string, number], goal: Row['goal']): Row {
  const ratio = goal?.kind === 'cost' ? value / against[1] : against[1] / value;
  const rounds = [{ value, against: against[1], ratio }];
  return { name, value, unit, against: against[0], againstValue: against[1], ratio, goal, runs: 1, rounds };
}

/** Compares the results of two output folders byte by byte. */
function checkSame(a: string, b: string): void {
  const namesIn = (folder: string): string[] =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => /^[^.].*\.(glb|vrma)$/.test(name))
      .sort();
  const names = namesIn(a);
  if (names.length < MOTIONS * CHARACTERS || names.join() !== namesIn(b).join()) throw new Error('The folders differ.');
  for (const name of names)
    if (!readFileSync(join(a, name)).equals(readFileSync(join(b, name)))) throw new Error(`${name} differs.`);
}

/** Resident memory of a batch over 10,000 pairs: after a tenth of them, and at the end. */
async function memoryOf(folder: string): Promise<[early: number, late: number]> {
  const demo = writeDemo(join(folder, 'demo'));
  fillFolder(join(folder, 'many'), [join(folder, 'demo', 'turn.bvh')], 2000);
  fillFolder(join(folder, 'five'), demo.characters.slice(0, 5), 5);
  const out = join(folder, 'out-many');
  const args = [join(folder, 'many'), '--onto', join(folder, 'five'), '-o', out, '--jobs', '2', '--contacts', 'off'];
  const child = spawn(process.execPath, [CLI, 'batch', ...args], { stdio: 'ignore' });
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  const samples: [done: number, bytes: number][] = [];
  const timer = setInterval(() => {
    try {
      const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
      const done = readdirSync(out, { recursive: true }).length;
      samples.push([done, 1024 * Number(/VmRSS:\s+(\d+)/.exec(status)?.[1])]);
    } catch {
      // The process has not started, or has ended.
    }
  }, 100);
  const code = await ended;
  clearInterval(timer);
  if (code !== 0) throw new Error(`The batch of 10,000 pairs ended with ${code}.`);
  const early = samples.filter(([done]) => done >= 900 && done <= 1100).map(([, bytes]) => bytes);
  const late = samples.slice(-Math.max(3, Math.ceil(samples.length / 50))).map(([, bytes]) => bytes);
  return [median(early), median(late)];
}

/** Median time between the results of one worker thread over all pairs, milliseconds. Before, it has made every fourth motion for all characters. */
async function warmPair(motions: string, characters: string, out: string): Promise<number> {
  const built = new URL('../dist/batch/index.js', import.meta.url).href;
  const { createWorkerPool, planBatch, runBatch } = (await import(built)) as typeof import('../src/batch/index.ts');
  const paths = (folder: string): string[] => readdirSync(folder).map((name) => join(folder, name));
  const pool = await createWorkerPool({ jobs: 1 });
  const ends: number[] = [];
  const run = (name: string, some: readonly string[]): Promise<BatchResult> =>
    runBatch(planBatch({ motions: some, characters: paths(characters) }), {
      folder: join(out, name),
      pool,
      onEvent: ({ type }) => {
        if (type === 'ended') ends.push(performance.now());
      },
    });
  try {
    const all = paths(motions);
    await run(
      'before',
      all.filter((_, k) => k % 4 === 0),
    );
    ends.length = 0;
    await run('warm', all);
  } finally {
    await pool.close();
  }
  return median(ends.slice(1).map((end, k) => end - ends[k]));
}

/** Times two processes side by side that do half of the motions each, with one worker: what two workers can gain on this machine. Seconds. */
async function halvesSideBySide(motions: string, characters: string, out: string): Promise<number> {
  const run = promisify(execFile);
  const paths = readdirSync(motions).map((name) => join(motions, name));
  const start = performance.now();
  await Promise.all(
    [0, 1].map((half) => {
      const own = paths.filter((_, k) => k % 2 === half);
      const args = ['batch', ...own, '--onto', characters, '-o', `${out}-${half}`, '--jobs', '1'];
      return run(process.execPath, [CLI, ...args], { maxBuffer: 2 ** 28 });
    }),
  );
  return (performance.now() - start) / 1000;
}

/** Measures batches. */
export async function batch(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'anyrig-bench-'));
  try {
    const { motions, characters } = await makeLibrary(folder);
    const run = (jobs: number): number =>
      runCli(['batch', motions, '--onto', characters, '-o', join(folder, `out-${jobs}`), '--jobs', String(jobs)]);
    const [two, one] = [run(2), run(1)];
    checkSame(join(folder, 'out-1'), join(folder, 'out-2'));
    const pairs = MOTIONS * CHARACTERS;
    const files = readdirSync(motions).slice(0, SAMPLE);
    const targets = readdirSync(characters).filter((name) => name.endsWith('.glb'));
    const shots = files.map((name, k) =>
      runCli([
        'retarget',
        join(motions, name),
        join(characters, targets[k % targets.length]),
        '-o',
        join(folder, 'o.glb'),
        '--force',
      ]),
    );
    const loop = (1000 * shots.reduce((a, b) => a + b)) / shots.length;
    const perPair = (1000 * two) / pairs;
    const warm = await warmPair(motions, characters, join(folder, 'out-warm'));
    const halves = await halvesSideBySide(motions, characters, join(folder, 'out-half'));
    const rows = [
      row('batch, warm pair, 1 worker', 'ms', warm, ['limit', 8], { kind: 'cost', limit: 1 }),
      row('batch, 2 processes of 1 worker', 'ms', 1000 * halves, ['1 worker', 1000 * one], null),
      row('batch, 2 workers', 'ms', 1000 * two, ['1 worker', 1000 * one], { kind: 'speedup', limit: 1.8 }),
      row('batch, per pair', 'ms', perPair, ['one command per pair', loop], { kind: 'speedup', limit: 20 }),
    ];
    const [early, late] = process.platform === 'linux' ? await memoryOf(folder) : [0, 0];
    if (early === 0) return rows;
    return [
      ...rows,
      row('batch, memory at the end', 'bytes', late, ['after a tenth', early], { kind: 'cost', limit: 1.1 }),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
