import { textsOf } from '../skel/typed-values.ts';
import { primMetadata } from '../stage/composed-metadata.ts';
import type { Stage } from '../stage/stage.ts';

/**
 * Reads the `displayName` of a prim. Unlike a prim name it is not limited to identifiers. Returns the display name; null if it is empty or not
 * authored.
 */
export function displayName(stage: Stage, prim: string): string | null {
  return textsOf(primMetadata(stage, prim, 'displayName'))?.[0] || null;
}
