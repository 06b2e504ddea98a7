/** Extensions of a new document: listed only where they are used. glTF 2.0 section 3.12. */
import type { JsonObject } from './schema.ts';

/** Names of extensions; what is required is also used. */
export interface UsedExtensions {
  readonly used: Set<string>;
  /** Without them players show something else than was meant, or nothing. */
  readonly required: Set<string>;
}

/** Adds the lists that are not empty. */
export function writeExtensionLists(json: JsonObject, { used, required }: UsedExtensions): void {
  const all = [...new Set([...used, ...required])].sort();
  if (all.length > 0) json['extensionsUsed'] = all;
  if (required.size > 0) json['extensionsRequired'] = [...required].sort();
}
