import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { RenderLoop } from '../../../src/stage/view/render-loop.ts';

/** Frames that the loop asked for. */
let requested: ((now: number) => void)[] = [];

/** Lets the browser draw a frame. */
function frame(now: number): void {
  const callbacks = requested;
  requested = [];
  for (const callback of callbacks) callback(now);
}

beforeEach(() => {
  requested = [];
  vi.stubGlobal('requestAnimationFrame', (callback: (now: number) => void) => requested.push(callback));
  vi.stubGlobal('cancelAnimationFrame', () => {
    requested = [];
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
});

describe('RenderLoop', () => {
  it('draws one frame for many changes, and none without a change', () => {
    const elapsed: number[] = [];
    const loop = new RenderLoop(
      (seconds) => elapsed.push(seconds),
      () => false,
    );
    expect(requested).toHaveLength(0);
    loop.request();
    loop.request();
    frame(100);
    frame(200);
    expect(elapsed).toEqual([0]);
  });

  it('draws frame after frame during playback, with the time between them, which a pause does not count for', () => {
    const elapsed: number[] = [];
    let isPlaying = true;
    const loop = new RenderLoop(
      (seconds) => elapsed.push(seconds),
      () => isPlaying,
    );
    loop.request();
    for (const now of [1000, 1020, 1050]) frame(now);
    isPlaying = false;
    frame(1070);
    expect(requested).toHaveLength(0);
    isPlaying = true;
    loop.request();
    frame(9000);
    frame(9010);
    const expected = [0, 0.02, 0.03, 0.02, 0, 0.01];
    expect(elapsed).toHaveLength(expected.length);
    elapsed.forEach((seconds, k) => {
      expect(seconds).toBeCloseTo(expected[k], 9);
    });
  });

  it('draws nothing after it was stopped', () => {
    const elapsed: number[] = [];
    const loop = new RenderLoop(
      (seconds) => elapsed.push(seconds),
      () => true,
    );
    loop.request();
    loop.stop();
    frame(100);
    expect(elapsed).toEqual([]);
  });
});
