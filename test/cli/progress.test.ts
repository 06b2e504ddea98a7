import { describe, expect, it } from 'vitest';
import { startProgress } from '../../src/cli/progress.ts';
import { recordIo } from './run-here.ts';

function at(terminal: boolean): {
  clock: { now: number };
  out: { stderr: string };
  progress: ReturnType<typeof startProgress>;
} {
  const { io, out } = recordIo({ terminal });
  const clock = { now: 5000 };
  return { clock, out, progress: startProgress(io, () => clock.now) };
}

describe('startProgress', () => {
  it('prints nothing in the first second, and nothing at the end of a short job', () => {
    const { clock, out, progress } = at(true);
    progress.step('a');
    clock.now += 999;
    progress.step('b');
    progress.end();
    expect(out.stderr).toBe('');
  });

  it('prints one line after a second, overwrites it at most ten times per second, and clears it at the end', () => {
    const { clock, out, progress } = at(true);
    clock.now += 1000;
    progress.step('first');
    clock.now += 99;
    progress.step('too soon');
    clock.now += 1;
    progress.step('x'.repeat(200));
    progress.end();
    progress.end();
    expect(out.stderr).toBe(`\r\u001b[2Kfirst\r\u001b[2K${'x'.repeat(78)}\r\u001b[2K`);
  });

  it('prints nothing without a terminal', () => {
    const { clock, out, progress } = at(false);
    clock.now += 9000;
    progress.step('a');
    progress.end();
    expect(out.stderr).toBe('');
  });
});
