/** Autodesk FBX files: `anyrig/fbx`. */
export { parseFbx } from './parse.ts';
export { type ReadFbxOptions, readFbx, readFbxTree } from './read.ts';
export {
  type FbxGeometry,
  type ReadFbxGeometryOptions,
  readFbxGeometry,
  readFbxTreeGeometry,
} from './read-geometry.ts';
export type { ReadFbxResource } from './read-textures.ts';
export type { FbxProperty, FbxRecord, FbxTree } from './tree.ts';
