/** Crowds in WebAssembly SIMD. */
import type { CrowdBackend, CrowdBackendFactory, CrowdSize } from '../../core/runtime/crowd/crowd-backend.ts';
import {
  CROWD_MATRIX_STRIDE,
  CROWD_ROWS,
  CROWD_TRANSLATION_STRIDE,
  type CrowdPlan,
  type CrowdTopology,
  STILL_ROW,
} from '../../core/runtime/crowd/crowd-plan.ts';
import { resetCrowdRows } from '../../core/runtime/crowd/crowd-rows.ts';
import type { PlaybackClip } from '../../core/runtime/playback/playback-plan.ts';
import { MATRIX_STRIDE } from '../../core/skeleton/skeleton.ts';
import { compileModule } from '../compile-module.ts';
import { CROWD_WASM } from '../crowd.wasm.ts';
import type { KernelMemory } from '../kernel-memory.ts';
import {
  createPlaybackMemory,
  loadPlaybackKernel,
  PlaybackGroup,
  type PlaybackKernel,
} from '../playback/playback-kernel.ts';

/** Compiled code of the crowd kernel. Can be posted to a worker. */
export interface CrowdKernel {
  /** Computes the deltas. */
  readonly playback: PlaybackKernel;
  /** The compiled WebAssembly module. */
  readonly module: WebAssembly.Module;
}

type FillTable = (table: number, rows: number, count: number, links: number, deltas: number) => void;
type Translate = (
  table: number,
  count: number,
  links: number,
  offset: number,
  order: number,
  characters: number,
  targets: number,
  out: number,
  bytes: number,
) => void;
type WriteMatrices = (
  table: number,
  rows: number,
  count: number,
  links: number,
  offset: number,
  order: number,
  characters: number,
  targets: number,
  out: number,
  bytes: number,
  scratch: number,
  scratchBytes: number,
) => void;

const FLOAT_BYTES = 4;
const MATRIX_BYTES = FLOAT_BYTES * MATRIX_STRIDE;
const DELTA_BYTES = MATRIX_BYTES * CROWD_ROWS;
const ROW_BYTES = FLOAT_BYTES * CROWD_TRANSLATION_STRIDE;
const TABLE_BYTES = 48;
/** Offset of the translation in a matrix. */
const TRANSLATION_BYTES = 48;

/**
 * Compiles the kernels of crowds.
 *
 * @returns The kernel; null where WebAssembly SIMD is missing, or where the Content-Security-Policy of the page lacks `wasm-unsafe-eval`. Crowds then
 * compute in TypeScript.
 * @throws {Error} If compiling fails for a different reason.
 */
export async function loadCrowdKernel(): Promise<CrowdKernel | null> {
  const [playback, module] = await Promise.all([loadPlaybackKernel(), compileModule(CROWD_WASM)]);
  return playback === null || module === null ? null : { playback, module };
}

/** Addresses of what the characters of a topology share. */
interface TopologyBlocks {
  readonly count: number;
  readonly source: number;
  readonly table: number;
  readonly rows: number;
  readonly deltaLinks: number;
  readonly rowLinks: number;
}

function storeTopology(memory: KernelMemory, { bones, parents, source }: CrowdTopology): TopologyBlocks {
  const links = (bytes: number): Int32Array =>
    Int32Array.from({ length: 2 * bones.length }, (_, i) => {
      const k = i >> 1;
      if (i % 2 === 1) return bytes * bones[k];
      return bytes * (parents[k] < 0 ? STILL_ROW : parents[k]);
    });
  return {
    count: bones.length,
    source,
    table: memory.allocate(TABLE_BYTES * bones.length),
    rows: memory.allocate(TABLE_BYTES * bones.length),
    deltaLinks: memory.store(links(MATRIX_BYTES)),
    rowLinks: memory.store(links(ROW_BYTES)),
  };
}

/** Returns a view of floats that is taken anew when the memory has grown. */
function floatsAt(memory: KernelMemory, address: number, length: number): () => Float32Array {
  let view = new Float32Array(memory.buffer, address, length);
  return () => {
    if (view.buffer !== memory.buffer) view = new Float32Array(memory.buffer, address, length);
    return view;
  };
}

function intsAt(memory: KernelMemory, address: number, length: number): () => Int32Array {
  let view = new Int32Array(memory.buffer, address, length);
  return () => {
    if (view.buffer !== memory.buffer) view = new Int32Array(memory.buffer, address, length);
    return view;
  };
}

function createBackend(kernel: CrowdKernel, plan: CrowdPlan, size: CrowdSize): CrowdBackend {
  const { capacity, playheads, matrices } = size;
  const owner = createPlaybackMemory(kernel.playback);
  const { memory } = owner;
  const { exports } = new WebAssembly.Instance(kernel.module, { env: { memory: memory.memory } });
  const fillTable = exports['fillTable'] as FillTable;
  const translate = exports['translate'] as Translate;
  const writeMatrices = exports['writeMatrices'] as WriteMatrices;
  const groups = plan.sources.map((source) => new PlaybackGroup(owner, source, playheads));
  const topologies = plan.topologies.map((topology) => storeTopology(memory, topology));
  const targets = plan.targets.map(({ hipsScale, positions }) =>
    memory.store(Float32Array.of(hipsScale, ...positions)),
  );
  const orderAt = memory.allocate(FLOAT_BYTES * (capacity + 4));
  const targetsAt = memory.allocate(FLOAT_BYTES * capacity);
  const rowBytes = (matrices ? FLOAT_BYTES * CROWD_MATRIX_STRIDE : ROW_BYTES) * CROWD_ROWS;
  const outAt = memory.allocate(rowBytes * capacity);
  const scratchAt = memory.allocate(2 * ROW_BYTES * CROWD_ROWS);
  const out = floatsAt(memory, outAt, (rowBytes / FLOAT_BYTES) * capacity);
  const order = intsAt(memory, orderAt, capacity + 4);
  const targetOf = intsAt(memory, targetsAt, capacity);
  const unused = new Float32Array(ROW_BYTES * CROWD_ROWS);
  const none = new Float32Array(0);
  order().fill(0);
  return {
    deltas: (source) => groups[source].matrices,
    translations: () => (matrices ? none : out()),
    matrices: () => (matrices ? out() : none),
    addClip: (clips: readonly PlaybackClip[]) => {
      for (const [source, clip] of clips.entries()) groups[source].addClip(clip);
    },
    removeClip: (clips) => {
      for (const [source, clip] of clips.entries()) groups[source].removeClip(clip);
    },
    setClip: (playhead, clips) => {
      for (const [source, clip] of clips.entries()) groups[source].setClip(playhead, clip);
    },
    setTarget: (character, target) => {
      targetOf()[character] = targets[target];
      const at = (rowBytes / FLOAT_BYTES) * character;
      if (matrices) resetCrowdRows(unused, 0, out(), at);
      else resetCrowdRows(out(), at, null, 0);
    },
    order,
    updateDeltas: (playhead, source, times) => {
      groups[source].times[playhead] = times[playhead];
      groups[source].update(playhead, 1);
    },
    updateCharacters: (playhead, index, first, characters) => {
      const { count, source, table, rows, deltaLinks, rowLinks } = topologies[index];
      const deltas = groups[source].matricesAddress + DELTA_BYTES * playhead;
      const from = orderAt + FLOAT_BYTES * first;
      const offset = deltas + TRANSLATION_BYTES;
      fillTable(table, matrices ? rows : 0, count, deltaLinks, deltas);
      if (matrices) {
        const scratchBytes = ROW_BYTES * CROWD_ROWS;
        writeMatrices(
          table,
          rows,
          count,
          rowLinks,
          offset,
          from,
          characters,
          targetsAt,
          outAt,
          rowBytes,
          scratchAt,
          scratchBytes,
        );
      } else translate(table, count, rowLinks, offset, from, characters, targetsAt, outAt, rowBytes);
    },
  };
}

/**
 * Lets crowds compute in WebAssembly SIMD.
 *
 * @param kernel From {@link loadCrowdKernel}.
 * @returns The backend for `Crowd`.
 * @example
 * const kernel = await loadCrowdKernel();
 * const crowd = new Crowd(plan, { capacity: 1000, ...(kernel && { backend: kernelCrowd(kernel) }) });
 */
export function kernelCrowd(kernel: CrowdKernel): CrowdBackendFactory {
  return (plan, size) => createBackend(kernel, plan, size);
}
