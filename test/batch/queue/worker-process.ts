/** A worker of a queue in a process of its own, as users start it. */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import type { Readable } from 'node:stream';
import { bundledProgram } from '../../support/bundle.ts';

const ANYRIG = await bundledProgram('anyrig');

/** Seconds after which a job of a killed worker goes to another one. */
export const TEST_LOCK = 2;

/** A process that was started, and what it has made. */
export interface WorkerProcess {
  readonly child: ChildProcessByStdio<null, Readable, null>;
  /** Ids of the tasks whose results it made. */
  readonly made: string[];
  /** Resolves with the exit code; null after a kill. */
  readonly ended: Promise<number | null>;
}

/** Starts `anyrig worker` with one thread. */
export function startWorkerProcess(url: string): WorkerProcess {
  const flags = [
    '--queue',
    url,
    '--root',
    tmpdir(),
    '--root',
    's3://',
    '--jobs',
    '1',
    '--lock',
    String(TEST_LOCK),
    '--verbose',
  ];
  const child = spawn(process.execPath, [ANYRIG, 'worker', ...flags], { stdio: ['ignore', 'pipe', 'ignore'] });
  const made: string[] = [];
  let text = '';
  child.stdout.on('data', (part: Buffer) => {
    const lines = `${text}${part}`.split('\n');
    text = lines.pop() ?? '';
    for (const line of lines) if (line.startsWith('made ')) made.push(line.slice('made '.length).trim());
  });
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  return { child, made, ended };
}
