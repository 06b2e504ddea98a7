/** Validates EXT_skeleton_humanoid in a document, including the skins and animations that it depends on. */
import { BONES, type BoneName } from '../../../core/humanoid/bones.ts';
import type { Issue } from '../../../core/report/issue.ts';
import type { GltfDocument } from '../document/document.ts';
import { memberAt } from '../document/json-access.ts';
import { readGltf } from '../read/read-gltf.ts';
import { checkChannels, hasHumanoidTargets } from './check-channels.ts';
import { type CheckedDefinition, checkDefinitions, checkListed } from './check-definitions.ts';
import { checkPose, type MeasuredSkeleton } from './check-pose.ts';
import { checkSamplers } from './check-samplers.ts';
import { checkSkins } from './check-skins.ts';
import { nodeParents } from './node-parents.ts';
import { attempt, extensionOf, itemOf, type Validation } from './validation.ts';

/** How strictly a document is validated. */
export interface ValidateOptions {
  /** Whether the 15 bones that VRM requires must exist; the extension itself requires none. Default false. */
  readonly strict?: boolean;
}

/** An animation with channels that name bones. */
export interface ValidatedAnimation {
  /** Index in `animations`. */
  readonly index: number;
  /** Empty where the animation has none. */
  readonly name: string;
  /** Bones that its channels animate, in the order of BONES. */
  readonly bones: readonly BoneName[];
}

/** The humanoids and humanoid animations of a document, and what is wrong with them. */
export interface HumanoidValidation {
  /** True without an issue of severity error. */
  readonly isValid: boolean;
  /** All violations, each with a JSON pointer. */
  readonly issues: readonly Issue[];
  /** Every definition that is correct enough to be measured. */
  readonly skeletons: readonly MeasuredSkeleton[];
  /** Animations with humanoid channels. */
  readonly animations: readonly ValidatedAnimation[];
}

/** Whether the definitions and skins are correct enough for the file to be read and its poses measured. */
function isSound(issues: readonly Issue[]): boolean {
  return issues.every(({ code }) => !['EXT_SCHEMA', 'EXT_NODE_MISSING', 'SKIN_JOINTS', 'SKIN_MATRICES'].includes(code));
}

function measure(validation: Validation, definitions: readonly CheckedDefinition[]): MeasuredSkeleton[] {
  if (definitions.length === 0 || !isSound(validation.issues)) return [];
  const asset = attempt(validation, 'EXT_UNREADABLE', '', () => readGltf(validation.doc, { wantsClip: () => false }));
  if (asset === undefined) return [];
  return definitions.flatMap((definition) => checkPose(validation, asset, definition) ?? []);
}

/**
 * Validates the EXT_skeleton_humanoid data of a document: structure as in the JSON Schema, references, bone hierarchy,
 * animation channels and samplers, skins of the bones, and the reference pose in degrees. A file without the extension
 * is valid, with an empty report. File content never makes it throw. Buffers must have been loaded (`loadResources`);
 * accessors without data are reported.
 *
 * @param doc The parsed document.
 * @param options How strictly to validate.
 * @returns The issues, and what was measured.
 * @example
 * ```ts
 * const { isValid, issues } = validateHumanoids(parseGltf(bytes));
 * for (const { code, message, where } of issues) console.log(code, where.pointer, message);
 * ```
 */
export function validateHumanoids(doc: GltfDocument, { strict = false }: ValidateOptions = {}): HumanoidValidation {
  const validation: Validation = { doc, issues: [], valueFaults: new Map() };
  const parents = nodeParents(validation);
  checkListed(validation, extensionOf(doc.json) !== undefined || hasHumanoidTargets(validation));
  const definitions = checkDefinitions(validation, parents, { strict });
  const channels = checkChannels(validation);
  checkSamplers(validation, channels);
  checkSkins(validation, parents, definitions);
  const skeletons = measure(validation, definitions);
  const animations = [...new Set(channels.map(({ animation }) => animation))].map((index): ValidatedAnimation => {
    const name = memberAt(itemOf(validation, 'animations', index) ?? {}, 'name');
    const bones = new Set(channels.filter(({ animation }) => animation === index).map(({ bone }) => bone));
    return { index, name: typeof name === 'string' ? name : '', bones: BONES.filter((bone) => bones.has(bone)) };
  });
  const { issues } = validation;
  return { isValid: issues.every(({ severity }) => severity !== 'error'), issues, skeletons, animations };
}
