import { BONES, type BoneName } from '../../../core/humanoid/bones.ts';
import { type Issue, issue } from '../../../core/report/issue.ts';
import type { JsonObject } from '../document/json-access.ts';

/**
 * Writes a bone map of VRM 1.0, in which an upper chest requires a chest. `issues` receives VRM_CONVERT_HUMANOID where the upper chest became the
 * chest.
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

/** Bones that VRM 0.x requires and VRM 1.0 does not. */
const REQUIRED_0: readonly BoneName[] = ['chest', 'neck'];

/** VRM 0.x numbers the thumb bones one joint further out than VRM 1.0. */
const THUMBS_0: Readonly<Record<string, string>> = { Metacarpal: 'Proximal', Proximal: 'Intermediate' };

/** Writes a bone map of VRM 0.x. `issues` receives VRM_CONVERT_HUMANOID where bones are missing that VRM 0.x requires. */
export function humanoidToVrm0(nodes: Int32Array, issues: Issue[]): JsonObject {
  const missing = REQUIRED_0.filter((bone) => nodes[BONES.indexOf(bone)] < 0);
  if (missing.length > 0) {
    const message = `The humanoid lacks ${missing.join(' and ')}, which VRM 0.x requires; some players refuse the file.`;
    issues.push(issue('VRM_CONVERT_HUMANOID', message, { pointer: '/extensions/VRM/humanoid/humanBones' }));
  }
  const humanBones = BONES.flatMap((name, bone) => {
    if (nodes[bone] < 0) return [];
    const old = name.replace(/(?<=Thumb)(?:Metacarpal|Proximal)$/, (segment) => THUMBS_0[segment]);
    return [{ bone: old, node: nodes[bone], useDefaultValues: true }];
  });
  return { humanBones };
}
