/** Workers on machines of their own: one is cut off, one is killed, the server restarts. Network namespaces stand for machines, so it needs root. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { planBatch } from '../../../src/batch/plan/plan-batch.ts';
import { createQueuePool } from '../../../src/batch/queue/queue-pool.ts';
import { runBatch } from '../../../src/batch/run/run-batch.ts';
import { bundledProgram } from '../../support/bundle.ts';
import { IS_FULL_RUN } from '../../support/law-runs.ts';
import { temporaryFolder, writeDemo } from '../../support/make/demo-files.ts';
import { HAS_REDIS, startRedis, type TestRedis } from './redis.ts';

const ANYRIG = await bundledProgram('anyrig');
/** Seconds after which a lock ends, and for which one worker is cut off: three locks, and what the others need to end the batch. */
const LOCK = 5;
const CUT = 15;
const MOTIONS = 60;
const BRIDGE = 'anyrig0';
const SERVER = '10.199.77.1';

function ip(...args: string[]): boolean {
  return spawnSync('ip', args).status === 0;
}

/** Creates a network namespace that is connected to the bridge. */
function addMachine(k: number): boolean {
  const [space, outside, inside] = [`anyrig${k}`, `anyrigv${k}`, `anyrigp${k}`];
  return (
    ip('netns', 'add', space) &&
    ip('link', 'add', outside, 'type', 'veth', 'peer', 'name', inside, 'netns', space) &&
    ip('link', 'set', outside, 'master', BRIDGE, 'up') &&
    ip('-n', space, 'addr', 'add', `10.199.77.${10 + k}/24`, 'dev', inside) &&
    ip('-n', space, 'link', 'set', inside, 'up') &&
    ip('-n', space, 'link', 'set', 'lo', 'up')
  );
}

function addNetwork(): boolean {
  if (!IS_FULL_RUN || !HAS_REDIS) return false;
  removeNetwork();
  const isUp = ip('link', 'add', BRIDGE, 'type', 'bridge') && ip('addr', 'add', `${SERVER}/24`, 'dev', BRIDGE);
  return isUp && ip('link', 'set', BRIDGE, 'up') && [1, 2, 3].every(addMachine);
}

function removeNetwork(): void {
  for (const k of [1, 2, 3]) ip('netns', 'del', `anyrig${k}`);
  ip('link', 'del', BRIDGE);
}

describe.skipIf(!IS_FULL_RUN || !HAS_REDIS)('three workers in network namespaces of their own', () => {
  const at = temporaryFolder();
  const workers: ChildProcess[] = [];
  let redis: TestRedis | null = null;
  afterAll(async () => {
    for (const worker of workers) worker.kill('SIGKILL');
    await redis?.kill();
    removeNetwork();
  });

  /** Starts a worker on a machine; it writes its metrics at its end. */
  function startWorker(k: number, url: string): ChildProcess {
    const main = [ANYRIG, 'worker', '--queue', url, '--jobs', '1', '--lock', String(LOCK)];
    const args = [
      'netns',
      'exec',
      `anyrig${k}`,
      process.execPath,
      ...main,
      '--root',
      tmpdir(),
      '--metrics',
      '0.0.0.0:9464',
      '--verbose',
    ];
    const worker = spawn('ip', args, { stdio: ['ignore', 'pipe', 'ignore'] });
    workers.push(worker);
    return worker;
  }

  it('make every result once, although one is cut off, one is killed, and the server restarts', async (context) => {
    if (!addNetwork()) {
      console.log('network namespaces cannot be created here: the test of workers on several machines is skipped.');
      return context.skip();
    }
    mkdirSync(at('redis'));
    redis = await startRedis(at('redis'));
    const url = `redis://${SERVER}:${redis.port}`;
    const motions = Array.from({ length: MOTIONS }, (_, k) => writeDemo(at, 'turn.bvh', `turn${k}.bvh`));
    const plan = planBatch({ motions, characters: [writeDemo(at, 'giant.glb')], options: { contacts: 'off' } });
    const all = [1, 2, 3].map((k) => startWorker(k, url));
    const pool = await createQueuePool({ url, size: 6 });
    const published: string[] = [];
    const lags: number[] = [];
    const readLag = async (k: number): Promise<void> => {
      const signal = AbortSignal.timeout(5000);
      const text = await (await fetch(`http://10.199.77.${10 + k}:9464/metrics`, { signal })).text();
      const lag = /^nodejs_eventloop_lag_max_seconds (\S+)/m.exec(text)?.[1];
      if (lag !== undefined) lags.push(Number(lag));
    };
    const wait = async (count: number): Promise<void> => {
      while (published.length < count) await sleep(50);
    };
    const running = runBatch(plan, {
      folder: at('out'),
      pool,
      onEvent: (event) => {
        if (event.type === 'ended') published.push(event.entry.task.id);
      },
    });
    await wait(10);
    ip('link', 'set', 'anyrigv1', 'down');
    const cut = performance.now();
    await wait(20);
    all[1].kill('SIGKILL');
    await wait(30);
    await redis.kill();
    await sleep(500);
    await redis.start();
    const { entries, failure } = await running;
    await readLag(3);
    await sleep(Math.max(0, 1000 * CUT - (performance.now() - cut)));
    ip('link', 'set', 'anyrigv1', 'up');
    await sleep(3000);
    await readLag(1);
    const stopped = once(all[2], 'exit');
    all[2].kill('SIGTERM');
    expect(await stopped).toEqual([0, null]);
    await pool.close();
    expect([failure, entries.filter(({ state }) => state !== 'made')]).toEqual([null, []]);
    expect([published.length, new Set(published).size]).toEqual([MOTIONS, MOTIONS]);
    const results = readdirSync(at('out/giant'));
    expect(results).toHaveLength(MOTIONS);
    const done = readFileSync(at('out/.anyrig/main.journal.jsonl'), 'utf8').match(/"state":"done"/g);
    expect(done).toHaveLength(MOTIONS);
    expect(lags.length).toBeGreaterThan(0);
    console.log(`longest event-loop delays: ${lags.map((lag) => `${(1000 * lag).toFixed(0)} ms`).join(', ')}`);
    expect(Math.max(...lags)).toBeLessThan(LOCK / 2);
  }, 300_000);
});
