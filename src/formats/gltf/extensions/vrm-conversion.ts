/** Conversion between VRM and EXT_skeleton_humanoid, which name the same 55 bones. */
import { BONE_COUNT, BONES, type BoneName, REQUIRED_BONES } from '../../../core/humanoid/bones.ts';
import { type Issue, issue } from '../../../core/report/issue.ts';
import type { GltfDocument } from '../document/document.ts';
import { useExtension } from '../document/extensions-used.ts';
import { isObject, type JsonObject, memberAt, objectAt } from '../document/json-access.ts';
import { type NodeForest, readNodes } from '../read/read-nodes.ts';
import { checkDefinition, type HumanoidSkeletonDefinition } from './ext-skeleton-humanoid.ts';
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

/** Metadata that VRM 1.0 requires of a character. */
interface VrmMeta {
  /** Name of the character, not empty. */
  readonly name: string;
  /** At least one. */
  readonly authors: readonly string[];
  /** Version of the character. */
  readonly version?: string;
  /** URL of the license; the VRM Public License 1.0 by default. */
  readonly licenseUrl?: string;
}

export const VRM_LICENSE = 'https://vrm.dev/licenses/1.0/';

/** The nearest node above all bones that is not a bone itself, else the topmost bone. −1 where the bones are in several trees. */
function rootAbove({ parents, nodesBySource, sourceNodes }: NodeForest, nodes: Int32Array): number {
  const bones = new Set(
    Array.from(
      nodes.filter((node) => node >= 0),
      (node) => nodesBySource[node],
    ),
  );
  const boneCounts = new Int32Array(parents.length);
  for (const bone of bones) boneCounts[bone]++;
  for (let index = parents.length - 1; index >= 0; index--)
    if (parents[index] >= 0) boneCounts[parents[index]] += boneCounts[index];
  let root = boneCounts.lastIndexOf(bones.size);
  while (root >= 0 && bones.has(root) && parents[root] >= 0) root = parents[root];
  return root < 0 ? -1 : sourceNodes[root];
}

/** The humanoid of a VRM as a definition. */
interface VrmDefinition {
  /** Null where the file is not a VRM or its bones are in several trees. */
  readonly definition: HumanoidSkeletonDefinition | null;
  /** EXT_FACING, VRM_HUMANOID and issues of the node tree. */
  readonly issues: readonly Issue[];
}

/**
 * Reads the humanoid of a VRM 0.x, VRM 1.0 or VRMA as a definition for `addSkeletonDefinition`. Nothing is written.
 *
 * @param doc The parsed document.
 * @returns The definition, null where the file is not a VRM or its bones are in several trees; issues EXT_FACING for a
 * VRM 0.x, which faces −Z, and those of the humanoid map.
 */
export function definitionOfVrm(doc: GltfDocument): VrmDefinition {
  const issues: Issue[] = [];
  return { definition: readDefinition(doc, issues), issues };
}

function readDefinition(doc: GltfDocument, issues: Issue[]): HumanoidSkeletonDefinition | null {
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
      const message =
        'The VRM 0.x character faces −Z, but EXT_skeleton_humanoid requires +Z. Rotate the character by 180° about Y to make it conform.';
      issues.push(issue('EXT_FACING', message, { pointer: `/extensions/${name}` }));
    }
    const bones: Partial<Record<BoneName, number>> = {};
    for (let bone = 0; bone < BONE_COUNT; bone++)
      if (humanoid.nodes[bone] >= 0) bones[BONES[bone]] = humanoid.nodes[bone];
    return { rootNode, bones };
  }
  return null;
}

/** Result of a conversion to VRM 1.0. */
interface AddVrmResult {
  /** False where required bones are missing; then nothing was written. */
  readonly isAdded: boolean;
  /** VRM_HUMANOID for missing required bones. */
  readonly issues: readonly Issue[];
}

/**
 * Adds the root extension VRMC_vrm with `meta` and `humanoid` to a document; nothing else is added. VRM defines the
 * rest pose of the nodes as the T-pose, so the rest pose must equal the bind pose of the definition.
 *
 * @param doc The document to edit.
 * @param definition The humanoid, as glTF node indices.
 * @param meta Metadata that VRM requires.
 * @returns Whether the extension was added; issue VRM_HUMANOID where bones that VRM requires are missing.
 * @throws RangeError For an invalid definition, a file that already is a VRM, and metadata without a name or an
 * author.
 */
export function addVrmHumanoid(doc: GltfDocument, definition: HumanoidSkeletonDefinition, meta: VrmMeta): AddVrmResult {
  checkDefinition(doc, definition);
  const extensions = objectAt(doc.json, 'extensions', '') ?? {};
  const known = [VRM, 'VRM'].find((name) => memberAt(extensions, name) !== undefined);
  if (known !== undefined) throw new RangeError(`The file already is a VRM: it has the extension ${known}.`);
  if (meta.name === '' || meta.authors.length === 0)
    throw new RangeError('The metadata has no name or no author, but VRM requires both.');
  const { bones } = definition;
  const missing = REQUIRED_BONES.filter((bone) => bones[bone] === undefined);
  if (missing.length > 0) {
    const message = `The definition lacks bones that VRM requires: ${missing.join(', ')}. VRMC_vrm was not added; map these bones first.`;
    const pointer = `/extensions/${VRM}/humanoid/humanBones`;
    return { isAdded: false, issues: [issue('VRM_HUMANOID', message, { pointer })] };
  }
  const { name, version, authors, licenseUrl = VRM_LICENSE } = meta;
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
  return { isAdded: true, issues: [] };
}
