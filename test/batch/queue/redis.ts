/** A Redis server for tests, with an append-only file. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Whether redis-server is installed. */
export const HAS_REDIS: boolean = spawnSync('redis-server', ['--version']).status === 0;

/** A server that can be killed and started again. */
export interface TestRedis {
  readonly port: number;
  readonly start: () => Promise<void>;
  readonly kill: () => Promise<void>;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0);
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** Starts a server whose files are in a folder. It listens on all addresses, without a password. */
export async function startRedis(folder: string): Promise<TestRedis> {
  const port = await freePort();
  let child: ChildProcess | null = null;
  const start = async (): Promise<void> => {
    const flags = [
      '--port',
      String(port),
      '--dir',
      folder,
      '--appendonly',
      'yes',
      '--save',
      '',
      '--protected-mode',
      'no',
      '--bind',
      '0.0.0.0',
    ];
    const started = spawn('redis-server', flags, { stdio: ['ignore', 'pipe', 'ignore'] });
    child = started;
    for await (const text of started.stdout) if (String(text).includes('Ready to accept connections')) break;
  };
  const kill = async (): Promise<void> => {
    if (child === null || child.exitCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  };
  await start();
  return { port, start, kill };
}
