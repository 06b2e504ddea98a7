/** Whole batches in object storage, compared with the same batch in a folder. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { planBatch } from '../../../src/batch/plan/plan-batch.ts';
import { type BatchResult, type RunBatchOptions, runBatch } from '../../../src/batch/run/run-batch.ts';
import { demoBytes, temporaryFolder } from '../../support/make/demo-files.ts';
import { skipWaits } from '../../support/make/skip-waits.ts';
import { differentResults, resultsIn } from '../batch-files.ts';
import { poolHere } from '../pool.ts';
import { BUCKET, NO_RETRIES, type S3Server, SECRET, startS3, useS3 } from './s3-server.ts';

// Waits between attempts take seconds.
const restoreWaits = skipWaits();
afterAll(restoreWaits);

const at = temporaryFolder();
const MOTIONS = ['turn.bvh', 'wave.vrma'];
const CHARACTERS = ['giant.glb', 'chibi.vrm'];
const OUT = `s3://${BUCKET}/out`;

describe('a batch in object storage', () => {
  let server: S3Server;
  let restore = (): void => undefined;
  let expected: Map<string, Buffer>;
  const runs = poolHere();

  function planIn(folder: string, motions: readonly string[] = MOTIONS): ReturnType<typeof planBatch> {
    const paths = (names: readonly string[]): string[] => names.map((name) => `${folder}/${name}`);
    return planBatch({ motions: paths(motions), characters: paths(CHARACTERS), options: { contacts: 'off' } });
  }

  beforeAll(async () => {
    server = await startS3();
    restore = useS3(server, NO_RETRIES);
    mkdirSync(at('in'));
    for (const name of [...MOTIONS, ...CHARACTERS]) writeFileSync(at('in', name), demoBytes(name));
    await runBatch(planIn(at('in')), { folder: at('out'), pool: poolHere() });
    expected = resultsIn(at('out'));
  });
  afterEach(() => {
    server.fail = () => null;
    server.objects.clear();
    server.log.length = 0;
  });
  afterAll(async () => {
    restore();
    await server.close();
  });

  function store(key: string, content: Uint8Array | string): void {
    const bytes = Buffer.from(content);
    server.objects.set(key, { bytes, etag: `"${key}-${bytes.length}-${server.log.length}"`, headers: {} });
  }

  async function runThere(
    motions: readonly string[] = MOTIONS,
    more: Partial<RunBatchOptions> = {},
  ): Promise<BatchResult & { ran: string[]; states: string[] }> {
    runs.ran.length = 0;
    server.log.length = 0;
    const result = await runBatch(planIn(`s3://${BUCKET}/in`, motions), { folder: OUT, pool: runs, ...more });
    return { ...result, ran: [...runs.ran], states: result.entries.map(({ state }) => state) };
  }

  function storeInputs(): void {
    for (const name of [...MOTIONS, ...CHARACTERS]) store(`in/${name}`, demoBytes(name));
  }

  function storedResults(): Map<string, Buffer> {
    const keys = [...server.objects.keys()].filter((key) => key.startsWith('out/') && !key.includes('/.'));
    return new Map(keys.map((key) => [key.slice('out/'.length), server.objects.get(key)?.bytes ?? Buffer.from('')]));
  }

  function expectSame(): void {
    expect(differentResults(storedResults(), expected)).toEqual([]);
  }

  it('has the same files as a folder, and makes nothing in a second run', async () => {
    storeInputs();
    const planned = await runThere(MOTIONS, { dryRun: true });
    expect([planned.states, server.log.filter((line) => line.startsWith('PUT'))]).toEqual([Array(4).fill('open'), []]);
    const first = await runThere();
    expect([first.failure, first.states]).toEqual([null, Array(4).fill('made')]);
    expectSame();
    const second = await runThere();
    expect([second.ran, second.states]).toEqual([[], Array(4).fill('kept')]);
    expect(server.log.filter((line) => /^(PUT|DELETE) out\/(?!\.anyrig\/conditional)/.test(line))).toEqual([]);
    expect(second.entries.map(({ result }) => result)).toEqual(first.entries.map(({ result }) => result));
    expect([...server.objects.values()].some(({ bytes }) => bytes.includes(SECRET))).toBe(false);
  });

  it('makes again what was replaced, removed, or has another input, and nothing else', async () => {
    storeInputs();
    await runThere();
    store('out/giant/turn.glb', 'by hand');
    server.objects.delete('out/chibi/wave.vrma');
    expect((await runThere()).ran.sort()).toEqual(['chibi/wave', 'giant/turn']);
    expectSame();
    store('in/turn.bvh', `${Buffer.from(demoBytes('turn.bvh')).toString()}\n`);
    expect((await runThere()).ran.sort()).toEqual(['chibi/turn', 'giant/turn']);
    expect((await runThere()).ran).toEqual([]);
  });

  it('removes with prune unchanged results that the plan lacks, and keeps the rest', async () => {
    storeInputs();
    await runThere();
    store('out/chibi/wave.vrma', 'by hand');
    const { removed } = await runThere(['turn.bvh'], { prune: true });
    expect(removed).toEqual(['giant/wave.glb']);
    expect([...storedResults().keys()].sort()).toEqual(['chibi/turn.vrma', 'chibi/wave.vrma', 'giant/turn.glb']);
    expect([...server.objects.keys()].filter((key) => key.includes('.anyrig/results/'))).toHaveLength(2);
  });

  it('reports inputs that do not exist, and what is missing at a bucket', async () => {
    storeInputs();
    server.objects.delete('in/turn.bvh');
    const { entries } = await runThere();
    expect(entries.map(({ failure }) => failure?.message ?? null)).toEqual([
      's3://library/in/turn.bvh cannot be read; expected a file',
      null,
      's3://library/in/turn.bvh cannot be read; expected a file',
      null,
    ]);
    await expect(runThere(MOTIONS, { folder: 's3://nowhere/out' })).rejects.toThrow(
      /^The bucket nowhere does not exist/,
    );
    await expect(runThere(MOTIONS, { folder: 's3://' })).rejects.toThrow(
      /^s3:\/\/ has no valid bucket; expected a URL/,
    );
  });

  it('stops when the storage is lost while it writes or reads, and the next run completes it', async () => {
    storeInputs();
    server.fail = (method, key) => (method === 'PUT' && key.startsWith('out/chibi') ? 503 : null);
    const writing = await runThere(MOTIONS, { pool: poolHere(1) });
    expect(writing.failure).toMatchObject({ code: 'CANNOT_WRITE', message: expect.stringContaining('status 503') });
    expect(writing.states.filter((state) => state === 'made').length).toBeLessThan(4);
    server.fail = (method, key) => (method === 'GET' && key === 'in/wave.vrma' ? 'cut' : null);
    const reading = await runThere(MOTIONS, { pool: poolHere(1) });
    expect(reading.failure).toMatchObject({ code: 'STORAGE_UNREACHABLE' });
    server.fail = () => null;
    const last = await runThere();
    expect([last.failure, last.states.filter((state) => state === 'failed')]).toEqual([null, []]);
    expectSame();
  });

  it('reads the files that a glTF references, notices when they change, and stops when they cannot be read', async () => {
    storeInputs();
    const { json, bin } = splitGlb(demoBytes('walk.glb'));
    const buffers = [{ uri: 'data/walk.bin', byteLength: bin.length }];
    store('in/walk.gltf', JSON.stringify({ ...json, buffers }));
    store('in/data/walk.bin', bin);
    const first = await runThere(['walk.gltf']);
    expect([first.states, first.entries[0].result?.resources.map(({ path }) => path)]).toEqual([
      ['made', 'made'],
      ['s3://library/in/data/walk.bin'],
    ]);
    expect((await runThere(['walk.gltf'])).ran).toEqual([]);
    store('in/data/walk.bin', Buffer.concat([bin, Buffer.alloc(4)]));
    expect((await runThere(['walk.gltf'], { pool: poolHere() })).states).toEqual(['made', 'made']);
    store('in/data/walk.bin', bin);
    server.fail = (method, key) => (method === 'GET' && key.endsWith('.bin') ? 'cut' : null);
    const lost = await runThere(['walk.gltf'], { pool: poolHere(1) });
    expect(lost.failure?.code).toBe('STORAGE_UNREACHABLE');
  });

  it('reads from storage and writes into a folder', async () => {
    storeInputs();
    const { states } = await runThere(MOTIONS, { folder: at('mixed') });
    expect(states).toEqual(Array(4).fill('made'));
    expect(differentResults(resultsIn(at('mixed')), expected)).toEqual([]);
  });
});

/** Splits a GLB into its JSON and its binary chunk. */
function splitGlb(bytes: Uint8Array): { json: Record<string, unknown>; bin: Buffer } {
  const glb = Buffer.from(bytes);
  const length = glb.readUInt32LE(12);
  const json = JSON.parse(glb.toString('utf8', 20, 20 + length)) as Record<string, unknown>;
  return { json, bin: glb.subarray(20 + length + 8) };
}
