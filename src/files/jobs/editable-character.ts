/** Characters as glTF documents that a job may edit. */
import { BONES } from '../../core/humanoid/bones.ts';
import type { BoneAssignments } from '../../core/humanoid/humanoid.ts';
import { createReparentedTracks, findMisplacedBones } from '../../core/normalize/reparent-bones.ts';
import { type Issue, issue } from '../../core/report/issue.ts';
import { copyDocument } from '../../formats/gltf/document/copy-document.ts';
import { concatParts } from '../../formats/gltf/document/glb.ts';
import { type NodeMove, reparentNodes } from '../../formats/gltf/normalize/reparent-nodes.ts';
import { readGltf } from '../../formats/gltf/read/read-gltf.ts';
import type { HumanoidOptions } from '../humanoid/describe-file-humanoid.ts';
import { chooseHumanoid, type FoundHumanoid } from '../humanoid/find-humanoid.ts';
import { openBytes } from '../open.ts';
import type { GltfFile, OpenFile } from '../open-file.ts';
import { convertFile } from './convert-file.ts';

/**
 * Copies the document of a glTF; converts other files to GLB with their visible content. `file` stays unchanged. `issues` receives issues of the
 * conversion. Returns options that fit the glTF, which is null when the file could not be converted. Throws FormatError when buffers or images cannot be read.
 */
export async function toEditable(
  file: OpenFile,
  humanoid: HumanoidOptions,
  issues: Issue[],
): Promise<{ readonly gltf: GltfFile | null; readonly humanoid: HumanoidOptions }> {
  if (file.format === 'gltf') return { gltf: { ...file, document: copyDocument(file.document) }, humanoid };
  const { report, outputs } = await convertFile(file, { output: 'character.glb', humanoid });
  issues.push(...report.issues.filter(({ code }) => code !== 'NOT_HUMANOID'));
  const main = outputs.at(-1);
  if (main === undefined) return { gltf: null, humanoid };
  const opened = await openBytes(concatParts(main.parts), { name: file.name });
  // Nodes have other indices in the new file, but the same names.
  const { skeleton: _index, ...rest } = humanoid;
  const map = humanoid.map === undefined ? {} : { map: withNodeNames(file, humanoid.map) };
  return { gltf: opened.format === 'gltf' ? opened : null, humanoid: { ...rest, ...map } };
}

/** Replaces node indices of a user-supplied bone map by names. */
function withNodeNames({ asset }: OpenFile, map: BoneAssignments): BoneAssignments {
  const nameOf = (node: number): string | number => {
    for (const { skeleton, sourceNodes } of asset.skeletons) {
      const at = sourceNodes.indexOf(node);
      if (at >= 0 && skeleton.names[at] !== '') return skeleton.names[at];
    }
    return node;
  };
  return Object.fromEntries(
    Object.entries(map).map(([bone, node]) => [bone, typeof node === 'number' ? nameOf(node) : node]),
  );
}

/**
 * Parents misplaced bones to their parent bone. `issues` receives DEFINE_HIERARCHY or DEFINE_BONES_REPARENTED. Throws FormatError when keys cannot
 * be read.
 */
export function reparentMisplaced(
  file: GltfFile,
  found: FoundHumanoid,
  options: HumanoidOptions,
  edits: boolean,
  issues: Issue[],
): { readonly file: GltfFile; readonly found: FoundHumanoid } {
  const misplaced = findMisplacedBones(found.humanoid);
  if (misplaced.length === 0) return { file, found };
  const { document } = file;
  const names = misplaced.map(({ bone }) => bone).join(', ');
  if (!edits) {
    const message = `${names}: the node is not a descendant of the parent bone, as the extension requires; use the option axes or the option tPose to reparent it`;
    issues.push(issue('DEFINE_HIERARCHY', message));
    return { file, found };
  }
  const { sourceNodes, skeleton } = found.part;
  const { clips } = readGltf(document);
  const { height, metersPerUnit } = found.humanoid;
  const moves = misplaced.map((one): NodeMove => {
    const tracks = clips.map((clip) =>
      createReparentedTracks(skeleton, clip.clips[found.index], one, height / metersPerUnit),
    );
    return { node: sourceNodes[one.node], parent: sourceNodes[one.parent], rest: one.rest, tracks };
  });
  reparentNodes(document, moves);
  issues.push(
    issue('DEFINE_BONES_REPARENTED', `${names}: parented to the parent bone, with new keys that keep their motion`),
  );
  const map: BoneAssignments = Object.fromEntries(
    BONES.flatMap((bone, b) => {
      const node = found.humanoid.map.nodes[b];
      return node < 0 ? [] : [[bone, sourceNodes[node]]];
    }),
  );
  const again = { ...file, asset: readGltf(document) };
  const { skeleton: _name, ...rest } = options;
  const choice = chooseHumanoid(again, 'only', { ...rest, map, skeleton: found.index });
  return choice.found === null ? { file, found } : { file: again, found: choice.found };
}
