import type { Issue } from '../../../core/report/issue.ts';
import type { FbxTree } from '../../../formats/fbx/document/fbx-tree.ts';
import { emitAsciiFbx } from '../../../formats/fbx/document/serialize-ascii.ts';
import { serializeBinaryFbx } from '../../../formats/fbx/document/serialize-binary.ts';
import { imagePaths } from '../../../formats/fbx/materials/read-fbx-textures.ts';
import { addAnimations } from '../../../formats/fbx/write/add-animations.ts';
import type { FbxFile } from '../../open-file.ts';
import type { OutputFile } from '../../outputs/output-file.ts';
import { siblingPath } from '../../outputs/output-paths.ts';
import { encodeTextParts } from '../../outputs/text-parts.ts';
import type { ClipChanges, Destination } from '../format-adapter.ts';

export function serializeFbx(tree: FbxTree, ascii: boolean): Uint8Array[] {
  return ascii ? encodeTextParts((emit) => emitAsciiFbx(tree, emit)) : serializeBinaryFbx(tree);
}

/** Copies the images beside a file that it names and that can be read. What cannot be read is missing there as well. */
async function imageFiles({ tree, readResource }: FbxFile, path: string): Promise<OutputFile[]> {
  const files = new Map<string, OutputFile>();
  if (readResource === null) return [];
  for (const image of imagePaths(tree)) {
    if (files.has(image)) continue;
    const bytes = await readResource(image).catch(() => null);
    if (bytes !== null) files.set(image, { path: siblingPath(path, image), parts: [bytes], isDependency: true });
  }
  return [...files.values()];
}

/** Writes a file with all its content, and the images that it names. Without changes, and binary or text as before, it keeps its bytes. */
export async function losslessFbxFiles(
  file: FbxFile,
  changes: ClipChanges | null,
  { path, fbx: { ascii = false } = {} }: Destination,
  issues: Issue[],
): Promise<OutputFile[]> {
  const { tree, bytes } = file;
  const images = await imageFiles(file, path);
  const isSame = changes === null && ascii === (tree.encoding === 'ascii');
  if (isSame) return [...images, { path, parts: [bytes] }];
  const added = changes === null ? { tree, issues: [] } : addAnimations(tree, changes.animations, changes.replace);
  issues.push(...added.issues);
  return [...images, { path, parts: serializeFbx(added.tree, ascii) }];
}
