/**
 * Eight dense morph targets with positions and normals on a mesh of 28,000 vertices, all with a weight: the kernel against `morph`. A second row has sparse
 * targets that move a tenth of the vertices, as facial expressions do. The results are compared before measuring.
 */
import { type MorphTarget, morph, type Vertices } from 'anyrig/deform';
import { loadMorphKernel, type MorphKernel, morphByKernel, prepareKernelMorph } from 'anyrig/kernels';
import { type Comparison, compare, type Row } from './measure.ts';

const VERTICES = 28_000;
const TARGETS = 8;
/** A sparse target moves one of so many vertices. */
const SPARSE_STEP = 10;
/** Greatest difference between both results, whose sums are up to 10. */
const TOLERANCE = 1e-5;

function wave(length: number, k: number): Float32Array {
  return Float32Array.from({ length }, (_, i) => Math.sin(0.1 * i + k));
}

function comparison(kernel: MorphKernel, name: string, vertices: Uint32Array | null, limit?: number): Comparison {
  const base: Vertices = { positions: wave(3 * VERTICES, 0), normals: wave(3 * VERTICES, 1), tangents: null };
  const size = 3 * (vertices?.length ?? VERTICES);
  const targets: MorphTarget[] = Array.from({ length: TARGETS }, (_, k) => ({
    vertices,
    positions: wave(size, k + 2),
    normals: wave(size, k + 10),
    tangents: null,
  }));
  const weights = targets.map((_, k) => 0.1 * (k + 1));
  const mesh = prepareKernelMorph(kernel, targets, base);
  const out = { positions: new Float32Array(3 * VERTICES), normals: new Float32Array(3 * VERTICES), tangents: null };
  const own = { name: `morphByKernel, ${name}`, run: () => morphByKernel(mesh, weights) };
  const against = { name: `morph, ${name}`, run: () => morph(targets, weights, base, out) };
  own.run();
  against.run();
  const differs = (a: Float32Array, b: Float32Array): boolean => a.some((x, i) => !(Math.abs(x - b[i]) < TOLERANCE));
  if (differs(mesh.out.positions, out.positions) || differs(mesh.out.normals as Float32Array, out.normals)) {
    throw new Error(`The vertices of ${name} differ.`);
  }
  return { name, own, against, kind: 'speedup', ...(limit === undefined ? {} : { limit }) };
}

/** Measures morph targets in the kernel against TypeScript. */
export async function morphsVsTs(rounds: number): Promise<Row[]> {
  const kernel = await loadMorphKernel();
  if (kernel === null) throw new Error('The kernel needs WebAssembly with SIMD, which this runtime lacks.');
  const sparse = Uint32Array.from({ length: VERTICES / SPARSE_STEP }, (_, k) => k * SPARSE_STEP);
  return compare(
    [comparison(kernel, 'morphs-vs-ts', null, 8), comparison(kernel, 'morphs-vs-ts, sparse', sparse)],
    rounds,
    { time: 100, calls: 5 },
  );
}
