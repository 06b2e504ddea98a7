/** Reads Autodesk FBX files: `anyrig/fbx`. */

export type { FbxProperty, FbxRecord, FbxTree } from './document/fbx-tree.ts';
export { parseFbx } from './document/parse-fbx.ts';
export type { ReadFbxResource } from './materials/read-fbx-textures.ts';
export { type ReadFbxOptions, readFbx, readFbxTree } from './read-fbx.ts';
export {
  type FbxGeometry,
  type ReadFbxGeometryOptions,
  readFbxGeometry,
  readFbxTreeGeometry,
} from './read-fbx-geometry.ts';
