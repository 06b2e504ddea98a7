/** Narrows opened files to the format that a test expects. */
import type { BvhFile, GltfFile, OpenFile, UsdFile } from '../../../src/files/open-file.ts';

/** Returns the document of an opened glTF. */
export function documentOf(file: OpenFile): GltfFile['document'] {
  if (file.format === 'gltf') return file.document;
  throw new Error(`${file.name} is ${file.format}, expected glTF`);
}

/** Returns the stage and the root layer of an opened USD. */
export function usdSourceOf(file: OpenFile): UsdFile['source'] {
  if (file.format === 'usd') return file.source;
  throw new Error(`${file.name} is ${file.format}, expected USD`);
}

/** Returns the hierarchy and motion of an opened BVH. */
export function bvhTreeOf(file: OpenFile): BvhFile['tree'] {
  if (file.format === 'bvh') return file.tree;
  throw new Error(`${file.name} is ${file.format}, expected BVH`);
}

/** Returns a file with the same skeletons and clips, of a format that has no vertices. */
export function withoutVertices({ name, asset }: Pick<OpenFile, 'name' | 'asset'>): OpenFile {
  const tree: BvhFile['tree'] = { joints: [], channelCount: 0, motion: null, issues: [] };
  return { format: 'bvh', name, asset, tree, readResource: null };
}
