/** Writes FBX files with all their content: unchanged, or with other clips. */
import type { Issue } from '../../../core/report/issue.ts';
import type { FbxTree } from '../../../formats/fbx/document/fbx-tree.ts';
import { emitAsciiFbx } from '../../../formats/fbx/document/serialize-ascii.ts';
import { serializeBinaryFbx } from '../../../formats/fbx/document/serialize-binary.ts';
import { addAnimations } from '../../../formats/fbx/write/add-animations.ts';
import type { FbxFile } from '../../open-file.ts';
import type { OutputFile } from '../../outputs/output-file.ts';
import { encodeTextParts } from '../../outputs/text-parts.ts';
import type { ClipChanges, Destination } from '../format-adapter.ts';

/** Serializes a tree as binary, or as text. */
export function serializeFbx(tree: FbxTree, ascii: boolean): Uint8Array[] {
  return ascii ? encodeTextParts((emit) => emitAsciiFbx(tree, emit)) : serializeBinaryFbx(tree);
}

/** Writes a file with all its content. Without changes, and binary or text as before, it keeps its bytes. */
export function losslessFbxFiles(
  { tree, bytes }: FbxFile,
  changes: ClipChanges | null,
  { path, ascii = false }: Destination,
  issues: Issue[],
): OutputFile[] {
  const isSame = changes === null && ascii === (tree.encoding === 'ascii');
  if (isSame) return [{ path, parts: [bytes] }];
  if (changes === null) return [{ path, parts: serializeFbx(tree, ascii) }];
  const added = addAnimations(tree, changes.animations, changes.replace);
  issues.push(...added.issues);
  return [{ path, parts: serializeFbx(added.tree, ascii) }];
}
