/** Collects the objects and connections of a new file. */
import type { FbxRecord } from '../../document/fbx-tree.ts';

/** The objects and connections of a file that is being built. */
export interface FileBuilder {
  /** Objects, in the order of the file. */
  readonly objects: FbxRecord[];
  /** Connections, in the order of the file. */
  readonly connections: FbxRecord[];
  /** Returns an unused object id. */
  readonly nextId: () => number;
}

/** First object id; that of the SDK are as large, and 0 is the root of the scene. */
const FIRST_ID = 1_000_000;

/** Starts a file. Ids are counted, so that the same input gives the same file. */
export function createFileBuilder(): FileBuilder {
  let id = FIRST_ID;
  return { objects: [], connections: [], nextId: () => id++ };
}
