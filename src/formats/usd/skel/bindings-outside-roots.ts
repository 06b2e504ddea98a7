/** Bindings that no SkelRoot is above: UsdSkel ignores them. */
import { type Issue, issue } from '../../../core/report/issue.ts';
import { parentPath } from '../layer/paths.ts';
import type { Stage } from '../stage/stage.ts';
import { usesBindingProperties, createBindingRules } from './binding-rules.ts';
import { childrenReversed, typeNameAt } from './typed-values.ts';

/**
 * Tells of prims that have bindings but no SkelRoot, neither above nor below, where an animation that they name would reach skeletons: one issue for all
 * that SkelBindingAPI is applied to, and one for each that has properties of it without it. The rules of usdchecker.
 */
export function bindingsOutsideRoots(stage: Stage, roots: readonly string[]): Issue[] {
  const aboveRoots = new Set<string>();
  for (const root of roots) for (let at = root; at !== '/' && at !== ''; at = parentPath(at)) aboveRoots.add(at);
  const rules = createBindingRules(stage, true);
  const found: string[] = [];
  const open = childrenReversed(stage, '/');
  for (let prim = open.pop(); prim !== undefined; prim = open.pop()) {
    if (typeNameAt(stage, prim) === 'SkelRoot') continue;
    if (!aboveRoots.has(prim) && usesBindingProperties(rules, prim)) found.push(prim);
    open.push(...childrenReversed(stage, prim));
  }
  const issues = [...rules.issues.values()];
  if (found.length === 0) return issues;
  const [first] = found;
  const whose = found.length === 1 ? `${first} has bindings` : `${first} and ${found.length - 1} more have bindings`;
  const message = `${whose} but no SkelRoot above, so that they do nothing. Make a SkelRoot of a prim above skeleton and meshes.`;
  return [...issues, issue('USD_BINDING_INVALID', message, { pointer: first })];
}
