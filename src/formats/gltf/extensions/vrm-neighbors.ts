/** From VRM to EXT_skeleton_humanoid and back: both name the same 55 bones. */
import { BONE_COUNT, BONES, type BoneName, REQUIRED_BONES } from '../../../core/humanoid/bones.ts';
import { type Issue, issue } from '../../../core/report/issue.ts';
import type { GltfDocument } from '../document.ts';
import { type NodeForest, readNodes } from '../read-nodes.ts';
import { isObject, type JsonObject, memberAt, objectAt } from '../schema.ts';
import { useExtension } from '../used-extensions.ts';
import { checkDefinition, type SkeletonDefinition } from './ext-skeleton-humanoid.ts';
import type { FileHumanoid } from './human-bones.ts';
import { readVrm0 } from './vrm0.ts';
import { readVrm1 } from './vrm1.ts';
import { readVrma } from './vrma.ts';

const READERS: readonly (readonly [
  name: string,
  read: (extension: JsonObject, forest: NodeForest, issues: Issue[]) => FileHumanoid | null,
])[] = [
  ['VRMC_vrm', readVrm1],
  ['VRM', readVrm0],
  ['VRMC_vrm_animation', readVrma],
];

const VRM = 'VRMC_vrm';

/** What VRM 1.0 wants to know about a character beside its bones. */
export interface VrmMeta {
  readonly name: string;
  /** One at least. */
  readonly authors: readonly string[];
  readonly version?: string;
  /** That of the VRM Public License 1.0 by default. */
  readonly licenseUrl?: string;
}

const LICENSE = 'https://vrm.dev/licenses/1.0/';

/** The nearest node that is above all bones and none of them; the topmost bone where none is. −1 for bones of several trees. */
function rootAbove({ parents, places, sourceNodes }: NodeForest, nodes: Int32Array): number {
  const bones = new Set(
    Array.from(
      nodes.filter((node) => node >= 0),
      (node) => places[node],
    ),
  );
  /** How many bones are at or below every place. */
  const held = new Int32Array(parents.length);
  for (const bone of bones) held[bone]++;
  for (let place = parents.length - 1; place >= 0; place--)
    if (parents[place] >= 0) held[parents[place]] += held[place];
  let root = held.lastIndexOf(bones.size);
  while (root >= 0 && bones.has(root) && parents[root] >= 0) root = parents[root];
  return root < 0 ? -1 : sourceNodes[root];
}

/**
 * The humanoid of a VRM 0.x, VRM 1.0 or VRMA as a definition for `addSkeletonDefinition`; null where the file is none of them, or its bones are in several
 * trees. Nothing is written. A VRM 0.x faces −Z, which the extension does not allow: EXT_FACING. Other issues are those of the VRM's map.
 */
export function definitionOfVrm(doc: GltfDocument, issues: Issue[]): SkeletonDefinition | null {
  const extensions = memberAt(doc.json, 'extensions');
  if (!isObject(extensions)) return null;
  const forest = readNodes(doc, issues);
  for (const [name, read] of READERS) {
    const extension = memberAt(extensions, name);
    const humanoid = isObject(extension) ? read(extension, forest, issues) : null;
    if (humanoid === null) continue;
    const rootNode = rootAbove(forest, humanoid.nodes);
    if (rootNode < 0) return null;
    if (humanoid.facing === '-Z') {
      const message = 'A VRM 0.x faces −Z, EXT_skeleton_humanoid wants +Z: turn the character to make it conform';
      issues.push(issue('EXT_FACING', message, { pointer: `/extensions/${name}` }));
    }
    const bones: Partial<Record<BoneName, number>> = {};
    for (let bone = 0; bone < BONE_COUNT; bone++)
      if (humanoid.nodes[bone] >= 0) bones[BONES[bone]] = humanoid.nodes[bone];
    return { rootNode, bones };
  }
  return null;
}

/**
 * Makes a VRM 1.0 of a document with a skeleton definition: the root extension VRMC_vrm with `meta` and `humanoid`, nothing else. VRM takes the rest
 * pose of the nodes for the T-pose, so it must be the bind pose, which is that of the definition. False, and an issue VRM_HUMANOID, where bones are
 * missing that VRM requires; then nothing is written. RangeError for a definition that no file may hold, a file that is a VRM already, and meta
 * without a name or an author.
 */
export function addVrmHumanoid(
  doc: GltfDocument,
  definition: SkeletonDefinition,
  meta: VrmMeta,
  issues: Issue[],
): boolean {
  checkDefinition(doc, definition);
  const extensions = objectAt(doc.json, 'extensions', '') ?? {};
  const known = [VRM, 'VRM'].find((name) => memberAt(extensions, name) !== undefined);
  if (known !== undefined) throw new RangeError(`The file is a VRM already: it has the extension ${known}`);
  if (meta.name === '' || meta.authors.length === 0) throw new RangeError('A VRM needs a name and an author at least');
  const { bones } = definition;
  const missing = REQUIRED_BONES.filter((bone) => bones[bone] === undefined);
  if (missing.length > 0) {
    const message = `A VRM must have the bones ${missing.join(', ')}, which the definition lacks; no VRM was made`;
    issues.push(issue('VRM_HUMANOID', message, { pointer: `/extensions/${VRM}/humanoid/humanBones` }));
    return false;
  }
  const { name, version, authors, licenseUrl = LICENSE } = meta;
  extensions[VRM] = {
    specVersion: '1.0',
    meta: { name, ...(version === undefined ? {} : { version }), authors: [...authors], licenseUrl },
    humanoid: {
      humanBones: Object.fromEntries(
        BONES.flatMap((bone) => (bones[bone] === undefined ? [] : [[bone, { node: bones[bone] }]])),
      ),
    },
  };
  doc.json['extensions'] = extensions;
  useExtension(doc.json, VRM);
  return true;
}
