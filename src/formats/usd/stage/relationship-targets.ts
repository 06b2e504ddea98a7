import type { ListOp } from '../layer/layer.ts';
import { composeListOps, mapListOp } from './compose-list-ops.ts';
import { opinionsAt, pathOnStage } from './prim-index.ts';
import { textListField } from './spec-fields.ts';
import { primAt, type Stage } from './stage.ts';

/** Returns the only list of a list edit that adds items; null if there is not exactly one. */
function onlyList({ explicit, added, prepended, appended, ordered }: ListOp<string>): readonly string[] | null {
  if (explicit !== null) return explicit;
  const lists = [added, prepended, appended].filter(({ length }) => length > 0);
  return lists.length === 1 && ordered.length === 0 ? lists[0] : null;
}

/** Composes the targets of a property, up to `limit`; this saves visiting all of a long list. */
function composedPaths(
  stage: Stage,
  path: string,
  name: string,
  type: 'relationship' | 'attribute',
  field: 'targetPaths' | 'connectionPaths',
  limit: number,
): readonly string[] | null {
  const prim = primAt(stage, path);
  if (prim === null) return null;
  const opinions = opinionsAt(prim.sites, name)
    .filter(({ spec }) => spec.type === type)
    .flatMap(({ spec, site }) => {
      const edit = textListField(spec, field);
      return edit === null ? [] : { edit, site };
    });
  const [strongest] = opinions;
  const only =
    strongest !== undefined && (opinions.length === 1 || strongest.edit.explicit !== null)
      ? onlyList(strongest.edit)
      : null;
  if (only !== null) {
    const found = new Set<string>();
    for (let i = 0; i < only.length && found.size < limit; i++) {
      const target = pathOnStage(strongest.site, only[i]);
      if (target !== null) found.add(target);
    }
    return [...found];
  }
  const edits = opinions.map(({ edit, site }) => mapListOp(edit, (target) => pathOnStage(site, target)));
  return composeListOps(edits, (target) => target)?.slice(0, limit) ?? null;
}

/**
 * Reads the targets of a relationship. Paths from referenced layers are mapped to the stage; those outside of the referenced namespace are dropped.
 * Targets that are relationships are not followed. `limit`: maximum number of targets returned. Returns the target paths; null if no targets are
 * authored, empty for `None`.
 */
export function targetsOf(
  stage: Stage,
  path: string,
  name: string,
  limit: number = Number.POSITIVE_INFINITY,
): readonly string[] | null {
  return composedPaths(stage, path, name, 'relationship', 'targetPaths', limit);
}

/** Reads the connections of an attribute, with the rules of {@link targetsOf}. Returns null if no connections are authored. */
export function connectionsOf(stage: Stage, path: string, name: string): readonly string[] | null {
  return composedPaths(stage, path, name, 'attribute', 'connectionPaths', Number.POSITIVE_INFINITY);
}

const MAX_FORWARDS = 1000;

/**
 * Reads the targets of a relationship and replaces targets that are relationships by their targets, recursively; each target once. Returns the
 * target paths; null if no targets are authored.
 */
export function forwardedTargetsOf(
  stage: Stage,
  path: string,
  name: string,
  limit: number = Number.POSITIVE_INFINITY,
): readonly string[] | null {
  const direct = targetsOf(stage, path, name, limit);
  if (direct === null) return null;
  const found = new Set<string>();
  const forwards = new Set<string>([`${path}.${name}`]);
  const open = [...direct].reverse();
  for (let target = open.pop(); target !== undefined && found.size < limit; target = open.pop()) {
    if (forwards.has(target)) continue;
    const dot = target.indexOf('.');
    const next = dot < 0 ? null : targetsOf(stage, target.slice(0, dot), target.slice(dot + 1), limit);
    if (next === null) found.add(target);
    else if (forwards.size < MAX_FORWARDS) {
      forwards.add(target);
      for (let k = next.length - 1; k >= 0; k--) open.push(next[k]);
    }
  }
  return [...found];
}
