import { BONES, type BoneName } from '../../../core/humanoid/bones.ts';
import { FormatError } from '../../../core/report/format-error.ts';
import type { Issue } from '../../../core/report/issue.ts';
import type { GltfDocument } from '../document/document.ts';
import { extensionOf, listOf, textOf } from '../document/loose-json.ts';
import { EXT_SKELETON_HUMANOID } from '../extensions/ext-skeleton-humanoid.ts';
import { readGltf } from '../read/read-gltf.ts';
import { checkChannels } from './check-channels.ts';
import { type CheckedDefinition, checkDefinitions } from './check-definitions.ts';
import { checkPose, type MeasuredSkeleton } from './check-pose.ts';
import { checkSkins } from './check-skins.ts';
import { nodeParents } from './node-parents.ts';
import { addIssue, type Validation } from './validation.ts';

/** How strictly a document is validated. */
interface ValidateOptions {
  /** Whether the 15 bones that VRM requires must exist; the extension itself requires none. Default false. */
  readonly strict?: boolean;
}

/** An animation with channels that name bones. */
interface ValidatedAnimation {
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
  /** Whether the file has a humanoid skeleton or a humanoid channel at all. */
  readonly hasExtension: boolean;
  /** All violations, each with a JSON pointer. */
  readonly issues: readonly Issue[];
  /** Every definition that is correct enough to be measured. */
  readonly skeletons: readonly MeasuredSkeleton[];
  /** Animations with humanoid channels. */
  readonly animations: readonly ValidatedAnimation[];
}

function measure(validation: Validation, definitions: readonly CheckedDefinition[]): MeasuredSkeleton[] {
  if (definitions.length === 0) return [];
  try {
    const asset = readGltf(validation.doc, { wantsClip: () => false });
    return definitions.flatMap((definition) => checkPose(validation, asset, definition) ?? []);
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    addIssue(validation, 'EXT_UNREADABLE', error.where.pointer ?? '', error.message);
    return [];
  }
}

/**
 * Validates the EXT_skeleton_humanoid data of a document: structure as in the JSON Schema, references, bone hierarchy, animation channels, bind
 * poses of the bones, and the reference pose in degrees. A file without the extension is valid, with an empty report. The rules of glTF 2.0
 * itself are those of the Khronos glTF Validator, which `validateFile` of anyrig/files runs too. File content never makes it throw. Buffers
 * must have been loaded (`loadResources`).
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
  const validation: Validation = { doc, issues: [] };
  const { issues } = validation;
  const definitions = checkDefinitions(validation, nodeParents(validation), { strict });
  const channels = checkChannels(validation);
  const isStructured = issues.every(({ code }) => code !== 'EXT_SCHEMA' && code !== 'EXT_NODE_MISSING');
  const skeletons = checkSkins(validation, definitions) && isStructured ? measure(validation, definitions) : [];
  const animations = [...new Set(channels.map(({ animation }) => animation))].map((index): ValidatedAnimation => {
    const name = textOf(listOf(doc.json, 'animations')[index], 'name');
    const bones = new Set(channels.filter(({ animation }) => animation === index).map(({ bone }) => bone));
    return { index, name, bones: BONES.filter((bone) => bones.has(bone)) };
  });
  return {
    isValid: issues.every(({ severity }) => severity !== 'error'),
    hasExtension:
      extensionOf(doc.json, EXT_SKELETON_HUMANOID) !== undefined || channels.length > 0 || issues.length > 0,
    issues,
    skeletons,
    animations,
  };
}
