/** Joint influences of a mesh as UsdSkelBindingAPI declares them: which declarations count, and what their arrays come to. */
import { type Influences, jointIndices } from '../../../core/deform/influences.ts';

/** A primvar as far as it is declared: what its metadata says. */
export interface PrimvarDeclaration {
  /** `constant` where nothing is authored, as for every primvar. */
  readonly interpolation: string;
  /** 1 where nothing is authored. */
  readonly elementSize: number;
}

/** What the declarations of joint indices and weights come to, before any array is looked at. */
export interface InfluenceDeclaration {
  /** Whether joints move the prim at all. */
  readonly hasInfluences: boolean;
  /** Whether one run of influences moves the whole prim; also where there are no influences. */
  readonly isRigid: boolean;
  readonly jointsPerVertex: number;
  /** Why declarations do not count; null where nothing is wrong, also where indices or weights are not there. */
  readonly reason: string | null;
}

/** What the arrays of influences come to. */
export interface InfluenceReading {
  readonly influences: Influences | null;
  /** Why there are none. */
  readonly reason: string | null;
}

function without(reason: string | null): InfluenceDeclaration {
  return { hasInfluences: false, isRigid: true, jointsPerVertex: 1, reason };
}

/**
 * Whether indices and weights that are declared so are influences (UsdSkelSkinningQuery): the same number per vertex, above 0, and the same
 * interpolation, `constant` or `vertex`. With one of both there are none, and nothing is wrong.
 */
export function declareInfluences(
  indices: PrimvarDeclaration | null,
  weights: PrimvarDeclaration | null,
): InfluenceDeclaration {
  if (indices === null || weights === null) return without(null);
  const { elementSize, interpolation } = indices;
  if (elementSize !== weights.elementSize) {
    return without(
      `jointIndices has element size ${elementSize}, jointWeights ${weights.elementSize}; make them the same`,
    );
  }
  if (!(Number.isInteger(elementSize) && elementSize > 0)) {
    return without(`jointIndices has element size ${elementSize}, expected a whole number above 0`);
  }
  if (interpolation !== weights.interpolation) {
    return without(`jointIndices is ${interpolation}, jointWeights ${weights.interpolation}; make them the same`);
  }
  if (interpolation !== 'constant' && interpolation !== 'vertex') {
    return without(`joint influences are ${interpolation}, expected constant or vertex`);
  }
  return { hasInfluences: true, isRigid: interpolation === 'constant', jointsPerVertex: elementSize, reason: null };
}

/**
 * Influences of declared arrays. Both must have the same size: the number per vertex when constant, else a multiple of it. Weights stay as
 * they are: nothing normalizes them.
 */
export function createInfluences(
  { isRigid, jointsPerVertex, hasInfluences, reason }: InfluenceDeclaration,
  indices: ArrayLike<number>,
  weights: ArrayLike<number>,
): InfluenceReading {
  if (!hasInfluences) return { influences: null, reason };
  const size = indices.length;
  if (size !== weights.length) {
    return {
      influences: null,
      reason: `there are ${size} joint indices and ${weights.length} weights; give as many of both`,
    };
  }
  if (isRigid && size !== jointsPerVertex) {
    return {
      influences: null,
      reason: `there are ${size} constant influences, expected the element size ${jointsPerVertex}`,
    };
  }
  if (size % jointsPerVertex !== 0) {
    return {
      influences: null,
      reason: `there are ${size} influences, expected a multiple of the element size ${jointsPerVertex}`,
    };
  }
  const kind = isRigid ? 'constant' : 'vertex';
  return {
    influences: { kind, jointsPerVertex, indices: jointIndices(indices), weights: Float32Array.from(weights) },
    reason: null,
  };
}

/**
 * Why influences cannot skin `vertexCount` vertices with `jointCount` joints; null when they can. Every index must be a joint, also
 * that of a weight of 0, and every weight a number.
 */
export function influenceMismatch(
  influences: Influences,
  vertexCount: number,
  jointCount: number,
): string | null {
  const { kind, indices, weights, jointsPerVertex } = influences;
  const size = vertexCount * jointsPerVertex;
  if (kind === 'vertex' && indices.length !== size) {
    return `there are ${indices.length} influences for ${vertexCount} points with ${jointsPerVertex} each; expected ${size}`;
  }
  const stray = indices.findIndex((joint) => !(joint >= 0 && joint < jointCount));
  if (stray >= 0) return `an influence has joint ${indices[stray]}, expected one of 0…${jointCount - 1}`;
  const odd = weights.findIndex((weight) => !Number.isFinite(weight));
  return odd < 0 ? null : `a weight is ${weights[odd]}, expected a finite number`;
}

/**
 * The values of an indexed primvar written out: `indices` name runs of `elementSize` values. Null where an index is none of a run.
 */
export function flattenPrimvar(
  values: ArrayLike<number>,
  indices: ArrayLike<number>,
  elementSize: number,
): Float64Array | null {
  const runs = Math.floor(values.length / elementSize);
  const out = new Float64Array(indices.length * elementSize);
  for (let i = 0; i < indices.length; i++) {
    if (!(indices[i] >= 0 && indices[i] < runs)) return null;
    for (let k = 0; k < elementSize; k++) out[i * elementSize + k] = values[indices[i] * elementSize + k];
  }
  return out;
}
