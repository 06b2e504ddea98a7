/** Expressions and look-at: the common part of VRM 0.x and VRM 1.0. */
import type { FaceBind, MorphNode, RangeMap } from '../../../core/face/face-rig.ts';
import { type Issue, issue } from '../../../core/report/issue.ts';
import { describeValue } from '../document/json-access.ts';
import { isIndex } from '../document/loose-json.ts';

/** Morph targets that the binds of a file refer to, and the list that collects issues. */
export interface FaceReading {
  /** Nodes with morph targets, by glTF node index. */
  readonly morphNodes: ReadonlyMap<number, MorphNode>;
  /** Receives VRM_FACE. */
  readonly issues: Issue[];
}

/** Minimum input range, degrees. Dividing by a smaller one maps every angle to the maximum. */
const LEAST_RANGE = 0.01;

/** Binds a morph target of several nodes to an expression. Nodes without that target are reported as VRM_FACE and left out. */
export function bindTargets(
  { morphNodes, issues }: FaceReading,
  nodes: readonly number[],
  target: unknown,
  weight: number,
  pointer: string,
): FaceBind[] {
  const there = nodes.filter((node) => isIndex(target) && target < (morphNodes.get(node)?.weights.length ?? 0));
  if (nodes.length === 0 || there.length < nodes.length) {
    const message = `An expression is bound to morph target ${describeValue(target)}, which its mesh does not have. The bind was ignored.`;
    issues.push(issue('VRM_FACE', message, { pointer }));
  }
  return there.map((node) => ({ node, target: target as number, weight }));
}

/**
 * Builds a look-at range map. `inputMax`: angle at which the output is reached, degrees; raised to a minimum of 0.01. `output`: degrees of the
 * eyes, or weight of an expression. `curve`: hermite keys over 0…1 (time, value, in-tangent, out-tangent each); null for a straight line.
 */
export function rangeMap(inputMax: number, output: number, curve: Float64Array | null = null): RangeMap {
  return { inputMax: Math.max(inputMax, LEAST_RANGE), output, curve };
}
