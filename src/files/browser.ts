/**
 * `anyrig/files` in browsers: opens bytes with `openBytes`. In Node, the same entry also opens paths with `openFile` and writes outputs with
 * `writeFiles`.
 */
export * from './index.ts';

/**
 * Opens a file on disk, in Node only. In browsers, open its bytes with `openBytes`.
 *
 * @deprecated Browsers have no files on disk: use `openBytes`.
 * @param _path Path of the file, in Node.
 * @throws TypeError in browsers, always.
 * @example
 * // In Node: a path.
 * const file = await openFile('avatar.vrm');
 * // In browsers: the bytes of a URL, or of a file that the user chose.
 * const fetched = await openBytes(new Uint8Array(await (await fetch('avatar.vrm')).arrayBuffer()), { name: 'avatar.vrm' });
 * const chosen = await openBytes(new Uint8Array(await input.files[0].arrayBuffer()), { name: input.files[0].name });
 */
export function openFile(_path: never): never {
  throw new TypeError(
    'openFile opens paths, which exist in Node only. In browsers use openBytes: await openBytes(new Uint8Array(await (await fetch(url)).arrayBuffer()), { name: url }).',
  );
}
