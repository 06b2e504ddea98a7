/** Adapts the number of pixels to the speed of the machine, so that playback stays fluent. */

/** Frames per second below which pixels are saved, and above which they are added again. */
const LEAST_FPS = 32;
const ENOUGH_FPS = 55;
/** Frames that are averaged before a decision. */
const FRAMES = 20;
/** Pixel ratios are multiples of this; the smallest that is used. */
const LEAST_RATIO = 0.5;
const STEP = 0.8;

/** Decides on the pixel ratio of a stage. */
export class Quality {
  #ratio: number;
  readonly #most: number;
  #sum = 0;
  #count = 0;
  /** Pixel ratio that was too slow: it is not tried again. */
  #tooMuch = Number.POSITIVE_INFINITY;

  /**
   * Starts with the best quality.
   *
   * @param most Greatest pixel ratio.
   */
  constructor(most: number) {
    this.#most = most;
    this.#ratio = most;
  }

  /** Canvas pixels per CSS pixel. */
  get ratio(): number {
    return this.#ratio;
  }

  /**
   * Takes the duration of a frame of playback into account.
   *
   * @param milliseconds Time since the frame before.
   * @returns Whether `ratio` changed.
   */
  measure(milliseconds: number): boolean {
    this.#sum += milliseconds;
    this.#count++;
    if (this.#count < FRAMES) return false;
    const fps = (1000 * this.#count) / this.#sum;
    this.reset();
    const before = this.#ratio;
    if (fps < LEAST_FPS) {
      this.#tooMuch = before;
      this.#ratio = Math.max(LEAST_RATIO, before * STEP);
    } else if (fps > ENOUGH_FPS && before / STEP < this.#tooMuch) {
      this.#ratio = Math.min(this.#most, before / STEP);
    }
    return this.#ratio !== before;
  }

  /** Forgets the frames that were measured, after a pause. */
  reset(): void {
    this.#sum = 0;
    this.#count = 0;
  }
}
