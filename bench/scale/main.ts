/**
 * `npm run bench:scale [-- --only TEXT] [--part N] [--json FILE]`: how time and memory grow with the size of a file. Every file is made and measured in processes of
 * its own. A row has files of a 32nd, a 16th, an eighth, a quarter, half and the whole of a size (`--part 10` takes a tenth of all sizes); its exponents are the slopes of
 * processor time over size, both logarithmic: 1 is linear. The files of a row are measured in rounds; the least time of every job counts.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { slopeOf } from './exponent.ts';
import type { Dimension, ScaleFormat } from './make-file.ts';
import type { FileCost } from './measure-file.ts';

/** Size of the largest file of every row, in keys, joints, clips or vertices. */
const ROWS: readonly [ScaleFormat, Dimension, count: number][] = [
  ['glb', 'keys', 1_000_000],
  ['glb', 'joints', 5000],
  ['glb', 'clips', 500],
  ['glb', 'vertices', 7_000_000],
  ['fbx', 'keys', 14_000_000],
  ['bvh', 'keys', 4_000_000],
  ['bvh', 'joints', 5000],
  ['usda', 'keys', 1_000_000],
  ['usda', 'joints', 5000],
  ['usda', 'vertices', 700_000],
  ['usdc', 'keys', 2_000_000],
  ['usdc', 'joints', 5000],
  ['usdc', 'vertices', 4_000_000],
];
/** Parts of the whole size that a row measures. */
const PARTS = [1 / 32, 1 / 16, 1 / 8, 1 / 4, 1 / 2, 1];
const JOBS = ['open', 'save', 'retarget', 'contacts'] as const;
const GREATEST_EXPONENT = 1.05;
/** Memory relative to the size of the file, above a constant that small files also need. */
const GREATEST_MEMORY = 3;
const LEAST_MEMORY = 100e6;
/** Rounds over the files of a row: a machine is slower in some minutes than in others, which should not fall on one size. */
const ROUNDS = 3;
/** Milliseconds below which times are mostly constant costs and noise, and say nothing of growth. */
const MEASURABLE = 20;
/** Fewest files with such times for an exponent. */
const FEWEST_FILES = 3;

/** A row of the report. */
interface ScaleRow {
  readonly name: string;
  readonly files: readonly FileCost[];
  /** Exponent per job; null where the job is too fast to tell. */
  readonly exponents: Readonly<Record<(typeof JOBS)[number], number | null>>;
  /** Peak memory of the largest file relative to its size. */
  readonly memory: number;
  readonly isMet: boolean;
}

/** Large blocks of memory come from the system for files of all sizes: by default glibc keeps blocks below 32 MB, which makes small files faster. */
const env = { ...process.env, MALLOC_MMAP_THRESHOLD_: '65536' };
const folder = mkdtempSync(join(tmpdir(), 'anyrig-scale-'));

function run(script: string, args: readonly string[]): string {
  const path = fileURLToPath(new URL(script, import.meta.url));
  const node = ['--expose-gc', '--max-old-space-size=12000', ...process.execArgv, path, ...args];
  const { status, stdout, stderr } = spawnSync(process.execPath, node, { env, encoding: 'utf8', maxBuffer: 2 ** 26 });
  if (status !== 0) throw new Error(`${script} ${args.join(' ')} ended with ${status}: ${stderr}`);
  return stdout;
}

/** Merges two measures of a file: the least time of every job, and the most memory. */
function leastCost(a: FileCost, b: FileCost): FileCost {
  const least = (job: (typeof JOBS)[number]): number => Math.min(a[job], b[job]);
  return {
    bytes: a.bytes,
    open: least('open'),
    save: least('save'),
    retarget: least('retarget'),
    contacts: least('contacts'),
    peak: Math.max(a.peak, b.peak),
  };
}

function measureRow(format: ScaleFormat, dimension: Dimension, most: number): ScaleRow {
  const counts = PARTS.map((part) => Math.round(most * part));
  const paths = counts.map((count) => join(folder, `${dimension}-${count}.${format}`));
  for (const [k, path] of paths.entries()) run('./write-file.ts', [format, dimension, String(counts[k]), path]);
  const measureAll = (): FileCost[] => paths.map((path) => JSON.parse(run('./measure-file.ts', [path])));
  const rounds = Array.from({ length: ROUNDS }, measureAll);
  const files = rounds.reduce((least, again) => least.map((cost, k) => leastCost(cost, again[k])));
  for (const path of paths) rmSync(path);
  const largest = files[files.length - 1];
  const exponent = (job: (typeof JOBS)[number]): number | null => {
    const measured = files.flatMap((cost, k) =>
      cost[job] < MEASURABLE ? [] : [{ count: counts[k], time: cost[job] }],
    );
    if (measured.length < FEWEST_FILES) return null;
    return slopeOf(
      measured.map(({ count }) => Math.log(count)),
      measured.map(({ time }) => Math.log(time)),
    );
  };
  const exponents = {
    open: exponent('open'),
    save: exponent('save'),
    retarget: exponent('retarget'),
    contacts: exponent('contacts'),
  };
  const memory = Math.max(0, largest.peak - LEAST_MEMORY) / largest.bytes;
  const isMet =
    memory <= GREATEST_MEMORY && Object.values(exponents).every((one) => one === null || one <= GREATEST_EXPONENT);
  return { name: `${format} ${dimension} (${most})`, files, exponents, memory, isMet };
}

function printRow({ name, files, exponents, memory, isMet }: ScaleRow): string {
  const largest = files[files.length - 1];
  const jobs = JOBS.map((job) => {
    const time = `${(largest[job] / 1000).toPrecision(3)} s`;
    return `${job} ${time.padStart(7)} ^${exponents[job]?.toFixed(2) ?? '–'}`;
  });
  const size = `${(largest.bytes / 1e6).toFixed(0)} MB`;
  return `${name.padEnd(26)} ${size.padStart(7)}  ${jobs.join('  ')}  memory ${memory.toFixed(1)}×  ${isMet ? 'met' : 'MISSED'}`;
}

const { values } = parseArgs({
  options: { only: { type: 'string' }, part: { type: 'string', default: '1' }, json: { type: 'string' } },
});
const divisor = Number(values.part);
if (!(divisor >= 1)) throw new RangeError(`--part is ${values.part}, but must be a number of 1 or more.`);

const rows: ScaleRow[] = [];
try {
  for (const [format, dimension, most] of ROWS) {
    if (values.only !== undefined && !`${format} ${dimension}`.includes(values.only)) continue;
    const row = measureRow(format, dimension, Math.round(most / divisor));
    console.log(printRow(row));
    rows.push(row);
  }
} finally {
  rmSync(folder, { recursive: true });
}
if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(rows, null, 2)}\n`);
if (!rows.every(({ isMet }) => isMet)) process.exitCode = 1;
