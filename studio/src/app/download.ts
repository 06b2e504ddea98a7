/**
 * Offers bytes for download.
 *
 * @param name Name of the file.
 * @param content Its content.
 */
export function download(name: string, content: BlobPart): void {
  const url = URL.createObjectURL(new Blob([content]));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The download keeps the content; the address is needed for a moment only.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
