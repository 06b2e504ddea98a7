/** Playback in WebAssembly SIMD: groups of characters, from compiled clips to matrices. */
import type { PlaybackClip, PlaybackPlan } from '../../core/runtime/playback/playback-plan.ts';
import { MATRIX_STRIDE } from '../../core/skeleton/skeleton.ts';
import { compileModule } from '../compile-module.ts';
import { KernelMemory } from '../kernel-memory.ts';
import { PLAYBACK_WASM } from '../playback.wasm.ts';
import { type KernelFrames, type KernelRecord, storeClip, storePlan } from './records.ts';

/** Compiled code of the playback kernel. Can be posted to a worker. */
export interface PlaybackKernel {
  /** The compiled WebAssembly module. */
  readonly module: WebAssembly.Module;
}

type Play = (plan: number, clips: number, times: number, out: number, count: number) => void;

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
  return { memory, play: exports['play'] as Play, frames: new Map() };
}

/**
 * Characters with the same plan: instances of one model. Allocated once for a number of characters; clips can be added and removed at any time.
 */
export class PlaybackGroup {
  /** The plan of all characters. */
  readonly plan: PlaybackPlan;
  /** Number of characters. */
  readonly capacity: number;
  readonly #owner: PlaybackMemory;
  readonly #record: KernelRecord;
  readonly #clips = new Map<PlaybackClip, KernelRecord>();
  readonly #clipsAt: number;
  readonly #timesAt: number;
  /** Byte address of the matrices in the memory, for other kernels. */
  readonly matricesAddress: number;
  #matrices = new Float32Array(0);
  #times = new Float64Array(0);
  #addresses = new Uint32Array(0);

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
    this.#record = storePlan(owner.memory, plan);
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

  #share(keys: Float32Array): number {
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
    const frames = this.#share(clip.compiled.frames);
    const translations = this.#share(clip.translationKeys);
    this.#clips.set(clip, storeClip(this.#owner.memory, this.plan, clip, frames, translations));
  }

  /**
   * Removes a clip from the memory. Characters that play it stop where they are.
   *
   * @param clip The clip.
   */
  removeClip(clip: PlaybackClip): void {
    const record = this.#clips.get(clip);
    if (record === undefined) return;
    const addresses = this.#clipAddresses();
    for (let i = 0; i < addresses.length; i++) if (addresses[i] === record.address) addresses[i] = 0;
    for (const block of record.blocks) this.#owner.memory.free(block);
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
    const record = clip === null ? null : this.#clips.get(clip);
    if (record === undefined) {
      throw new RangeError(`The clip "${clip?.compiled.name}" is not in the group. Add it with addClip first.`);
    }
    this.#clipAddresses()[character] = record?.address ?? 0;
  }

  /**
   * Computes the matrices of characters at their times. Allocates nothing.
   *
   * @param first Index of the first character; 0 by default.
   * @param count Number of characters; all by default.
   */
  update(first = 0, count = this.capacity - first): void {
    const bytes = 4 * MATRIX_STRIDE * this.plan.resultCount;
    const out = this.matricesAddress + bytes * first;
    this.#owner.play(this.#record.address, this.#clipsAt + 4 * first, this.#timesAt + 8 * first, out, count);
  }

  /** Frees the memory of the group. It cannot be used any more. */
  dispose(): void {
    for (const clip of [...this.#clips.keys()]) this.removeClip(clip);
    for (const block of [...this.#record.blocks, this.#clipsAt, this.#timesAt, this.matricesAddress]) {
      this.#owner.memory.free(block);
    }
  }
}
