/** Playback in WebAssembly SIMD: groups of characters, from compiled clips to matrices. */
import type { PlaybackClip, PlaybackPlan } from '../../core/runtime/playback/playback-plan.ts';
import { MATRIX_STRIDE } from '../../core/skeleton/skeleton.ts';
import { compileModule } from '../compile-module.ts';
import { KernelMemory } from '../kernel-memory.ts';
import { PLAYBACK_WASM } from '../playback.wasm.ts';
import { type LevelOrder, orderByLevel, orderClip } from './level-order.ts';
import { type KernelFrames, type KernelRecord, storeClip, storePlan } from './records.ts';

/** Compiled code of the playback kernel. Can be posted to a worker. */
export interface PlaybackKernel {
  /** The compiled WebAssembly module. */
  readonly module: WebAssembly.Module;
}

/** Plays characters that share a plan; all arguments but the last one are addresses. */
export type Play = (plan: number, clips: number, times: number, out: number, count: number) => void;

/** Plays characters on several threads: five arguments of {@link Play} per thread. Threads with a count of 0 have nothing to do. */
export type PlayParts = (parts: Int32Array) => void;

/**
 * Compiles the playback kernel.
 *
 * @returns The kernel; null where WebAssembly SIMD is missing, or where the Content-Security-Policy of the page lacks `wasm-unsafe-eval`. Use
 * `playMatrices` there.
 * @throws {Error} If compiling fails for a different reason.
 */
export async function loadPlaybackKernel(): Promise<PlaybackKernel | null> {
  const module = await compileModule(PLAYBACK_WASM);
  return module === null ? null : { module };
}

/** An instance of the kernel with its memory. Groups in it share the frames of their clips. */
export interface PlaybackMemory {
  /** The memory. */
  readonly memory: KernelMemory;
  /** Plays characters; addresses in bytes. */
  readonly play: Play;
  /** Keys in the memory, by their array in a clip. */
  readonly frames: Map<Float32Array, KernelFrames>;
  /** Number of threads, this one included. */
  readonly threads: number;
  /** Plays characters on all threads; null with one thread. */
  readonly playParts: PlayParts | null;
}

/**
 * Creates a memory for groups of characters.
 *
 * @param kernel From {@link loadPlaybackKernel}.
 * @returns An empty memory, which grows with its groups and clips.
 */
export function createPlaybackMemory(kernel: PlaybackKernel): PlaybackMemory {
  const memory = new KernelMemory();
  const { exports } = new WebAssembly.Instance(kernel.module, { env: { memory: memory.memory } });
  return { memory, play: exports['play'] as Play, frames: new Map(), threads: 1, playParts: null };
}

/** Arguments of {@link Play}. */
const PART_STRIDE = 5;

/**
 * Characters with the same plan: instances of one model. With several threads each of them plays an equal part of the capacity. Allocated once for a number of characters; clips can be added and removed at any time.
 */
export class PlaybackGroup {
  /** The plan of all characters. */
  readonly plan: PlaybackPlan;
  /** Number of characters. */
  readonly capacity: number;
  readonly #owner: PlaybackMemory;
  readonly #order: LevelOrder;
  /** One record per thread, since playing a plan or a clip uses their scratch memory. */
  readonly #records: readonly KernelRecord[];
  readonly #clips = new Map<PlaybackClip, readonly KernelRecord[]>();
  readonly #parts: Int32Array;
  /** Characters per thread. */
  readonly #share: number;
  readonly #clipsAt: number;
  readonly #timesAt: number;
  /** Byte address of the matrices in the memory, for other kernels. */
  readonly matricesAddress: number;
  #matrices: Float32Array = new Float32Array(0);
  #times: Float64Array = new Float64Array(0);
  #addresses: Uint32Array = new Uint32Array(0);

  /**
   * Allocates a group.
   *
   * @param owner The memory.
   * @param plan The plan of all characters.
   * @param capacity Number of characters.
   */
  constructor(owner: PlaybackMemory, plan: PlaybackPlan, capacity: number) {
    this.plan = plan;
    this.capacity = capacity;
    this.#owner = owner;
    this.#order = orderByLevel(plan);
    this.#records = Array.from({ length: owner.threads }, () => storePlan(owner.memory, this.#order.plan));
    this.#parts = new Int32Array(PART_STRIDE * owner.threads);
    this.#share = Math.max(1, Math.ceil(capacity / owner.threads));
    this.#clipsAt = owner.memory.allocate(4 * capacity);
    this.#timesAt = owner.memory.allocate(8 * capacity);
    this.matricesAddress = owner.memory.allocate(4 * MATRIX_STRIDE * plan.resultCount * capacity);
    this.matrices.fill(0);
    this.times.fill(0);
    this.#clipAddresses().fill(0);
  }

  /** Matrices of all characters: 16 floats per matrix, column-major. Read it anew after `addClip` and after other groups are created. */
  get matrices(): Float32Array {
    const { buffer } = this.#owner.memory;
    if (this.#matrices.buffer !== buffer) {
      const count = MATRIX_STRIDE * this.plan.resultCount * this.capacity;
      this.#matrices = new Float32Array(buffer, this.matricesAddress, count);
    }
    return this.#matrices;
  }

  /** Time of each character, seconds. Read it anew after `addClip` and after other groups are created. */
  get times(): Float64Array {
    const { buffer } = this.#owner.memory;
    if (this.#times.buffer !== buffer) this.#times = new Float64Array(buffer, this.#timesAt, this.capacity);
    return this.#times;
  }

  #clipAddresses(): Uint32Array {
    const { buffer } = this.#owner.memory;
    if (this.#addresses.buffer !== buffer) this.#addresses = new Uint32Array(buffer, this.#clipsAt, this.capacity);
    return this.#addresses;
  }

  #shareKeys(keys: Float32Array): number {
    const { frames, memory } = this.#owner;
    let shared = frames.get(keys);
    if (shared === undefined) {
      shared = { address: memory.store(keys), users: 0 };
      frames.set(keys, shared);
    }
    shared.users++;
    return shared.address;
  }

  #release(keys: Float32Array): void {
    const { frames, memory } = this.#owner;
    const shared = frames.get(keys);
    if (shared === undefined) return;
    shared.users--;
    if (shared.users > 0) return;
    memory.free(shared.address);
    frames.delete(keys);
  }

  /**
   * Copies a clip into the memory. Keys that other clips of the memory have already are shared.
   *
   * @param clip A clip for the plan of the group. Adding it again has no effect.
   */
  addClip(clip: PlaybackClip): void {
    if (this.#clips.has(clip)) return;
    const frames = this.#shareKeys(clip.compiled.frames);
    const translations = this.#shareKeys(clip.translationKeys);
    const { memory } = this.#owner;
    const ordered = orderClip(clip, this.#order);
    const records = this.#records.map(() => storeClip(memory, this.#order.plan, ordered, frames, translations));
    this.#clips.set(clip, records);
  }

  /**
   * Removes a clip from the memory. Characters that play it stop where they are.
   *
   * @param clip The clip.
   */
  removeClip(clip: PlaybackClip): void {
    const records = this.#clips.get(clip);
    if (records === undefined) return;
    const addresses = this.#clipAddresses();
    for (const { address, blocks } of records) {
      for (let i = 0; i < addresses.length; i++) if (addresses[i] === address) addresses[i] = 0;
      for (const block of blocks) this.#owner.memory.free(block);
    }
    this.#release(clip.compiled.frames);
    this.#release(clip.translationKeys);
    this.#clips.delete(clip);
  }

  /**
   * Lets a character play a clip.
   *
   * @param character Its index, below `capacity`.
   * @param clip A clip of the group; null leaves its matrices as they are.
   * @throws {RangeError} If the clip was not added.
   */
  setClip(character: number, clip: PlaybackClip | null): void {
    const records = clip === null ? null : this.#clips.get(clip);
    if (records === undefined) {
      throw new RangeError(`The clip "${clip?.compiled.name}" is not in the group. Add it with addClip first.`);
    }
    this.#clipAddresses()[character] = records?.[Math.floor(character / this.#share)].address ?? 0;
  }

  /**
   * Computes the matrices of characters at their times. Allocates nothing.
   *
   * @param first Index of the first character; 0 by default.
   * @param count Number of characters; all by default.
   */
  update(first = 0, count = this.capacity - first): void {
    const { playParts, play, threads } = this.#owner;
    if (playParts === null) {
      play(this.#records[0].address, this.#clipsAt + 4 * first, this.#timesAt + 8 * first, this.#outAt(first), count);
      return;
    }
    for (let thread = 0; thread < threads; thread++) {
      const start = Math.max(first, thread * this.#share);
      const end = Math.min(first + count, (thread + 1) * this.#share);
      const at = PART_STRIDE * thread;
      this.#parts[at] = this.#records[thread].address;
      this.#parts[at + 1] = this.#clipsAt + 4 * start;
      this.#parts[at + 2] = this.#timesAt + 8 * start;
      this.#parts[at + 3] = this.#outAt(start);
      this.#parts[at + 4] = Math.max(0, end - start);
    }
    playParts(this.#parts);
  }

  /** Returns the address of the matrices of a character. */
  #outAt(character: number): number {
    return this.matricesAddress + 4 * MATRIX_STRIDE * this.plan.resultCount * character;
  }

  /** Frees the memory of the group. It cannot be used any more. */
  dispose(): void {
    for (const clip of [...this.#clips.keys()]) this.removeClip(clip);
    const blocks = this.#records.flatMap((record) => record.blocks);
    for (const block of [...blocks, this.#clipsAt, this.#timesAt, this.matricesAddress]) {
      this.#owner.memory.free(block);
    }
  }
}
