import { signal } from '@preact/signals';
import { describe, expect, it, vi } from 'vitest';
import { MOTION_DEFAULTS } from '../../../studio/src/app/motion-options.ts';
import { DETECTED } from '../../../studio/src/app/project.ts';
import { createResults } from '../../../studio/src/app/results.ts';
import type { RetargetRequest, RetargetResult } from '../../../studio/src/engine/protocol.ts';

function request(armSpace: number, contacts: 'auto' | 'off' = 'auto'): ReadonlyMap<string, RetargetRequest> {
  const options = { ...MOTION_DEFAULTS, armSpace, contacts };
  return new Map([
    ['hero', { motion: 'walk', clip: 0, character: 'hero', options, source: DETECTED, target: DETECTED }],
  ]);
}

const resultOf = (took: number): RetargetResult => {
  return { clip: null, hipsScale: 1, contacts: null, charts: null, lines: null, verdict: null, issues: [], took };
};

/** Results whose work is recorded; those with contacts take as long as the test says. */
function start(first: ReadonlyMap<string, RetargetRequest>, took = 1000) {
  const requests = signal(first);
  const done: string[] = [];
  const work = (name: string) => async (one: RetargetRequest) => {
    done.push(`${name} ${one.options.armSpace} ${one.options.contacts}`);
    return resultOf(took);
  };
  const results = createResults({ requests, busy: (one) => one(), quick: work('quick'), final: work('final') });
  return { requests, done, results, hero: () => results.value.get('hero') };
}

describe('createResults', () => {
  it('shows a result without contacts at once, and one with contacts after it', async () => {
    const { done, hero } = start(request(1));
    await vi.waitFor(() => expect(hero()?.isQuick).toBe(true));
    expect(hero()?.request.options.contacts).toBe('auto');
    await vi.waitFor(() => expect(hero()?.isQuick).toBe(false));
    expect(done).toEqual(['quick 1 off', 'final 1 auto']);
  });

  it('computes contacts only when options have not changed for a moment', async () => {
    const { requests, done, hero } = start(request(1));
    for (let armSpace = 2; armSpace <= 4; armSpace++) {
      await vi.waitFor(() => expect(hero()?.request.options.armSpace).toBe(armSpace - 1));
      requests.value = request(armSpace);
    }
    await vi.waitFor(() => expect(hero()?.isQuick).toBe(false));
    expect(done).toEqual(['quick 1 off', 'quick 2 off', 'quick 3 off', 'quick 4 off', 'final 4 auto']);
  });

  it('has no quick results where contacts take no time, and none with contacts where they are off', async () => {
    const { requests, done, hero } = start(request(1), 5);
    await vi.waitFor(() => expect(hero()?.isQuick).toBe(false));
    requests.value = request(2);
    await vi.waitFor(() => expect(hero()?.request.options.armSpace).toBe(2));
    expect(hero()?.isQuick).toBe(false);
    requests.value = request(3, 'off');
    await vi.waitFor(() => expect(hero()?.request.options.armSpace).toBe(3));
    expect(hero()?.isQuick).toBe(false);
    expect(done).toEqual(['quick 1 off', 'final 1 auto', 'quick 2 auto', 'quick 3 off']);
  });

  it('says why a request fails, and drops the results of characters that are gone', async () => {
    const requests = signal(request(1));
    const fail = (): Promise<RetargetResult> => Promise.reject(new Error('no humanoid'));
    const results = createResults({ requests, busy: (one) => one(), quick: fail, final: fail });
    await vi.waitFor(() => expect(results.value.get('hero')?.error).toBe('no humanoid'));
    expect(results.value.get('hero')?.isQuick).toBe(false);
    requests.value = new Map();
    await vi.waitFor(() => expect(results.value.size).toBe(0));
  });
});
