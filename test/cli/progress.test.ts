import { describe, expect, it } from 'vitest';
import { startProgress } from '../../src/cli/progress.ts';
import { keptIo } from './run-here.ts';

function at(terminal: boolean): {
  clock: { now: number };
  out: { stderr: string };
  progress: ReturnType<typeof startProgress>;
} {
  const { io, out } = keptIo({ terminal });
  const clock = { now: 5000 };
  return { clock, out, progress: startProgress(io, () => clock.now) };
}

describe('startProgress', () => {
  it('says nothing in the first second, and nothing at the end of a short job', () => {
    const { clock, out, progress } = at(true);
    progress.step('a');
    clock.now += 999;
    progress.step('b');
    progress.end();
    expect(out.stderr).toBe('');
  });

  it('then one line that is written over, ten times a second at most, and wiped at the end', () => {
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

  it('says nothing where no one looks on', () => {
    const { clock, out, progress } = at(false);
    clock.now += 9000;
    progress.step('a');
    progress.end();
    expect(out.stderr).toBe('');
  });
});
