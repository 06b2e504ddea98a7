/** Compares validateGltf with the stored reports of the Khronos glTF Validator. */
import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { FormatError } from '../../../../../src/core/report/format-error.ts';
import { loadResources, parseGltf } from '../../../../../src/formats/gltf/index.ts';
import { CORE_CODES } from '../../../../../src/formats/gltf/validate/core/findings.ts';
import { validateGltf } from '../../../../../src/formats/gltf/validate/core/validate-gltf.ts';
import { asset, assetFiles } from '../../../../assets.ts';

/** Locations that are validated. */
export const SCOPE =
  /^\/($|accessors|animations|asset|buffers|bufferViews|extensions|extensionsUsed|extensionsRequired|nodes|scene|scenes|skins)/;

interface StoredReport {
  readonly issues: { readonly messages: readonly { readonly code: string; readonly pointer?: string }[] };
}

/** What one file has in one report only: `+CODE pointer` ours, `-CODE pointer` theirs; or `refused CODE`. */
export interface Difference {
  /** Path below the folder of the corpus. */
  readonly file: string;
  /** Sorted. */
  readonly entries: readonly string[];
}

/** The files that have a stored report. */
export function reportedFiles(): string[] {
  return assetFiles('conformance/gltf/khronos-validator/test', 'report.json').map((path) =>
    path.replace(/\.report\.json$/, ''),
  );
}

/** Compares one file; null without a difference. */
export async function differenceOf(path: string): Promise<{ difference: Difference | null; agreed: number }> {
  const file = relative(asset('conformance/gltf/khronos-validator/test'), path);
  const stored = JSON.parse(readFileSync(`${path}.report.json`, 'utf8')) as StoredReport;
  const theirs = new Set(
    stored.issues.messages
      .filter(({ code, pointer = '' }) => Object.hasOwn(CORE_CODES, code) && SCOPE.test(pointer))
      .map(({ code, pointer }) => `${code} ${pointer}`),
  );
  try {
    const doc = parseGltf(readFileSync(path));
    try {
      await loadResources(doc, async (name) => readFileSync(join(dirname(path), name)));
    } catch (error) {
      // Missing and refused files are findings.
      if (!(error instanceof FormatError)) throw error;
    }
    const ours = new Set(
      validateGltf(doc)
        .filter(({ pointer }) => SCOPE.test(pointer))
        .map(({ code, pointer }) => `${code} ${pointer}`),
    );
    const entries = [
      ...[...ours].filter((one) => !theirs.has(one)).map((one) => `+${one}`),
      ...[...theirs].filter((one) => !ours.has(one)).map((one) => `-${one}`),
    ].sort();
    return {
      difference: entries.length === 0 ? null : { file, entries },
      agreed: [...ours].filter((one) => theirs.has(one)).length,
    };
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    return { difference: { file, entries: [`refused ${error.code}`] }, agreed: 0 };
  }
}
