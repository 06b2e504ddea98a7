/** Lets code of pages load files in Node: relative URLs of three.js are files of a folder. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DefaultLoadingManager } from 'three';

/** FileLoader reports progress with it; Node has none. */
class ProgressEventInNode extends Event {}

/**
 * Serves the files of a folder to the loaders of three.js.
 *
 * @param folder The folder.
 * @returns A function that ends it.
 */
export function servePageFiles(folder: string): () => void {
  const { ProgressEvent: before } = globalThis;
  Object.assign(globalThis, { ProgressEvent: ProgressEventInNode });
  DefaultLoadingManager.setURLModifier((url) => {
    if (/^[a-z]+:/.test(url)) return url;
    return `data:application/octet-stream;base64,${readFileSync(join(folder, url)).toString('base64')}`;
  });
  return () => {
    // Undefined removes it; the types lack that.
    DefaultLoadingManager.setURLModifier(undefined as never);
    Object.assign(globalThis, { ProgressEvent: before });
  };
}
