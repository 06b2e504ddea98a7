/** Counts the characters of paths before they are made: in a chain of n nodes they grow with n². */
import { FormatError } from '../../../core/report/format-error.ts';

/** Characters of all paths that any file may have: a chain of 1,300 nodes. The reader of text files allows 1,000 levels. */
const BASE = 2 ** 23;
/** More characters per character of the names: the mean depth of the nodes of a large file. */
const PER_CHARACTER = 16;
/** Characters of a separator, of a name that replaces a missing one, or of the number of a repeated one. */
const EXTRA = 7;

/** Checks how long the paths of nodes will be together. */
export function checkPathLengths(
  names: readonly string[],
  parents: ArrayLike<number>,
  isWritten: (node: number) => boolean = () => true,
): void {
  const lengths = new Float64Array(names.length);
  let total = 0;
  let allowed = BASE;
  for (let node = 0; node < names.length; node++) {
    const own = isWritten(node) ? names[node].length + EXTRA : 0;
    lengths[node] = own + (parents[node] < 0 ? 0 : lengths[parents[node]]);
    if (own === 0) continue;
    total += lengths[node];
    allowed += PER_CHARACTER * own;
  }
  if (total <= allowed) return;
  const message = `The USD paths of the ${names.length} nodes would have ${total} characters, more than the limit of ${allowed}; flatten the hierarchy, shorten the names, or write another format`;
  throw new FormatError('USD_LIMIT', message);
}
