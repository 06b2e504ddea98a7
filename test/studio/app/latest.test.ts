import { expect, it } from 'vitest';
import { createLatest } from '../../../studio/src/app/latest.ts';

it('createLatest: of what is asked for during work, only the newest is done', async () => {
  const done: number[] = [];
  const opens: (() => void)[] = [];
  const ask = createLatest(async (input: number) => {
    await new Promise<void>((resolve) => opens.push(resolve));
    done.push(input);
  });
  for (const input of [1, 2, 3]) ask(input);
  opens[0]();
  await new Promise((resolve) => setTimeout(resolve));
  opens[1]();
  await new Promise((resolve) => setTimeout(resolve));
  expect(done).toEqual([1, 3]);
});

it('createLatest: work sees that something newer waits', async () => {
  const seen: boolean[] = [];
  const opens: (() => void)[] = [];
  const ask = createLatest(async (_: number, isLatest) => {
    await new Promise<void>((resolve) => opens.push(resolve));
    seen.push(isLatest());
  });
  ask(1);
  ask(2);
  opens[0]();
  await new Promise((resolve) => setTimeout(resolve));
  opens[1]();
  await new Promise((resolve) => setTimeout(resolve));
  expect(seen).toEqual([false, true]);
});
