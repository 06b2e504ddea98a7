import { type Signal, signal } from '@preact/signals';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { MOTION_DEFAULTS } from '../../../studio/src/app/motion-options.ts';
import { DETECTED } from '../../../studio/src/app/project.ts';
import { createResults, type ResultMaker } from '../../../studio/src/app/results.ts';
import type { Measures, RetargetRequest, RetargetResult } from '../../../studio/src/engine/protocol.ts';

function request(armSpace: number, contacts: 'auto' | 'off' = 'auto'): ReadonlyMap<string, RetargetRequest> {
  const options = { ...MOTION_DEFAULTS, armSpace, contacts };
  return new Map([
    ['hero', { motion: 'walk', clip: 0, character: 'hero', options, source: DETECTED, target: DETECTED }],
  ]);
}

const resultOf = (took: number): RetargetResult => ({ clip: null, hipsScale: 1, contacts: null, issues: [], took });
const nameOf = ({ options }: RetargetRequest): string => `${options.armSpace} ${options.contacts}`;

/** Results whose work is recorded; those with contacts take as long as the test says. Figures are named after their request. */
function start(first: ReadonlyMap<string, RetargetRequest>, took = 1000) {
  const requests: Signal<ReadonlyMap<string, RetargetRequest>> = signal(first);
  const done: string[] = [];
  const waits = new Map<string, Promise<void>>();
  /** Lets work wait until the returned function is called. */
  const held = (work: string): (() => void) => {
    let release = (): void => undefined;
    waits.set(
      work,
      new Promise((resolve) => {
        release = resolve;
      }),
    );
    return () => release();
  };
  const maker = (name: string): ResultMaker => ({
    retarget: async (one) => {
      done.push(`${name} ${nameOf(one)}`);
      await waits.get(done[done.length - 1]);
      return resultOf(took);
    },
    measure: async (one) => {
      done.push(`${name} measures ${nameOf(one)}`);
      return { lines: nameOf(one) } as unknown as Measures;
    },
  });
  const results = createResults({ requests, busy: (one) => one(), quick: maker('quick'), final: maker('final') });
  const hero = () => results.value.get('hero');
  const measured = (): Promise<void> => vi.waitFor(() => expect(hero()?.isMeasured).toBe(true));
  return { requests, done, held, results, hero, measured };
}

describe('createResults', () => {
  // Time passes by the waits of these tests alone, so a slow machine misses no state between two looks.
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('shows a result without contacts at once, one with contacts after it, then its figures', async () => {
    const { done, hero, measured } = start(request(1));
    await vi.waitFor(() => expect(hero()?.isQuick).toBe(true));
    expect(hero()?.request.options.contacts).toBe('auto');
    await vi.waitFor(() => expect(hero()?.isQuick).toBe(false));
    await measured();
    expect(hero()?.measures?.lines).toBe('1 auto');
    expect(done).toEqual(['quick 1 off', 'final 1 auto', 'final measures 1 auto']);
  });

  it('computes contacts and figures only when options have not changed for a moment', async () => {
    const { requests, done, hero, measured } = start(request(1));
    for (let armSpace = 2; armSpace <= 4; armSpace++) {
      await vi.waitFor(() => expect(hero()?.request.options.armSpace).toBe(armSpace - 1));
      requests.value = request(armSpace);
    }
    await measured();
    expect(done).toEqual([
      ...['quick 1 off', 'quick 2 off', 'quick 3 off', 'quick 4 off'],
      ...['final 4 auto', 'final measures 4 auto'],
    ]);
  });

  it('keeps the figures of the result before until the new one is measured', async () => {
    const { requests, hero, measured } = start(request(1));
    await measured();
    requests.value = request(2);
    await vi.waitFor(() => expect(hero()?.request.options.armSpace).toBe(2));
    expect([hero()?.isMeasured, hero()?.measures?.lines]).toEqual([false, '1 auto']);
    await measured();
    expect(hero()?.measures?.lines).toBe('2 auto');
  });

  it('shows the first results of values that were passed over', async () => {
    const { requests, held, done, results, hero, measured } = start(request(1));
    await measured();
    const release = held('quick 2 off');
    requests.value = request(2);
    await vi.waitFor(() => expect(done).toContain('quick 2 off'));
    requests.value = request(3);
    const seen: unknown[] = [];
    results.subscribe(() => seen.push(hero()?.request.options.armSpace));
    release();
    await vi.waitFor(() => expect(hero()?.request.options.armSpace).toBe(3));
    await measured();
    expect(seen).toEqual([1, 2, 3, 3, 3]);
  });

  it('a quick result that comes after the final one is not shown', async () => {
    const { requests, held, done, hero, measured } = start(request(1));
    await measured();
    const release = held('quick 2 off');
    requests.value = request(2);
    await vi.waitFor(() => expect(done).toContain('final measures 2 auto'));
    release();
    await vi.advanceTimersByTimeAsync(10);
    expect([hero()?.request.options.armSpace, hero()?.isQuick]).toEqual([2, false]);
  });

  it('has no quick results where contacts take no time, and none with contacts where they are off', async () => {
    const { requests, done, hero, measured } = start(request(1), 5);
    await measured();
    requests.value = request(2);
    await vi.waitFor(() => expect(hero()?.request.options.armSpace).toBe(2));
    expect(hero()?.isQuick).toBe(false);
    requests.value = request(3, 'off');
    await vi.waitFor(() => expect(hero()?.request.options.armSpace).toBe(3));
    expect(hero()?.isQuick).toBe(false);
    await measured();
    expect(done).toEqual([
      ...['quick 1 off', 'final 1 auto', 'final measures 1 auto'],
      ...['quick 2 auto', 'quick 3 off', 'quick measures 3 off'],
    ]);
  });

  it('follows a quick result by one with contacts, although these took no time for the value before', async () => {
    const { requests, held, done, hero, measured } = start(request(1), 5);
    const release = held('final 1 auto');
    await vi.waitFor(() => expect(done).toContain('final 1 auto'));
    requests.value = request(2);
    await vi.waitFor(() => expect(hero()?.request.options.armSpace).toBe(2));
    release();
    await measured();
    expect([hero()?.isQuick, hero()?.measures?.lines]).toEqual([false, '2 auto']);
  });

  it('makes no contacts of values that were passed over', async () => {
    const hero = request(1).get('hero')!;
    const both = (armSpace: number): ReadonlyMap<string, RetargetRequest> => {
      const options = { ...hero.options, armSpace };
      return new Map(['hero', 'child'].map((character) => [character, { ...hero, character, options }]));
    };
    const { requests, held, done, measured } = start(both(1));
    const release = held('final 1 auto');
    await vi.waitFor(() => expect(done).toContain('final 1 auto'));
    requests.value = both(2);
    release();
    await vi.waitFor(() => expect(done).toContain('final 2 auto'));
    await measured();
    expect(done.filter((work) => work === 'final 1 auto')).toHaveLength(1);
  });

  it('has no figures of another motion', async () => {
    const { requests, hero, measured } = start(request(1));
    await measured();
    requests.value = new Map([['hero', { ...request(1).get('hero')!, motion: 'run' }]]);
    await vi.waitFor(() => expect(hero()?.request.motion).toBe('run'));
    expect([hero()?.isMeasured, hero()?.measures]).toEqual([false, null]);
  });

  it('says why a request fails, and drops the results of characters that are gone', async () => {
    const requests = signal(request(1));
    const fail = (): Promise<never> => Promise.reject(new Error('no humanoid'));
    const maker = { retarget: fail, measure: fail };
    const results = createResults({ requests, busy: (one) => one(), quick: maker, final: maker });
    await vi.waitFor(() => expect(results.value.get('hero')?.error).toBe('no humanoid'));
    expect(results.value.get('hero')).toMatchObject({ isQuick: false, isMeasured: true });
    requests.value = new Map();
    await vi.waitFor(() => expect(results.value.size).toBe(0));
  });
});
