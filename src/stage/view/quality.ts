/** Adapts the pixels and the shadows that are drawn to the speed of the machine, so that playback stays fluent. */

/** Frames per second below which pixels are saved, and above which they are added again. Motion that drops below 30 looks jerky, and averages vary. */
const LEAST_FPS = 40;
const ENOUGH_FPS = 48;
/** Frames that are averaged before a decision, unless they take longer than this, milliseconds. */
const FRAMES = 20;
const LONGEST = 400;
/** Smallest pixel ratio, and factor of one step. */
const LEAST_RATIO = 0.5;
const STEP = 0.8;
/** Most frames per drawn shadow. Drawing shadows takes as many vertices as the picture. */
const MOST_INTERVAL = 3;
/** Steps that are judged together: frames last whole intervals of the screen, so that one step may change nothing. */
const JUDGED = 2;
/** Gain of frames per second from which on they were worth their pixels. It is 2.4 where these take all of the time; averages vary by a few percent. */
const WORTHWHILE = 1.15;
/** Averages after which saving pixels is tried again where it brought nothing; doubled each time. */
const RETRY = 16;
const MOST_RETRY = 512;
/** Fast averages in a row before pixels are added; doubled each time that it was too early. */
const PATIENCE = 4;
const MOST_PATIENCE = 128;

/** Decides on the quality of a stage: first fewer pixels, as long as that helps, then fewer shadows. */
export class Quality {
  readonly #most: number;
  /** Steps below the best ratio. */
  #steps = 0;
  #sum = 0;
  #count = 0;
  #fast = 0;
  #patience = PATIENCE;
  #wasRaised = false;
  #interval = 1;
  /** Where saving pixels began, to tell what it brings; null after another change. */
  #before: { readonly fps: number; readonly steps: number } | null = null;
  /** Averages until pixels are saved again after that brought nothing: vertices or scripts take the time, or the machine became slower. */
  #wait = 0;
  #retry = RETRY;

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
    return this.#interval;
  }

  /** Takes the duration of a frame of playback into account. */
  measure(milliseconds: number): void {
    this.#sum += milliseconds;
    this.#count++;
    if (this.#count < FRAMES && this.#sum < LONGEST) return;
    const fps = (1000 * this.#count) / this.#sum;
    this.reset();
    if (fps < LEAST_FPS) this.#lower(fps);
    else if (fps > ENOUGH_FPS) this.#raise();
    else this.#fast = 0;
  }

  /** Forgets the frames that were measured, after a pause. */
  reset(): void {
    this.#sum = 0;
    this.#count = 0;
  }

  #lower(fps: number): void {
    if (this.#wasRaised) this.#patience = Math.min(2 * this.#patience, MOST_PATIENCE);
    this.#wasRaised = false;
    this.#fast = 0;
    const before = this.#before ?? { fps, steps: this.#steps };
    const isJudged = this.#steps - before.steps >= JUDGED;
    this.#before = isJudged ? null : before;
    if (isJudged && fps < WORTHWHILE * before.fps) {
      this.#steps = before.steps;
      this.#wait = this.#retry;
      this.#retry = Math.min(2 * this.#retry, MOST_RETRY);
    }
    if (this.#wait > 0) this.#wait--;
    if (this.#wait === 0 && this.ratio > LEAST_RATIO) this.#steps++;
    else if (this.#interval < MOST_INTERVAL) this.#interval++;
  }

  #raise(): void {
    this.#fast++;
    this.#wasRaised &&= this.#fast < this.#patience;
    this.#before = null;
    if (this.#fast < this.#patience || (this.#steps === 0 && this.#interval === 1)) return;
    this.#fast = 0;
    this.#wasRaised = true;
    this.#wait = 0;
    if (this.#interval > 1) this.#interval--;
    else this.#steps--;
  }
}
