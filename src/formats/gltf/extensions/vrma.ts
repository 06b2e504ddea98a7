/** VRM Animation 1.0: the root extension `VRMC_vrm_animation`. The rest pose is a T-pose and faces +Z. */
import type { Issue } from '../../../core/report/issue.ts';
import type { JsonObject } from '../document/json-access.ts';
import type { NodeForest } from '../read/read-nodes.ts';
import type { FileHumanoid } from './human-bones.ts';
import { readHumanBones } from './vrm1.ts';

/** Reads the humanoid of a VRMA. Returns the humanoid; null, with an issue, where it has no bone. */
export function readVrma(extension: JsonObject, forest: NodeForest, issues: Issue[]): FileHumanoid | null {
  const nodes = readHumanBones(extension, 'VRMC_vrm_animation', forest, issues);
  return nodes === null ? null : { format: 'vrma', facing: '+Z', title: '', nodes };
}
