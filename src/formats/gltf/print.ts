/** Printing a document: what was not edited comes out as it stood. */
import { growingParts } from './buffers.ts';
import type { GltfDocument, GrowingBuffer } from './document.ts';
import { printGlb } from './glb.ts';
import { printJson } from './print-json.ts';
import { reprint } from './reprint.ts';
import { arrayAt, isObject, type JsonObject, listItem } from './schema.ts';
import { isDataUri, printDataUri, resolveUri, uriOfPath } from './uri.ts';

/** A file that belongs beside a printed .gltf. */
export interface PrintedResource {
  /** Path below the folder of the asset, not percent-encoded. */
  readonly path: string;
  readonly parts: readonly Uint8Array[];
}

/** A document as bytes, in pieces to be written one after the other (`writev`) or joined by `concatParts`. */
export interface PrintedGltf {
  readonly parts: readonly Uint8Array[];
  /** New files beside a .gltf. Files that the document had already are not among them: see `listResources`. */
  readonly resources: readonly PrintedResource[];
}

/** How a document is to be printed. */
export interface PrintGltfOptions {
  /**
   * File name for appended data of a .gltf, not percent-encoded; numbered when the document names such a file already.
   * Without it the data goes into the JSON as a data URI.
   */
  readonly binName?: string;
}

/**
 * Prints a document. Nothing edited, nothing appended: the bytes of the file. Else every JSON value that is still what
 * the file said keeps its text, the binary data of the file is a prefix of the new, unknown chunks and bytes behind the
 * end are kept. The document is not changed. FormatError GLTF_LIMIT for a GLB past 4 GiB.
 */
export function printGltf(doc: GltfDocument, options: PrintGltfOptions = {}): PrintedGltf {
  const { json, resources } = withPlacedData(doc, options.binName);
  const { source, container } = doc;
  const text = source === null ? printJson(json) : reprint(source.text, json);
  if (source !== null && text === source.text && container === source.container && doc.growing === null) {
    return { parts: [source.bytes], resources };
  }
  const utf8 = new TextEncoder();
  if (container === 'gltf') {
    return { parts: [utf8.encode((source?.bom ? '\ufeff' : '') + text)], resources };
  }
  const parts = printGlb({
    // The old padding goes: new padding follows.
    json: utf8.encode(text.trimEnd()),
    bin: binParts(doc),
    others: source?.glb?.others ?? [],
    trailing: source?.glb?.trailing ?? new Uint8Array(0),
  });
  return { parts, resources };
}

function binParts(doc: GltfDocument): Uint8Array[] | null {
  if (doc.growing !== null && isBin(doc, doc.growing)) return growingParts(doc.growing);
  return doc.bin === null ? null : [doc.bin];
}

function isBin(doc: GltfDocument, growing: GrowingBuffer): boolean {
  return doc.container === 'glb' && growing.buffer === 0 && !Object.hasOwn(listItem(doc.json, 'buffers', 0), 'uri');
}

/** The JSON with the place of appended data that is not in the BIN chunk: a new file or a data URI. */
function withPlacedData(
  doc: GltfDocument,
  binName: string | undefined,
): { json: JsonObject; resources: PrintedResource[] } {
  const { growing, json } = doc;
  if (growing === null || isBin(doc, growing)) return { json, resources: [] };
  const parts = growingParts(growing);
  const buffer = listItem(json, 'buffers', growing.buffer);
  const resources: PrintedResource[] = [];
  let uri = typeof buffer['uri'] === 'string' ? buffer['uri'] : undefined;
  if (doc.container === 'glb') {
    uri = printDataUri('application/octet-stream', parts);
  } else if (uri !== undefined) {
    resources.push({ path: resolveUri(uri, `/buffers/${growing.buffer}/uri`), parts });
  } else if (binName !== undefined) {
    const path = freeName(doc, binName);
    uri = uriOfPath(path);
    resources.push({ path, parts });
  } else {
    uri = printDataUri('application/octet-stream', parts);
  }
  const buffers = arrayAt(json, 'buffers', '').slice();
  buffers[growing.buffer] = { ...buffer, uri };
  return { json: { ...json, buffers }, resources };
}

/**
 * `name`, or with a number in front of its extension when the document names such a file already. RangeError when it is
 * not the name of a file below the folder of the asset.
 */
export function freeName(doc: GltfDocument, name: string): string {
  if (pathOf(uriOfPath(name)) !== name) throw new RangeError(`${JSON.stringify(name)} is not the name of a file`);
  const taken = new Set<string>();
  for (const list of ['buffers', 'images'] as const) {
    for (const item of arrayAt(doc.json, list, '')) {
      const uri = isObject(item) ? item['uri'] : undefined;
      if (typeof uri === 'string' && !isDataUri(uri)) taken.add((pathOf(uri) ?? uri).toLowerCase());
    }
  }
  const dot = name.lastIndexOf('.') > 0 ? name.lastIndexOf('.') : name.length;
  let free = name;
  for (let n = 2; taken.has(free.toLowerCase()); n++) free = `${name.slice(0, dot)}-${n}${name.slice(dot)}`;
  return free;
}

/** The path that a URI names, null for one that is refused. */
function pathOf(uri: string): string | null {
  try {
    return resolveUri(uri, '');
  } catch {
    return null;
  }
}
