import type { FbxFile } from '../open-file.ts';
import type { FormatAdapter } from './format-adapter.ts';

/** FBX: characters and motions. The code is imported on first use. */
export const FBX_ADAPTER: FormatAdapter<FbxFile> = {
  format: 'fbx',
  open: async (bytes, { name = '', readResource = null, wantsClip }) => {
    const { parseFbx, readFbxTree, readFbxTreeVertices } = await import('./fbx-bundle.ts');
    const tree = parseFbx(bytes);
    const asset = readFbxTree(tree, wantsClip === undefined ? {} : { wantsClip });
    return { format: 'fbx', name, asset, bytes, tree, readVertices: () => readFbxTreeVertices(tree), readResource };
  },
  resources: () => [],
  readGeometry: async ({ tree, readResource }) => {
    const { readFbxTreeGeometry } = await import('./fbx-bundle.ts');
    return readFbxTreeGeometry(tree, readResource === null ? {} : { readResource });
  },
  readVertices: (file) => file.readVertices(),
  // Files of FBX 6 have takes, which are only read.
  canEdit: ({ tree }) => tree.version >= 7000,
  writeLossless: async (file, changes, destination, issues) => {
    const { losslessFbxFiles } = await import('./fbx-bundle.ts');
    return losslessFbxFiles(file, changes, destination, issues);
  },
  // FBX declares axes and unit, but programs differ in what they do with them: all files have the same.
  planCharacter: (character, form) => async (animations, path, issues) => {
    const { fbxCharacterFiles } = await import('./fbx-bundle.ts');
    return fbxCharacterFiles(character, animations, { ...form, path }, issues);
  },
  writeMotion: async (skeleton, clips, destination, _fps, issues) => {
    const { fbxMotionFiles } = await import('./fbx-bundle.ts');
    return fbxMotionFiles(skeleton, clips, destination, issues);
  },
};
