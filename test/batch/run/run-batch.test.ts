import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { planBatch } from '../../../src/batch/plan/plan-batch.ts';
import { openJournal, readJournals } from '../../../src/batch/run/journal.ts';
import { type BatchResult, type RunBatchOptions, runBatch } from '../../../src/batch/run/run-batch.ts';
import { temporaryFolder, writeDemo } from '../../support/make/demo-files.ts';
import { poolHere } from '../pool.ts';

const at = temporaryFolder();
const walk = writeDemo(at, 'walk.glb');
const turn = writeDemo(at, 'turn.bvh');
const giant = writeDemo(at, 'giant.glb');
const chibi = writeDemo(at, 'chibi.vrm');
const options = { contacts: 'off' } as const;
const pool = poolHere();
let folders = 0;

async function runIn(
  folder: string,
  plan = planBatch({ motions: [walk, turn], characters: [giant, chibi], options }),
  more: Partial<RunBatchOptions> = {},
): Promise<BatchResult & { states: Record<string, string>; ran: string[] }> {
  pool.ran.length = 0;
  const result = await runBatch(plan, { folder, pool, ...more });
  return {
    ...result,
    states: Object.fromEntries(result.entries.map(({ task, state }) => [task.id, state])),
    ran: [...pool.ran],
  };
}

/** All files of a folder but its journal, with their content. */
function contentOf(folder: string): Record<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (name) => !name.startsWith('.anyrig'),
  );
  const files = names.filter((name) => statSync(`${folder}/${name}`).isFile());
  return Object.fromEntries(files.sort().map((name) => [name, readFileSync(`${folder}/${name}`, 'base64')]));
}

describe('runBatch', () => {
  const fresh = (): string => at(`out${folders++}`);

  it('ends with the reason of an aborted signal, and a later run goes on where it ended', async () => {
    const out = fresh();
    const controller = new AbortController();
    const onEvent: RunBatchOptions['onEvent'] = ({ type }) => {
      if (type === 'ended') controller.abort(new Error('enough'));
    };
    // One task at a time: the next one runs while a result is published.
    const stopped = runIn(out, undefined, { signal: controller.signal, onEvent, pool: poolHere(1) });
    await expect(stopped).rejects.toThrow('enough');
    const { states } = await runIn(out);
    const counts = ['kept', 'made'].map((state) => Object.values(states).filter((one) => one === state).length);
    expect(counts[0]).toBeGreaterThanOrEqual(1);
    expect(counts[1]).toBeGreaterThanOrEqual(1);
    expect(counts[0] + counts[1]).toBe(4);
  });

  it('makes every pair once, and nothing in a second run', async () => {
    const out = fresh();
    const first = await runIn(out);
    expect(first.states).toEqual({
      'giant/walk': 'made',
      'giant/turn': 'made',
      'chibi/walk': 'made',
      'chibi/turn': 'made',
    });
    const files = contentOf(out);
    expect(Object.keys(files)).toEqual(['chibi/turn.vrma', 'chibi/walk.vrma', 'giant/turn.glb', 'giant/walk.glb']);
    expect(readdirSync(`${out}/.anyrig/temporary`)).toEqual([]);
    const second = await runIn(out);
    expect([second.ran, new Set(Object.values(second.states))]).toEqual([[], new Set(['kept'])]);
    expect(contentOf(out)).toEqual(files);
    expect(second.entries.map(({ result }) => result)).toEqual(first.entries.map(({ result }) => result));
  });

  it('makes again what is missing, what was replaced by another size, and what has other options or inputs', async () => {
    const out = fresh();
    await runIn(out);
    rmSync(`${out}/giant/walk.glb`);
    writeFileSync(`${out}/chibi/turn.vrma`, 'half');
    expect((await runIn(out)).ran.sort()).toEqual(['chibi/turn', 'giant/walk']);
    const faster = planBatch({
      motions: [walk, turn],
      characters: [giant],
      options: { ...options, edits: { speed: 2 } },
    });
    expect((await runIn(out, faster)).ran).toEqual(['giant/walk', 'giant/turn']);
    const other = writeDemo(at, 'turn.bvh', 'other.bvh');
    const plan = planBatch({ motions: [other], characters: [giant], options });
    expect((await runIn(out, plan)).ran).toEqual(['giant/other']);
    writeFileSync(other, `${readFileSync(other, 'utf8')}\n`);
    expect((await runIn(out, plan)).ran).toEqual(['giant/other']);
    expect((await runIn(out, plan)).ran).toEqual([]);
  });

  it('keeps a result whose process was killed after the rename, and not one of the same size from before', async () => {
    const out = fresh();
    const plan = planBatch({ motions: [turn], characters: [giant], options });
    await runIn(out, plan);
    const line = readJournals(out).get('giant/turn')?.results.values().next().value;
    if (line === undefined || line.report === null) throw new Error('the journal has no result');
    rmSync(`${out}/.anyrig/main.journal.jsonl`);
    const journal = openJournal(out, 'main');
    journal.append({ ...line, report: line.report });
    journal.close();
    expect((await runIn(out, plan)).ran).toEqual([]);
    const [{ bytes }] = line.files;
    writeFileSync(`${out}/giant/turn.glb`, new Uint8Array(bytes));
    expect((await runIn(out, plan)).ran).toEqual(['giant/turn']);
  });

  it('lets a file that cannot be read or is not humanoid cost only its own result', async () => {
    const broken = at('broken.bvh');
    writeFileSync(broken, 'HIERARCHY\nROOT');
    const plan = planBatch({ motions: [broken, at('missing.bvh'), turn], characters: [giant], options });
    const { entries, failure } = await runIn(fresh(), plan);
    expect(entries.map(({ state, failure: reason }) => [state, reason?.code ?? null])).toEqual([
      ['failed', expect.stringMatching(/^BVH_/)],
      ['failed', 'FILE_NOT_FOUND'],
      ['made', null],
    ]);
    expect(failure).toBeNull();
  });

  it('stops at the first failure with failFast, and makes nothing in a dry run', async () => {
    const plan = planBatch({ motions: [at('broken.bvh'), turn], characters: [giant], options });
    const out = fresh();
    const dry = await runIn(out, plan, { dryRun: true });
    expect([dry.ran, dry.states, existsSync(out)]).toEqual([
      [],
      { 'giant/broken': 'open', 'giant/turn': 'open' },
      false,
    ]);
    const stopped = await runIn(out, plan, { failFast: true, pool: { ...pool, size: 1 } });
    expect([stopped.states, stopped.failure?.code]).toEqual([
      { 'giant/broken': 'failed', 'giant/turn': 'open' },
      expect.stringMatching(/^BVH_/),
    ]);
  });

  it('keeps a result that is finished when what listens throws at the next start', async () => {
    const out = fresh();
    let starts = 0;
    const onEvent: RunBatchOptions['onEvent'] = ({ type }) => {
      if (type === 'started' && ++starts === 2) throw new Error('it listens no more');
    };
    await expect(runIn(out, undefined, { onEvent, pool: poolHere(1) })).rejects.toThrow('it listens no more');
    expect(Object.keys(contentOf(out))).toHaveLength(1);
    expect((await runIn(out)).ran).toHaveLength(3);
  });

  it('removes results that are not in the plan, but no file that was changed since', async () => {
    const out = fresh();
    await runIn(out);
    writeFileSync(`${out}/chibi/walk.vrma`, 'edited by hand');
    const plan = planBatch({ motions: [turn], characters: [giant], options });
    expect((await runIn(out, plan, { prune: true })).removed.toSorted()).toEqual(['chibi/turn.vrma', 'giant/walk.glb']);
    expect(Object.keys(contentOf(out))).toEqual(['chibi/walk.vrma', 'giant/turn.glb']);
  });

  it('makes the same files in one run and in shards', async () => {
    const { shardTasks } = await import('../../../src/batch/plan/shard-tasks.ts');
    const plan = planBatch({ motions: [walk, turn], characters: [giant, chibi], options });
    const [one, many] = [fresh(), fresh()];
    await runIn(one, plan);
    for (let shard = 1; shard <= 7; shard++) {
      const tasks = shardTasks(plan.tasks, new Map(), shard, 7);
      await runIn(many, plan, { tasks, journal: `shard-${shard}`, pool: poolHere() });
    }
    expect(contentOf(many)).toEqual(contentOf(one));
  });

  it('packs clips, extracts clip libraries, and splits clips of formats that hold one', async () => {
    const out = fresh();
    const pack = planBatch({ motions: [walk, turn, at('broken.bvh')], characters: [giant], mode: 'pack', options });
    const packed = (await runIn(out, pack)).entries[0].result;
    expect(packed?.files.map(({ path }) => path)).toEqual(['giant.glb']);
    expect(packed?.report.clips.map(({ name }) => name)).toEqual(['walk', 'turn']);
    expect(packed?.report.issues.map(({ code }) => code)).toContain('FILE_LEFT_OUT');
    const libraries = await runIn(out, planBatch({ motions: [turn], mode: 'extract' }));
    expect(libraries.entries[0].result?.files.map(({ path }) => path)).toEqual(['turn.glb']);
    const both = planBatch({ motions: [`${out}/giant.glb`], characters: [chibi], options });
    const split = (await runIn(out, both)).entries[0].result;
    expect(split?.files.map(({ path }) => path)).toEqual(['chibi/giant/walk.vrma', 'chibi/giant/turn.vrma']);
  });

  it('reports an output folder that cannot be written', async () => {
    writeFileSync(at('file'), '');
    await expect(runIn(at('file', 'out'))).rejects.toThrow(/cannot be written: a part of its path is a file/);
  });

  it('lets a path that cannot be written cost only its own result', async () => {
    const out = fresh();
    mkdirSync(`${out}/giant/turn.glb`, { recursive: true });
    const { entries, failure } = await runIn(out, planBatch({ motions: [turn, walk], characters: [giant], options }));
    expect(failure).toBeNull();
    expect(entries.map(({ state }) => state)).toEqual(['failed', 'made']);
    expect(entries[0].failure).toMatchObject({
      code: 'CANNOT_WRITE',
      message: expect.stringMatching(/giant\/turn cannot be written/),
    });
  });
});
