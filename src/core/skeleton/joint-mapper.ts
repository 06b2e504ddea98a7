/** Mapping of values from one joint order to another, as UsdSkelAnimMapper does it. */
import type { Floats } from '../math/floats.ts';

/** Where each value of a source order goes in a target order. Plain data. */
export interface JointMapper {
  /**
   * `identity`: both orders are the same. `ordered`: the source is one contiguous range of the target, from `offset` on. `sparse`: each
   * value has its own target index. `null`: the orders have no name in common.
   */
  readonly kind: 'identity' | 'ordered' | 'sparse' | 'null';
  /** Number of values in the source order. */
  readonly sourceCount: number;
  /** Number of values in the target order. */
  readonly targetCount: number;
  /** Target index of the first source value, for `identity` and `ordered`; else 0. */
  readonly offset: number;
  /** Target index of every source value, −1 for none, for `sparse`; else empty. */
  readonly targetIndices: Int32Array;
}

/**
 * Creates the mapper from one order of joint names to another. Source names that the target lacks are left out. Where the target
 * repeats a name, its last occurrence is used; a source that is one contiguous range of the target maps to the first such range.
 *
 * @param source Names in the source order.
 * @param target Names in the target order.
 * @returns The mapper for {@link mapJoints}.
 */
export function createJointMapper(source: readonly string[], target: readonly string[]): JointMapper {
  const counts = { sourceCount: source.length, targetCount: target.length };
  const offset = source.length === 0 ? -1 : target.indexOf(source[0]);
  if (offset >= 0 && source.every((name, index) => target[offset + index] === name)) {
    const kind = source.length === target.length ? 'identity' : 'ordered';
    return { kind, ...counts, offset, targetIndices: new Int32Array(0) };
  }
  const indexByName = new Map(target.map((name, index) => [name, index]));
  const targetIndices = Int32Array.from(source, (name) => indexByName.get(name) ?? -1);
  if (targetIndices.every((index) => index < 0)) {
    return { kind: 'null', ...counts, offset: 0, targetIndices: new Int32Array(0) };
  }
  return { kind: 'sparse', ...counts, offset: 0, targetIndices };
}

/**
 * Copies values from the source order to the target order.
 *
 * @param mapper From {@link createJointMapper}.
 * @param source `stride` floats per source value; a shorter array maps the values that it has.
 * @param stride Floats per value, e.g. 3 for translations or 16 for matrices.
 * @param out Receives `stride` floats per target value.
 * @param fallback `stride` floats for target values that no source value maps to; without it they keep what `out` holds, so that a rest
 * pose filled in before shows through.
 */
export function mapJoints(
  mapper: JointMapper,
  source: ArrayLike<number>,
  stride: number,
  out: Floats,
  fallback?: ArrayLike<number>,
): void {
  const count = Math.min(mapper.sourceCount, Math.floor(source.length / stride));
  if (fallback !== undefined && !(mapper.kind === 'identity' && count === mapper.sourceCount)) {
    const size = mapper.targetCount * stride;
    for (let c = 0; c < size; c++) out[c] = fallback[c % stride];
  }
  if (mapper.kind === 'null') return;
  if (mapper.kind === 'sparse') {
    for (let value = 0; value < count; value++) {
      const index = mapper.targetIndices[value];
      if (index < 0) continue;
      for (let c = 0; c < stride; c++) out[index * stride + c] = source[value * stride + c];
    }
    return;
  }
  const start = mapper.offset * stride;
  for (let c = 0; c < count * stride; c++) out[start + c] = source[c];
}
