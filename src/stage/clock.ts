/** The clock of a stage: plays, pauses, seeks and loops like an HTMLMediaElement. All figures show its time. */

/** What a clock reports. */
export type ClockEvent = 'timeupdate' | 'play' | 'pause' | 'ended' | 'durationchange';

/** Longest step of one frame, seconds: after a stall, playback goes on where it was. */
const LONGEST_STEP = 0.25;

/** The time of a stage. The owner calls {@link PlaybackClock.advance} once per frame. */
export class PlaybackClock {
  /** Whether playback starts over at the end. */
  loop = true;
  #playbackRate = 1;
  #time = 0;
  #duration = 0;
  #range: readonly [number, number] | null = null;
  #paused = true;
  readonly #notify: (event: ClockEvent) => void;

  /** Creates a paused clock at 0. */
  constructor(notify: (event: ClockEvent) => void) {
    this.#notify = notify;
  }

  get paused(): boolean {
    return this.#paused;
  }

  /** Seconds; negative plays backwards. */
  get playbackRate(): number {
    return this.#playbackRate;
  }

  set playbackRate(rate: number) {
    if (!Number.isFinite(rate)) throw new TypeError(`playbackRate is ${rate}. Expected a finite number, such as 1.`);
    this.#playbackRate = rate;
  }

  get duration(): number {
    return this.#duration;
  }

  set duration(seconds: number) {
    if (seconds === this.#duration) return;
    this.#duration = seconds;
    this.#notify('durationchange');
    this.currentTime = this.#time;
  }

  get range(): readonly [number, number] | null {
    return this.#range;
  }

  set range(range: readonly [number, number] | null) {
    if (range !== null && !(range[0] <= range[1])) {
      throw new RangeError(`range is [${range.join(', ')}]. Expected [from, to] in seconds with from ≤ to.`);
    }
    this.#range = range === null ? null : [range[0], range[1]];
    this.currentTime = this.#time;
  }

  get currentTime(): number {
    return this.#time;
  }

  set currentTime(seconds: number) {
    if (!Number.isFinite(seconds)) throw new TypeError(`currentTime is ${seconds}. Expected seconds.`);
    const [from, to] = this.#bounds();
    const time = Math.min(Math.max(seconds, from), to);
    if (time === this.#time) return;
    this.#time = time;
    this.#notify('timeupdate');
  }

  /** Starts playback; at its end, from the beginning. */
  play(): void {
    if (!this.#paused) return;
    const [from, to] = this.#bounds();
    const [start, end] = this.#playbackRate < 0 ? [to, from] : [from, to];
    if (this.#time === end) this.currentTime = start;
    this.#paused = false;
    this.#notify('play');
  }

  /** Stops playback. */
  pause(): void {
    if (this.#paused) return;
    this.#paused = true;
    this.#notify('pause');
  }

  /**
   * Moves the time on, when playing.
   *
   * @param elapsed Seconds since the last frame.
   */
  advance(elapsed: number): void {
    const [from, to] = this.#bounds();
    const length = to - from;
    if (this.#paused || length <= 0) return;
    const next = this.#time + Math.min(elapsed, LONGEST_STEP) * this.#playbackRate;
    if (next >= from && next < to) {
      this.currentTime = next;
    } else if (this.loop) {
      this.currentTime = from + ((((next - from) % length) + length) % length);
    } else {
      this.currentTime = next;
      this.pause();
      this.#notify('ended');
    }
  }

  /** First and last time that can be shown. */
  #bounds(): [number, number] {
    const [from, to] = this.#range ?? [0, this.#duration];
    const first = Math.min(Math.max(from, 0), this.#duration);
    return [first, Math.min(Math.max(to, first), this.#duration)];
  }
}
