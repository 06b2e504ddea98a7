/** Renames the joints of an output, in every form that it may have. */
import { type JointNaming, renameBones } from '../../core/humanoid/rigs/joint-names.ts';
import { type Issue, issue } from '../../core/report/issue.ts';
import { copyDocument } from '../../formats/gltf/document/copy-document.ts';
import type { JsonObject } from '../../formats/gltf/document/json-access.ts';
import type { GltfFile } from '../open-file.ts';
import type { OutputPlan, WrittenContent } from './plan-output.ts';

/** Names of nodes for the renamed bones of a humanoid. */
type Rename = (names: readonly string[], nodeOf: (skeletonNode: number) => number) => string[];

/** Copies a glTF with other names of nodes. */
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
 * Gives the bones of an output the names of a convention. A VRM Animation has names of its own and stays as it is.
 *
 * @returns The plan and the content with new names, and what to report.
 */
export function renameJoints(
  plan: OutputPlan,
  content: WrittenContent,
  naming: JointNaming,
): { readonly plan: OutputPlan; readonly content: WrittenContent; readonly issues: readonly Issue[] } {
  const { file, part, humanoid } = content;
  if (part === null || humanoid === null || plan.format === 'vrma') return { plan, content, issues: [] };
  const rename: Rename = (names, nodeOf) =>
    renameBones(
      names,
      humanoid.map.nodes.map((node) => (node < 0 ? -1 : nodeOf(node))),
      naming,
    );
  const before = humanoid.skeleton.names;
  const names = rename(before, (node) => node);
  const sourceOf = (node: number): number => part.sourceNodes[node];
  const renamedFile =
    plan.holds === 'everything' && file.format === 'gltf' ? renameDocument(file, (all) => rename(all, sourceOf)) : file;
  let { visible } = plan;
  if (visible !== null) {
    const { geometry } = visible;
    const indexOf = new Map(Array.from(geometry.sourceNodes, (source, index) => [source, index]));
    const all = rename(geometry.nodes.names, (node) => indexOf.get(sourceOf(node)) ?? -1);
    visible = { ...visible, geometry: { ...geometry, nodes: { ...geometry.nodes, names: all } } };
  }
  return {
    plan: { ...plan, visible },
    content: {
      ...content,
      file: renamedFile,
      part: { ...part, skeleton: { ...part.skeleton, names } },
      humanoid: { ...humanoid, skeleton: { ...humanoid.skeleton, names } },
    },
    issues: [report(before, names, naming, file.name)],
  };
}
