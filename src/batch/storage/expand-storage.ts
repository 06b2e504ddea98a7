import { extname } from 'node:path';
import { INPUT_EXTENSIONS } from '../../files/detect.ts';
import { OptionError } from '../../files/option-error.ts';
import { listObjects } from './s3-client.ts';
import { isStorageUrl, joinStorageUrl } from './storage-url.ts';

function isReadable(url: string): boolean {
  return INPUT_EXTENSIONS.includes(extname(url).toLowerCase());
}

/** Converts a pattern to a regular expression: `*` and `?` within a folder, `**` for folders of any depth. */
function patternOf(url: string): RegExp {
  const source = url.replace(/\*\*\/|\*|\?|[\\^$.+()[\]{}|]/g, (found) => {
    if (found === '**/') return '(?:[^/]+/)*';
    if (found === '*') return '[^/]*';
    return found === '?' ? '[^/]' : `\\${found}`;
  });
  return new RegExp(`^${source}$`, 's');
}

/** Whether a name below a folder starts with a dot, as those of our own files. */
function isHidden(url: string, folder: string): boolean {
  return `/${url.slice(folder.length)}`.includes('/.');
}

/**
 * Replaces URLs of folders (`s3://bucket/motions`) and patterns (`*`, `?`, `**`) by the objects that they stand for: those with an extension that
 * can be read, of a folder without its subfolders. A URL with such an extension and without these characters is one object. Other arguments are
 * kept. `output`: URL of the output folder, whose objects patterns and folders do not stand for; null for a folder on disk. Throws OptionError
 * (`storage`) for a folder or pattern without objects, and without the client; StorageError when the storage cannot be used.
 */
export async function expandStorage(args: readonly string[], output: string | null): Promise<string[]> {
  const results = output === null ? null : joinStorageUrl(output, '');
  const expand = async (arg: string): Promise<string[]> => {
    const isPattern = /[*?]/.test(arg);
    if (!isStorageUrl(arg) || (!isPattern && isReadable(arg))) return [arg];
    const folder = isPattern ? arg.slice(0, arg.lastIndexOf('/', arg.search(/[*?]/)) + 1) : joinStorageUrl(arg, '');
    const pattern = isPattern ? patternOf(arg) : null;
    const isDeep = arg.slice(folder.length).includes('/') && isPattern;
    const found = (await listObjects(isPattern ? arg.slice(0, arg.search(/[*?]/)) : folder, isDeep))
      .map(({ url }) => url)
      .filter((url) => isReadable(url) && !isHidden(url, folder) && pattern?.test(url) !== false)
      .filter((url) => results === null || !url.startsWith(results));
    if (found.length === 0)
      throw new OptionError(
        'storage',
        `${arg} stands for no object with an extension that anyrig reads; check the URL`,
      );
    return found;
  };
  const files: string[] = [];
  for (const arg of args) files.push(...(await expand(arg)));
  return files;
}
