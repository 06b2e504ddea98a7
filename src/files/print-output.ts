/** A document as files: itself and what belongs beside it. */
import { FormatError } from '../core/report/format-error.ts';
import { type Issue, issue } from '../core/report/issue.ts';
import { loadResources } from '../formats/gltf/buffers.ts';
import { toGlb, toGltf } from '../formats/gltf/container.ts';
import type { GltfDocument } from '../formats/gltf/document.ts';
import { printGltf } from '../formats/gltf/print.ts';
import { arrayAt, isObject, memberAt } from '../formats/gltf/schema.ts';
import { isDataUri, resolveUri } from '../formats/gltf/uri.ts';
import { stemOf } from './clip-names.ts';
import type { OpenFile } from './open.ts';
import type { OutputFile } from './output-file.ts';
import type { GltfFormat } from './output-format.ts';
import { beside } from './output-paths.ts';

/** Where a document goes. */
export interface OutputPlace {
  readonly path: string;
  readonly format: GltfFormat;
}

/** URIs of buffers and images that are files, with their pointer. */
function externalUris({ json }: GltfDocument): { uri: string; pointer: string }[] {
  return (['buffers', 'images'] as const).flatMap((list) => {
    return arrayAt(json, list, '').flatMap((item, i) => {
      const uri = isObject(item) ? memberAt(item, 'uri') : undefined;
      return typeof uri === 'string' && !isDataUri(uri) ? [{ uri, pointer: `/${list}/${i}/uri` }] : [];
    });
  });
}

/** The files that the character names, to be copied along; those that cannot be read are reported. */
async function copies(
  document: GltfDocument,
  { readResource }: OpenFile,
  path: string,
  printed: ReadonlySet<string>,
  issues: Issue[],
): Promise<OutputFile[]> {
  const found = new Map<string, OutputFile>();
  for (const { uri, pointer } of externalUris(document)) {
    try {
      const resource = resolveUri(uri, pointer);
      if (printed.has(resource) || found.has(resource)) continue;
      const bytes = document.resources.get(resource) ?? (await readResource?.(resource));
      if (bytes === undefined) throw new Error('nothing reads files here');
      found.set(resource, { path: beside(path, resource), parts: [bytes] });
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      const message = `A file that the character names was not copied along, so that the output may lack it: ${reason}`;
      issues.push(
        issue('RESOURCE_NOT_COPIED', message, { ...(error instanceof FormatError ? error.where : {}), pointer }),
      );
    }
  }
  return [...found.values()];
}

/**
 * The files of an output, the document itself last. The document is changed where its container must be another: .gltf
 * gets a .bin beside it, GLB and VRM take external files in. Other files that the character names come along:
 * `writeFiles` leaves those alone that are there already.
 *
 * @throws FormatError when something that must be taken in cannot be read.
 */
export async function printOutput(
  document: GltfDocument,
  character: OpenFile,
  { path, format }: OutputPlace,
  issues: Issue[],
): Promise<OutputFile[]> {
  const binName = `${stemOf(path)}.bin`;
  if (format === 'gltf') toGltf(document, binName);
  else if (document.container === 'gltf') {
    if (character.readResource !== null) await loadResources(document, character.readResource, { images: true });
    toGlb(document);
  }
  const { parts, resources } = printGltf(document, { binName });
  const files = resources.map((resource) => ({ path: beside(path, resource.path), parts: resource.parts }));
  const printed = new Set(resources.map((resource) => resource.path));
  files.push(...(await copies(document, character, path, printed, issues)));
  return [...files, { path, parts }];
}
