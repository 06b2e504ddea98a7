/**
 * Hostile output folders, workers, reports and jobs of a batch. Whatever they say, a run ends as documented, and nothing outside of the output folder is read,
 * written, moved or removed; of what is outside, only inputs are read.
 */
import { mkdirSync, readFileSync, realpathSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { checkJob } from '../../../src/batch/check/check-job.ts';
import { ShapeError } from '../../../src/batch/check/shape.ts';
import { inputsOfTask } from '../../../src/batch/plan/batch-task.ts';
import { mergeReports, readShardReports, reportBatch } from '../../../src/batch/report/batch-report.ts';
import { reportPage } from '../../../src/batch/report/report-page.ts';
import { writeReport } from '../../../src/batch/report/write-report.ts';
import { type BatchResult, runBatch } from '../../../src/batch/run/run-batch.ts';
import type { TaskRequest } from '../../../src/batch/worker/task-request.ts';
import { makeRandom, pick, type Random } from '../../../src/demo/random.ts';
import { OptionError } from '../../../src/files/option-error.ts';
import { OutputError } from '../../../src/files/outputs/output-error.ts';
import {
  answering,
  EMPTY_REPORT,
  makeResult,
  makeSurroundings,
  SECRET_TEXT,
  type Surroundings,
  sha256,
} from '../../security/beside.ts';
import { inProject } from '../../support/documents.ts';
import type { Finding } from '../findings.ts';
import { mutateJson } from '../mutations/mutate-json.ts';
import { watchReads } from './watch-reads.ts';

/** Cases between two looks at the tree: a look costs as much as several cases. */
const CASES_PER_LOOK = 20;

/** What a run of the world needs. */
export interface BatchWorldRun {
  readonly seed: number;
  readonly first: number;
  readonly count: number;
  /** An empty folder. */
  readonly folder: string;
  /** Receives the number of cases that are done. */
  readonly report?: (done: number) => void;
}

interface World extends Surroundings {
  readonly root: string;
  /** The journal of a run that went well, and the reports of its two shards. */
  readonly journal: string;
  readonly shards: readonly string[];
}

async function makeWorld(folder: string): Promise<World> {
  const root = realpathSync(folder);
  const around = makeSurroundings(root);
  const { entries } = await runBatch(around.plan, { folder: around.out, pool: answering() });
  const shards = entries.map((entry, k) => JSON.stringify(reportBatch([entry], { index: k + 1, count: 2 })));
  return { ...around, root, journal: readFileSync(join(around.out, '.anyrig/main.journal.jsonl'), 'utf8'), shards };
}

/** Paths that lead out of a folder, or to what is not there to be written. */
function hostilePath(random: Random, { root, secret }: World): string {
  const target = pick(random, ['victim/id_rsa', 'victim/folder/only.txt', 'bashrc', 'inputs/walk.bvh', 'victim', '']);
  return pick(random, [
    `../${target}`,
    `hero/../../${target}`,
    `hero/./../../${target}`,
    `..\\${target.replaceAll('/', '\\')}`,
    `${join(root, target)}`,
    `/${target}`,
    `./../${target}`,
    `hero//../../${target}`,
    `..//${target}`,
    `${'hero/'.repeat(40)}${'../'.repeat(41)}${target}`,
    '..',
    '.',
    '',
    '/dev/zero',
    '/proc/self/environ',
    'hero',
    'hero/walk.glb',
    'hero/wave.glb/x',
    '.anyrig/main.journal.jsonl',
    '.anyrig/temporary',
    '.ANYRIG/x',
    `${'あ'.repeat(120)}.glb`,
    `${'x'.repeat(5000)}`,
    'a\0b',
    'a\nb',
    '\u202eblg.exe',
    'CON',
    'C:\\x',
    '\\\\server\\share',
    '__proto__',
    's3://bucket/key',
    `file://${secret}`,
  ]);
}

/** Replaces some of the texts of a JSON value by hostile paths, and some sizes and hashes by those of a private file. */
function withPaths(random: Random, world: World, value: unknown): unknown {
  if (typeof value === 'string') {
    if (/^[0-9a-f]{64}$/.test(value)) return random() < 0.3 ? sha256(SECRET_TEXT) : value;
    return random() < 0.15 ? hostilePath(random, world) : value;
  }
  if (typeof value === 'number') return random() < 0.2 ? SECRET_TEXT.length : value;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((one) => withPaths(random, world, one));
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, withPaths(random, world, one)]));
}

/** Makes a hostile variant of a JSON value. */
function hostile(random: Random, world: World, value: unknown): unknown {
  const copy = structuredClone(random() < 0.7 ? withPaths(random, world, value) : value);
  if (typeof copy === 'object' && copy !== null && random() < 0.6)
    for (let k = 0; k < 1 + random() * 2; k++) mutateJson(random, copy as Record<string, unknown>);
  return random() < 0.02 ? pick(random, [null, [], 5, 'text', true]) : copy;
}

/** A line that says that a private file is a result. */
function forgedLine(random: Random, world: World): object {
  const path = hostilePath(random, world);
  const resource = { path: pick(random, [world.secret, '/dev/zero', 's3://bucket/key']), sha256: sha256(SECRET_TEXT) };
  const files = [{ path, bytes: SECRET_TEXT.length, sha256: sha256(SECRET_TEXT) }];
  const key = pick(
    random,
    ['k', ...world.journal.matchAll(/"key":"(\w+)"/g)].map((found) => String(found[1] ?? found)),
  );
  const id = pick(random, ['hero/walk', 'hero/wave', 'zz/old', path]);
  return { state: 'ready', id, key, files, resources: random() < 0.3 ? [resource] : [], report: EMPTY_REPORT };
}

function hostileJournal(random: Random, world: World): string {
  const lines = world.journal.split('\n').filter((line) => line !== '');
  const texts = lines.map((line) => (random() < 0.6 ? JSON.stringify(hostile(random, world, JSON.parse(line))) : line));
  for (let k = Math.floor(random() * 4); k > 0; k--)
    texts.splice(Math.floor(random() * texts.length), 0, JSON.stringify(forgedLine(random, world)));
  const text = texts.join('\n');
  if (random() < 0.15) return text.slice(0, Math.floor(random() * text.length));
  if (random() < 0.1)
    return `${text}\n${pick(random, ['\0', '{', '['.repeat(5000), '{"__proto__":1}', '"', '\ufeff{}'])}\n`;
  return `${text}\n`;
}

/** Fills an output folder with what came from elsewhere: journals, links, old temporary files. */
function fillOutput(random: Random, world: World): void {
  const { out, secret } = world;
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out);
  const link = (target: string, path: string): void => {
    mkdirSync(dirname(join(out, path)), { recursive: true });
    symlinkSync(target, join(out, path));
  };
  const victim = dirname(secret);
  if (random() < 0.04) {
    link(victim, '.anyrig');
    return;
  }
  mkdirSync(join(out, '.anyrig'));
  if (random() < 0.08) link(victim, 'hero');
  else if (random() < 0.5) {
    mkdirSync(join(out, 'hero'));
    for (const name of ['walk', 'wave'])
      if (random() < 0.7) writeFileSync(join(out, `hero/${name}.glb`), `hero/${name}`);
    if (random() < 0.1) link(secret, 'hero/other.glb');
  }
  if (random() < 0.1) link(victim, 'zz');
  if (random() < 0.04) link(victim, '.anyrig/temporary');
  else if (random() < 0.3) {
    const old = join(out, '.anyrig/temporary/elsewhere-1-0.tmp');
    mkdirSync(dirname(old));
    writeFileSync(old, '');
    utimesSync(old, 1, 1);
    if (random() < 0.3) symlinkSync(secret, join(dirname(old), 'elsewhere-2-0.tmp'));
  }
  if (random() < 0.04) link(secret, '.anyrig/main.journal.jsonl');
  else writeFileSync(join(out, '.anyrig/main.journal.jsonl'), hostileJournal(random, world));
  if (random() < 0.1) link(secret, '.anyrig/other.journal.jsonl');
}

function hostileAnswer(random: Random, world: World, request: TaskRequest): unknown {
  const made = makeResult(request);
  if (random() < 0.5) return { made };
  return hostile(
    random,
    world,
    random() < 0.9 ? { made } : { failure: { code: 'X', message: 'y', isTemporary: true } },
  );
}

/** A case with a whole run. Throws what the run throws. */
async function runCase(random: Random, world: World): Promise<void> {
  fillOutput(random, world);
  const pool = answering((request) => hostileAnswer(random, world, request));
  const result: BatchResult = await runBatch(world.plan, { folder: world.out, pool, prune: random() < 0.7 });
  reportPage(reportBatch(result.entries));
}

/** A case with reports of shards. */
async function mergeCase(random: Random, world: World): Promise<void> {
  rmSync(world.out, { recursive: true, force: true });
  mkdirSync(world.out);
  for (const [k, shard] of world.shards.entries()) {
    const path = join(world.out, `report-${k + 1}-of-2.json`);
    const text = JSON.stringify(hostile(random, world, JSON.parse(shard)));
    writeFileSync(path, random() < 0.1 ? text.slice(0, Math.floor(random() * text.length)) : text);
  }
  const { reports } = await readShardReports([world.out]);
  await writeReport(world.out, mergeReports(reports));
}

/** A case with a job: one that is taken has no path outside of the roots. */
function jobCase(random: Random, world: World): void {
  const { plan, out, root } = world;
  const destination = { type: 'folder', temporaryFolder: join(out, '.anyrig/temporary'), prefix: `job_${sha256('')}` };
  const job = { task: pick(random, plan.tasks), hashes: {}, destination, memoryLimit: 1e9 };
  const roots = [join(root, 'inputs'), out];
  const taken = checkJob(hostile(random, world, job), { roots, memoryLimit: 5e8 });
  const to = taken.destination.type === 'folder' ? taken.destination.temporaryFolder : taken.destination.url;
  for (const path of [...inputsOfTask(taken.task), to])
    if (!roots.some((one) => join(root, path.slice(root.length)).startsWith(`${one}/`)) || path.includes('..'))
      throw new Error(`a job is taken with the path ${path}`);
  if (!(taken.memoryLimit <= 5e8)) throw new Error(`a job is taken with the limit ${taken.memoryLimit}`);
}

function isDocumented(error: unknown): boolean {
  return error instanceof OutputError || error instanceof OptionError || error instanceof ShapeError;
}

/** Runs a case; returns what is wrong with how it ended. */
async function faultOf(random: Random, world: World): Promise<string | null> {
  const way = random();
  try {
    if (way < 0.6) await runCase(random, world);
    else if (way < 0.8) await mergeCase(random, world);
    else jobCase(random, world);
    return null;
  } catch (error) {
    if (isDocumented(error)) return null;
    return error instanceof Error ? (error.stack ?? error.message).split('\n').slice(0, 3).join(' ') : String(error);
  }
}

/**
 * Runs cases of the world.
 *
 * @param run Seed, number of the first case, number of cases, and a folder.
 * @returns The faults.
 */
export async function runBatchWorld({ seed, first, count, folder, report }: BatchWorldRun): Promise<Finding[]> {
  const world = await makeWorld(folder);
  const findings: Finding[] = [];
  const add = (index: number, message: string): void => void findings.push({ index, fault: { job: 'batch', message } });
  const before = world.beside().join('\n');
  const reads = watchReads();
  // The version of anyrig is in its package.json.
  const isAllowed = (path: string): boolean =>
    path === inProject('package.json') ||
    path === world.out ||
    path.startsWith(`${world.out}/`) ||
    path.startsWith(`${join(world.root, 'inputs')}/`);
  try {
    for (let index = first; index < first + count; index++) {
      const random = makeRandom((seed ^ Math.imul(index + 1, 0x9e3779b1)) | 0);
      reads.take();
      const fault = await faultOf(random, world);
      if (fault !== null) add(index, fault);
      for (const path of reads.take().filter((one) => !isAllowed(one))) add(index, `${path} was read`);
      const isLook = (index - first) % CASES_PER_LOOK === CASES_PER_LOOK - 1 || index === first + count - 1;
      if (isLook && world.beside().join('\n') !== before) {
        add(index, `one of the last ${CASES_PER_LOOK} cases changed what is beside the output folder`);
        break;
      }
      report?.(index - first + 1);
    }
  } finally {
    reads.stop();
  }
  return findings;
}
