import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { progressText, startLog, startProgress, withProgress } from '../../src/cli/progress.ts';
import { temporaryFolder } from '../support/make/demo-files.ts';
import { recordIo } from './run-here.ts';

const at = temporaryFolder();
const CLEAR = '\r\u001b[2K';
/** Milliseconds before the first line, in these tests. */
const QUIET = 100;
/** Milliseconds to wait for the thread of the status line on a busy machine. */
const PATIENCE = 5000;

/** Runs a job with a file as the terminal. */
async function withTerminal(
  name: string,
  job: (progress: ReturnType<typeof startProgress>, shown: () => string) => void | Promise<void>,
): Promise<string> {
  const fd = openSync(at(name), 'w');
  const stderr = { isTerminal: true, fd, write: (text: string): void => void writeSync(fd, text) };
  const { io } = recordIo();
  const shown = (): string => readFileSync(at(name), 'utf8');
  try {
    await job(startProgress({ ...io, stderr }, QUIET), shown);
    return shown();
  } finally {
    closeSync(fd);
  }
}

/** Blocks this thread, as reading a large file does, until a condition holds. */
function block(isDone: () => boolean): void {
  const end = performance.now() + PATIENCE;
  while (!isDone() && performance.now() < end);
}

describe('startLog', () => {
  it('writes the newest step at an interval, each once, and nothing after its end', async () => {
    const { io, out } = recordIo();
    const { step, end } = startLog(io, 20);
    step('[1/9] a');
    step('[2/9] b');
    await new Promise((resolve) => setTimeout(resolve, 120));
    step('[9/9] c');
    end();
    await new Promise((resolve) => setTimeout(resolve, 60));
    expect(out.stderr).toBe('[2/9] b\n');
  });
});

it('progressText: names the step, the clip and which of several files it is', () => {
  const about = { step: 'retarget', file: 'dance.fbx', clip: 'Samba' } as const;
  expect(progressText({ ...about, done: 0.5, total: 1 })).toBe('retargeting Samba of dance.fbx');
  expect(progressText({ ...about, step: 'write', clip: null, done: 3, total: 3 })).toBe('[3/3] writing dance.fbx');
});

describe('startProgress', () => {
  it('shows steps while the main thread is busy, each once, and clears the line at the end', async () => {
    const text = await withTerminal('busy', ({ step, end }, shown) => {
      step('reading a');
      block(() => shown().includes('reading a'));
      step(`reading\n${'ü'.repeat(100)}`);
      block(() => shown().includes('ü'));
      end();
      end();
    });
    expect(text).toBe(`${CLEAR}reading a${CLEAR}reading ${'ü'.repeat(70)}${CLEAR}`);
  });

  it('shows nothing for a short job, also not after its end', async () => {
    const text = await withTerminal('short', async ({ step, end }) => {
      step('a');
      end();
      await new Promise((resolve) => setTimeout(resolve, 3 * QUIET));
    });
    expect(text).toBe('');
  });

  it('shows nothing without a terminal', () => {
    const { io, out } = recordIo();
    const { step, end } = startProgress(io, 0);
    step('a');
    end();
    expect(out.stderr).toBe('');
  });
});

it('withProgress: returns the result of the job, and passes its errors on', async () => {
  const { io } = recordIo({ terminal: true });
  expect(await withProgress(io, 'reading', async () => 7)).toBe(7);
  await expect(withProgress(io, 'reading', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
});
