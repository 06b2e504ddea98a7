/** Everything about FBX that files need, in one module: it is loaded only for an FBX. */
export { parseFbx } from '../formats/fbx/parse.ts';
export { readFbxTree } from '../formats/fbx/read.ts';
export { readFbxTreeGeometry } from '../formats/fbx/read-geometry.ts';
