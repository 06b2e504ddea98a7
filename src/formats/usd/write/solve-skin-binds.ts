/** Bind poses of a joint tree out of the inverse bind matrices of its skins. */

import type { Floats } from '../../../core/math/floats.ts';
import * as mat4 from '../../../core/math/mat4.ts';
import { fillBind } from '../../../core/skeleton/fill-bind.ts';
import { localToModelMatrices } from '../../../core/skeleton/pose.ts';
import { MATRIX_STRIDE, POSE_STRIDE } from '../../../core/skeleton/skeleton.ts';
import { extentOf, isUsable, solveBindShape } from '../../../core/skeleton/solve-bind.ts';
import { parentsAmong } from '../../../core/skeleton/topology.ts';

/** A skin on the joints of a tree. */
export interface TreeSkin {
  /** Joint of the tree for every joint of the skin. */
  readonly joints: ArrayLike<number>;
  /** Mesh space to joint space, `MATRIX_STRIDE` floats a joint. */
  readonly inverseBindMatrices: Floats;
  /** 1 for every joint of the skin that holds a vertex. */
  readonly holds: ArrayLike<number>;
}

/** What became of a skin. */
export interface SkinBind {
  /** Which bind pose it has. */
  readonly pose: number;
  /** From the space of its meshes to that of the bind pose, one matrix. */
  readonly geomBind: Float64Array;
  /** Matrices that had no inverse; the identity was taken. */
  readonly singular: number;
}

export interface BindSolver {
  /** Finds a bind pose for a skin: one that is there, of which joints get a matrix more, or a new one. */
  add(skin: TreeSkin): SkinBind;
  /** The bind poses, joints that no skin binds filled in; without a skin the rest pose. `MATRIX_STRIDE` floats a joint. */
  finish(): Float64Array[];
}

/**
 * 1 for the joints of a skin whose matrices say something. Several joints cannot all be bound at the origin: exporters leave the identity where a
 * joint deforms nothing, and such joints stand to the others as at rest.
 */
function joinedBinds({ joints, inverseBindMatrices, holds }: TreeSkin): Uint8Array {
  const isLoose = Array.from(joints, (_, j) => {
    return holds[j] === 0 && mat4.isIdentity(inverseBindMatrices, MATRIX_STRIDE * j);
  });
  const loose = isLoose.filter((is) => is).length;
  return Uint8Array.from(isLoose, (is) => (is && loose > 1 ? 0 : 1));
}

/** Parts of its size by which a skin may miss a bind pose and still have it: float32 matrices that were inverted. */
const SAME_BIND = 1e-5;

interface BindPose {
  readonly matrices: Float64Array;
  readonly bound: Uint8Array;
}

/**
 * UsdSkel has one bind matrix B a joint and one geomBindTransform G a mesh, where glTF has a matrix IBM a joint and skin. They show the same
 * where `B⁻¹ · G = IBM` for all joints of the skin. G of the first skin is the identity; that of another one follows from a joint that both
 * have, and does where it holds for all of them.
 *
 * Joints that no skin binds stand to those above them as at rest; topmost ones stand as at rest in the space of the meshes, which is one of those
 * that are `offered` (mesh to skeleton space, `MATRIX_STRIDE` floats each), and where none fits, to the first bound joint below.
 */
export function makeBindSolver(parents: Int32Array, rest: Float64Array, offered: Float64Array): BindSolver {
  const poses: BindPose[] = [];
  const inverse = new Float64Array(MATRIX_STRIDE);

  function invert({ joints, inverseBindMatrices }: TreeSkin): { binds: Float64Array; singular: number } {
    const binds = new Float64Array(MATRIX_STRIDE * joints.length);
    let singular = 0;
    for (let at = 0; at < binds.length; at += MATRIX_STRIDE) {
      if (mat4.invertAffine(binds, at, inverseBindMatrices, at)) continue;
      mat4.identity(binds, at);
      singular++;
    }
    return { binds, singular };
  }

  /** G for a pose; null where there is none. Identity where no joint is shared. */
  function factorFor(
    { matrices, bound }: BindPose,
    joints: ArrayLike<number>,
    binds: Float64Array,
    isSet: Uint8Array,
  ): Float64Array | null {
    const factor = new Float64Array(MATRIX_STRIDE);
    mat4.identity(factor, 0);
    const size = sizeOf(binds);
    const product = new Float64Array(MATRIX_STRIDE);
    let isKnown = false;
    for (let j = 0; j < joints.length; j++) {
      if (bound[joints[j]] === 0 || isSet[j] === 0) continue;
      mat4.invertAffine(inverse, 0, binds, MATRIX_STRIDE * j);
      mat4.multiply(product, 0, matrices, MATRIX_STRIDE * joints[j], inverse, 0);
      if (!isKnown) {
        if (!areClose(product, IDENTITY, size)) factor.set(product);
        isKnown = true;
      } else if (!areClose(product, factor, size)) return null;
    }
    return factor;
  }

  return {
    add(skin) {
      const { joints } = skin;
      const { binds, singular } = invert(skin);
      const isSet = joinedBinds(skin);
      let pose = 0;
      let geomBind: Float64Array | null = null;
      for (; pose < poses.length && geomBind === null; pose++) {
        geomBind = factorFor(poses[pose], joints, binds, isSet);
      }
      if (geomBind === null) {
        poses.push({
          matrices: new Float64Array(MATRIX_STRIDE * parents.length),
          bound: new Uint8Array(parents.length),
        });
        geomBind = new Float64Array(MATRIX_STRIDE);
        mat4.identity(geomBind, 0);
        pose = poses.length;
      }
      const { matrices, bound } = poses[pose - 1];
      for (let j = 0; j < joints.length; j++) {
        if (bound[joints[j]] === 1 || isSet[j] === 0) continue;
        bound[joints[j]] = 1;
        mat4.multiply(matrices, MATRIX_STRIDE * joints[j], geomBind, 0, binds, MATRIX_STRIDE * j);
      }
      return { pose: pose - 1, geomBind, singular };
    },
    finish() {
      const worlds = new Float64Array(MATRIX_STRIDE * parents.length);
      localToModelMatrices(worlds, parents, rest);
      if (poses.length === 0) return [worlds];
      for (const { matrices, bound } of poses) {
        if (!placeTops(matrices, bound, parents, worlds, offered)) fillAbove(matrices, bound, parents, rest);
        fillBind(matrices, bound, parents, rest, worlds);
      }
      return poses.map(({ matrices }) => matrices);
    },
  };
}

/** Places topmost joints that are not bound as they stand at rest (`worlds`), in the space of the bind pose; false where nothing shows which that is. */
function placeTops(
  matrices: Float64Array,
  bound: Uint8Array,
  parents: Int32Array,
  worlds: Float64Array,
  offered: Float64Array,
): boolean {
  const tops = Array.from(parents.keys()).filter((joint) => parents[joint] < 0 && bound[joint] === 0);
  const joints = Array.from(parents.keys()).filter(
    (joint) => bound[joint] === 1 && isUsable(matrices, MATRIX_STRIDE * joint),
  );
  if (tops.length === 0) return true;
  const gather = (from: Float64Array): Float64Array => {
    const out = new Float64Array(MATRIX_STRIDE * joints.length);
    for (const [place, joint] of joints.entries()) mat4.copy(out, MATRIX_STRIDE * place, from, MATRIX_STRIDE * joint);
    return out;
  };
  const expected = gather(worlds);
  const extent = extentOf(expected);
  if (!(extent > 0)) return false;
  const { matrix, kind } = solveBindShape({
    bindInShape: gather(matrices),
    expected,
    parents: parentsAmong(parents, joints),
    offered,
    extent,
  });
  if (kind === 'guessed' || !mat4.invertAffine(matrix, 0, matrix, 0)) return false;
  for (const top of tops) {
    mat4.multiply(matrices, MATRIX_STRIDE * top, matrix, 0, worlds, MATRIX_STRIDE * top);
    bound[top] = 1;
  }
  return true;
}

/** Joints that no bound one is above, but one is below, stand to the first of these as at rest. */
function fillAbove(matrices: Float64Array, bound: Uint8Array, parents: Int32Array, rest: Float64Array): void {
  const local = new Float64Array(MATRIX_STRIDE);
  const reached = Uint8Array.from(bound);
  for (let joint = 0; joint < parents.length; joint++) {
    if (parents[joint] >= 0 && reached[parents[joint]] === 1) reached[joint] = 1;
    else if (bound[joint] === 1) {
      for (let below = joint; parents[below] >= 0; below = parents[below]) {
        const above = parents[below];
        mat4.compose(local, 0, rest, POSE_STRIDE * below);
        if (!mat4.invertAffine(local, 0, local, 0)) break;
        mat4.multiply(matrices, MATRIX_STRIDE * above, matrices, MATRIX_STRIDE * below, local, 0);
        bound[above] = 1;
        reached[above] = 1;
      }
    }
  }
}

/** The farthest coordinate of a joint in the bind pose. */
function sizeOf(binds: Float64Array): number {
  let size = 0;
  for (let at = 12; at < binds.length; at += MATRIX_STRIDE) {
    for (let c = at; c < at + 3; c++) size = Math.max(size, Math.abs(binds[c]));
  }
  return size;
}

function areClose(a: ArrayLike<number>, b: ArrayLike<number>, size: number): boolean {
  let scale = 0;
  for (let c = 0; c < 12; c++) scale = Math.max(scale, Math.abs(b[c]));
  for (let c = 0; c < 16; c++) {
    const bound = SAME_BIND * scale * (c < 12 ? 1 : size);
    if (Math.abs(a[c] - b[c]) > bound && c % 4 !== 3) return false;
  }
  return true;
}

const IDENTITY = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
