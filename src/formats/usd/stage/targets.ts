/** Targets of relationships and connections of attributes, in the namespace of the stage. */
import { textListField } from './fields.ts';
import { composeLists, mapListOp } from './list-opinions.ts';
import { opinionsAt, pathOnStage } from './site.ts';
import { primAt, type Stage } from './stage.ts';

function composedPaths(
  stage: Stage,
  path: string,
  name: string,
  type: 'relationship' | 'attribute',
  field: 'targetPaths' | 'connectionPaths',
): readonly string[] | null {
  const prim = primAt(stage, path);
  if (prim === null) return null;
  const edits = opinionsAt(prim.sites, name)
    .filter(({ spec }) => spec.type === type)
    .flatMap(({ spec, site }) => {
      const edit = textListField(spec, field);
      return edit === null ? [] : mapListOp(edit, (target) => pathOnStage(site, target));
    });
  return composeLists(edits, (target) => target);
}

/**
 * The paths that a relationship leads to. Null when no layer says any; an empty list when one says "none". Paths in referenced files are
 * those of the stage; what lies outside of what is referenced is left out. Relationships that lead to relationships are not followed.
 */
export function targetsOf(stage: Stage, path: string, name: string): readonly string[] | null {
  return composedPaths(stage, path, name, 'relationship', 'targetPaths');
}

/** The properties that an attribute is connected to, as {@link targetsOf}. */
export function connectionsOf(stage: Stage, path: string, name: string): readonly string[] | null {
  return composedPaths(stage, path, name, 'attribute', 'connectionPaths');
}

/** Properties on the way from relationship to relationship: more is a cycle or an attack. */
const MAX_FORWARDS = 1000;

/** As {@link targetsOf}, with relationships that are targets replaced by their targets; each once. */
export function forwardedTargetsOf(stage: Stage, path: string, name: string): readonly string[] | null {
  const direct = targetsOf(stage, path, name);
  if (direct === null) return null;
  const found = new Set<string>();
  const seen = new Set<string>([`${path}.${name}`]);
  const open = [...direct].reverse();
  for (let target = open.pop(); target !== undefined && seen.size < MAX_FORWARDS; target = open.pop()) {
    const dot = target.indexOf('.');
    const next = dot < 0 ? null : targetsOf(stage, target.slice(0, dot), target.slice(dot + 1));
    if (next === null) found.add(target);
    else if (!seen.has(target)) open.push(...[...next].reverse());
    seen.add(target);
  }
  return [...found];
}
