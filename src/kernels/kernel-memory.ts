/** Memory of a kernel: blocks of a WebAssembly memory that grows. */

const PAGE_BYTES = 65536;
const MOST_PAGES = 65536;
/** 1 GiB: address space for all of a shared memory is reserved at once. */
const MOST_SHARED_PAGES = 16384;
/** Alignment of blocks: a vector of four floats. */
const ALIGNMENT = 16;
/** Bytes in front of the first block: kernels treat address 0 as null. */
const FIRST = 64;

/** A free or used range of the memory, bytes. */
interface Block {
  start: number;
  end: number;
}

/** The memory of a kernel. Growing it detaches views, so take them from here whenever `buffer` has changed. */
export class KernelMemory {
  /** The WebAssembly memory. */
  readonly memory: WebAssembly.Memory;
  /** Free ranges, ascending, never adjacent. */
  readonly #free: Block[];
  /** End of every used block by its start. */
  readonly #used = new Map<number, number>();

  /**
   * Creates a memory of one page.
   *
   * @param shared Whether threads share it.
   */
  constructor(shared = false) {
    this.memory = new WebAssembly.Memory({ initial: 1, maximum: shared ? MOST_SHARED_PAGES : MOST_PAGES, shared });
    this.#free = [{ start: FIRST, end: PAGE_BYTES }];
  }

  /** The current buffer. */
  get buffer(): ArrayBufferLike {
    return this.memory.buffer;
  }

  /**
   * Allocates a block.
   *
   * @param bytes Size.
   * @returns Address, a multiple of 16. The content is undefined.
   * @throws {RangeError} If the memory would exceed 4 GiB, or what the system has.
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
   * Frees a block.
   *
   * @param start Its address, from {@link KernelMemory.allocate}.
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
   * Copies numbers into a new block.
   *
   * @param values The numbers.
   * @returns The address of the block.
   * @throws {RangeError} As {@link KernelMemory.allocate}.
   */
  store(values: Float32Array | Int32Array | Uint32Array): number {
    const start = this.allocate(values.byteLength);
    if (values instanceof Float32Array) new Float32Array(this.buffer, start, values.length).set(values);
    else new Int32Array(this.buffer, start, values.length).set(values);
    return start;
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
    this.memory.grow(pages);
    this.#free.push({ start: end, end: end + pages * PAGE_BYTES });
    this.#merge(this.#free.length - 2);
  }
}
