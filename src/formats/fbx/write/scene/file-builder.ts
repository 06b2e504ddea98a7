import type { FbxRecord } from '../../document/fbx-tree.ts';

export interface FileBuilder {
  readonly objects: FbxRecord[];
  readonly connections: FbxRecord[];
  readonly nextId: () => number;
}

/** First object id; that of the SDK are as large, and 0 is the root of the scene. */
const FIRST_ID = 1_000_000;

/** Starts a file. Ids are counted, so that the same input gives the same file. */
export function createFileBuilder(): FileBuilder {
  let id = FIRST_ID;
  return { objects: [], connections: [], nextId: () => id++ };
}
