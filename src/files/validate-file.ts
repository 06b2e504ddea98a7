/** What a glTF file has of EXT_skeleton_humanoid, and whether it keeps the rules: as `anyrig validate` tells it. */
import type { ReadResource } from '../formats/gltf/buffers.ts';
import { type HumanoidValidation, validateHumanoids } from '../formats/gltf/validate/validate-humanoids.ts';
import { detectFormat } from './detect.ts';
import { type KhronosMessage, khronosReport } from './khronos-report.ts';
import { openDocument } from './open.ts';
import { OptionError } from './option-error.ts';

export interface ValidateFileOptions {
  /** Name or path of the file; for messages and the report. */
  readonly name?: string;
  /** Gives the external buffers of a .gltf; without it the accessors that need them are reported. */
  readonly readResource?: ReadResource;
  /** Whether the 15 bones that VRM requires must be there; the extension itself requires none. */
  readonly strict?: boolean;
  /** Whether to ask gltf-validator as well (an optional package). */
  readonly khronos?: boolean;
}

/** Everything about a file. */
export interface ValidationReport extends HumanoidValidation {
  readonly file: string;
  /** Whether the file has a humanoid skeleton or a humanoid channel at all. */
  readonly hasExtension: boolean;
  /** What gltf-validator found; null when it was not asked. */
  readonly khronos: readonly KhronosMessage[] | null;
}

/**
 * Validates a GLB, glTF, VRM or VRMA. `isValid` takes what gltf-validator says into account when it was asked.
 *
 * @throws FormatError when the file is no glTF or cannot be parsed at all; OptionError for other formats, and when gltf-validator is
 * asked for but not installed.
 */
export async function validateFile(bytes: Uint8Array, options: ValidateFileOptions = {}): Promise<ValidationReport> {
  const { name = '', readResource, strict = false, khronos = false } = options;
  const format = detectFormat(bytes);
  if (format !== 'glb' && format !== 'gltf') {
    throw new OptionError('file', `${name} is ${format.toUpperCase()}; the extension is one of glTF: convert it first`);
  }
  const document = await openDocument(bytes, readResource);
  const found = validateHumanoids(document, { strict });
  const messages = khronos ? await khronosReport(bytes, readResource ?? null) : null;
  const isSound = messages === null || messages.every(({ severity }) => severity !== 'error');
  return {
    file: name,
    ...found,
    isValid: found.isValid && isSound,
    hasExtension: found.skeletons.length > 0 || found.animations.length > 0 || found.issues.length > 0,
    khronos: messages,
  };
}
