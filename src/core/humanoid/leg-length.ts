/** The length of a leg. */
import * as vec3 from '../math/vec3.ts';
import { BONE, type Side } from './bones.ts';
import type { Humanoid } from './humanoid.ts';

/**
 * Returns the length of thigh and shin in the reference pose.
 *
 * @returns Meters; null for a leg without all of its joints.
 */
export function legLength({ map, reference: { positions } }: Humanoid, side: Side): number | null {
  const [thigh, shin, foot] = [BONE[`${side}UpperLeg`], BONE[`${side}LowerLeg`], BONE[`${side}Foot`]];
  if (map.nodes[thigh] < 0 || map.nodes[shin] < 0 || map.nodes[foot] < 0) return null;
  return (
    vec3.distance(positions, 3 * thigh, positions, 3 * shin) + vec3.distance(positions, 3 * shin, positions, 3 * foot)
  );
}
