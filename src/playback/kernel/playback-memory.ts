import { PLAYBACK_WASM } from './playback.wasm.ts';

const PAGE_BYTES = 65536;
/** 4 GiB, the most that a WebAssembly memory has. */
const MOST_PAGES = 65536;
/** Alignment of blocks: a vector of four floats. */
const ALIGNMENT = 16;
/** Bytes in front of the first block: kernels treat address 0 as null. */
const FIRST = 64;

/**
 * Memory in which a WebAssembly SIMD kernel plays characters; it grows with them and their clips. One is enough for all models of a page. From
 * {@link createPlaybackMemory}.
 */
export class PlaybackMemory {
  /**
   * Plays characters that share a plan. All arguments but the last one, the number of characters, are addresses.
   *
   * @internal
   */
  readonly play: (plan: number, clips: number, times: number, out: number, count: number) => void;
  readonly #memory = new WebAssembly.Memory({ initial: 1, maximum: MOST_PAGES });
  /** Free ranges in bytes, ascending, never adjacent. */
  readonly #free: { start: number; end: number }[] = [{ start: FIRST, end: PAGE_BYTES }];
  /** End of every used block by its start. */
  readonly #used = new Map<number, number>();
  /** Keys in the memory, which several clips may share. */
  readonly #keys = new Map<Float32Array, { readonly address: number; users: number }>();

  /**
   * Creates an empty memory.
   *
   * @internal
   */
  constructor(module: WebAssembly.Module) {
    const { exports } = new WebAssembly.Instance(module, { env: { memory: this.#memory } });
    this.play = exports['play'] as PlaybackMemory['play'];
  }

  /**
   * The current buffer. Growing the memory detaches views of it: take them anew whenever it has changed.
   *
   * @internal
   */
  get buffer(): ArrayBuffer {
    return this.#memory.buffer;
  }

  /**
   * Allocates a block with undefined content; its address is a multiple of 16. Throws a RangeError if the memory would exceed 4 GiB, or what the system has.
   *
   * @internal
   */
  allocate(bytes: number): number {
    const size = Math.max(ALIGNMENT, Math.ceil(bytes / ALIGNMENT) * ALIGNMENT);
    let index = this.#free.findIndex(({ start, end }) => end - start >= size);
    if (index < 0) {
      this.#grow(size);
      index = this.#free.length - 1;
    }
    const block = this.#free[index];
    const { start } = block;
    block.start += size;
    if (block.start === block.end) this.#free.splice(index, 1);
    this.#used.set(start, start + size);
    return start;
  }

  /**
   * Frees a block by its address.
   *
   * @internal
   */
  free(start: number): void {
    const end = this.#used.get(start);
    if (end === undefined) return;
    this.#used.delete(start);
    let index = this.#free.findIndex((block) => block.start > start);
    if (index < 0) index = this.#free.length;
    this.#free.splice(index, 0, { start, end });
    this.#merge(index);
    this.#merge(index - 1);
  }

  /**
   * Copies numbers into a new block and returns its address.
   *
   * @internal
   */
  store(values: Float32Array | Int32Array): number {
    const start = this.allocate(values.byteLength);
    if (values instanceof Float32Array) new Float32Array(this.buffer, start, values.length).set(values);
    else new Int32Array(this.buffer, start, values.length).set(values);
    return start;
  }

  /**
   * Returns the address of the keys of a clip, which are stored once.
   *
   * @internal
   */
  shareKeys(keys: Float32Array): number {
    let shared = this.#keys.get(keys);
    if (shared === undefined) {
      shared = { address: this.store(keys), users: 0 };
      this.#keys.set(keys, shared);
    }
    shared.users++;
    return shared.address;
  }

  /**
   * Frees keys that no other clip uses.
   *
   * @internal
   */
  releaseKeys(keys: Float32Array): void {
    const shared = this.#keys.get(keys);
    if (shared === undefined) return;
    shared.users--;
    if (shared.users > 0) return;
    this.free(shared.address);
    this.#keys.delete(keys);
  }

  /** Joins a free range with the next one if they are adjacent. */
  #merge(index: number): void {
    if (index < 0 || index + 1 >= this.#free.length) return;
    const [block, next] = [this.#free[index], this.#free[index + 1]];
    if (block.end !== next.start) return;
    block.end = next.end;
    this.#free.splice(index + 1, 1);
  }

  /** Grows the memory so that the last free range has a size; at least doubles it, so that growing is rare. */
  #grow(size: number): void {
    const end = this.buffer.byteLength;
    const pages = Math.ceil(Math.max(size, Math.min(end, 2 ** 26)) / PAGE_BYTES);
    if (end / PAGE_BYTES + pages > MOST_PAGES) {
      throw new RangeError(
        `The kernel needs ${end + size} bytes; expected at most 4 GiB. Play fewer characters or clips.`,
      );
    }
    this.#memory.grow(pages);
    this.#free.push({ start: end, end: end + pages * PAGE_BYTES });
    this.#merge(this.#free.length - 2);
  }
}

/**
 * Compiles the kernel and creates a memory for it: pass it to `createCharacterRig` of the plugins for three.js and Babylon.js.
 *
 * @returns An empty memory; null where WebAssembly SIMD is missing, or where the Content-Security-Policy of the page lacks `wasm-unsafe-eval`. Characters
 * are then played in TypeScript.
 * @throws Error If compiling fails for a different reason.
 * @example
 * const memory = await createPlaybackMemory();
 * const rig = createCharacterRig(gltf.scene, { memory });
 */
export async function createPlaybackMemory(): Promise<PlaybackMemory | null> {
  if (typeof WebAssembly === 'undefined') return null;
  const bytes = Uint8Array.from(atob(PLAYBACK_WASM), (unit) => unit.charCodeAt(0));
  if (!WebAssembly.validate(bytes)) return null;
  try {
    return new PlaybackMemory(await WebAssembly.compile(bytes));
  } catch (error) {
    if (error instanceof WebAssembly.CompileError) return null;
    throw error;
  }
}
