/** VRM Animation 1.0: the root extension `VRMC_vrm_animation`. The rest pose is T and faces +Z. */
import type { Issue } from '../../../core/report/issue.ts';
import type { NodeForest } from '../read-nodes.ts';
import type { JsonObject } from '../schema.ts';
import type { FileHumanoid } from './human-bones.ts';
import { readHumanBones } from './vrm1.ts';

/** The humanoid of a VRMA extension object; null, with an issue, where it holds no bone. */
export function readVrma(extension: JsonObject, forest: NodeForest, issues: Issue[]): FileHumanoid | null {
  const nodes = readHumanBones(extension, 'VRMC_vrm_animation', forest, issues);
  return nodes === null ? null : { format: 'vrma', facing: '+Z', title: '', nodes };
}
