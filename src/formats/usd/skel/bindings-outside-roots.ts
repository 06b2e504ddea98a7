/** Finds bindings outside of SkelRoots, which UsdSkel ignores. */
import { type Issue, issue } from '../../../core/report/issue.ts';
import { parentPath } from '../layer/paths.ts';
import type { Stage } from '../stage/stage.ts';
import { createBindingRules, usesBindingProperties } from './binding-rules.ts';
import { childrenReversed, typeNameAt } from './typed-values.ts';

/**
 * Reports prims with bindings that have no SkelRoot among their ancestors and descendants, by the rules of usdchecker: one issue for all prims with
 * SkelBindingAPI, and one per prim with binding properties but without the API.
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
  const which = found.length === 1 ? `${first} has bindings` : `${first} and ${found.length - 1} more have bindings`;
  const message = `${which} but no SkelRoot ancestor, so they have no effect. Change the type of a common ancestor of skeleton and meshes to SkelRoot.`;
  return [...issues, issue('USD_BINDING_INVALID', message, { pointer: first })];
}
