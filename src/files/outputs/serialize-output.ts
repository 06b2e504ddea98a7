/** Serializes a glTF document together with the files that belong next to it. */

import type { ReadResource } from '../../core/asset/asset.ts';
import { FormatError } from '../../core/report/format-error.ts';
import { type Issue, issue } from '../../core/report/issue.ts';
import { dropOrphans } from '../../formats/gltf/accessors/drop-orphans.ts';
import { loadResources } from '../../formats/gltf/document/buffers.ts';
import { toGlb, toGltf } from '../../formats/gltf/document/convert-container.ts';
import { copyDocument } from '../../formats/gltf/document/copy-document.ts';
import type { GltfDocument } from '../../formats/gltf/document/document.ts';
import { arrayAt } from '../../formats/gltf/document/json-access.ts';
import { memberOf } from '../../formats/gltf/document/loose-json.ts';
import { serializeGltf } from '../../formats/gltf/document/serialize-gltf.ts';
import { isDataUri, resolveUri } from '../../formats/gltf/document/uri.ts';
import { imageReader } from '../adapters/gltf/image-reader.ts';
import { stemOf } from '../clips/clip-names.ts';
import type { OpenFile } from '../open-file.ts';
import type { OutputFile } from './output-file.ts';
import type { GltfFormat } from './output-format.ts';
import { siblingPath } from './output-paths.ts';

export interface GltfDestination {
  readonly path: string;
  readonly format: GltfFormat;
}

/** Lists the URIs of buffers and images that are files, with their JSON pointers. */
function externalUris({ json }: GltfDocument): { uri: string; pointer: string }[] {
  return (['buffers', 'images'] as const).flatMap((list) => {
    return arrayAt(json, list, '').flatMap((item, i) => {
      const uri = memberOf(item, 'uri');
      return typeof uri === 'string' && !isDataUri(uri) ? [{ uri, pointer: `/${list}/${i}/uri` }] : [];
    });
  });
}

async function copyResources(
  document: GltfDocument,
  { readResource }: Pick<OpenFile, 'readResource'>,
  path: string,
  serialized: ReadonlySet<string>,
  issues: Issue[],
): Promise<OutputFile[]> {
  const found = new Map<string, OutputFile>();
  for (const { uri, pointer } of externalUris(document)) {
    try {
      const resource = resolveUri(uri, pointer);
      if (serialized.has(resource) || found.has(resource)) continue;
      const known = document.resources.get(resource);
      if (known === undefined && readResource === null)
        throw new Error('the file was opened without a way to read other files');
      const bytes = known ?? (await imageReader(readResource as ReadResource)(resource));
      found.set(resource, { path: siblingPath(path, resource), parts: [bytes] });
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      const message = `A file that the character references was not copied, so the output may lack it: ${reason}`;
      issues.push(
        issue('RESOURCE_NOT_COPIED', message, { ...(error instanceof FormatError ? error.where : {}), pointer }),
      );
    }
  }
  return [...found.values()];
}

/**
 * Serializes a document without the data that edits left unreferenced; see {@link serializeOutput}. `document` stays unchanged. Throws FormatError when
 * a file that must be embedded cannot be read.
 */
export async function serializeDocument(
  document: GltfDocument,
  character: Pick<OpenFile, 'readResource'>,
  { path, format }: GltfDestination,
  issues: Issue[],
): Promise<OutputFile[]> {
  const binName = `${stemOf(path)}.bin`;
  const container = format === 'gltf' ? 'gltf' : 'glb';
  const kept = dropOrphans(document);
  const written = kept.container === container ? kept : copyDocument(kept);
  if (container === 'gltf') toGltf(written, binName);
  else if (written.container === 'gltf') {
    if (character.readResource !== null)
      await loadResources(written, imageReader(character.readResource), { images: true });
    toGlb(written);
  }
  const { parts, resources } = serializeGltf(written, { binName });
  const files = resources.map((resource) => ({ path: siblingPath(path, resource.path), parts: resource.parts }));
  const serialized = new Set(resources.map((resource) => resource.path));
  files.push(...(await copyResources(written, character, path, serialized, issues)));
  return [...files, { path, parts }];
}

/**
 * Serializes a glTF document in a container. A .gltf gets its appended data as a .bin file; GLB and VRM embed external files. Other files that the
 * document references are copied; `writeFiles` skips those that exist with the same content. `document` stays unchanged. Returns the files, the document
 * last, and issues `RESOURCE_NOT_COPIED`. Throws FormatError when a file that must be embedded cannot be read.
 */
export async function serializeOutput(
  document: GltfDocument,
  character: Pick<OpenFile, 'readResource'>,
  destination: GltfDestination,
): Promise<{ files: readonly OutputFile[]; issues: readonly Issue[] }> {
  const issues: Issue[] = [];
  const files = await serializeDocument(document, character, destination, issues);
  return { files, issues };
}
