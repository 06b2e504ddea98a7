import type { Floats } from '../../../../core/math/floats.ts';
import * as mat4 from '../../../../core/math/mat4.ts';
import type { BindMatrices } from '../../../../core/skeleton/cut-skeleton.ts';
import { fillBind } from '../../../../core/skeleton/fill-bind.ts';
import { modelMatrices } from '../../../../core/skeleton/pose.ts';
import { MATRIX_STRIDE, POSE_STRIDE } from '../../../../core/skeleton/skeleton.ts';
import { extentOf, isUsable, solveBindShape } from '../../../../core/skeleton/solve-bind.ts';
import { parentsAmong } from '../../../../core/skeleton/topology.ts';

interface TreeSkin {
  readonly joints: ArrayLike<number>;
  /** Mesh space to joint space, `MATRIX_STRIDE` floats per joint. */
  readonly inverseBindMatrices: Floats;
  /** 1 for each joint of the skin with a weight. */
  readonly isWeighted: ArrayLike<number>;
}

export interface SkinBind {
  readonly pose: number;
  /** Mesh space to the space of the bind pose, 16 floats. */
  readonly geomBind: Float64Array;
  /** Number of singular inverse bind matrices, which were replaced by the identity. */
  readonly singular: number;
}

interface BindPoseSolver {
  /** Finds the bind pose of a skin: an existing one, extended by the matrices of further joints, or a new one. */
  add(skin: TreeSkin): SkinBind;
  /** Returns the bind poses with unbound joints filled in; without a skin, the rest pose. `MATRIX_STRIDE` floats per joint. */
  finish(): Float64Array[];
}

/**
 * Marks the joints of a skin with a meaningful bind matrix with 1. If several unweighted joints have the identity, it is a placeholder: exporters
 * write it for joints that deform nothing, and several joints cannot all be bound at the origin. Such joints follow the rest pose.
 */
function meaningfulBinds({ joints, inverseBindMatrices, isWeighted }: TreeSkin): Uint8Array {
  const isIdentity = Array.from(joints, (_, j) => {
    return isWeighted[j] === 0 && mat4.isIdentity(inverseBindMatrices, MATRIX_STRIDE * j);
  });
  const identities = isIdentity.filter((is) => is).length;
  return Uint8Array.from(isIdentity, (is) => (is && identities > 1 ? 0 : 1));
}

/** Relative tolerance within which a skin matches a bind pose: covers the inversion of float32 matrices. */
const BIND_TOLERANCE = 1e-5;

/**
 * Creates a solver for the bind poses of a joint tree.
 *
 * UsdSkel has one bind matrix B per joint and one geomBindTransform G per mesh; glTF has an inverse bind matrix IBM per joint and skin. They are
 * equivalent if `B⁻¹ · G = IBM` for all joints of the skin. G of the first skin is the identity. G of another skin follows from a joint that both
 * skins share; the skin has the same bind pose if G satisfies the equation for all shared joints.
 *
 * Joints that no skin binds keep their rest transform relative to their parent. An unbound root joint keeps its rest transform in mesh space, if one
 * of the candidate spaces fits; otherwise it keeps its rest transform relative to the first bound joint below it.
 *
 * @param rest Local rest pose, `POSE_STRIDE` floats per joint.
 */
export function createBindPoseSolver(
  parents: Int32Array,
  rest: Float64Array,
  candidates: Float64Array,
): BindPoseSolver {
  const poses: BindMatrices[] = [];
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

  /** Computes G of a skin for a bind pose: null if no G fits, the identity if no joint is shared. */
  function factorFor(
    { matrices, bound }: BindMatrices,
    joints: ArrayLike<number>,
    binds: Float64Array,
    isSet: Uint8Array,
  ): Float64Array | null {
    const factor = mat4.createIdentity();
    const size = largestCoordinate(binds);
    const product = new Float64Array(MATRIX_STRIDE);
    let isKnown = false;
    for (let j = 0; j < joints.length; j++) {
      if (bound[joints[j]] === 0 || isSet[j] === 0) continue;
      mat4.invertAffine(inverse, 0, binds, MATRIX_STRIDE * j);
      mat4.multiply(product, 0, matrices, MATRIX_STRIDE * joints[j], inverse, 0);
      if (!isKnown) {
        if (!areClose(product, mat4.createIdentity(), size)) factor.set(product);
        isKnown = true;
      } else if (!areClose(product, factor, size)) return null;
    }
    return factor;
  }

  return {
    add(skin) {
      const { joints } = skin;
      const { binds, singular } = invert(skin);
      const isSet = meaningfulBinds(skin);
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
        geomBind = mat4.createIdentity();
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
      const worlds = modelMatrices(parents, rest);
      if (poses.length === 0) return [worlds];
      for (const { matrices, bound } of poses) {
        if (!bindRoots(matrices, bound, parents, worlds, candidates)) fillAncestors(matrices, bound, parents, rest);
        fillBind(matrices, bound, parents, rest, worlds);
      }
      return poses.map(({ matrices }) => matrices);
    },
  };
}

/** Binds unbound root joints at their rest transform (`worlds`), in the space of the bind pose. Returns false if that space cannot be determined. */
function bindRoots(
  matrices: Float64Array,
  bound: Uint8Array,
  parents: Int32Array,
  worlds: Float64Array,
  candidates: Float64Array,
): boolean {
  const rootJoints = Array.from(parents.keys()).filter((joint) => parents[joint] < 0 && bound[joint] === 0);
  const joints = Array.from(parents.keys()).filter(
    (joint) => bound[joint] === 1 && isUsable(matrices, MATRIX_STRIDE * joint),
  );
  if (rootJoints.length === 0) return true;
  const gather = (from: Float64Array): Float64Array => {
    const out = new Float64Array(MATRIX_STRIDE * joints.length);
    for (const [index, joint] of joints.entries()) mat4.copy(out, MATRIX_STRIDE * index, from, MATRIX_STRIDE * joint);
    return out;
  };
  const expected = gather(worlds);
  const extent = extentOf(expected);
  if (!(extent > 0)) return false;
  const { matrix, kind } = solveBindShape({
    bindInShape: gather(matrices),
    expected,
    parents: parentsAmong(parents, joints),
    candidates,
    extent,
  });
  if (kind === 'guessed' || !mat4.invertAffine(matrix, 0, matrix, 0)) return false;
  for (const root of rootJoints) {
    mat4.multiply(matrices, MATRIX_STRIDE * root, matrix, 0, worlds, MATRIX_STRIDE * root);
    bound[root] = 1;
  }
  return true;
}

/** Binds joints above the topmost bound joints at their rest transform relative to the first bound joint below. */
function fillAncestors(matrices: Float64Array, bound: Uint8Array, parents: Int32Array, rest: Float64Array): void {
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

function largestCoordinate(binds: Float64Array): number {
  let size = 0;
  for (let at = 12; at < binds.length; at += MATRIX_STRIDE) {
    for (let c = at; c < at + 3; c++) size = Math.max(size, Math.abs(binds[c]));
  }
  return size;
}

function areClose(a: ArrayLike<number>, b: ArrayLike<number>, size: number): boolean {
  let scale = 0;
  for (let c = 0; c < 12; c++) scale = Math.max(scale, Math.abs(b[c]));
  for (let c = 0; c < MATRIX_STRIDE; c++) {
    const bound = BIND_TOLERANCE * scale * (c < 12 ? 1 : size);
    if (Math.abs(a[c] - b[c]) > bound && c % 4 !== 3) return false;
  }
  return true;
}
