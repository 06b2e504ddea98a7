/** Extensions of a document: listed only where they are used. glTF 2.0 section 3.12. */
import { arrayAt, type JsonObject, memberAt } from './schema.ts';

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

/** Lists an extension that is now used. FormatError GLTF_SCHEMA where the list is none. */
export function useExtension(json: JsonObject, name: string): void {
  const used = arrayAt(json, 'extensionsUsed', '');
  if (used.includes(name)) return;
  if (memberAt(json, 'extensionsUsed') === undefined) json['extensionsUsed'] = [name];
  else (used as unknown[]).push(name);
}

/** Takes an extension that is no longer used off the lists; a list without items must not be in a file. */
export function dropExtension(json: JsonObject, name: string): void {
  for (const list of ['extensionsUsed', 'extensionsRequired']) {
    const names = arrayAt(json, list, '').filter((used) => used !== name);
    if (names.length > 0) json[list] = names;
    else delete json[list];
  }
}
