/** Validates joint influences of UsdSkelBindingAPI: their declarations and their arrays. */
import { type Influences, jointIndices } from '../../../core/deform/influences.ts';

export interface PrimvarDeclaration {
  /** `constant` if none is authored, the fallback of primvars. */
  readonly interpolation: string;
  /** 1 if none is authored. */
  readonly elementSize: number;
}

/** The joint influences that a prim declares, before their arrays are read. */
export interface InfluenceDeclaration {
  /** True if joint influences are declared correctly. */
  readonly hasInfluences: boolean;
  /** True if one set of influences applies to the whole prim, or it has no influences. */
  readonly isRigid: boolean;
  /** Number of influences per vertex. */
  readonly jointsPerVertex: number;
  /** Why the declarations are invalid; null if they are valid, or indices or weights are missing. */
  readonly reason: string | null;
}

export interface InfluenceReading {
  /** The influences; null if they are invalid or not declared. */
  readonly influences: Influences | null;
  readonly reason: string | null;
}

function noInfluences(reason: string | null): InfluenceDeclaration {
  return { hasInfluences: false, isRigid: true, jointsPerVertex: 1, reason };
}

/**
 * Validates the declarations of joint indices and weights (UsdSkelSkinningQuery): the same element size above 0 and the same interpolation,
 * `constant` or `vertex`. If one of both is missing, the prim has no influences, which is valid. `indices`: declaration of
 * `primvars:skel:jointIndices`; null if not authored. `weights`: declaration of `primvars:skel:jointWeights`; null if not authored.
 */
export function declareInfluences(
  indices: PrimvarDeclaration | null,
  weights: PrimvarDeclaration | null,
): InfluenceDeclaration {
  if (indices === null || weights === null) return noInfluences(null);
  const { elementSize, interpolation } = indices;
  if (elementSize !== weights.elementSize) {
    return noInfluences(
      `jointIndices has element size ${elementSize}, jointWeights ${weights.elementSize}; author the same for both`,
    );
  }
  if (!(Number.isInteger(elementSize) && elementSize > 0)) {
    return noInfluences(`jointIndices has element size ${elementSize}, expected a positive integer`);
  }
  if (interpolation !== weights.interpolation) {
    return noInfluences(
      `jointIndices is ${interpolation}, jointWeights ${weights.interpolation}; author the same for both`,
    );
  }
  if (interpolation !== 'constant' && interpolation !== 'vertex') {
    return noInfluences(`joint influences are ${interpolation}, expected constant or vertex`);
  }
  return { hasInfluences: true, isRigid: interpolation === 'constant', jointsPerVertex: elementSize, reason: null };
}

/**
 * Creates influences from declared arrays. Both arrays must have the same length: the element size if constant, else a multiple of it. Weights are
 * not normalized.
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
      reason: `there are ${size} joint indices and ${weights.length} weights; author as many indices as weights`,
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
 * Checks influences against a mesh. Every index must be that of a joint, even with weight 0, and every weight finite. Returns why the influences do
 * not fit; null if they do.
 */
export function influenceMismatch(influences: Influences, vertexCount: number, jointCount: number): string | null {
  const { kind, indices, weights, jointsPerVertex } = influences;
  const size = vertexCount * jointsPerVertex;
  if (kind === 'vertex' && indices.length !== size) {
    return `there are ${indices.length} influences; expected ${size}, ${jointsPerVertex} for each of ${vertexCount} points`;
  }
  const badIndex = indices.findIndex((joint) => !(joint >= 0 && joint < jointCount));
  if (badIndex >= 0) return `an influence has joint index ${indices[badIndex]}; expected 0…${jointCount - 1}`;
  const badWeight = weights.findIndex((weight) => !Number.isFinite(weight));
  return badWeight < 0 ? null : `a joint weight is ${weights[badWeight]}; expected a finite number`;
}

/** Flattens an indexed primvar. Returns the flattened values; null if an index is out of range. */
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
