/** Findings of the Khronos glTF Validator, from the optional package `gltf-validator`. */
import type { ReadResource } from '../../formats/gltf/document/buffers.ts';
import { OptionError } from '../option-error.ts';

/** One finding of the Khronos glTF Validator. */
export interface KhronosMessage {
  /** Code of the validator, such as `ACCESSOR_TOO_LONG`. */
  readonly code: string;
  /** Severity in words. */
  readonly severity: 'error' | 'warning' | 'info' | 'hint';
  /** Text of the validator. */
  readonly message: string;
  /** JSON pointer to the location; empty for the whole file. */
  readonly pointer: string;
}

/** Severities in the order of the numbers that the package uses. */
const SEVERITIES = ['error', 'warning', 'info', 'hint'] as const;

async function loadValidator(): Promise<typeof import('gltf-validator')> {
  try {
    return await import('gltf-validator');
  } catch {
    throw new OptionError('khronos', 'The package gltf-validator is not installed; run "npm install gltf-validator"');
  }
}

/**
 * Validates a glTF file with the Khronos glTF Validator.
 *
 * @param bytes A GLB or .gltf file.
 * @param readResource Reads the external files of a .gltf; null reads none.
 * @returns All findings.
 * @throws OptionError (`khronos`) when the package gltf-validator is not installed.
 */
export async function khronosReport(bytes: Uint8Array, readResource: ReadResource | null): Promise<KhronosMessage[]> {
  const { validateBytes } = await loadValidator();
  const report = await validateBytes(bytes, {
    maxIssues: 0,
    writeTimestamp: false,
    ...(readResource === null ? {} : { externalResourceFunction: async (uri: string) => readResource(uri) }),
  });
  return report.issues.messages.map(({ code, severity, message, pointer = '' }) => ({
    code,
    severity: SEVERITIES[severity],
    message,
    pointer,
  }));
}
