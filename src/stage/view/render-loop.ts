/** Frames on demand: one after a change, one after the other during playback, none otherwise. */

/** Asks the browser for frames. */
export class RenderLoop {
  readonly #frame: (elapsed: number) => void;
  readonly #isPlaying: () => boolean;
  #request = 0;
  #last = 0;

  /**
   * Creates a loop that is idle.
   *
   * @param frame Draws a frame; `elapsed` is the time in seconds since the last one, 0 for the first one after a pause.
   */
  constructor(frame: (elapsed: number) => void, isPlaying: () => boolean) {
    this.#frame = frame;
    this.#isPlaying = isPlaying;
  }

  /** Draws a frame soon. */
  request(): void {
    if (this.#request === 0) this.#request = requestAnimationFrame(this.#run);
  }

  /** Cancels what was requested. */
  stop(): void {
    cancelAnimationFrame(this.#request);
    this.#request = 0;
    this.#last = 0;
  }

  readonly #run = (now: number): void => {
    const elapsed = this.#last === 0 ? 0 : (now - this.#last) / 1000;
    this.#request = 0;
    this.#last = this.#isPlaying() ? now : 0;
    this.#frame(elapsed);
    if (this.#isPlaying()) this.request();
    else this.#last = 0;
  };
}
