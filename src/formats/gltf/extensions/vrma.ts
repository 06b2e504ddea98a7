/** VRM Animation 1.0: the root extension `VRMC_vrm_animation`. The rest pose is T and faces +Z. */
import { type Issue, issue } from '../../../core/report/issue.ts';
import type { NodeForest } from '../read-nodes.ts';
import { isObject, type JsonObject, memberAt } from '../schema.ts';
import type { FileHumanoid } from './human-bones.ts';
import { readHumanBones } from './vrm1.ts';

const POINTER = '/extensions/VRMC_vrm_animation';

/**
 * The humanoid of a VRMA extension object; null, with an issue, where it holds no bone. Expressions and lookAt are nodes
 * whose translation carries weights and a point: they are reported as not carried.
 */
export function readVrma(extension: JsonObject, forest: NodeForest, issues: Issue[]): FileHumanoid | null {
  const expressions = memberAt(extension, 'expressions');
  const names = ['preset', 'custom'].flatMap((kind) => {
    const map = isObject(expressions) ? memberAt(expressions, kind) : undefined;
    return isObject(map) ? Object.keys(map) : [];
  });
  if (names.length > 0) {
    const shown = names.slice(0, 8).map((name) => JSON.stringify(name.slice(0, 40)));
    const message = `Expressions are not carried over: ${shown.join(', ')}${names.length > 8 ? ', …' : ''}`;
    issues.push(issue('CHANNELS_DROPPED', message, { pointer: `${POINTER}/expressions` }));
  }
  if (memberAt(extension, 'lookAt') !== undefined) {
    issues.push(issue('CHANNELS_DROPPED', 'The gaze (lookAt) is not carried over', { pointer: `${POINTER}/lookAt` }));
  }
  const nodes = readHumanBones(extension, 'VRMC_vrm_animation', forest, issues);
  return nodes === null ? null : { format: 'vrma', facing: '+Z', title: '', nodes };
}
