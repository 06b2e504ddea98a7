/** Adapts what is drawn to the speed of the machine, so that playback stays fluent. */

/** Frames per second below which something is saved, and above which it is added again. Motion that drops below 30 looks jerky, and averages vary. */
const LEAST_FPS = 40;
const ENOUGH_FPS = 48;
/** Frames that are averaged before a decision. */
const FRAMES = 20;
/** Smallest pixel ratio, and factor of one step. */
const LEAST_RATIO = 0.5;
const STEP = 0.8;
/** Fast averages in a row before something is added; doubled each time that it was too early. */
const PATIENCE = 4;
const MOST_PATIENCE = 128;

/** Decides on the triangles and the pixel ratio of a stage. */
export class Quality {
  readonly #most: number;
  readonly #hasLightMeshes: boolean;
  /** Steps below the best quality: first fewer triangles where there are such meshes, then fewer and fewer pixels. */
  #steps = 0;
  #sum = 0;
  #count = 0;
  #fast = 0;
  #patience = PATIENCE;
  #wasRaised = false;

  /** Starts with the best quality. */
  constructor(most: number, hasLightMeshes = false) {
    this.#most = most;
    this.#hasLightMeshes = hasLightMeshes;
  }

  /** Canvas pixels per CSS pixel of a picture that stands still. */
  get best(): number {
    return this.#most;
  }

  /** Canvas pixels per CSS pixel during playback. */
  get ratio(): number {
    const steps = this.#steps - (this.isLight ? 1 : 0);
    return Math.max(LEAST_RATIO, this.#most * STEP ** steps);
  }

  /** Whether meshes have fewer triangles. */
  get isLight(): boolean {
    return this.#hasLightMeshes && this.#steps > 0;
  }

  /** Takes the duration of a frame of playback into account. */
  measure(milliseconds: number): boolean {
    this.#sum += milliseconds;
    this.#count++;
    if (this.#count < FRAMES) return false;
    const fps = (1000 * this.#count) / this.#sum;
    this.reset();
    const before = this.#steps;
    if (fps < LEAST_FPS) this.#lower();
    else if (fps > ENOUGH_FPS) this.#raise();
    else this.#fast = 0;
    return this.#steps !== before;
  }

  /** Forgets the frames that were measured, after a pause. */
  reset(): void {
    this.#sum = 0;
    this.#count = 0;
  }

  #lower(): void {
    if (this.#wasRaised) this.#patience = Math.min(2 * this.#patience, MOST_PATIENCE);
    this.#wasRaised = false;
    this.#fast = 0;
    if (this.ratio > LEAST_RATIO) this.#steps++;
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
