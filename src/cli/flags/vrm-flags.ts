/** `--vrm` and `--meta` of `anyrig convert`. */

import type { ConvertToVrmOptions } from '../../files/jobs/convert-to-vrm.ts';
import { readInputSync } from '../../files/node/read-input.ts';
import { isObject } from '../../formats/gltf/document/json-access.ts';
import { UsageError } from '../errors/cli-errors.ts';
import { blame } from '../open-input.ts';

function parseMeta(path: string, bytes: Uint8Array): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    throw new UsageError(`--meta ${path} is not JSON: ${(error as Error).message}`);
  }
  if (isObject(value)) return value;
  throw new UsageError(`--meta ${path} is not a JSON object; expected {"name": …, "authors": […], "licenseUrl": …}`);
}

/**
 * Reads the flags for VRM outputs.
 *
 * @param version Value of `--vrm`; undefined without the flag.
 * @param path Value of `--meta`; undefined without the flag.
 * @returns Version and metadata; null without `--vrm`
 * @throws UsageError for another version, metadata without a version, and a file that is not a JSON object
 */
export async function readVrmOptions(
  version: string | undefined,
  path: string | undefined,
): Promise<Pick<ConvertToVrmOptions, 'vrm' | 'meta'> | null> {
  if (version === undefined) {
    if (path === undefined) return null;
    throw new UsageError('--meta has no effect without --vrm; add --vrm 1');
  }
  if (version !== '0' && version !== '1')
    throw new UsageError(`--vrm is ${JSON.stringify(version)}; expected 1 (VRM 1.0) or 0 (VRM 0.x)`);
  const vrm = version === '1' ? 1 : 0;
  if (path === undefined) return { vrm };
  const bytes = await blame(path, async () => readInputSync(path));
  return { vrm, meta: parseMeta(path, bytes) };
}
