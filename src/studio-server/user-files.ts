/** Files that the user opens in the page, with the files that they reference. */
import { basename } from 'node:path';
import { geometryOf } from '../files/geometry.ts';
import { readInput, resourceReader } from '../files/node/read-input.ts';
import { openBytes } from '../files/open.ts';
import type { ServedFile } from './served-file.ts';

interface UserFile {
  /** Name of the file; of a referenced file, the path relative to the folder of the referencing file. */
  readonly name: string;
  readonly url: string;
}

export interface OpenedUserFile extends UserFile {
  /** The files that it references, as far as they exist. */
  readonly resources: readonly UserFile[];
}

/** The list for the page, and the content for the server. */
export interface UserFiles {
  /** The files in the order of their paths. */
  readonly list: readonly OpenedUserFile[];
  /** Their content by the path below the page, with a slash. */
  readonly served: ReadonlyMap<string, ServedFile>;
}

/** Never a type that a browser runs or draws: the page reads the bytes. */
function asBytes(read: ServedFile['read']): ServedFile {
  return { mediaType: 'application/octet-stream', isImmutable: false, read };
}

/** Lists the files that the library reads while it opens and draws a file. */
async function findResources(path: string, readResource: (name: string) => Promise<Uint8Array>): Promise<Set<string>> {
  const bytes = await readInput(path);
  const found = new Set<string>();
  const recorded = async (name: string): Promise<Uint8Array> => {
    const resource = await readResource(name);
    found.add(name);
    return resource;
  };
  try {
    await geometryOf(await openBytes(bytes, { name: path, readResource: recorded }));
  } catch {
    // The page opens the file again and reports what is wrong with it.
  }
  return found;
}

/**
 * Prepares files for the page. Referenced files are found by opening the files; only those in the folder of the referencing file or in `assetRoot`
 * are served. Addresses contain numbers and names, never paths. Throws FormatError `FILE_NOT_FOUND` for a path that cannot be read.
 */
export async function prepareUserFiles(
  paths: readonly string[],
  { assetRoot, onFile = () => {} }: { readonly assetRoot?: string; readonly onFile?: (path: string) => void } = {},
): Promise<UserFiles> {
  const list: OpenedUserFile[] = [];
  const served = new Map<string, ServedFile>();
  for (const [k, path] of paths.entries()) {
    onFile(path);
    const url = `files/${k}/${encodeURIComponent(basename(path))}`;
    const readResource = resourceReader(path, assetRoot);
    const names = [...(await findResources(path, readResource))];
    const resources = names.map((name, r): UserFile => {
      return { name, url: `files/${k}/${r}/${encodeURIComponent(basename(name))}` };
    });
    list.push({ name: basename(path), url, resources });
    served.set(
      `/${url}`,
      asBytes(() => readInput(path)),
    );
    for (const one of resources)
      served.set(
        `/${one.url}`,
        asBytes(() => readResource(one.name)),
      );
  }
  return { list, served };
}
