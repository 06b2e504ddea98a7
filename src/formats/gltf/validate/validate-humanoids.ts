/** Every rule of EXT_skeleton_humanoid, and of the skins and animations that it rests on, asked of a file. */
import { BONES, type BoneName } from '../../../core/humanoid/bones.ts';
import type { Issue } from '../../../core/report/issue.ts';
import type { GltfDocument } from '../document.ts';
import { readGltf } from '../read.ts';
import { memberAt } from '../schema.ts';
import { checkChannels, hasHumanoidTargets } from './check-channels.ts';
import { type CheckedDefinition, checkDefinitions, checkListed } from './check-definitions.ts';
import { checkPose, type MeasuredSkeleton } from './check-pose.ts';
import { checkSamplers } from './check-samplers.ts';
import { checkSkins } from './check-skins.ts';
import { attempt, extensionOf, type Findings, itemOf } from './findings.ts';
import { nodeParents } from './node-parents.ts';

export interface ValidateOptions {
  /** Whether the 15 bones that VRM requires must be there; the extension itself requires none. */
  readonly strict?: boolean;
}

/** Channels of an animation that name bones. */
export interface ValidatedAnimation {
  readonly index: number;
  readonly name: string;
  readonly bones: readonly BoneName[];
}

/** What there is of the extension in a file, and what is wrong with it. */
export interface HumanoidValidation {
  /** No issue of severity error. */
  readonly isValid: boolean;
  readonly issues: readonly Issue[];
  /** Every definition that is sound enough to be measured. */
  readonly skeletons: readonly MeasuredSkeleton[];
  readonly animations: readonly ValidatedAnimation[];
}

/** Whether the rules of the definitions themselves were kept, so that the file can be read and its poses measured. */
function isSound(issues: readonly Issue[]): boolean {
  return issues.every(({ code }) => !['EXT_SCHEMA', 'EXT_NODE_MISSING', 'SKIN_JOINTS', 'SKIN_MATRICES'].includes(code));
}

function measure(findings: Findings, definitions: readonly CheckedDefinition[]): MeasuredSkeleton[] {
  if (definitions.length === 0 || !isSound(findings.issues)) return [];
  const asset = attempt(findings, 'EXT_UNREADABLE', '', () => readGltf(findings.doc, { wantsClip: () => false }));
  if (asset === undefined) return [];
  return definitions.flatMap((definition) => checkPose(findings, asset, definition) ?? []);
}

/**
 * Validates what a document has of EXT_skeleton_humanoid: structure (what the schema says), references, the tree of bones, the
 * channels and their samplers, the skins of the bones, and the reference pose, in degrees. A file without the extension is
 * valid and has nothing in its report. Never throws for anything that stands in the file; data of buffers must be there
 * (`loadResources`), else the accessors that need it are reported.
 */
export function validateHumanoids(doc: GltfDocument, { strict = false }: ValidateOptions = {}): HumanoidValidation {
  const findings: Findings = { doc, issues: [] };
  const parents = nodeParents(findings);
  checkListed(findings, extensionOf(doc.json) !== undefined || hasHumanoidTargets(findings));
  const definitions = checkDefinitions(findings, parents, { strict });
  const channels = checkChannels(findings);
  checkSamplers(findings, channels);
  checkSkins(findings, parents, definitions);
  const skeletons = measure(findings, definitions);
  const animations = [...new Set(channels.map(({ animation }) => animation))].map((index): ValidatedAnimation => {
    const name = memberAt(itemOf(findings, 'animations', index) ?? {}, 'name');
    const bones = new Set(channels.filter(({ animation }) => animation === index).map(({ bone }) => bone));
    return { index, name: typeof name === 'string' ? name : '', bones: BONES.filter((bone) => bones.has(bone)) };
  });
  const { issues } = findings;
  return { isValid: issues.every(({ severity }) => severity !== 'error'), issues, skeletons, animations };
}
