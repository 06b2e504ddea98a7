/** Linear blend skinning in WebAssembly SIMD: `skinLinear` for positions and normals, four floats at a time. */
import type { SkinPlan } from '../core/deform/skin-plan.ts';
import type { Vertices } from '../core/deform/vertices.ts';
import type { Floats } from '../core/math/floats.ts';
import { compileModule } from './compile-module.ts';
import { groupVertices } from './skin-groups.ts';
import { SKIN_LINEAR_WASM } from './skin-linear.wasm.ts';

/** Compiled code, for any number of meshes. Can be posted to a worker. */
export interface SkinKernel {
  /** The compiled WebAssembly module. */
  readonly module: WebAssembly.Module;
}

/** Vertices in the memory of a kernel: views that stay valid. */
export interface KernelVertices extends Vertices {
  /** 3 floats per vertex. */
  readonly positions: Float32Array;
  /** 3 floats per vertex; null without. */
  readonly normals: Float32Array | null;
  /** The kernel does not skin tangents. */
  readonly tangents: null;
}

/** A mesh with its own WebAssembly memory, which is garbage-collected with this object. */
export interface KernelSkin {
  /** Vertices before skinning. May be modified, for example by `morph`. */
  readonly base: KernelVertices;
  /** Vertices after the last call of {@link skinLinearByKernel}. The arrays stay the same. */
  readonly out: KernelVertices;
  /** Matrices for the next pass: 16 floats per joint, column-major. */
  readonly matrices: Float32Array;
  /** Transforms points (1), normals (2) or both (3) by `matrices`. */
  readonly pass: (parts: 1 | 2 | 3) => void;
}

type SkinBundles = (
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

type SkinGroups = (
  groups: number,
  stop: number,
  points: number,
  outPoints: number,
  directions: number,
  outDirections: number,
) => void;

const POINTS = 1;
const NORMALS = 2;
const BOTH = 3;
const WORD_BYTES = 4;
const MATRIX_FLOATS = 16;
/** Address of the matrices: the kernel treats address 0 as null, and blends matrices in front of this one. */
const MATRICES = 3072;
const PAGE_BYTES = 65536;

/**
 * Compiles the kernel.
 *
 * @returns The kernel; null where WebAssembly SIMD is missing, or where the Content-Security-Policy of the page lacks `wasm-unsafe-eval`. Use
 * `skinLinear` there.
 * @throws {Error} If compiling fails for a different reason.
 * @example
 * const kernel = await loadSkinKernel();
 * const skin = kernel && prepareKernelSkin(kernel, plan, vertices);
 * // For every frame:
 * skinningMatrices(skinning, modelMatrices, joints, inverseBindMatrices);
 * if (skin !== null) skinLinearByKernel(skin, skinning, null); // result in skin.out
 * else skinLinear(plan, skinning, null, vertices, out);
 */
export async function loadSkinKernel(): Promise<SkinKernel | null> {
  const module = await compileModule(SKIN_LINEAR_WASM);
  return module === null ? null : { module };
}

/**
 * Copies a plan and its vertices to a new WebAssembly memory of exactly the required size. Tangents are not copied.
 *
 * @param kernel The kernel, from {@link loadSkinKernel}.
 * @param plan The plan of the mesh, from `planSkin`.
 * @param vertices Vertices in mesh space: positions and normals must have 3 floats for each of `plan.vertexCount` vertices.
 * @returns The mesh for {@link skinLinearByKernel}.
 * @throws {RangeError} If the number of vertices differs from the plan, or the mesh exceeds 4 GiB or the available memory.
 */
export function prepareKernelSkin(kernel: SkinKernel, plan: SkinPlan, vertices: Vertices): KernelSkin {
  const size = 3 * plan.vertexCount;
  for (const [name, floats] of [['positions', vertices.positions] as const, ['normals', vertices.normals] as const]) {
    if (floats !== null && floats.length !== size) {
      throw new RangeError(
        `There are ${floats.length} numbers of ${name}; the plan has ${plan.vertexCount} vertices, expected ${size}.`,
      );
    }
  }
  const { groups, rest } = groupVertices(plan, MATRICES);
  let end = MATRICES;
  const allocate = (count: number): number => {
    const start = end;
    end += count * WORD_BYTES;
    return start;
  };
  const matricesAt = allocate(MATRIX_FLOATS * plan.jointCount);
  const groupsAt = allocate(groups.length);
  const startsAt = allocate(rest.starts.length);
  const jointsAt = allocate(rest.joints.length);
  const weightsAt = allocate(rest.weights.length);
  const vertexStartsAt = allocate(rest.vertexStarts.length);
  const verticesAt = allocate(rest.vertices.length);
  const pointsAt = allocate(size);
  const outPointsAt = allocate(size);
  const normalsAt = vertices.normals === null ? 0 : allocate(size);
  const outNormalsAt = vertices.normals === null ? 0 : allocate(size);

  const pages = Math.ceil(end / PAGE_BYTES);
  if (pages > PAGE_BYTES) throw new RangeError(`The mesh needs ${end} bytes; expected at most 4 GiB. Split the mesh.`);
  const memory = new WebAssembly.Memory({ initial: pages, maximum: pages });
  const { buffer } = memory;
  new Uint32Array(buffer, groupsAt, groups.length).set(groups);
  new Int32Array(buffer, startsAt, rest.starts.length).set(rest.starts);
  new Uint32Array(buffer, jointsAt, rest.joints.length).set(rest.joints);
  new Float32Array(buffer, weightsAt, rest.weights.length).set(rest.weights);
  new Int32Array(buffer, vertexStartsAt, rest.vertexStarts.length).set(rest.vertexStarts);
  new Uint32Array(buffer, verticesAt, rest.vertices.length).set(rest.vertices);
  const floatsAt = (at: number): Float32Array => new Float32Array(buffer, at, size);
  const verticesOf = (points: number, normals: number): KernelVertices => ({
    positions: floatsAt(points),
    normals: normals === 0 ? null : floatsAt(normals),
    tangents: null,
  });
  const base = verticesOf(pointsAt, normalsAt);
  base.positions.set(vertices.positions);
  if (vertices.normals !== null) base.normals?.set(vertices.normals);

  const { exports } = new WebAssembly.Instance(kernel.module, { env: { memory } });
  const skinGroups = exports['skinGroups'] as SkinGroups;
  const skinBundles = exports['skinBundles'] as SkinBundles;
  const bundleCount = rest.starts.length - 1;
  const pass = (parts: 1 | 2 | 3): void => {
    const points = (parts & POINTS) === 0 ? 0 : pointsAt;
    const normals = (parts & NORMALS) === 0 ? 0 : normalsAt;
    skinGroups(groupsAt, groupsAt + groups.byteLength, points, outPointsAt, normals, outNormalsAt);
    skinBundles(
      bundleCount,
      startsAt,
      jointsAt,
      weightsAt,
      vertexStartsAt,
      verticesAt,
      matricesAt,
      points,
      outPointsAt,
      normals,
      outNormalsAt,
    );
  };
  const matrices = new Float32Array(buffer, matricesAt, MATRIX_FLOATS * plan.jointCount);
  return { base, out: verticesOf(outPointsAt, outNormalsAt), matrices, pass };
}

/**
 * Skins a mesh in float32, like `skinLinear`: transforms positions and normals of `skin.base` into `skin.out`, which can be read without a copy.
 * The error of positions is at most 1e-5 of the largest term of the sum (a vertex transformed by one joint, or its distance from the origin). The
 * error of normals is at most 1e-5 divided by the length of their weighted sum; they are 0 where the square of that length is not a float32 (outside
 * about 1e-22…1e19). No allocation.
 *
 * @param skin The mesh, from {@link prepareKernelSkin}.
 * @param skinning From `skinningMatrices`: 16 floats per joint. Excess floats are ignored.
 * @param normals From `normalMatrices`: 16 floats per joint; null transforms normals by `skinning`.
 */
export function skinLinearByKernel(skin: KernelSkin, skinning: Floats, normals: Floats | null): void {
  copyFloats(skin.matrices, skinning);
  if (skin.base.normals === null || normals === null) {
    skin.pass(BOTH);
    return;
  }
  skin.pass(POINTS);
  copyFloats(skin.matrices, normals);
  skin.pass(NORMALS);
}

/** Copies as many floats as fit. Unlike `set`, it does not throw for a different length. */
function copyFloats(to: Float32Array, from: Floats): void {
  for (let i = 0; i < to.length; i++) to[i] = from[i];
}
