/** Reads Autodesk FBX files: skeletons, clips and geometry. */

// Read FBX

export { parseFbx } from './document/parse-fbx.ts';
export { readFbx } from './read-fbx.ts';
export { readFbxGeometry } from './read-fbx-geometry.ts';
