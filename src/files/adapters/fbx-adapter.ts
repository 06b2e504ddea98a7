import type { FbxFile } from '../open-file.ts';
import type { FormatAdapter } from './format-adapter.ts';

/** FBX: characters and motions. The code is imported on first use. */
export const FBX_ADAPTER: FormatAdapter<FbxFile> = {
  format: 'fbx',
  open: async (bytes, { name = '', readResource = null, wantsClip }) => {
    const { parseFbx, readFbxTree, readFbxTreeVertices } = await import('./fbx-bundle.ts');
    const tree = parseFbx(bytes);
    const asset = readFbxTree(tree, wantsClip === undefined ? {} : { wantsClip });
    return { format: 'fbx', name, asset, tree, readVertices: () => readFbxTreeVertices(tree), readResource };
  },
  resources: () => [],
  readGeometry: async ({ tree, readResource }) => {
    const { readFbxTreeGeometry } = await import('./fbx-bundle.ts');
    return readFbxTreeGeometry(tree, readResource === null ? {} : { readResource });
  },
  readVertices: (file) => file.readVertices(),
  // FBX declares axes and unit, but programs differ in what they do with them: all files have the same.
  planCharacter: (character) => async (animations, path, issues) => {
    const { fbxCharacterFiles } = await import('./fbx-bundle.ts');
    return fbxCharacterFiles(character, animations, path, issues);
  },
  writeMotion: async (skeleton, clips, { path }, _fps, issues) => {
    const { fbxMotionFiles } = await import('./fbx-bundle.ts');
    return fbxMotionFiles(skeleton, clips, path, issues);
  },
};
