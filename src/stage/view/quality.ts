/** Adapts the pixels and the shadows that are drawn to the speed of the machine, so that playback stays fluent. */

/** Frames per second below which pixels are saved, and above which they are added again. Motion that drops below 30 looks jerky, and averages vary. */
const LEAST_FPS = 40;
const ENOUGH_FPS = 48;
/** Frames that are averaged before a decision, unless they take longer than this, milliseconds. */
const FRAMES = 20;
const LONGEST = 400;
/** Frames from which on more than one step is taken at once. */
const LEAST_FRAMES = 3;
/** Smallest pixel ratio, and factor of one step. */
const LEAST_RATIO = 0.5;
const STEP = 0.8;
/** Steps after which shadows are drawn in fewer frames: drawing them takes as many vertices as the picture. */
const STEPS_PER_SHADOW = 3;
/** Fast averages in a row before pixels are added; doubled each time that it was too early. */
const PATIENCE = 4;
const MOST_PATIENCE = 128;

/** Decides on the quality of a stage, which is one number: steps below the best. */
export class Quality {
  readonly #most: number;
  /** Steps below the best ratio. */
  #steps = 0;
  #sum = 0;
  #count = 0;
  #fastest = Number.POSITIVE_INFINITY;
  #fast = 0;
  #patience = PATIENCE;
  #wasRaised = false;

  /** Starts with the best quality. */
  constructor(most: number) {
    this.#most = most;
  }

  /** Canvas pixels per CSS pixel of a picture that stands still. */
  get best(): number {
    return this.#most;
  }

  /** Canvas pixels per CSS pixel during playback. */
  get ratio(): number {
    return Math.max(LEAST_RATIO, this.#most * STEP ** this.#steps);
  }

  /** Frames of playback per drawn shadow. */
  get shadowInterval(): number {
    return 1 + Math.floor(this.#steps / STEPS_PER_SHADOW);
  }

  /** Takes the duration of a frame of playback into account. */
  measure(milliseconds: number): boolean {
    this.#sum += milliseconds;
    this.#count++;
    this.#fastest = Math.min(this.#fastest, milliseconds);
    if (this.#count < FRAMES && this.#sum < LONGEST) return false;
    const fps = (1000 * this.#count) / this.#sum;
    // A few frames may have waited for something else.
    const fastest = this.#count >= LEAST_FRAMES ? this.#fastest : 0;
    this.reset();
    const before = this.#steps;
    if (fps < LEAST_FPS) this.#lower(fastest);
    else if (fps > ENOUGH_FPS) this.#raise();
    else this.#fast = 0;
    return this.#steps !== before;
  }

  /** Forgets the frames that were measured, after a pause. */
  reset(): void {
    this.#sum = 0;
    this.#count = 0;
    this.#fastest = Number.POSITIVE_INFINITY;
  }

  /** Lowers the quality as far as is needed at least: if frames take their time for nothing but pixels. */
  #lower(milliseconds: number): void {
    if (this.#wasRaised) this.#patience = Math.min(2 * this.#patience, MOST_PATIENCE);
    this.#wasRaised = false;
    this.#fast = 0;
    const needed = Math.floor(Math.log((milliseconds * LEAST_FPS) / 1000) / Math.log(STEP ** -2));
    for (let step = 0; step < Math.max(1, needed) && this.ratio > LEAST_RATIO; step++) this.#steps++;
  }

  #raise(): void {
    this.#fast++;
    this.#wasRaised &&= this.#fast < this.#patience;
    if (this.#fast < this.#patience || this.#steps === 0) return;
    this.#fast = 0;
    this.#wasRaised = true;
    this.#steps--;
  }
}
