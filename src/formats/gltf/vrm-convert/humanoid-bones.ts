/** The bone map of VRM 1.0. */
import { BONES, type BoneName } from '../../../core/humanoid/bones.ts';
import { type Issue, issue } from '../../../core/report/issue.ts';
import type { JsonObject } from '../document/json-access.ts';

/**
 * Writes a bone map of VRM 1.0, in which an upper chest requires a chest.
 *
 * @param nodes glTF node per bone, 55 entries, −1 where absent.
 * @param issues Receives VRM_CONVERT_HUMANOID where the upper chest became the chest.
 * @returns `VRMC_vrm.humanoid`.
 */
export function humanoidToVrm1(nodes: Int32Array, issues: Issue[]): JsonObject {
  const found = new Map<BoneName, number>();
  nodes.forEach((node, bone) => {
    if (node >= 0) found.set(BONES[bone], node);
  });
  const upperChest = found.get('upperChest');
  if (upperChest !== undefined && !found.has('chest')) {
    found.delete('upperChest');
    found.set('chest', upperChest);
    const message =
      'The humanoid has an upper chest without a chest, which VRM 1.0 forbids; its node became the chest.';
    issues.push(issue('VRM_CONVERT_HUMANOID', message, { pointer: '/extensions/VRMC_vrm/humanoid/humanBones' }));
  }
  const bones = BONES.flatMap((bone) => (found.has(bone) ? [[bone, { node: found.get(bone) }] as const] : []));
  return { humanBones: Object.fromEntries(bones) };
}
