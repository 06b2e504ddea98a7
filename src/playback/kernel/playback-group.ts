/** Plays groups of characters in WebAssembly SIMD, from compiled clips to matrices. */
import { MATRIX_STRIDE } from '../../core/skeleton/skeleton.ts';
import type { PlaybackClip, PlaybackPlan } from '../matrices/playback-plan.ts';
import { type LevelOrder, orderByLevel, orderClip } from './level-order.ts';
import type { PlaybackMemory } from './playback-memory.ts';
import { type KernelRecord, storeClip, storePlan } from './records.ts';

/** Characters with the same plan: instances of one model. Allocated once for a number of characters; clips can be added and removed at any time. */
export class PlaybackGroup {
  /** The plan of all characters. */
  readonly plan: PlaybackPlan;
  /** Number of characters. */
  readonly capacity: number;
  readonly #memory: PlaybackMemory;
  readonly #order: LevelOrder;
  readonly #record: KernelRecord;
  readonly #clips = new Map<PlaybackClip, KernelRecord>();
  /** Addresses of the clips, times and matrices of the characters. */
  readonly #clipsAt: number;
  readonly #timesAt: number;
  readonly #matricesAt: number;
  #matrices: Float32Array = new Float32Array(0);
  #times: Float64Array = new Float64Array(0);
  #addresses: Uint32Array = new Uint32Array(0);

  constructor(memory: PlaybackMemory, plan: PlaybackPlan, capacity: number) {
    this.plan = plan;
    this.capacity = capacity;
    this.#memory = memory;
    this.#order = orderByLevel(plan);
    this.#record = storePlan(memory, this.#order.plan);
    this.#clipsAt = memory.allocate(4 * capacity);
    this.#timesAt = memory.allocate(8 * capacity);
    this.#matricesAt = memory.allocate(4 * MATRIX_STRIDE * plan.resultCount * capacity);
    this.matrices.fill(0);
    this.times.fill(0);
    this.#clipAddresses().fill(0);
  }

  /** Matrices of all characters: 16 floats per matrix, column-major. Read it anew after `addClip` and after other groups are created. */
  get matrices(): Float32Array {
    const { buffer } = this.#memory;
    if (this.#matrices.buffer !== buffer) {
      const count = MATRIX_STRIDE * this.plan.resultCount * this.capacity;
      this.#matrices = new Float32Array(buffer, this.#matricesAt, count);
    }
    return this.#matrices;
  }

  /** Time of each character, seconds. Read it anew after `addClip` and after other groups are created. */
  get times(): Float64Array {
    const { buffer } = this.#memory;
    if (this.#times.buffer !== buffer) this.#times = new Float64Array(buffer, this.#timesAt, this.capacity);
    return this.#times;
  }

  #clipAddresses(): Uint32Array {
    const { buffer } = this.#memory;
    if (this.#addresses.buffer !== buffer) this.#addresses = new Uint32Array(buffer, this.#clipsAt, this.capacity);
    return this.#addresses;
  }

  /** Copies a clip of the plan into the memory. Keys that other clips of the memory have already are shared. */
  addClip(clip: PlaybackClip): void {
    if (this.#clips.has(clip)) return;
    const memory = this.#memory;
    const frames = memory.shareKeys(clip.compiled.frames);
    const translations = memory.shareKeys(clip.translationKeys);
    const ordered = orderClip(clip, this.#order);
    this.#clips.set(clip, storeClip(memory, this.#order.plan, ordered, frames, translations));
  }

  /** Removes a clip from the memory. Characters that play it stop where they are. */
  removeClip(clip: PlaybackClip): void {
    const record = this.#clips.get(clip);
    if (record === undefined) return;
    const addresses = this.#clipAddresses();
    for (let i = 0; i < addresses.length; i++) if (addresses[i] === record.address) addresses[i] = 0;
    for (const block of record.blocks) this.#memory.free(block);
    this.#memory.releaseKeys(clip.compiled.frames);
    this.#memory.releaseKeys(clip.translationKeys);
    this.#clips.delete(clip);
  }

  /** Lets a character play a clip; null leaves its matrices as they are. Throws a RangeError for a clip that was not added. */
  setClip(character: number, clip: PlaybackClip | null): void {
    const record = clip === null ? null : this.#clips.get(clip);
    if (record === undefined) {
      throw new RangeError(`The clip "${clip?.compiled.name}" is not in the group. Add it with addClip first.`);
    }
    this.#clipAddresses()[character] = record?.address ?? 0;
  }

  /** Computes the matrices of `count` characters from `first` on at their times. Allocates nothing. */
  update(first = 0, count = this.capacity - first): void {
    const out = this.#matricesAt + 4 * MATRIX_STRIDE * this.plan.resultCount * first;
    this.#memory.play(this.#record.address, this.#clipsAt + 4 * first, this.#timesAt + 8 * first, out, count);
  }

  /** Frees the memory of the group. It cannot be used any more. */
  dispose(): void {
    for (const clip of [...this.#clips.keys()]) this.removeClip(clip);
    for (const block of [...this.#record.blocks, this.#clipsAt, this.#timesAt, this.#matricesAt])
      this.#memory.free(block);
  }
}
