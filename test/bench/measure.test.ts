import { describe, expect, it } from 'vitest';
import { compare, isMet, median, type Row } from '../../bench/measure.ts';

const EFFORT = { time: 0, calls: 3 };

/** Waits without sleeping, milliseconds. */
function spend(time: number): void {
  const end = performance.now() + time;
  while (performance.now() < end);
}

describe('compare', () => {
  it('runs every contender once per round, after a warm-up round', async () => {
    const calls: string[] = [];
    const own = { name: 'own', run: () => calls.push('own') };
    const other = { name: 'other', run: () => calls.push('other') };
    const [row] = await compare([{ name: 'row', own, against: other, kind: 'speedup' }], 2, EFFORT);
    const blocks = calls.filter((name, k) => name !== calls[k - 1]);
    expect(blocks).toEqual(['other', 'own', 'other', 'own', 'other', 'own']);
    expect(row).toMatchObject({ name: 'row', against: 'other', unit: 'ms', runs: 2, goal: null });
    expect(row.rounds).toHaveLength(2);
  });

  it('returns the times of both and the median ratio of the rounds, in both directions', async () => {
    const fast = { name: 'fast', run: () => spend(1) };
    const slow = { name: 'slow', run: () => spend(4) };
    const rows = await compare(
      [
        { name: 'speedup', own: fast, against: slow, kind: 'speedup', limit: 2 },
        { name: 'cost', own: fast, against: slow, kind: 'cost', limit: 2 },
      ],
      3,
      EFFORT,
    );
    const [speedup, cost] = rows;
    expect(speedup.value).toBeGreaterThanOrEqual(1);
    expect(speedup.againstValue).toBeGreaterThanOrEqual(4);
    expect(speedup.ratio).toBe(median(speedup.rounds.map(({ against, value }) => against / value)));
    expect(cost.ratio).toBe(median(cost.rounds.map(({ against, value }) => value / against)));
    expect(speedup.goal).toEqual({ kind: 'speedup', limit: 2 });
  });

  it('passes on errors of a contender', async () => {
    const bad = {
      name: 'bad',
      run: () => {
        throw new Error('it broke');
      },
    };
    const good = { name: 'good', run: () => 1 };
    const job = compare([{ name: 'row', own: bad, against: good, kind: 'speedup' }], 1, EFFORT);
    await expect(job).rejects.toThrow('it broke');
  });
});

describe('isMet', () => {
  const row = { name: '', value: 1, unit: 'ms', against: '', againstValue: 1, runs: 1, rounds: [] } as const;
  const isMetBy = (ratio: number, goal: Row['goal']): boolean => isMet({ ...row, ratio, goal });

  it('requires a speedup to be at least its limit, and a cost at most', () => {
    expect(isMetBy(150, { kind: 'speedup', limit: 150 })).toBe(true);
    expect(isMetBy(149, { kind: 'speedup', limit: 150 })).toBe(false);
    expect(isMetBy(2, { kind: 'cost', limit: 2 })).toBe(true);
    expect(isMetBy(2.1, { kind: 'cost', limit: 2 })).toBe(false);
  });

  it('accepts any row without a goal', () => {
    expect(isMetBy(0.1, null)).toBe(true);
  });
});

describe('median', () => {
  it('is the middle value, or the mean of the two in the middle', () => {
    expect(median([3, 1, 2])).toBe(2);
    expect(median([4, 1, 2, 3])).toBe(2.5);
  });
});
