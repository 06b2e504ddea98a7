/** Expressions and look-at of a VRM Animation: the nodes that carry them. VRMC_vrm_animation-1.0, Expressions and LookAt. */
import { type Issue, issue } from '../../../core/report/issue.ts';
import { describeValue, type JsonObject, memberAt, pointerTo } from '../document/json-access.ts';
import { isIndex, memberOf, objectOf } from '../document/loose-json.ts';
import type { NodeForest } from '../read/read-nodes.ts';

export interface FaceNodes {
  /** Expression name by glTF node. The x translation of the node is the weight. */
  readonly expressions: ReadonlyMap<number, string>;
  /** glTF node whose rotation is the look-at direction, −1 without one. */
  readonly lookAt: number;
  /** Origin of the look-at direction from the head, local axes of the head, meters; null where the file has none. */
  readonly offsetFromHeadBone: readonly [number, number, number] | null;
}

export const NO_FACE_NODES: FaceNodes = { expressions: new Map(), lookAt: -1, offsetFromHeadBone: null };

const POINTER = '/extensions/VRMC_vrm_animation';

/**
 * Reads which nodes carry expressions and look-at. `issues` receives VRM_FACE for entries without an existing node and for nodes with two
 * expressions; these are left out.
 */
export function readVrmaFace(extension: JsonObject, forest: NodeForest, issues: Issue[]): FaceNodes {
  const count = forest.parents.length;
  const expressions = new Map<number, string>();
  const report = (message: string, pointer: string): void => {
    issues.push(issue('VRM_FACE', message, { pointer }));
  };
  const nodeOf = (item: unknown, what: string, pointer: string): number => {
    const node = memberOf(item, 'node');
    if (isIndex(node, count)) return node;
    report(`${what} has node ${describeValue(node)}, but the file has ${count} nodes. It was ignored.`, pointer);
    return -1;
  };
  for (const kind of ['preset', 'custom']) {
    for (const [name, item] of Object.entries(objectOf(extension, 'expressions', kind))) {
      if (name === 'extensions' || name === 'extras') continue;
      const pointer = pointerTo(`${POINTER}/expressions/${kind}`, name);
      const node = nodeOf(item, `The expression ${JSON.stringify(name.slice(0, 40))}`, pointer);
      if (node < 0) continue;
      const other = expressions.get(node);
      if (other === undefined) expressions.set(node, name);
      else
        report(`Node ${node} is mapped to two expressions. ${JSON.stringify(other.slice(0, 40))} was kept.`, pointer);
    }
  }
  // The schema requires the node, the text does not. An offset alone does not define a look-at direction.
  const hasNode = memberOf(extension, 'lookAt', 'node') !== undefined;
  const lookAt = hasNode ? nodeOf(memberAt(extension, 'lookAt'), 'lookAt', `${POINTER}/lookAt`) : -1;
  const offset = memberOf(extension, 'lookAt', 'offsetFromHeadBone');
  return { expressions, lookAt, offsetFromHeadBone: isVector(offset) ? [offset[0], offset[1], offset[2]] : null };
}

function isVector(value: unknown): value is number[] {
  return Array.isArray(value) && value.length === 3 && value.every((item) => Number.isFinite(item));
}
