/** Hands results to the user: as downloads of the browser. */
import type { ZippableFile } from 'fflate';
import type { WrittenFile } from '../engine/protocol.ts';

export function download(name: string, content: BlobPart): void {
  const url = URL.createObjectURL(new Blob([content]));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The download keeps the content; the address is needed for a moment only.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/**
 * Offers files for download: a single one as it is, several as a ZIP, since browsers drop the folders of downloads and ask before a second one.
 * `files`: the files, with paths relative to each other.
 */
export async function downloadFiles(name: string, files: readonly WrittenFile[]): Promise<void> {
  if (files.length === 1) return download(files[0].path, files[0].bytes);
  if (files.length === 0) return;
  const { zipSync } = await import('fflate');
  const entries = files.map(({ path, bytes }): [string, ZippableFile] => [path, [bytes, { level: 0 }]]);
  download(`${name}.zip`, zipSync(Object.fromEntries(entries)) as Uint8Array<ArrayBuffer>);
}
