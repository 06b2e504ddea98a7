import { type Issue, issue } from '../../../core/report/issue.ts';
import type { GltfDocument } from '../document/document.ts';
import { isObject, type JsonObject, memberAt } from '../document/json-access.ts';
import { objectOf } from '../document/loose-json.ts';
import { findMetaFaults } from './check-meta.ts';
import { vrm0ToVrm1 } from './vrm0-to-vrm1.ts';
import { vrm1ToVrm0 } from './vrm1-to-vrm0.ts';

/** Version of VRM: 0 is VRM 0.x, 1 is VRM 1.0. */
export type VrmVersion = 0 | 1;

/** Options of {@link convertVrm}. */
interface ConvertVrmOptions {
  /** Entries of VRM 1.0 metadata that replace those of the file. */
  readonly meta?: Readonly<Record<string, unknown>>;
}

/** Result of {@link convertVrm}. */
interface ConvertedVrm {
  /** Whether the document has the requested version now. Discard the document where it is false. */
  readonly isConverted: boolean;
  /** VRM_META_INVALID, VRM_CONVERT_* and issues of the humanoid. */
  readonly issues: readonly Issue[];
}

/** Finds the version of a VRM document. Returns the version; null for a document that is not a VRM. */
export function vrmVersion({ json }: GltfDocument): VrmVersion | null {
  const extensions = objectOf(json, 'extensions');
  if (isObject(memberAt(extensions, 'VRMC_vrm'))) return 1;
  return isObject(memberAt(extensions, 'VRM')) ? 0 : null;
}

/**
 * Converts a VRM 0.x to VRM 1.0 or back: humanoid, metadata, expressions, look-at, first person, spring bones, materials, and the direction
 * that the character faces (VRM 0.x −Z, VRM 1.0 +Z). Bones of VRM 0.x get the axes of the scene. Everything else in the
 * document, such as unknown extensions and extras, stays. Indices stay; nodes may be appended.
 *
 * @param doc The document to edit. Buffers must be loaded, decoders attached.
 * @param version The requested version: 0 for VRM 0.x, 1 for VRM 1.0. A VRM 1.0 that stays one only gets the metadata.
 * @param options Metadata.
 * @returns Whether it was converted, and what has no counterpart in the requested version.
 * @throws RangeError for a document that is not a VRM; FormatError as `readAccessor`.
 * @example
 * const doc = parseGltf(await readFile('old.vrm'));
 * const { issues } = convertVrm(doc, 1);
 * const { parts } = serializeGltf(doc);
 */
export function convertVrm(
  doc: GltfDocument,
  version: VrmVersion,
  { meta = {} }: ConvertVrmOptions = {},
): ConvertedVrm {
  const from = vrmVersion(doc);
  if (from === null) throw new RangeError('The document is not a VRM; create one with addVrmHumanoid');
  const faults = findMetaFaults(meta, { isPartial: true });
  if (from === 0 && version === 0 && Object.keys(meta).length > 0)
    faults.push(
      'The file is a VRM 0.x already, whose metadata has other entries; they can only be supplied with a VRM 1.0.',
    );
  if (faults.length > 0) return { isConverted: false, issues: faults.map((fault) => issue('VRM_META_INVALID', fault)) };
  const issues: Issue[] = [];
  if (from === version) {
    const vrm = objectOf(objectOf(doc.json, 'extensions'), 'VRMC_vrm');
    if (Object.keys(meta).length > 0) vrm['meta'] = { ...objectOf(vrm, 'meta'), ...meta };
    return { isConverted: true, issues };
  }
  const convert = version === 1 ? vrm0ToVrm1 : vrm1ToVrm0;
  const isConverted = convert(doc, meta as JsonObject, issues);
  if (!isConverted) {
    const message = 'The VRM has no humanoid with a head, so it cannot be converted; repair its bone map first.';
    const pointer = `/extensions/${from === 0 ? 'VRM' : 'VRMC_vrm'}/humanoid/humanBones`;
    issues.push(issue('VRM_HUMANOID', message, { pointer }));
  }
  return { isConverted, issues };
}
