import { BONE } from '../humanoid/bones.ts';

/**
 * Marks points at exactly the origin as missing: programs write zeros for points that they lost. Hips that are there whenever they are known stay: positions
 * are relative to them. `roles`: the role of each point. Changes `positions`.
 */
export function dropZeros(positions: Float64Array, roles: ArrayLike<number>): void {
  const count = roles.length;
  const isZero = (at: number): boolean => positions[at] === 0 && positions[at + 1] === 0 && positions[at + 2] === 0;
  const hips = Array.from(roles).indexOf(BONE.hips);
  let isOrigin = hips >= 0;
  for (let at = 3 * hips; isOrigin && at < positions.length; at += 3 * count)
    isOrigin = isZero(at) || Number.isNaN(positions[at]);
  for (let at = 0; at < positions.length; at += 3)
    if (isZero(at) && !(isOrigin && (at / 3) % count === hips)) positions.fill(Number.NaN, at, at + 3);
}
