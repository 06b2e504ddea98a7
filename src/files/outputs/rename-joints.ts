import type { FileGeometry } from '../../core/asset/geometry.ts';
import { type JointNaming, renameBones } from '../../core/humanoid/rigs/joint-names.ts';
import { type Issue, issue } from '../../core/report/issue.ts';
import { copyDocument } from '../../formats/gltf/document/copy-document.ts';
import type { JsonObject } from '../../formats/gltf/document/json-access.ts';
import type { NewCharacter } from '../adapters/format-adapter.ts';
import type { GltfFile } from '../open-file.ts';

function renameDocument(file: GltfFile, rename: (names: readonly string[]) => string[]): GltfFile {
  const document = copyDocument(file.document);
  const nodes = (document.json['nodes'] ?? []) as JsonObject[];
  const names = nodes.map(({ name }) => (typeof name === 'string' ? name : ''));
  rename(names).forEach((name, node) => {
    if (name !== names[node]) nodes[node]['name'] = name;
  });
  return { ...file, document };
}

function report(before: readonly string[], after: readonly string[], naming: JointNaming, file: string): Issue {
  const changed = after.flatMap((name, node) => (name === before[node] ? [] : [`${before[node]} → ${name}`]));
  const examples = changed.slice(0, 3).join(', ');
  const message =
    changed.length === 0
      ? `The joints of ${file} have the names of ${naming} already`
      : `${changed.length} joints of ${file} got the names of ${naming}: ${examples}${changed.length > 3 ? ', …' : ''}. Joints that are no bones keep their names`;
  return issue('JOINTS_RENAMED', message, { resource: file });
}

/**
 * Gives the bones of an output the names of a convention. `content`: what is written; its file is edited where the output has everything of it.
 * `visible`: the visible content of the file, where the output has that; else null.
 */
export function renameJoints<Content extends Omit<NewCharacter, 'geometry'>>(
  content: Content,
  visible: FileGeometry | null,
  naming: JointNaming,
): { readonly content: Content; readonly visible: FileGeometry | null; readonly issues: readonly Issue[] } {
  const { file, part, humanoid } = content;
  if (part === null || humanoid === null) return { content, visible, issues: [] };
  /** Names of nodes for the renamed bones of the humanoid. */
  const rename = (names: readonly string[], nodeOf: (skeletonNode: number) => number): string[] =>
    renameBones(
      names,
      humanoid.map.nodes.map((node) => (node < 0 ? -1 : nodeOf(node))),
      naming,
    );
  const before = humanoid.skeleton.names;
  const names = rename(before, (node) => node);
  const sourceOf = (node: number): number => part.sourceNodes[node];
  const renamed: Content = {
    ...content,
    file: file.format === 'gltf' ? renameDocument(file, (all) => rename(all, sourceOf)) : file,
    part: { ...part, skeleton: { ...part.skeleton, names } },
    humanoid: { ...humanoid, skeleton: { ...humanoid.skeleton, names } },
  };
  const issues = [report(before, names, naming, file.name)];
  if (visible === null) return { content: renamed, visible, issues };
  const { geometry } = visible;
  const indexOf = new Map(Array.from(geometry.sourceNodes, (source, index) => [source, index]));
  const all = rename(geometry.nodes.names, (node) => indexOf.get(sourceOf(node)) ?? -1);
  return {
    content: renamed,
    visible: { ...visible, geometry: { ...geometry, nodes: { ...geometry.nodes, names: all } } },
    issues,
  };
}
