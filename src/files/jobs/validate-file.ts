/** Validates a glTF file: core glTF as far as anyrig interprets it, and EXT_skeleton_humanoid, as `anyrig validate` prints it. */
import type { ReadResource } from '../../formats/gltf/document/buffers.ts';
import type { CoreFinding } from '../../formats/gltf/validate/core/findings.ts';
import { validateGltf } from '../../formats/gltf/validate/core/validate-gltf.ts';
import { type HumanoidValidation, validateHumanoids } from '../../formats/gltf/validate/validate-humanoids.ts';
import { openDocument } from '../adapters/gltf/open-document.ts';
import { detectFormat } from '../detect.ts';
import { OptionError } from '../option-error.ts';
import { type KhronosMessage, khronosReport } from '../reports/khronos-report.ts';
import { beginStep, type JobControl } from './job-control.ts';

/** How to validate a file. */
export interface ValidateFileOptions extends JobControl {
  /** Name or path of the file, for messages and the report. */
  readonly name?: string;
  /** Reads the external buffers of a .gltf; without it, the accessors that need them are reported. */
  readonly readResource?: ReadResource;
  /** Whether the 15 bones that VRM requires must exist; the extension itself requires none. */
  readonly strict?: boolean;
  /** Whether a file without EXT_skeleton_humanoid fails; by default valid glTF without it is fine. */
  readonly requireExtension?: boolean;
  /** Whether to run the Khronos glTF Validator too (the optional package `gltf-validator`). */
  readonly khronos?: boolean;
}

/** Report of `validate`. */
export interface ValidationReport extends HumanoidValidation {
  /** Whether the file passes: valid, and with the extension where `requireExtension` is set. */
  readonly ok: boolean;
  /** Name of the file. */
  readonly file: string;
  /** Whether the file has a humanoid skeleton or a humanoid channel at all. */
  readonly hasExtension: boolean;
  /** Violations of glTF 2.0 in the parts that anyrig interprets, with the codes of the Khronos glTF Validator. */
  readonly gltf: readonly CoreFinding[];
  /** Findings of the Khronos glTF Validator; null when it was not run. */
  readonly khronos: readonly KhronosMessage[] | null;
}

/**
 * Validates a GLB, glTF, VRM or VRMA against EXT_skeleton_humanoid and the parts of glTF 2.0 that anyrig interprets.
 *
 * @param bytes The file.
 * @param options Name, external buffers, and which rules to check.
 * @returns The report; `isValid` includes errors against glTF 2.0, and those of the Khronos glTF Validator where it was run.
 * @throws FormatError when the file cannot be parsed; OptionError (`file`) for other formats, and (`khronos`) when gltf-validator is not installed.
 * @example
 * const { isValid, issues } = await validateFile(await readFile('avatar.glb'), { name: 'avatar.glb' });
 */
export async function validateFile(bytes: Uint8Array, options: ValidateFileOptions = {}): Promise<ValidationReport> {
  const { name = '', readResource, strict = false, khronos = false, requireExtension = false } = options;
  const format = detectFormat(bytes);
  if (format !== 'glb' && format !== 'gltf') {
    const message = `${name} is ${format.toUpperCase()}, but EXT_skeleton_humanoid is an extension of glTF; convert the file to .glb first`;
    throw new OptionError('file', message);
  }
  const document = await openDocument(bytes, readResource);
  await beginStep(options, { step: 'validate', file: name, clip: null, done: 0, total: 1 });
  const found = validateHumanoids(document, { strict });
  const gltf = validateGltf(document);
  const messages = khronos ? await khronosReport(bytes, readResource ?? null) : null;
  const passes = [...gltf, ...(messages ?? [])].every(({ severity }) => severity !== 'error');
  const hasExtension = found.skeletons.length > 0 || found.animations.length > 0 || found.issues.length > 0;
  const isValid = found.isValid && passes;
  return {
    ok: isValid && (hasExtension || !requireExtension),
    file: name,
    ...found,
    isValid,
    hasExtension,
    gltf,
    khronos: messages,
  };
}
