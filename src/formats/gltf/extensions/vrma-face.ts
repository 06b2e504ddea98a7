/** Expressions and gaze of a VRM Animation: which nodes carry them. VRMC_vrm_animation-1.0, Expressions and LookAt. */
import { type Issue, issue } from '../../../core/report/issue.ts';
import type { NodeForest } from '../read-nodes.ts';
import { isObject, type JsonObject, memberAt, nameOfValue, pointerTo } from '../schema.ts';

/** Nodes of a file whose transforms mean the face. */
export interface FaceNodes {
  /** Name of the expression whose weight is the x of a node's translation. */
  readonly expressions: ReadonlyMap<number, string>;
  /** Node whose rotation is the gaze, −1 without. */
  readonly lookAt: number;
  readonly offsetFromHeadBone: readonly [number, number, number] | null;
}

export const NO_FACE_NODES: FaceNodes = { expressions: new Map(), lookAt: -1, offsetFromHeadBone: null };

const POINTER = '/extensions/VRMC_vrm_animation';

/** The nodes of the face; what points to no node, or to one that has a meaning already, is left out and reported as VRM_FACE. */
export function readVrmaFace(extension: JsonObject, forest: NodeForest, issues: Issue[]): FaceNodes {
  const count = forest.parents.length;
  const expressions = new Map<number, string>();
  const report = (message: string, pointer: string): void => {
    issues.push(issue('VRM_FACE', message, { pointer }));
  };
  const nodeOf = (item: unknown, what: string, pointer: string): number => {
    const node = isObject(item) ? memberAt(item, 'node') : undefined;
    if (Number.isSafeInteger(node) && (node as number) >= 0 && (node as number) < count) return node as number;
    report(`${what} has node ${nameOfValue(node)}, but the file has ${count} nodes; it was left out`, pointer);
    return -1;
  };
  const owner = memberAt(extension, 'expressions');
  for (const kind of ['preset', 'custom']) {
    const map = isObject(owner) ? memberAt(owner, kind) : undefined;
    for (const [name, item] of isObject(map) ? Object.entries(map) : []) {
      if (name === 'extensions' || name === 'extras') continue;
      const pointer = pointerTo(`${POINTER}/expressions/${kind}`, name);
      const node = nodeOf(item, `The expression ${JSON.stringify(name.slice(0, 40))}`, pointer);
      if (node < 0) continue;
      const other = expressions.get(node);
      if (other === undefined) expressions.set(node, name);
      else report(`Node ${node} is given as two expressions; ${JSON.stringify(other.slice(0, 40))} was kept`, pointer);
    }
  }
  const gaze = memberAt(extension, 'lookAt');
  // The text does not require the node, the schema does: an offset alone says nothing about where the eyes look.
  const hasNode = isObject(gaze) && memberAt(gaze, 'node') !== undefined;
  const lookAt = hasNode ? nodeOf(gaze, 'The gaze', `${POINTER}/lookAt`) : -1;
  const offset = isObject(gaze) ? memberAt(gaze, 'offsetFromHeadBone') : undefined;
  return { expressions, lookAt, offsetFromHeadBone: isVector(offset) ? [offset[0], offset[1], offset[2]] : null };
}

function isVector(value: unknown): value is number[] {
  return Array.isArray(value) && value.length === 3 && value.every((item) => Number.isFinite(item));
}
