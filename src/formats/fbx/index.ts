/** Autodesk FBX files: `anyrig/fbx`. */
export { parseFbx } from './parse.ts';
export { type ReadFbxOptions, readFbx, readFbxTree } from './read.ts';
export type { FbxProperty, FbxRecord, FbxTree } from './tree.ts';
