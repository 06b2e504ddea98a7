/** Issues of instances, which have the same to tell as the first of their prototype. */
import type { Issue } from '../../../core/report/issue.ts';
import { prototypePath, type Stage } from '../stage/stage.ts';

/** Where a prim and the same prim in the first instance begin to differ: paths without the names that both end in. */
function differing(path: string, first: string): [own: string, first: string] {
  const own = path.split('/');
  const other = first.split('/');
  while (own.length > 2 && other.length > 2 && own.at(-1) === other.at(-1)) {
    own.pop();
    other.pop();
  }
  return [own.join('/'), other.join('/')];
}

/** What an issue says, as text: of an instance as if it were the first one. */
function saying(stage: Stage, { code, message, where }: Issue): string {
  const { pointer = '' } = where;
  const first = prototypePath(stage, pointer);
  if (first === pointer) return JSON.stringify([code, message, where]);
  const [own, other] = differing(pointer, first);
  // A name that only begins alike is another one.
  const said = message.split(own).reduce((told, part) => `${told}${/^\w/.test(part) ? own : other}${part}`);
  return JSON.stringify([code, said, { ...where, pointer: first }]);
}

/** Issues without those that say of an instance what is said of another one already, and without what is said twice. */
export function distinctIssues(stage: Stage, issues: readonly Issue[]): Issue[] {
  const told = new Map<string, Issue>();
  for (const issue of issues) {
    const key = saying(stage, issue);
    if (!told.has(key)) told.set(key, issue);
  }
  return [...told.values()];
}
