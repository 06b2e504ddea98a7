/** What the rules for FBX files share: the parsed file, and findings that name the objects they are about. */
import type { IssueCode } from '../../../core/report/codes.ts';
import { type Issue, issue } from '../../../core/report/issue.ts';
import type { FbxScene } from '../nodes/fbx-scene.ts';
import type { ModelForest } from '../nodes/read-models.ts';

export interface FbxValidation {
  readonly scene: FbxScene;
  readonly forest: ModelForest;
  /** Rest pose of the nodes, model space: 16 floats per node. */
  readonly worlds: Float64Array;
  /** Nodes of skin clusters, and LimbNodes. */
  readonly isJoint: Uint8Array;
  readonly issues: Issue[];
}

/** Most objects that one finding names. */
const NAMED = 4;

/** Adds one finding about several objects, as `<what> (<count>): <names>. <advice>`; none without objects. */
export function addFinding(
  issues: Issue[],
  code: IssueCode,
  names: readonly string[],
  what: string,
  advice: string,
): void {
  if (names.length === 0) return;
  const listed = names.slice(0, NAMED).map((name) => JSON.stringify(name));
  if (names.length > NAMED) listed.push(`and ${names.length - NAMED} more`);
  issues.push(issue(code, `${what} (${names.length}): ${listed.join(', ')}. ${advice}`));
}
