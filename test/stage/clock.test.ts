import { describe, expect, it } from 'vitest';
import { type ClockEvent, PlaybackClock } from '../../src/stage/clock.ts';

/** A clock of 2 s, and what it reported since. */
function clockOf(): { readonly clock: PlaybackClock; readonly events: ClockEvent[] } {
  const events: ClockEvent[] = [];
  const clock = new PlaybackClock((event) => events.push(event));
  clock.duration = 2;
  events.length = 0;
  return { clock, events };
}

describe('PlaybackClock', () => {
  it('advances by elapsed time and rate only while it plays', () => {
    const { clock, events } = clockOf();
    clock.advance(0.1);
    expect(clock.currentTime).toBe(0);
    clock.play();
    clock.playbackRate = 2;
    clock.advance(0.1);
    expect(clock.currentTime).toBeCloseTo(0.2, 12);
    clock.pause();
    clock.advance(0.1);
    expect(clock.currentTime).toBeCloseTo(0.2, 12);
    expect(events).toEqual(['play', 'timeupdate', 'pause']);
  });

  it('goes on where it was after a stall', () => {
    const { clock } = clockOf();
    clock.play();
    clock.advance(60);
    expect(clock.currentTime).toBe(0.25);
  });

  it('starts over at the end with loop, forward and backward', () => {
    const { clock } = clockOf();
    clock.play();
    clock.currentTime = 1.9;
    clock.advance(0.2);
    expect(clock.currentTime).toBeCloseTo(0.1, 12);
    clock.playbackRate = -1;
    clock.advance(0.2);
    expect(clock.currentTime).toBeCloseTo(1.9, 12);
  });

  it('stops at the end without loop, and plays again from the start', () => {
    const { clock, events } = clockOf();
    clock.loop = false;
    clock.play();
    clock.currentTime = 1.9;
    clock.advance(0.2);
    expect(clock.currentTime).toBe(2);
    expect(clock.paused).toBe(true);
    expect(events.slice(-2)).toEqual(['pause', 'ended']);
    clock.play();
    expect(clock.currentTime).toBe(0);
  });

  it('stays inside the range, also when range or duration change', () => {
    const { clock, events } = clockOf();
    clock.range = [0.5, 1];
    expect(clock.currentTime).toBe(0.5);
    clock.currentTime = 9;
    expect(clock.currentTime).toBe(1);
    clock.play();
    clock.advance(0.1);
    expect(clock.currentTime).toBeCloseTo(0.6, 12);
    clock.duration = 0.25;
    expect(clock.currentTime).toBe(0.25);
    expect(events).toContain('durationchange');
    clock.range = null;
    clock.currentTime = 0;
    expect(clock.currentTime).toBe(0);
  });

  it('reports a seek once', () => {
    const { clock, events } = clockOf();
    clock.currentTime = 1;
    clock.currentTime = 1;
    expect(events).toEqual(['timeupdate']);
  });

  it('throws for times, rates and ranges that are not numbers in order', () => {
    const { clock } = clockOf();
    expect(() => {
      clock.currentTime = Number.NaN;
    }).toThrow(TypeError);
    expect(() => {
      clock.playbackRate = Number.POSITIVE_INFINITY;
    }).toThrow(TypeError);
    expect(() => {
      clock.range = [1, 0];
    }).toThrow(/from ≤ to/);
  });
});
