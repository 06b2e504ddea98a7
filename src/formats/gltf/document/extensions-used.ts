/** The lists `extensionsUsed` and `extensionsRequired` of a document. glTF 2.0 section 3.12. */
import { arrayAt, type JsonObject, memberAt } from './json-access.ts';

/** Names of extensions. Required extensions also count as used. */
export interface UsedExtensions {
  readonly used: Set<string>;
  /** Extensions without which players show a wrong result or nothing. */
  readonly required: Set<string>;
}

/** Writes `extensionsUsed` and `extensionsRequired`, sorted; empty lists are not written. `json`: JSON of the document; edited. */
export function writeExtensionLists(json: JsonObject, { used, required }: UsedExtensions): void {
  const all = [...new Set([...used, ...required])].sort();
  if (all.length > 0) json['extensionsUsed'] = all;
  if (required.size > 0) json['extensionsRequired'] = [...required].sort();
}

/**
 * Adds an extension to `extensionsUsed`. `json`: JSON of the document; edited. Throws FormatError GLTF_SCHEMA when `extensionsUsed` is not an
 * array.
 */
export function useExtension(json: JsonObject, name: string): void {
  const used = arrayAt(json, 'extensionsUsed', '');
  if (used.includes(name)) return;
  if (memberAt(json, 'extensionsUsed') === undefined) json['extensionsUsed'] = [name];
  else (used as unknown[]).push(name);
}

/**
 * Removes an extension from `extensionsUsed` and `extensionsRequired`, and a list that becomes empty, which glTF forbids. `json`: JSON of the
 * document; edited.
 */
export function dropExtension(json: JsonObject, name: string): void {
  for (const list of ['extensionsUsed', 'extensionsRequired']) {
    const names = arrayAt(json, list, '').filter((used) => used !== name);
    if (names.length > 0) json[list] = names;
    else delete json[list];
  }
}
