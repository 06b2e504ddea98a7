/** Files and folders that were dropped or chosen, as inputs with the files that they may reference. */
import { SIGNATURES } from '../../../src/files/adapters/signatures.ts';
import type { InputFile } from './engine-client.ts';

/** A file with its path below the folder that was dropped. */
interface FoundFile {
  /** Path with slashes; the name for a single file. */
  readonly path: string;
  readonly blob: Blob;
}

/** Extensions of files that are opened; all others are only referenced. */
const OPENED = new Set(Object.values(SIGNATURES).flatMap(({ extensions }) => extensions));
const REFERENCING = /\.(?:gltf|fbx|usd[ac]?|pm[dx])$/i;

/** Tests whether a file is opened. JSON with keypoints has no extension of its own: it is opened where it was chosen itself, not in a folder. */
function isOpened({ path }: FoundFile): boolean {
  const extension = /\.[^./]+$/.exec(path.toLowerCase())?.[0] ?? '';
  return OPENED.has(extension) || (extension === '.json' && !path.includes('/'));
}

function folderOf(path: string): string {
  const slash = path.lastIndexOf('/');
  return slash < 0 ? '' : path.slice(0, slash + 1);
}

/** Turns files that were dropped together into inputs: each may reference those in its folder and below. */
export function toInputs(found: readonly FoundFile[], nextId: () => string): InputFile[] {
  const known = found.filter(isOpened);
  return (known.length > 0 ? known : found).map(({ path, blob }) => {
    const folder = folderOf(path);
    const others = found.filter((other) => other.path !== path && other.path.startsWith(folder));
    const referenced = REFERENCING.test(path) ? others : [];
    const resources = new Map(referenced.map((other) => [other.path.slice(folder.length), other.blob]));
    return { id: nextId(), name: path.slice(folder.length), blob, resources };
  });
}

async function readEntry(entry: FileSystemEntry, folder: string, found: FoundFile[]): Promise<void> {
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject));
    found.push({ path: folder + entry.name, blob: file });
    return;
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  // A reader returns up to 100 entries at a time.
  for (;;) {
    const batch = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (batch.length === 0) return;
    for (const child of batch) await readEntry(child, `${folder}${entry.name}/`, found);
  }
}

export async function filesOfDrop(transfer: DataTransfer): Promise<FoundFile[]> {
  // Entries must be taken before the first await: the list is emptied after the event.
  const entries = [...transfer.items].flatMap((item) => item.webkitGetAsEntry() ?? []);
  // Some programs and pages drop files without entries.
  const files = [...transfer.files];
  const found: FoundFile[] = [];
  for (const entry of entries) await readEntry(entry, '', found);
  if (entries.length === 0) found.push(...files.map((file) => ({ path: file.name, blob: file })));
  return found;
}

export function filesOfInput(list: Iterable<File>): FoundFile[] {
  return [...list].map((file) => ({ path: file.webkitRelativePath || file.name, blob: file }));
}
