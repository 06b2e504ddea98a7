/** Linear blend skinning by WebAssembly SIMD: what skinLinear does to positions and normals, four floats at a time. */
import type { SkinPlan } from '../core/deform/skin-plan.ts';
import type { Vertices } from '../core/deform/vertices.ts';
import type { Floats } from '../core/math/floats.ts';
import { SKIN_LINEAR_WASM } from './skin-linear.wasm.ts';

/** Compiled code, good for any number of meshes. Can be posted to a worker. */
export interface SkinKernel {
  readonly module: WebAssembly.Module;
}

/** Vertices in the memory of a kernel. */
export interface KernelVertices extends Vertices {
  readonly positions: Float32Array;
  readonly normals: Float32Array | null;
  readonly tangents: null;
}

/** A mesh in the memory of a kernel: that of its own, which goes when nothing refers to it any more. */
export interface KernelSkin {
  /** The vertices before skinning. May be written to, say by `morph`. */
  readonly base: KernelVertices;
  /** The vertices after skinning, those of the last call of {@link skinLinearByKernel}. The arrays stay the same. */
  readonly out: KernelVertices;
  /** Where the matrices of the next pass go, 16 floats a joint. */
  readonly matrices: Float32Array;
  /** Moves by `matrices`: points (1), normals (2) or both (3). */
  readonly pass: (parts: 1 | 2 | 3) => void;
}

type Skin = (
  bundleCount: number,
  starts: number,
  joints: number,
  weights: number,
  vertexStarts: number,
  vertices: number,
  matrices: number,
  points: number,
  outPoints: number,
  directions: number,
  outDirections: number,
) => void;

const POINTS = 1;
const NORMALS = 2;
const BOTH = 3;
const FLOAT_BYTES = 4;
const VECTOR_BYTES = 3 * FLOAT_BYTES;
const MATRIX_FLOATS = 16;
const MATRIX_BYTES = MATRIX_FLOATS * FLOAT_BYTES;
const PAGE_BYTES = 65536;

/**
 * Compiles the kernel. Null where there is no WebAssembly with SIMD or the page does not allow it (Content-Security-Policy
 * without `wasm-unsafe-eval`): use skinLinear there.
 */
export async function loadSkinKernel(): Promise<SkinKernel | null> {
  if (typeof WebAssembly === 'undefined') return null;
  const bytes = Uint8Array.from(atob(SKIN_LINEAR_WASM), (unit) => unit.charCodeAt(0));
  if (!WebAssembly.validate(bytes)) return null;
  try {
    return { module: await WebAssembly.compile(bytes) };
  } catch (error) {
    if (error instanceof WebAssembly.CompileError) return null;
    throw error;
  }
}

/**
 * Copies a plan and the vertices that it moves into a memory that is just large enough. Tangents stay behind. RangeError for vertices
 * of another number than the plan's, and for a mesh that 4 GiB or the memory of the machine cannot hold.
 */
export function prepareKernelSkin(kernel: SkinKernel, plan: SkinPlan, vertices: Vertices): KernelSkin {
  const size = 3 * plan.vertexCount;
  for (const [name, floats] of [['positions', vertices.positions] as const, ['normals', vertices.normals] as const]) {
    if (floats !== null && floats.length !== size) {
      throw new RangeError(
        `The ${name} are ${floats.length} numbers; the plan is for ${plan.vertexCount} vertices, expected ${size}.`,
      );
    }
  }
  const { starts, joints, weights, vertexStarts } = plan;
  // Address 0 means to the kernel that there is nothing; matrices are aligned to their columns.
  let end = MATRIX_BYTES;
  const place = (count: number): number => {
    const start = end;
    end += count * FLOAT_BYTES;
    return start;
  };
  const matricesAt = place(MATRIX_FLOATS * plan.jointCount);
  const startsAt = place(starts.length);
  const jointsAt = place(joints.length);
  const weightsAt = place(weights.length);
  const vertexStartsAt = place(vertexStarts.length);
  const verticesAt = place(plan.vertices.length);
  const pointsAt = place(size);
  const outPointsAt = place(size);
  const normalsAt = vertices.normals === null ? 0 : place(size);
  const outNormalsAt = vertices.normals === null ? 0 : place(size);

  const pages = Math.ceil(end / PAGE_BYTES);
  if (pages > PAGE_BYTES) throw new RangeError(`The mesh takes ${end} bytes, expected at most 4 GiB; divide it.`);
  const memory = new WebAssembly.Memory({ initial: pages, maximum: pages });
  const { buffer } = memory;
  new Int32Array(buffer, startsAt, starts.length).set(starts);
  new Int32Array(buffer, jointsAt, joints.length).set(joints.map((joint) => joint * MATRIX_BYTES));
  new Float32Array(buffer, weightsAt, weights.length).set(weights);
  new Int32Array(buffer, vertexStartsAt, vertexStarts.length).set(vertexStarts);
  new Uint32Array(buffer, verticesAt, plan.vertices.length).set(plan.vertices.map((vertex) => vertex * VECTOR_BYTES));
  const floatsAt = (at: number): Float32Array => new Float32Array(buffer, at, size);
  const verticesOf = (points: number, normals: number): KernelVertices => ({
    positions: floatsAt(points),
    normals: normals === 0 ? null : floatsAt(normals),
    tangents: null,
  });
  const base = verticesOf(pointsAt, normalsAt);
  base.positions.set(vertices.positions);
  if (vertices.normals !== null) base.normals?.set(vertices.normals);

  const skin = new WebAssembly.Instance(kernel.module, { env: { memory } }).exports['skin'] as Skin;
  const pass = (parts: 1 | 2 | 3): void =>
    skin(
      starts.length - 1,
      startsAt,
      jointsAt,
      weightsAt,
      vertexStartsAt,
      verticesAt,
      matricesAt,
      (parts & POINTS) === 0 ? 0 : pointsAt,
      outPointsAt,
      (parts & NORMALS) === 0 ? 0 : normalsAt,
      outNormalsAt,
    );
  const matrices = new Float32Array(buffer, matricesAt, MATRIX_FLOATS * plan.jointCount);
  return { base, out: verticesOf(outPointsAt, outNormalsAt), matrices, pass };
}

/**
 * skinLinear in float32: puts the positions and normals of `skin.base`, skinned, into `skin.out`, where they may be read without a
 * copy. `skinning` and `normals` as there. Positions are within 1e-5 of the size of what is summed up (the mesh as each of its joints
 * alone would move it, and its way from the origin); normals within 1e-5 by the length of their weighted sum, 0 where float32 cannot
 * hold the square of that (about 1e-22…1e19). No allocation.
 */
export function skinLinearByKernel(skin: KernelSkin, skinning: Floats, normals: Floats | null): void {
  load(skin.matrices, skinning);
  if (skin.base.normals === null || normals === null) {
    skin.pass(BOTH);
    return;
  }
  skin.pass(POINTS);
  load(skin.matrices, normals);
  skin.pass(NORMALS);
}

/** Unlike `set`, leaves out what does not fit instead of throwing. */
function load(to: Float32Array, from: Floats): void {
  for (let i = 0; i < to.length; i++) to[i] = from[i];
}
