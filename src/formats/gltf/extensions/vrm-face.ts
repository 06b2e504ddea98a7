/** What the faces of VRM 0.x and VRM 1.0 have in common. */
import type { FaceBind, MorphNode, RangeMap } from '../../../core/face/face-rig.ts';
import { type Issue, issue } from '../../../core/report/issue.ts';
import { isObject, memberAt, nameOfValue } from '../schema.ts';

/** What binds of a file refer to, and where what is wrong with them is reported. */
export interface FaceReading {
  /** By node of the file. */
  readonly morphNodes: ReadonlyMap<number, MorphNode>;
  readonly issues: Issue[];
}

/** A number below which a range is none: dividing by it would make any gaze the furthest. */
const LEAST_RANGE = 0.01;

/** A bind of a target of nodes; those without such a target are reported as VRM_FACE and left out. */
export function bindTargets(
  { morphNodes, issues }: FaceReading,
  nodes: readonly number[],
  target: unknown,
  weight: number,
  pointer: string,
): FaceBind[] {
  const there = nodes.filter((node) => isIndex(target) && target < (morphNodes.get(node)?.weights.length ?? 0));
  if (nodes.length === 0 || there.length < nodes.length) {
    const message = `An expression is bound to morph target ${nameOfValue(target)}, which its mesh does not have; that was left out`;
    issues.push(issue('VRM_FACE', message, { pointer }));
  }
  return there.map((node) => ({ node, target: target as number, weight }));
}

export function isIndex(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

/** A finite number of an object; `otherwise` where there is none. */
export function finiteMember(owner: unknown, key: string, otherwise: number): number {
  const value = isObject(owner) ? memberAt(owner, key) : undefined;
  return typeof value === 'number' && Number.isFinite(value) ? value : otherwise;
}

/** Whether a member of an object is a list with anything in it. */
export function hasItems(owner: unknown, key: string): boolean {
  const list = isObject(owner) ? memberAt(owner, key) : undefined;
  return Array.isArray(list) && list.length > 0;
}

export function rangeMap(inputMax: number, output: number, curve: Float64Array | null = null): RangeMap {
  return { inputMax: Math.max(inputMax, LEAST_RANGE), output, curve };
}
