/** What the validator of the Khronos Group says about a file, by the optional package `gltf-validator`. */
import type { ReadResource } from '../formats/gltf/buffers.ts';
import { OptionError } from './option-error.ts';

/** One finding. */
export interface KhronosMessage {
  readonly code: string;
  readonly severity: 'error' | 'warning' | 'info' | 'hint';
  readonly message: string;
  readonly pointer: string;
}

/** Severities by the numbers of the package. */
const SEVERITIES = ['error', 'warning', 'info', 'hint'] as const;

async function loadValidator(): Promise<typeof import('gltf-validator')> {
  try {
    return await import('gltf-validator');
  } catch {
    throw new OptionError('khronos', 'The package gltf-validator is not installed: run "npm install gltf-validator"');
  }
}

/**
 * All that gltf-validator finds in a glTF file.
 *
 * @throws OptionError when that package is not installed.
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
