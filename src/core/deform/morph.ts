/** Morph targets (glTF 2.0 section 3.7.2.2), called blend shapes in UsdSkel: weighted offsets that are added to a mesh. */
import type { Floats } from '../math/floats.ts';
import * as vec3 from '../math/vec3.ts';
import { type Validity, validity } from '../report/validity.ts';
import type { Vertices } from './vertices.ts';

/** One shape as offsets from the mesh, 3 floats each, for all or some of its vertices. Plain data. */
export interface MorphTarget {
  /** Vertices that have offsets (pointIndices in UsdSkel); null: all, in order. */
  readonly vertices: Uint16Array | Uint32Array | Int32Array | null;
  /** Offsets of positions; null without. */
  readonly positions: Floats | null;
  /** Offsets of normals; null without. */
  readonly normals: Floats | null;
  /** Offsets of tangent directions, xyz: the handedness does not morph. Null without. */
  readonly tangents: Floats | null;
}

/**
 * Checks morph targets against a mesh: the number of offsets, and vertex indices in range. Returns one reason per fault.
 */
export function validateMorphTargets(targets: readonly MorphTarget[], vertexCount: number): Validity {
  const reasons: string[] = [];
  for (const [t, target] of targets.entries()) {
    const { vertices } = target;
    const count = vertices?.length ?? vertexCount;
    for (const attribute of ['positions', 'normals', 'tangents'] as const) {
      const size = target[attribute]?.length ?? 3 * count;
      if (size === 3 * count) continue;
      const what = vertices === null ? `${count} vertices` : `${count} of them`;
      reasons.push(`target ${t} has ${size} numbers of ${attribute} for ${what}, expected ${3 * count}`);
    }
    const stray = vertices?.findIndex((index) => !(index >= 0 && index < vertexCount)) ?? -1;
    if (vertices !== null && stray >= 0) {
      reasons.push(`target ${t} moves vertex ${vertices[stray]}, expected one of 0…${vertexCount - 1}`);
    }
  }
  return validity(reasons);
}

/**
 * Morphs a mesh: `attribute = base attribute + Σ weightᵢ · offsetᵢ`. Call it before skinning. Skinning normalizes normals and tangents; without a
 * skin, call {@link normalizeDirections}. The handedness of tangents is copied. No allocation.
 *
 * @param targets Targets that {@link validateMorphTargets} accepts.
 * @param weights Weight of every target; targets without a weight are skipped.
 * @param base Vertices to morph.
 * @param out Receives the vertices; may be `base`. Attributes that `base` lacks are left unchanged.
 * @example
 * const out = { positions: new Float32Array(base.positions.length), normals: null, tangents: null };
 * morph([smile, blink], [0.5, 1], base, out);
 */
export function morph(
  targets: readonly MorphTarget[],
  weights: ArrayLike<number>,
  base: Vertices,
  out: Vertices,
): void {
  morphAttribute('positions', 3, targets, weights, base.positions, out.positions);
  if (base.normals !== null && out.normals !== null) {
    morphAttribute('normals', 3, targets, weights, base.normals, out.normals);
  }
  if (base.tangents !== null && out.tangents !== null) {
    morphAttribute('tangents', 4, targets, weights, base.tangents, out.tangents);
  }
}

function morphAttribute(
  attribute: 'positions' | 'normals' | 'tangents',
  stride: 3 | 4,
  targets: readonly MorphTarget[],
  weights: ArrayLike<number>,
  base: Floats,
  out: Floats,
): void {
  if (out !== base) out.set(base);
  for (let t = 0; t < targets.length && t < weights.length; t++) {
    const weight = weights[t];
    const { vertices, [attribute]: offsets } = targets[t];
    if (offsets === null || weight === 0) continue;
    for (let i = 0, from = 0; from < offsets.length; i++, from += 3) {
      const at = stride * (vertices === null ? i : vertices[i]);
      for (let c = 0; c < 3; c++) out[at + c] += weight * offsets[from + c];
    }
  }
}

/**
 * Normalizes directions to length 1. Zero directions stay zero. `out` receives the directions; may be `directions`. `directions`: `stride` floats
 * per direction. `stride`: 3, or 4 for tangents, whose handedness is copied.
 */
export function normalizeDirections(out: Floats, directions: Floats, stride: 3 | 4 = 3): void {
  for (let at = 0; at + stride <= directions.length; at += stride) {
    vec3.normalize(out, at, directions, at);
    if (stride === 4) out[at + 3] = directions[at + 3];
  }
}
