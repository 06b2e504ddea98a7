/** Validates a file: glTF 2.0 and EXT_skeleton_humanoid, or FBX as importers read it; as `anyrig validate` prints it. */

import type { ReadResource } from '../../core/asset/asset.ts';
import type { Issue } from '../../core/report/issue.ts';
import { type HumanoidValidation, validateHumanoids } from '../../formats/gltf/validate/validate-humanoids.ts';
import { ADAPTERS } from '../adapters/adapters.ts';
import { openDocument } from '../adapters/gltf/open-document.ts';
import { detectFormat } from '../detect.ts';
import type { FbxFile } from '../open-file.ts';
import { OptionError } from '../option-error.ts';
import { type RunValidator, validatorIssues } from '../reports/validator-issues.ts';
import { beginStep, type JobControl } from './job-control.ts';
import { fbxIssues } from './validate-fbx-file.ts';

/** How to validate a file. */
export interface ValidateFileOptions extends JobControl {
  /** Name or path of the file, for messages and the report. */
  readonly name?: string;
  /** Reads the external files of a .gltf, and the images of an FBX; without it, each file of a .gltf is reported as an error. */
  readonly readResource?: ReadResource;
  /** Whether the 15 bones that VRM requires must exist; the extension itself requires none. */
  readonly strict?: boolean;
  /** Whether a file without EXT_skeleton_humanoid fails; by default valid glTF without it is fine. */
  readonly requireExtension?: boolean;
}

/** Report of `validate`. */
export interface ValidationReport extends Omit<HumanoidValidation, 'issues'> {
  /** Whether the file passes: valid, and with the extension where `requireExtension` is set. */
  readonly ok: boolean;
  /** Which rules were applied. */
  readonly format: 'gltf' | 'fbx';
  /** Name of the file. */
  readonly file: string;
  /** All findings: those about glTF 2.0 with codes of the Khronos glTF Validator, all others with codes of anyrig. */
  readonly issues: readonly Issue<string>[];
}

async function validateFbx(bytes: Uint8Array, options: ValidateFileOptions): Promise<ValidationReport> {
  const { name = '', readResource, requireExtension = false } = options;
  const { open } = ADAPTERS.fbx;
  const file = (await open(bytes, { name, ...(readResource === undefined ? {} : { readResource }) })) as FbxFile;
  await beginStep(options, { step: 'validate', file: name, clip: null, done: 0, total: 1 });
  const issues = await fbxIssues(file);
  options.signal?.throwIfAborted();
  const isValid = issues.every(({ severity }) => severity !== 'error');
  const none = { hasExtension: false, skeletons: [], animations: [] };
  return { ok: isValid && !requireExtension, format: 'fbx', file: name, ...none, isValid, issues };
}

/**
 * Validates a GLB, glTF, VRM or VRMA against glTF 2.0, with the Khronos glTF Validator, and against EXT_skeleton_humanoid; an FBX by what importers
 * refuse or change. Throws FormatError when the file cannot be parsed; OptionError (`file`) for other formats.
 */
export async function validateFileBy(
  run: RunValidator,
  bytes: Uint8Array,
  options: ValidateFileOptions = {},
): Promise<ValidationReport> {
  const { name = '', readResource, strict = false, requireExtension = false } = options;
  const format = detectFormat(bytes);
  if (format === 'fbx') return validateFbx(bytes, options);
  if (format !== 'glb' && format !== 'gltf') {
    const message = `${name} is ${format.toUpperCase()}, but only glTF and FBX are validated; convert the file to .glb first`;
    throw new OptionError('file', message);
  }
  const document = await openDocument(bytes, readResource);
  await beginStep(options, { step: 'validate', file: name, clip: null, done: 0, total: 1 });
  const found = validateHumanoids(document, { strict });
  const issues = [...found.issues, ...(await validatorIssues(run, { bytes, document, readResource }))];
  options.signal?.throwIfAborted();
  const isValid = issues.every(({ severity }) => severity !== 'error');
  return {
    ok: isValid && (found.hasExtension || !requireExtension),
    format: 'gltf',
    file: name,
    ...found,
    isValid,
    issues,
  };
}

/**
 * Validates a GLB, glTF, VRM or VRMA against glTF 2.0, with the Khronos glTF Validator, and against EXT_skeleton_humanoid. The validator
 * (the package gltf-validator) is loaded by the first call. In Node it runs in a thread, which is stopped when a file takes too long; in
 * browsers it runs where it is called, best in a worker of the page.
 *
 * An FBX is validated by what Unity, Unreal Engine, Blender and Maya refuse or change: ids, connections, names, axes and unit, root, joints, skin
 * clusters against the bind pose, curves, and the 15 bones and T-pose of Unity's Humanoid.
 *
 * @param bytes The file.
 * @param options Name, external files, and which rules to check.
 * @returns The report.
 * @throws FormatError when the file cannot be parsed; OptionError (`file`) for other formats.
 * @example
 * const { isValid, issues } = await validateFile(await readFile('avatar.glb'), { name: 'avatar.glb' });
 */
export async function validateFile(bytes: Uint8Array, options: ValidateFileOptions = {}): Promise<ValidationReport> {
  const { validateBytes } = await import('gltf-validator');
  return validateFileBy(validateBytes, bytes, options);
}
