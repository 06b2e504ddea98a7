import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { afterEach, describe, expect, it } from 'vitest';
import { runStudio, type StudioJob } from '../../../src/cli/commands/studio.ts';
import { UsageError } from '../../../src/cli/errors/cli-errors.ts';
import { writePage } from '../../studio-server/page.ts';
import { IS_FULL_RUN } from '../../support/law-runs.ts';
import { demoBytes, temporaryFolder, writeDemo } from '../../support/make/demo-files.ts';
import { recordIo, runHere } from '../run-here.ts';

const at = temporaryFolder();
const JOB: StudioJob = { page: writePage(at('page')), args: [], input: {}, port: 0, opens: false, isJson: false };

const running: ChildProcess[] = [];
afterEach(() => {
  for (const child of running.splice(0)) child.kill('SIGKILL');
});

/** Runs the command in a process of its own, with a page of the tests. */
function start(job: Partial<StudioJob>): ChildProcess {
  const code = `
    const { runStudio } = await import('./src/cli/commands/studio.ts');
    const { processIo } = await import('./src/cli/io.ts');
    process.exitCode = await runStudio(${JSON.stringify({ ...JOB, ...job })}, processIo());
  `;
  const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', code], {
    env: { ...process.env, NO_COLOR: '1' },
  });
  running.push(child);
  return child;
}

/** Reads the first lines that a process prints. */
async function lines(child: ChildProcess, count: number): Promise<string[]> {
  const read: string[] = [];
  for await (const line of createInterface({ input: child.stdout as NodeJS.ReadableStream })) {
    read.push(line);
    if (read.length === count) break;
  }
  return read;
}

/** Expects that a signal ends a process at once, although a connection is open. */
async function expectEnd(child: ChildProcess, signal: 'SIGINT' | 'SIGTERM'): Promise<void> {
  const ended = once(child, 'close');
  child.kill(signal);
  expect(await ended).toEqual([0, null]);
}

describe('anyrig studio', () => {
  it('prints its address and files, takes a free port when the usual one is in use, and ends with 0 on SIGINT', async () => {
    const other = createServer().on('error', () => {});
    // An error means that another program uses the port already.
    await new Promise((resolve) => other.once('error', resolve).listen(4747, '127.0.0.1', () => resolve(null)));
    writeDemo(at, 'walk.glb');
    const child = start({ args: [at('*.glb')], port: null });
    const [first, second, third] = await lines(child, 3);
    other.close();
    const url = /^Studio: (http:\/\/127\.0\.0\.1:\d+\/[\w-]{22}\/)$/.exec(first)?.[1] as string;
    expect(new URL(url).port).not.toBe('4747');
    expect([second, third]).toEqual(['  walk.glb', 'Ctrl+C ends it.']);
    const page = await (await fetch(url)).text();
    expect(page).toContain('[{"name":"walk.glb","url":"files/0/walk.glb","resources":[]}]');
    await expectEnd(child, 'SIGINT');
  });

  it.runIf(IS_FULL_RUN)(
    'prints one line of JSON with --json, with addresses that answer, and ends with 0 on SIGTERM',
    async () => {
      const child = start({ args: [writeDemo(at, 'turn.bvh')], isJson: true });
      const [line] = await lines(child, 1);
      const { ok, url, files } = JSON.parse(line) as { ok: boolean; url: string; files: { url: string }[] };
      expect([ok, files]).toEqual([true, [{ name: 'turn.bvh', url: 'files/0/turn.bvh', resources: [] }]]);
      const response = await fetch(new URL(files[0].url, url));
      expect(new Uint8Array(await response.arrayBuffer())).toEqual(new Uint8Array(demoBytes('turn.bvh')));
      await expectEnd(child, 'SIGTERM');
    },
  );

  it('throws a UsageError that names npm run build when the page was not built', async () => {
    const { io } = recordIo();
    await expect(runStudio({ ...JOB, page: at('nothing') }, io)).rejects.toThrow(UsageError);
    await expect(runStudio({ ...JOB, page: at('nothing') }, io)).rejects.toThrow('Run "npm run build"');
  });

  it('refuses a file that does not exist, with its path', async () => {
    const { io } = recordIo();
    writeFileSync(at('list.txt'), at('absent.fbx'));
    const failed = runStudio({ ...JOB, args: [writeDemo(at, 'walk.glb'), `@${at('list.txt')}`] }, io);
    await expect(failed).rejects.toMatchObject({ name: 'InputError', file: at('absent.fbx') });
  });

  it('refuses a port in use that was asked for', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as { port: number };
    const failed = runStudio({ ...JOB, port }, recordIo().io);
    await expect(failed).rejects.toThrow(`The port ${port} cannot be used`);
    other.close();
  });

  it.each(['-1', '65536', '80a', ''])('ends with 2 for the port "%s"', async (port) => {
    const { exit, stderr } = await runHere(['studio', `--port=${port}`]);
    expect(exit).toBe(2);
    expect(stderr).toContain('--port');
  });
});
