/** Crowds: thousands of characters of different proportions that play clips of one source. */
import { MATRIX_STRIDE } from '../../core/skeleton/skeleton.ts';
import { type CompiledClip, locateFrame } from '../compiled-clip.ts';
import { planPlaybackClip } from '../matrices/plan-playback-clip.ts';
import { createPlaybackWork, type PlaybackWork, playFrames } from '../matrices/play-matrices.ts';
import type { PlaybackClip } from '../matrices/playback-plan.ts';
import { CROWD_MATRIX_STRIDE, CROWD_ROWS, CROWD_TRANSLATION_STRIDE, type CrowdPlan } from './crowd-plan.ts';
import { createCrowdTable, crowdMatrices, crowdTranslations, fillCrowdTable, resetCrowdRows } from './crowd-rows.ts';

/** Options of {@link Crowd}. */
export interface CrowdOptions {
  /** Greatest number of characters. */
  readonly capacity: number;
  /** Greatest number of playheads; 64 by default. */
  readonly playheads?: number;
  /** Writes complete 3×4 matrices besides the translations. */
  readonly matrices?: boolean;
}

/** Options of {@link Crowd.addPlayhead}. */
export interface PlayheadOptions {
  /** Time at the start, seconds: the phase. 0 by default. */
  readonly time?: number;
  /** Seconds of the clip per second; 1 by default. */
  readonly speed?: number;
  /** Updates the characters of this playhead only in every n-th update: for characters that are far away. 1 by default. */
  readonly interval?: number;
}

/** A moment of a clip that moves on. Its characters all show it; phases of one clip are several playheads. */
export interface Playhead {
  /** Index of the playhead: which deltas its characters use. */
  readonly index: number;
  /** The clip; change it with {@link Crowd.setClip}. */
  readonly clip: CompiledClip;
  /** Seconds; wraps at the end of the clip. */
  time: number;
  /** Seconds of the clip per second. */
  speed: number;
  /** Updates between two that compute its characters. */
  interval: number;
}

/** A playhead that the crowd changes. */
interface Head extends Omit<Playhead, 'clip'> {
  clip: CompiledClip;
  /** Must be computed in the next update. */
  isStale: boolean;
  /** Number of characters that use it. */
  users: number;
}

const FREE = -1;
const DELTA_STRIDE = MATRIX_STRIDE * CROWD_ROWS;
const ROW_STRIDE = CROWD_TRANSLATION_STRIDE * CROWD_ROWS;
/** Floats per character in the complete matrices. */
const FULL_STRIDE = CROWD_MATRIX_STRIDE * CROWD_ROWS;

/** Characters that play clips of one source. `update` neither allocates nor throws. */
export class Crowd {
  /** The plan. */
  readonly plan: CrowdPlan;
  /** Greatest number of characters. */
  readonly capacity: number;
  /**
   * Translation of each row of each character: x, y, z, 1; {@link CROWD_ROWS} rows per character, canonical frame, meters.
   */
  readonly translations: Float32Array;
  /** Matrix of each row of each character: 3×4, row-major. Empty unless requested. */
  readonly matrices: Float32Array;
  /** Deltas of all playheads, per source of the plan. */
  readonly #deltas: readonly Float32Array[];
  readonly #works: readonly PlaybackWork[];
  /** What the characters of a topology share at one playhead. */
  readonly #tables: readonly Float32Array[];
  /** Every clip, prepared for each source. */
  readonly #clips = new Map<CompiledClip, readonly PlaybackClip[]>();
  /** The prepared clip of each playhead. */
  readonly #played: (readonly PlaybackClip[])[];
  /** Characters by playhead and topology: the order in which they are updated. */
  readonly #order: Int32Array;
  /** Position of a playhead in its clip, from `locateFrame`. */
  readonly #frame = new Float64Array(2);
  readonly #heads: (Head | null)[];
  /** Time of each playhead, seconds. */
  readonly #times: Float64Array;
  /** Playhead of each character; FREE without. */
  readonly #headOf: Int32Array;
  readonly #targetOf: Int32Array;
  /** Free characters: the first `#freeCount`, the last one is taken next. */
  readonly #free: Int32Array;
  #freeCount: number;
  /** First entry in the order, per playhead and topology; one more at the end. */
  readonly #starts: Int32Array;
  readonly #usesSource: Uint8Array;
  #isSorted = false;
  #round = 0;

  /**
   * Creates an empty crowd.
   *
   * @param plan From `planCrowd`.
   * @param options Sizes and output.
   */
  constructor(plan: CrowdPlan, options: CrowdOptions) {
    const { capacity, playheads = 64, matrices = false } = options;
    this.plan = plan;
    this.capacity = capacity;
    this.translations = new Float32Array(ROW_STRIDE * capacity);
    this.matrices = new Float32Array(matrices ? FULL_STRIDE * capacity : 0);
    this.#deltas = plan.sources.map(() => new Float32Array(DELTA_STRIDE * playheads));
    this.#works = plan.sources.map(createPlaybackWork);
    this.#tables = plan.topologies.map(createCrowdTable);
    this.#played = new Array(playheads).fill([]);
    this.#order = new Int32Array(capacity);
    this.#heads = new Array(playheads).fill(null);
    this.#times = new Float64Array(playheads);
    this.#headOf = new Int32Array(capacity).fill(FREE);
    this.#targetOf = new Int32Array(capacity);
    this.#free = Int32Array.from({ length: capacity }, (_, k) => capacity - 1 - k);
    this.#freeCount = capacity;
    this.#starts = new Int32Array(playheads * plan.topologies.length + 1);
    this.#usesSource = new Uint8Array(playheads * plan.sources.length);
  }

  /** Number of characters. */
  get size(): number {
    return this.capacity - this.#freeCount;
  }

  /**
   * Returns the deltas of all playheads: 16 floats per row, column-major, {@link CROWD_ROWS} rows per playhead. The rotation of a row of a character is
   * that of the same row of its playhead.
   *
   * @param source Index of the source of the character's topology; 0 for nearly all crowds.
   * @returns The array, which stays the same.
   */
  deltas(source = 0): Float32Array {
    return this.#deltas[source];
  }

  /**
   * Adds a playhead.
   *
   * @param clip A compiled clip of the source.
   * @param options Phase, speed, interval.
   * @returns The playhead.
   * @throws RangeError If all playheads are in use.
   */
  addPlayhead(clip: CompiledClip, options: PlayheadOptions = {}): Playhead {
    const index = this.#heads.indexOf(null);
    if (index < 0) {
      const count = this.#heads.length;
      throw new RangeError(`The crowd has ${count} playheads, all in use. Remove one, or create the crowd with more.`);
    }
    const { time = 0, speed = 1, interval = 1 } = options;
    const head: Head = { clip, time, speed, interval, index, isStale: true, users: 0 };
    this.#played[index] = this.#prepare(clip);
    this.#heads[index] = head;
    return head;
  }

  /**
   * Removes a playhead.
   *
   * @throws RangeError If characters use it.
   */
  removePlayhead(playhead: Playhead): void {
    const head = this.#headAt(playhead);
    if (head.users > 0)
      throw new RangeError(`The playhead has ${head.users} characters. Move them to another one first.`);
    this.#heads[head.index] = null;
  }

  /**
   * Changes the clip of a playhead, for all of its characters.
   *
   * @param clip A compiled clip of the source.
   * @param time Where to start, seconds; 0 by default.
   */
  setClip(playhead: Playhead, clip: CompiledClip, time = 0): void {
    const head = this.#headAt(playhead);
    this.#played[head.index] = this.#prepare(clip);
    head.clip = clip;
    head.time = time;
    head.isStale = true;
  }

  /**
   * Prepares a clip ahead of time, so that {@link Crowd.setClip} takes microseconds.
   *
   * @param clip A compiled clip of the source.
   */
  addClip(clip: CompiledClip): void {
    this.#prepare(clip);
  }

  /**
   * Forgets a clip.
   *
   * @throws RangeError If a playhead plays it.
   */
  removeClip(clip: CompiledClip): void {
    if (this.#heads.some((head) => head?.clip === clip)) {
      throw new RangeError(`A playhead plays the clip "${clip.name}". Set another clip first.`);
    }
    this.#clips.delete(clip);
  }

  /**
   * Adds a character.
   *
   * @param target Index of its model in the plan.
   * @param playhead What it plays.
   * @returns Its index, which stays the same until it is removed: where its transforms are.
   * @throws RangeError If the crowd is full, or the plan has no such model.
   */
  add(target: number, playhead: Playhead): number {
    if (!(target >= 0 && target < this.plan.targets.length)) {
      throw new RangeError(`The model is ${target}; expected 0 to ${this.plan.targets.length - 1}.`);
    }
    if (this.#freeCount === 0) {
      throw new RangeError(`The crowd has ${this.capacity} characters and is full. Create it with a larger capacity.`);
    }
    const head = this.#headAt(playhead);
    const character = this.#free[--this.#freeCount];
    this.#targetOf[character] = target;
    this.#headOf[character] = head.index;
    const full = this.matrices.length > 0 ? this.matrices : null;
    resetCrowdRows(this.translations, ROW_STRIDE * character, full, FULL_STRIDE * character);
    head.users++;
    head.isStale = true;
    this.#isSorted = false;
    return character;
  }

  /**
   * Removes a character.
   *
   * @param character Its index.
   * @throws RangeError If there is no such character.
   */
  remove(character: number): void {
    const head = this.#headOfCharacter(character);
    head.users--;
    this.#headOf[character] = FREE;
    this.#free[this.#freeCount++] = character;
    this.#isSorted = false;
  }

  /**
   * Lets a character follow another playhead: another clip, another phase, or another interval.
   *
   * @param character Its index.
   * @throws RangeError If there is no such character.
   */
  setPlayhead(character: number, playhead: Playhead): void {
    const before = this.#headOfCharacter(character);
    const head = this.#headAt(playhead);
    if (before === head) return;
    before.users--;
    head.users++;
    head.isStale = true;
    this.#headOf[character] = head.index;
    this.#isSorted = false;
  }

  /**
   * Moves all playheads on and computes their characters. Playheads with an interval are spread over the updates. Allocates nothing.
   *
   * @param seconds Time since the last update.
   */
  update(seconds: number): void {
    if (!this.#isSorted) this.#sort();
    const { sources, topologies } = this.plan;
    for (let index = 0; index < this.#heads.length; index++) {
      const head = this.#heads[index];
      if (head === null) continue;
      const { duration } = head.clip;
      const time = head.time + seconds * head.speed;
      head.time = duration > 0 ? time - duration * Math.floor(time / duration) : 0;
      const isDue = head.interval <= 1 || (this.#round + index) % head.interval === 0;
      if (head.users === 0 || !(isDue || head.isStale)) continue;
      head.isStale = false;
      this.#times[index] = head.time;
      for (let source = 0; source < sources.length; source++) {
        if (this.#usesSource[index * sources.length + source] === 1) {
          this.#updateDeltas(index, source);
        }
      }
      for (let topology = 0; topology < topologies.length; topology++) {
        const bucket = index * topologies.length + topology;
        const first = this.#starts[bucket];
        const count = this.#starts[bucket + 1] - first;
        if (count > 0) this.#updateCharacters(index, topology, first, count);
      }
    }
    this.#round++;
  }

  /** Computes the deltas of a playhead at its time. */
  #updateDeltas(playhead: number, source: number): void {
    const clip = this.#played[playhead][source];
    locateFrame(this.#frame, 0, clip.compiled, this.#times[playhead]);
    playFrames(clip, this.#frame, 0, this.#deltas[source], DELTA_STRIDE * playhead, this.#works[source]);
  }

  /** Computes the characters of one topology at a playhead: `count` entries of the order from `first` on. */
  #updateCharacters(playhead: number, index: number, first: number, count: number): void {
    const { topologies, targets } = this.plan;
    const topology = topologies[index];
    const table = this.#tables[index];
    const deltas = this.#deltas[topology.source];
    const d = DELTA_STRIDE * playhead;
    fillCrowdTable(table, topology, deltas, d);
    for (let k = first; k < first + count; k++) {
      const character = this.#order[k];
      const o = ROW_STRIDE * character;
      crowdTranslations(this.translations, o, topology, targets[this.#targetOf[character]], table, deltas, d);
      if (this.matrices.length === 0) continue;
      crowdMatrices(this.matrices, FULL_STRIDE * character, topology, this.translations, o, deltas, d);
    }
  }

  /** Prepares a clip for every source. */
  #prepare(clip: CompiledClip): readonly PlaybackClip[] {
    const known = this.#clips.get(clip);
    if (known !== undefined) return known;
    const prepared = this.plan.sources.map((source) => {
      const { clip: ready, reason } = planPlaybackClip(source, clip);
      if (ready === null) throw new RangeError(`The clip "${clip.name}" cannot be played: ${reason}.`);
      return ready;
    });
    this.#clips.set(clip, prepared);
    return prepared;
  }

  #headAt({ index }: Playhead): Head {
    const head = this.#heads[index];
    if (head === null || head === undefined) throw new RangeError(`The crowd has no playhead ${index}.`);
    return head;
  }

  #headOfCharacter(character: number): Head {
    const head = this.#heads[this.#headOf[character] ?? FREE];
    if (head === null || head === undefined) throw new RangeError(`The crowd has no character ${character}.`);
    return head;
  }

  /** Sorts the characters by playhead and topology. */
  #sort(): void {
    const { topologies, sources, targets } = this.plan;
    const starts = this.#starts;
    const order = this.#order;
    starts.fill(0);
    this.#usesSource.fill(0);
    for (let character = 0; character < this.capacity; character++) {
      const head = this.#headOf[character];
      if (head === FREE) continue;
      const { topology } = targets[this.#targetOf[character]];
      starts[head * topologies.length + topology + 1]++;
      this.#usesSource[head * sources.length + topologies[topology].source] = 1;
    }
    for (let bucket = 1; bucket < starts.length; bucket++) starts[bucket] += starts[bucket - 1];
    for (let character = this.capacity - 1; character >= 0; character--) {
      const head = this.#headOf[character];
      if (head === FREE) continue;
      const bucket = head * topologies.length + targets[this.#targetOf[character]].topology;
      // The end of the bucket counts down to its start.
      order[--starts[bucket + 1]] = character;
    }
    // Entry b + 1 is now the start of bucket b: shift back.
    for (let bucket = 0; bucket + 1 < starts.length; bucket++) starts[bucket] = starts[bucket + 1];
    starts[starts.length - 1] = this.size;
    this.#isSorted = true;
  }
}
