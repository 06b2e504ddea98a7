/** Morph targets in WebAssembly SIMD: dense ones all at once, sparse ones vertex by vertex. */
import type { MorphTarget } from '../core/deform/morph.ts';
import type { Vertices } from '../core/deform/vertices.ts';
import type { Floats } from '../core/math/floats.ts';
import { compileModule } from './compile-module.ts';
import { KernelMemory } from './kernel-memory.ts';
import { MORPH_WASM } from './morph.wasm.ts';
import type { KernelVertices } from './skin-linear.ts';

/** Compiled code, for any number of meshes. Can be posted to a worker. */
export interface MorphKernel {
  /** The compiled WebAssembly module. */
  readonly module: WebAssembly.Module;
}

/** A mesh and its targets in their own WebAssembly memory, which is garbage-collected with this object. */
export interface KernelMorph {
  /** Vertices before morphing. May be modified. */
  readonly base: KernelVertices;
  /** Vertices after the last call of {@link morphByKernel}. The arrays stay the same. */
  readonly out: KernelVertices;
  /** One runner per attribute of the mesh. */
  readonly attributes: readonly ((weights: ArrayLike<number>) => void)[];
}

interface Exports {
  readonly addDense: (
    floatCount: number,
    base: number,
    targetCount: number,
    targets: number,
    weights: number,
    out: number,
  ) => void;
  readonly addSparse: (count: number, vertices: number, offsets: number, weight: number, out: number) => void;
}

/** A target of one attribute in the memory. */
interface StoredTarget {
  readonly index: number;
  readonly offsets: number;
  /** Address of the byte offsets of its vertices; 0 for a dense target. */
  readonly vertices: number;
  readonly count: number;
}

const VECTOR_BYTES = 12;
/** Floats that are added together. */
const BLOCK = 16;

/**
 * Compiles the kernel.
 *
 * @returns The kernel; null where WebAssembly SIMD is missing, or where the Content-Security-Policy of the page lacks `wasm-unsafe-eval`. Use `morph`
 * there.
 * @throws {Error} If compiling fails for a different reason.
 */
export async function loadMorphKernel(): Promise<MorphKernel | null> {
  const module = await compileModule(MORPH_WASM);
  return module === null ? null : { module };
}

/** Stores floats, padded with zeros to whole blocks. */
function storePadded(memory: KernelMemory, values: Floats): number {
  const padded = new Float32Array(Math.ceil(values.length / BLOCK) * BLOCK + BLOCK);
  padded.set(values);
  return memory.store(padded);
}

/** Stores the offsets that a target has for an attribute. */
function storeTarget(memory: KernelMemory, { vertices }: MorphTarget, index: number, offsets: Floats): StoredTarget {
  return {
    index,
    offsets: storePadded(memory, offsets),
    vertices: vertices === null ? 0 : memory.store(Uint32Array.from(vertices, (vertex) => vertex * VECTOR_BYTES)),
    count: vertices?.length ?? 0,
  };
}

/** An attribute in the memory: addresses, and how it is morphed once the memory has its final size. */
interface StoredAttribute {
  readonly base: number;
  readonly out: number;
  readonly length: number;
  readonly run: (exports: Exports, buffer: ArrayBufferLike) => (weights: ArrayLike<number>) => void;
}

function storeAttribute(
  memory: KernelMemory,
  attribute: 'positions' | 'normals',
  targets: readonly MorphTarget[],
  values: Floats,
): StoredAttribute {
  const base = storePadded(memory, values);
  const out = storePadded(memory, values);
  const stored = targets.flatMap((target, index) => {
    const offsets = target[attribute];
    return offsets === null ? [] : [storeTarget(memory, target, index, offsets)];
  });
  const dense = stored.filter(({ vertices }) => vertices === 0);
  const sparse = stored.filter(({ vertices }) => vertices !== 0);
  const addressesAt = memory.allocate(4 * dense.length);
  const weightsAt = memory.allocate(4 * dense.length);
  const floatCount = Math.ceil(values.length / BLOCK) * BLOCK;
  const run = ({ addDense, addSparse }: Exports, buffer: ArrayBufferLike) => {
    const addresses = new Uint32Array(buffer, addressesAt, dense.length);
    const used = new Float32Array(buffer, weightsAt, dense.length);
    return (weights: ArrayLike<number>): void => {
      let count = 0;
      for (let k = 0; k < dense.length; k++) {
        const weight = dense[k].index < weights.length ? weights[dense[k].index] : 0;
        if (weight === 0) continue;
        addresses[count] = dense[k].offsets;
        used[count++] = weight;
      }
      addDense(floatCount, base, count, addressesAt, weightsAt, out);
      for (let k = 0; k < sparse.length; k++) {
        const { index, offsets, vertices, count: vertexCount } = sparse[k];
        const weight = index < weights.length ? weights[index] : 0;
        if (weight !== 0) addSparse(vertexCount, vertices, offsets, weight, out);
      }
    };
  };
  return { base, out, length: values.length, run };
}

/**
 * Copies a mesh and its morph targets to a new WebAssembly memory. Tangents are not copied.
 *
 * @param kernel The kernel, from {@link loadMorphKernel}.
 * @param targets Targets that `validateMorphTargets` accepts.
 * @param vertices Vertices to morph.
 * @returns The mesh for {@link morphByKernel}.
 * @throws {RangeError} If the mesh exceeds 4 GiB or the available memory.
 */
export function prepareKernelMorph(
  kernel: MorphKernel,
  targets: readonly MorphTarget[],
  vertices: Vertices,
): KernelMorph {
  const memory = new KernelMemory();
  const positions = storeAttribute(memory, 'positions', targets, vertices.positions);
  const normals = vertices.normals === null ? null : storeAttribute(memory, 'normals', targets, vertices.normals);
  const { buffer } = memory;
  const instance = new WebAssembly.Instance(kernel.module, { env: { memory: memory.memory } });
  const exports = instance.exports as unknown as Exports;
  const view = (stored: StoredAttribute, at: 'base' | 'out'): Float32Array =>
    new Float32Array(buffer, stored[at], stored.length);
  const verticesAt = (at: 'base' | 'out'): KernelVertices => ({
    positions: view(positions, at),
    normals: normals === null ? null : view(normals, at),
    tangents: null,
  });
  return {
    base: verticesAt('base'),
    out: verticesAt('out'),
    attributes: [positions, ...(normals === null ? [] : [normals])].map(({ run }) => run(exports, buffer)),
  };
}

/**
 * Morphs a mesh, as `morph`: `attribute = base + Σ weightᵢ · offsetᵢ`, into `morph.out`. Within 1e-6 of `morph`, relative to the size of the terms. No
 * allocation.
 *
 * @param mesh The mesh, from {@link prepareKernelMorph}.
 * @param weights Weight of every target; targets without a weight are skipped.
 */
export function morphByKernel(mesh: KernelMorph, weights: ArrayLike<number>): void {
  for (let k = 0; k < mesh.attributes.length; k++) mesh.attributes[k](weights);
}
