/** The playback interface of a stage: that of an HTMLMediaElement, as far as it makes sense without a file. */
import { PlaybackClock } from './clock.ts';

/** Modules are also imported where there is no DOM, to render pages on a server. */
const Base = (globalThis.HTMLElement ?? class {}) as typeof HTMLElement;

/** An element with a clock. Dispatches `timeupdate`, `play`, `pause`, `ended` and `durationchange`. */
export abstract class PlaybackElement extends Base {
  /**
   * The clock; its changes are dispatched as events.
   *
   * @internal
   */
  protected readonly clock: PlaybackClock = new PlaybackClock((event) => {
    this.clockChanged();
    this.dispatchEvent(new Event(event));
  });

  /**
   * Called after each change of the clock, before its event.
   *
   * @internal
   */
  protected abstract clockChanged(): void;

  /** Starts playback; at the end, from the beginning. */
  play(): void {
    this.clock.play();
  }

  /** Stops playback. */
  pause(): void {
    this.clock.pause();
  }

  /** Whether the clock is stopped. */
  get paused(): boolean {
    return this.clock.paused;
  }

  /** The moment that is shown, seconds. Values outside of `range` are clamped. */
  get currentTime(): number {
    return this.clock.currentTime;
  }

  /** Seeks; seconds, clamped to `range`. */
  set currentTime(seconds: number) {
    this.clock.currentTime = seconds;
  }

  /** Seconds of the longest clip; 0 without clips. */
  get duration(): number {
    return this.clock.duration;
  }

  /** Whether playback starts over at the end; true by default. */
  get loop(): boolean {
    return this.clock.loop;
  }

  /** Makes playback start over at the end, or stop there. */
  set loop(loop: boolean) {
    this.clock.loop = loop;
  }

  /** Seconds of the clips per second; 1 by default, negative plays backwards. */
  get playbackRate(): number {
    return this.clock.playbackRate;
  }

  /** Changes the speed. */
  set playbackRate(rate: number) {
    this.clock.playbackRate = rate;
  }

  /** Interval that is played, `[from, to]` in seconds; null for all. */
  get range(): readonly [number, number] | null {
    return this.clock.range;
  }

  /** Limits playback to an interval in seconds; null plays everything. */
  set range(range: readonly [number, number] | null) {
    this.clock.range = range;
  }
}
