import type { FbxFile } from '../open-file.ts';
import type { FormatAdapter } from './format-adapter.ts';

/** FBX: characters and motions, read only. The code is imported on first use. */
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
};
