/** Batches whose output folder came from elsewhere, and whose workers lie. */
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { planBatch } from '../../src/batch/plan/plan-batch.ts';
import { type BatchResult, type RunBatchOptions, runBatch } from '../../src/batch/run/run-batch.ts';
import type { MadeResult } from '../../src/batch/run/task-outcome.ts';
import type { TaskRequest } from '../../src/batch/worker/task-request.ts';
import { runHere } from '../cli/run-here.ts';
import { temporaryFolder } from '../support/make/demo-files.ts';
import {
  addToJournal,
  answering,
  EMPTY_REPORT,
  makeResult,
  makeSurroundings,
  SECRET_TEXT,
  type Surroundings,
  sha256,
} from './beside.ts';

const at = temporaryFolder();
let count = 0;

function fresh(): Surroundings {
  return makeSurroundings(at(`world${count++}`));
}

function run({ plan, out }: Surroundings, more: Partial<RunBatchOptions> = {}): Promise<BatchResult> {
  return runBatch(plan, { folder: out, pool: answering(), ...more });
}

const SECRET_FILE = { bytes: SECRET_TEXT.length, sha256: sha256(SECRET_TEXT) };

/** A line that says that a private file is a result of an earlier run. */
function lineWith(path: string, more: object = {}): object {
  const files = [{ path, ...SECRET_FILE }];
  return { state: 'ready', id: 'zz/old', key: 'k1', files, resources: [], report: EMPTY_REPORT, ...more };
}

describe('V1: the result of a worker', () => {
  /** Runs a batch whose worker changes its result of every task. */
  async function runWith(
    world: Surroundings,
    change: (made: MadeResult, request: TaskRequest) => unknown,
  ): Promise<[BatchResult, string[]]> {
    const before = world.beside();
    const result = await run(world, { pool: answering((request) => change(makeResult(request), request)) });
    expect(world.beside()).toEqual(before);
    return [
      result,
      readdirSync(world.out, { recursive: true, encoding: 'utf8' }).filter((name) => !name.startsWith('.anyrig')),
    ];
  }

  const LIES: Record<string, (made: MadeResult, world: Surroundings) => unknown> = {
    'moves a private file into the output folder': (made, { secret }) => ({
      made: { ...made, files: [{ ...made.files[0], ...SECRET_FILE }], temporary: [secret] },
    }),
    'replaces a file beside the output folder': (made) => ({
      made: { ...made, files: [{ ...made.files[0], path: '../bashrc' }] },
    }),
    'replaces a file by an absolute path': (made, { secret }) => ({
      made: { ...made, files: [{ ...made.files[0], path: secret }] },
    }),
    'replaces the journal': (made) => ({
      made: { ...made, files: [{ ...made.files[0], path: '.anyrig/main.journal.jsonl' }] },
    }),
    'replaces the result of another task': (made) => ({
      made: { ...made, files: [{ ...made.files[0], path: 'hero/other.glb' }] },
    }),
    'moves a temporary file by a path with ..': (made) => ({
      made: { ...made, temporary: [join(dirname(made.temporary[0]), 'x/../../../../bashrc')] },
    }),
    'says another size': (made) => ({ made: { ...made, files: [{ ...made.files[0], bytes: 3 }] } }),
    'says another hash': (made) => ({ made: { ...made, files: [{ ...made.files[0], sha256: sha256('') }] } }),
    'has no temporary files': (made) => ({ made: { ...made, temporary: [] } }),
    'has files of another type': (made) => ({ made: { ...made, files: null } }),
    'has no report': (made) => ({ made: { ...made, report: undefined } }),
    'has a report of another shape': (made) => ({ made: { ...made, report: { ...EMPTY_REPORT, issues: 7 } } }),
    'is null': () => null,
    'is text': () => 'made',
    'is a failure of another shape': () => ({ failure: 5 }),
  };

  for (const [what, lie] of Object.entries(LIES)) {
    it(`is refused when it ${what}, and the batch goes on`, async () => {
      const world = fresh();
      const [{ entries, failure }, names] = await runWith(world, (made, { task }) =>
        task.id === 'hero/walk' ? lie(made, world) : { made },
      );
      expect(failure).toBeNull();
      expect(entries.map((entry) => [entry.state, entry.failure?.code ?? null])).toEqual([
        ['failed', 'RESULT_REFUSED'],
        ['made', null],
      ]);
      expect(names.sort()).toEqual(['hero', 'hero/wave.glb']);
      const again = await run(world);
      expect(again.entries.map(({ state }) => state)).toEqual(['made', 'kept']);
    });
  }

  it('is refused when its temporary file is a link to a private file', async () => {
    const world = fresh();
    const [{ entries }, names] = await runWith(world, (made) => {
      const path = `${made.temporary[0]}.link`;
      symlinkSync(world.secret, path);
      return { made: { ...made, files: [{ ...made.files[0], ...SECRET_FILE }], temporary: [path] } };
    });
    expect(entries.map(({ failure }) => failure?.code)).toEqual(['RESULT_REFUSED', 'RESULT_REFUSED']);
    expect(names).toEqual([]);
  });

  it('keeps only known fields, so that nothing else reaches the journal and the report', async () => {
    const world = fresh();
    const deep = JSON.parse(`${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`);
    const [{ entries }] = await runWith(world, (made) => ({
      made: { ...made, deep, report: { ...EMPTY_REPORT, deep } },
    }));
    expect(entries.map(({ state }) => state)).toEqual(['made', 'made']);
    expect(entries[0].result?.report).toEqual(EMPTY_REPORT);
  });

  it('may have several files of its own folder where a format holds one clip, and no folder below it', async () => {
    const world = fresh();
    const plan = planBatch({
      motions: world.plan.tasks.flatMap(({ motions }) => motions),
      characters: [world.plan.tasks[0].character ?? ''],
      format: 'vrma',
    });
    const split = (request: TaskRequest, name: string): unknown => {
      const made = makeResult(request);
      return { made: { ...made, files: [{ ...made.files[0], path: `${request.task.id}/${name}` }] } };
    };
    const names = new Map([
      ['hero/walk', 'a clip.vrma'],
      ['hero/wave', '../x.vrma'],
    ]);
    const pool = answering((request) => split(request, names.get(request.task.id) ?? ''));
    const { entries } = await runBatch(plan, { folder: world.out, pool });
    expect(entries.map(({ state }) => state)).toEqual(['made', 'failed']);
    expect(existsSync(join(world.out, 'hero/walk/a clip.vrma'))).toBe(true);
  });
});

describe('V2: a journal that came from elsewhere', () => {
  const PATHS: readonly ((world: Surroundings) => string)[] = [
    () => '../victim/id_rsa',
    () => '../victim/folder/only.txt',
    () => 'zz/../../victim/id_rsa',
    () => './../victim/id_rsa',
    () => '..\\victim\\id_rsa',
    ({ secret }) => secret,
    () => '..',
    () => '.',
    () => '',
    () => '/',
    () => 'zz//id_rsa',
    () => 'C:id_rsa',
    () => '.anyrig/main.journal.jsonl',
    () => '.ANYRIG/other',
    () => 'nul\0byte',
  ];

  it('removes nothing outside of the output folder with prune', async () => {
    const world = fresh();
    const before = world.beside();
    addToJournal(world.out, ...PATHS.map((path, k) => lineWith(path(world), { id: `zz/${k}` })));
    const { removed } = await run(world, { prune: true });
    expect(removed).toEqual([]);
    expect(world.beside()).toEqual(before);
  });

  it('removes nothing behind a link in the output folder', async () => {
    const world = fresh();
    symlinkSync('../victim', join(world.out, 'zz'));
    const before = world.beside();
    addToJournal(world.out, lineWith('zz/id_rsa'), lineWith('zz/folder/only.txt', { id: 'b' }));
    expect((await run(world, { prune: true })).removed).toEqual([]);
    expect(world.beside()).toEqual(before);
  });

  it('writes nothing behind a link in the output folder, which costs the results there and no others', async () => {
    const world = fresh();
    symlinkSync('../victim', join(world.out, 'hero'));
    const before = world.beside();
    const { entries, failure } = await run(world);
    expect(failure).toBeNull();
    expect(entries.map((entry) => entry.failure?.code)).toEqual(['CANNOT_WRITE', 'CANNOT_WRITE']);
    expect(entries[0].failure?.message).toMatch(/hero is a link or a file; expected a folder/);
    expect(world.beside()).toEqual(before);
  });

  it('still removes what runs have made, and the folders that become empty', async () => {
    const world = fresh();
    await run(world);
    const other = planBatch({ motions: [world.plan.tasks[0].motions[0]], mode: 'extract' });
    const { removed } = await runBatch(other, { folder: world.out, pool: answering(), prune: true });
    expect(removed).toEqual(['hero/walk.glb', 'hero/wave.glb']);
    expect(readdirSync(world.out).sort()).toEqual(['.anyrig', 'walk.glb']);
  });

  it('names files of inputs that are not below the folder of an input, and they are not read', async () => {
    const world = fresh();
    await run(world);
    const path = join(world.out, '.anyrig/main.journal.jsonl');
    const lines = readFileSync(path, 'utf8');
    // A pipe would never end, and so would the run.
    const pipe = '/dev/zero';
    writeFileSync(path, lines.replaceAll('"resources":[]', `"resources":[{"path":"${pipe}","sha256":"0"}]`));
    expect((await run(world)).entries.map(({ state }) => state)).toEqual(['made', 'made']);
  });
});

describe('W7: lines and reports that nothing of ours has written', () => {
  const good = (id: string): object => lineWith(`${id}.glb`, { id });
  const LINES: readonly unknown[] = [
    { ...good('a'), files: null },
    { ...good('a'), files: [{ path: 5, bytes: 1, sha256: '' }] },
    { ...good('a'), files: [null] },
    { ...good('a'), files: [{ path: 'a.glb', bytes: -1, sha256: '' }] },
    { ...good('a'), files: [{ path: 'a.glb', bytes: 0.5, sha256: {} }] },
    { ...good('a'), resources: null },
    { ...good('a'), resources: [{ path: null }] },
    { ...good('a'), report: null },
    { ...good('a'), report: { clips: 5 } },
    { ...good('a'), state: 'gone' },
    { state: 'done', id: 5, key: 'k' },
    { state: 'removed', id: 'a' },
    { id: 'a', key: 'k' },
    null,
    [],
    5,
    '"text"',
    '{"state":"ready"',
    '\u0000',
    '['.repeat(100_000),
    '{"__proto__":{"state":"ready"}}',
  ];

  it('a journal skips lines of another shape as it skips torn ones, and keeps the others', async () => {
    const world = fresh();
    await run(world);
    addToJournal(world.out, ...LINES);
    expect((await run(world)).entries.map(({ state }) => state)).toEqual(['kept', 'kept']);
    expect((await run(world, { prune: true })).failure).toBeNull();
    expect(({} as { state?: string }).state).toBeUndefined();
  });

  it('the result of a task is made again when its line has another shape', async () => {
    for (const [from, to] of [
      ['"resources":[]', '"resources":null'],
      ['"files":[', '"files":[7,'],
      ['"clips":[]', '"clips":7'],
    ]) {
      const world = fresh();
      await run(world);
      const path = join(world.out, '.anyrig/main.journal.jsonl');
      writeFileSync(path, readFileSync(path, 'utf8').replaceAll(from, to));
      const { entries } = await run(world);
      expect(entries.map(({ state }) => state)).toEqual(['made', 'made']);
    }
  });

  const SHARDS: readonly unknown[] = [
    null,
    [],
    5,
    { shard: { index: 1, count: 1 } },
    { anyrig: '1', ok: true, made: 0, failed: 0, shard: { index: 1, count: 1 }, entries: [null] },
    { anyrig: '1', ok: true, made: 0, failed: 0, shard: { index: 1, count: 1 }, entries: [{ id: 'x', files: [] }] },
    { anyrig: '1', ok: true, made: 0, failed: 0, shard: { index: 0, count: 1.5 }, entries: [] },
  ];
  for (const [k, shard] of SHARDS.entries()) {
    it(`batch merge refuses the report ${JSON.stringify(shard).slice(0, 60)} with exit 2`, async () => {
      const folder = at(`merge${k}`);
      mkdirSync(folder);
      writeFileSync(join(folder, 'report-1-of-1.json'), JSON.stringify(shard));
      const { exit, stderr } = await runHere(['batch', 'merge', '-o', folder]);
      expect([exit, stderr]).toEqual([
        2,
        expect.stringMatching(/OPTION_INVALID: .*report-1-of-1\.json is not a report/),
      ]);
    });
  }

  it('batch merge names missing shards of a count without end at once', async () => {
    const report = { anyrig: '1', ok: true, made: 0, failed: 0, entries: [], shard: { index: 1, count: 1e9 } };
    mkdirSync(at('many'));
    writeFileSync(at('many', 'report-1-of-1000000000.json'), JSON.stringify(report));
    const start = performance.now();
    const { exit, stderr } = await runHere(['batch', 'merge', '-o', at('many')]);
    expect([exit, stderr]).toEqual([2, expect.stringMatching(/shards 2\/1000000000, 3\/.* and others are missing/)]);
    expect(performance.now() - start).toBeLessThan(5000);
  });
});

describe('W10: links in the folder for journals', () => {
  it('a link in place of the folder is refused, and nothing behind it is removed', async () => {
    const world = fresh();
    const old = join(world.out, '../victim/temporary/elsewhere-1-0.tmp');
    mkdirSync(dirname(old));
    writeFileSync(old, SECRET_TEXT);
    utimesSync(old, 1, 1);
    symlinkSync('../victim', join(world.out, '.anyrig'));
    const before = world.beside();
    await expect(run(world)).rejects.toThrow(/\.anyrig is a link or a device; expected a folder of anyrig. Remove it/);
    expect(world.beside()).toEqual(before);
  });

  it('a link in place of the folder for temporary files or of the journal is refused too', async () => {
    for (const [name, kind] of [
      ['temporary', 'folder'],
      ['main.journal.jsonl', 'file'],
    ]) {
      const world = fresh();
      mkdirSync(join(world.out, '.anyrig'));
      symlinkSync(kind === 'file' ? world.secret : dirname(world.secret), join(world.out, '.anyrig', name));
      const before = world.beside();
      await expect(run(world)).rejects.toThrow(`expected a ${kind} of anyrig`);
      expect(world.beside()).toEqual(before);
    }
  });

  it('links in place of temporary files and of other journals are left alone', async () => {
    const world = fresh();
    mkdirSync(join(world.out, '.anyrig/temporary'), { recursive: true });
    symlinkSync(world.secret, join(world.out, '.anyrig/temporary/elsewhere-1-0.tmp'));
    symlinkSync('/dev/zero', join(world.out, '.anyrig/other.journal.jsonl'));
    const before = world.beside();
    expect((await run(world)).failure).toBeNull();
    expect(world.beside()).toEqual(before);
  });
});

describe('V3: a name that the system refuses', () => {
  const LONG = 'あ'.repeat(120);

  it('costs its own result and no others, also in the next run', async () => {
    const world = fresh();
    const long = { ...world.plan.tasks[0], id: `hero/${LONG}` };
    const plan = { tasks: [long, ...world.plan.tasks] };
    for (const states of [
      ['failed', 'made', 'made'],
      ['failed', 'kept', 'kept'],
    ]) {
      const { entries, failure } = await runBatch(plan, { folder: world.out, pool: answering() });
      expect([entries.map(({ state }) => state), failure]).toEqual([states, null]);
      expect(entries[0].failure).toMatchObject({
        code: 'CANNOT_WRITE',
        message: expect.stringMatching(/its name is too long \(ENAMETOOLONG\)/),
      });
    }
  });
});

describe('tries that were safe', () => {
  it('5.8: a report that is a link is replaced, and its target stays', async () => {
    const world = fresh();
    symlinkSync(world.secret, join(world.out, 'hero.glb'));
    const plan = planBatch({
      motions: world.plan.tasks[0].motions,
      characters: [world.plan.tasks[0].character ?? ''],
      mode: 'pack',
    });
    const before = world.beside();
    expect((await runBatch(plan, { folder: world.out, pool: answering() })).failure).toBeNull();
    expect(lstatSync(join(world.out, 'hero.glb')).isFile()).toBe(true);
    expect(world.beside()).toEqual(before);
  });
});
