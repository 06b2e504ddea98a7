/** Removes duplicate issues. Instances repeat the issues of the first instance of their prototype. */
import type { Issue } from '../../../core/report/issue.ts';
import { prototypePath, type Stage } from '../stage/stage.ts';

/** Removes the common trailing names of two paths: where a prim of an instance and that of the first instance diverge. */
function divergingPaths(path: string, first: string): [own: string, first: string] {
  const own = path.split('/');
  const other = first.split('/');
  while (own.length > 2 && other.length > 2 && own.at(-1) === other.at(-1)) {
    own.pop();
    other.pop();
  }
  return [own.join('/'), other.join('/')];
}

/** Returns a key that is equal for the same issue of different instances. */
function issueKey(stage: Stage, { code, message, where }: Issue): string {
  const { pointer = '' } = where;
  const first = prototypePath(stage, pointer);
  if (first === pointer) return JSON.stringify([code, message, where]);
  const [own, other] = divergingPaths(pointer, first);
  // A longer name with the same beginning is not a match.
  const generic = message.split(own).reduce((text, part) => `${text}${/^\w/.test(part) ? own : other}${part}`);
  return JSON.stringify([code, generic, { ...where, pointer: first }]);
}

/** Removes issues that repeat another issue, literally or for another instance of the same prototype. */
export function distinctIssues(stage: Stage, issues: readonly Issue[]): Issue[] {
  const distinct = new Map<string, Issue>();
  for (const issue of issues) {
    const key = issueKey(stage, issue);
    if (!distinct.has(key)) distinct.set(key, issue);
  }
  return [...distinct.values()];
}
