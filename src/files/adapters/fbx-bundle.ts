/** The FBX code as one module. The build makes it a bundle of its own, which is loaded on first use. */
export { parseFbx } from '../../formats/fbx/document/parse-fbx.ts';
export { readFbxTree } from '../../formats/fbx/read-fbx.ts';
export { readFbxTreeGeometry, readFbxTreeVertices } from '../../formats/fbx/read-fbx-geometry.ts';
