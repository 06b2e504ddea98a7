/** The name of a prim for people. */
import { textsOf } from '../skel/stage-reading.ts';
import { primMetadata } from '../stage/metadata.ts';
import type { Stage } from '../stage/stage.ts';

/** The `displayName` of a prim, which need not be an identifier; null where nobody gives one. */
export function displayName(stage: Stage, prim: string): string | null {
  return textsOf(primMetadata(stage, prim, 'displayName'))?.[0] || null;
}
