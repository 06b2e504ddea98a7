/** The FBX code as one module, imported on first use. */
export { parseFbx } from '../../formats/fbx/document/parse-fbx.ts';
export { readFbxTree } from '../../formats/fbx/read-fbx.ts';
export { readFbxTreeGeometry, readFbxTreeVertices } from '../../formats/fbx/read-fbx-geometry.ts';
export { validateFbxTree } from '../../formats/fbx/validate/validate-fbx.ts';
export { losslessFbxFiles } from './fbx/lossless-fbx.ts';
export { fbxCharacterFiles, fbxMotionFiles } from './fbx/write-new-fbx.ts';
