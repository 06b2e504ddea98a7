import { describe, expect, it } from 'vitest';
import { MATRIX_STRIDE } from '../../../src/core/skeleton/skeleton.ts';
import { between, makeRandom } from '../../../src/demo/random.ts';
import { PlaybackGroup } from '../../../src/playback/kernel/playback-group.ts';
import { createPlaybackMemory, type PlaybackMemory } from '../../../src/playback/kernel/playback-memory.ts';
import { createPlaybackWork, playMatrices } from '../../../src/playback/matrices/play-matrices.ts';
import { bytesPerCall } from '../../allocation/bytes-per-call.ts';
import { largest, law } from '../../laws/law.ts';
import { IS_FULL_RUN } from '../../support/law-runs.ts';
import { BOXED_NUMBER, KERNEL_PLAYBACK } from '../../support/tolerances.ts';
import { matrixError, ownCase, type PlaybackCase } from '../matrices/playback-cases.ts';

const memory = (await createPlaybackMemory()) as PlaybackMemory;

/** Returns the largest error of three characters of a case at different times. */
function errorOf(one: PlaybackCase, times: readonly number[]): number {
  const { plan, clip, size } = one;
  const group = new PlaybackGroup(memory, plan, times.length);
  group.addClip(clip);
  group.times.set(times);
  for (let i = 0; i < times.length; i++) group.setClip(i, clip);
  group.update();
  const length = MATRIX_STRIDE * plan.resultCount;
  const twin = new Float32Array(length);
  const work = createPlaybackWork(plan);
  const errors = times.map((time, i) => {
    playMatrices(clip, time, twin, 0, work);
    return matrixError(group.matrices.subarray(i * length, (i + 1) * length), twin, size);
  });
  group.dispose();
  return largest(...errors);
}

describe('PlaybackGroup', () => {
  law('shows the matrices of playMatrices', KERNEL_PLAYBACK, (random) => {
    const one = ownCase(random);
    const { duration } = one.clip.compiled;
    return errorOf(one, [
      -1,
      between(random, 0, duration),
      between(random, 0, duration),
      duration,
      duration + 1,
      Number.NaN,
    ]);
  });

  it('updates only the characters asked for, and leaves those without a clip', () => {
    const { plan, clip } = ownCase(makeRandom(3));
    const group = new PlaybackGroup(memory, plan, 4);
    group.addClip(clip);
    for (const i of [0, 1, 3]) group.setClip(i, clip);
    group.update(1, 3);
    const length = MATRIX_STRIDE * plan.resultCount;
    const ends = [0, 1, 2, 3].map((i) => group.matrices[(i + 1) * length - 1]);
    expect(ends).toEqual([0, 1, 0, 1]);
    group.setClip(1, null);
    group.matrices.fill(5);
    group.update();
    expect([0, 1, 2, 3].map((i) => group.matrices[(i + 1) * length - 1])).toEqual([1, 5, 5, 1]);
    group.dispose();
  });

  it('stores the keys of a clip once for all groups, and frees all memory of clips and groups', async () => {
    const { plan, clip } = ownCase(makeRandom(8));
    const own = (await createPlaybackMemory()) as PlaybackMemory;
    const keys = clip.compiled.frames;
    const use = (): void => {
      const groups = [1, 2].map(() => new PlaybackGroup(own, plan, 100));
      for (const group of groups) group.addClip(clip);
      const address = own.shareKeys(keys);
      own.releaseKeys(keys);
      groups[0].removeClip(clip);
      expect(own.shareKeys(keys)).toBe(address);
      expect(new Float32Array(own.buffer, address, keys.length)).toEqual(keys);
      own.releaseKeys(keys);
      for (const group of groups) group.dispose();
    };
    use();
    const bytes = own.buffer.byteLength;
    for (let k = 0; k < 20; k++) use();
    expect(own.buffer.byteLength).toBe(bytes);
  });

  it('throws for a clip that was not added', () => {
    const { plan, clip } = ownCase(makeRandom(3));
    const group = new PlaybackGroup(memory, plan, 1);
    expect(() => group.setClip(0, clip)).toThrow(/Add it with addClip first/);
    group.dispose();
  });

  it.runIf(IS_FULL_RUN)('allocates nothing per frame', async () => {
    expect(await bytesPerCall(new URL('playback-group.probe.ts', import.meta.url), BOXED_NUMBER)).toBeLessThan(
      BOXED_NUMBER,
    );
  });
});
