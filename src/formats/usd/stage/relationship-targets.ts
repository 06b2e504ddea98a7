/** Targets of relationships and connections of attributes, in the namespace of the stage. */
import type { ListOp } from '../layer/layer.ts';
import { textListField } from './spec-fields.ts';
import { composeListOps, mapListOp } from './compose-list-ops.ts';
import { opinionsAt, pathOnStage } from './prim-index.ts';
import { primAt, type Stage } from './stage.ts';

/** The only list of an edit that adds something; null for none or several. */
function onlyList({ explicit, added, prepended, appended, ordered }: ListOp<string>): readonly string[] | null {
  if (explicit !== null) return explicit;
  const lists = [added, prepended, appended].filter(({ length }) => length > 0);
  return lists.length === 1 && ordered.length === 0 ? lists[0] : null;
}

/** `most`: so many are enough, which saves going over all of a long list. */
function composedPaths(
  stage: Stage,
  path: string,
  name: string,
  type: 'relationship' | 'attribute',
  field: 'targetPaths' | 'connectionPaths',
  most: number,
): readonly string[] | null {
  const prim = primAt(stage, path);
  if (prim === null) return null;
  const said = opinionsAt(prim.sites, name)
    .filter(({ spec }) => spec.type === type)
    .flatMap(({ spec, site }) => {
      const edit = textListField(spec, field);
      return edit === null ? [] : { edit, site };
    });
  const [strongest] = said;
  const only =
    strongest !== undefined && (said.length === 1 || strongest.edit.explicit !== null)
      ? onlyList(strongest.edit)
      : null;
  if (only !== null) {
    const found = new Set<string>();
    for (let i = 0; i < only.length && found.size < most; i++) {
      const target = pathOnStage(strongest.site, only[i]);
      if (target !== null) found.add(target);
    }
    return [...found];
  }
  const edits = said.map(({ edit, site }) => mapListOp(edit, (target) => pathOnStage(site, target)));
  return composeListOps(edits, (target) => target)?.slice(0, most) ?? null;
}

/**
 * The paths that a relationship leads to. Null when no layer says any; an empty list when one says "none". Paths in referenced files are
 * those of the stage; what lies outside of what is referenced is left out. Relationships that lead to relationships are not followed. `most`: no more than the
 * first so many.
 */
export function targetsOf(
  stage: Stage,
  path: string,
  name: string,
  most: number = Number.POSITIVE_INFINITY,
): readonly string[] | null {
  return composedPaths(stage, path, name, 'relationship', 'targetPaths', most);
}

/** The properties that an attribute is connected to, as {@link targetsOf}. */
export function connectionsOf(stage: Stage, path: string, name: string): readonly string[] | null {
  return composedPaths(stage, path, name, 'attribute', 'connectionPaths', Number.POSITIVE_INFINITY);
}

/** Relationships on the way from one to the next: more are an attack. */
const MAX_FORWARDS = 1000;

/** As {@link targetsOf}, with relationships that are targets replaced by their targets; each once. */
export function forwardedTargetsOf(
  stage: Stage,
  path: string,
  name: string,
  most: number = Number.POSITIVE_INFINITY,
): readonly string[] | null {
  const direct = targetsOf(stage, path, name, most);
  if (direct === null) return null;
  const found = new Set<string>();
  const forwards = new Set<string>([`${path}.${name}`]);
  const open = [...direct].reverse();
  for (let target = open.pop(); target !== undefined && found.size < most; target = open.pop()) {
    if (forwards.has(target)) continue;
    const dot = target.indexOf('.');
    const next = dot < 0 ? null : targetsOf(stage, target.slice(0, dot), target.slice(dot + 1), most);
    if (next === null) found.add(target);
    else if (forwards.size < MAX_FORWARDS) {
      forwards.add(target);
      for (let k = next.length - 1; k >= 0; k--) open.push(next[k]);
    }
  }
  return [...found];
}
