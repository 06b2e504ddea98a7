/** Reads layers from all kinds of USD files. The kind is detected by content, since `.usd` may be any of them. */
import { FormatError } from '../../core/report/format-error.ts';
import { parseUsdc } from './crate/parse-usdc.ts';
import type { Layer } from './layer/layer.ts';
import { decodeLooseUtf8 } from './layer/loose-utf8.ts';
import { readUsdz, type Usdz, type UsdzEntry } from './package/read-usdz.ts';
import { parseUsda } from './text/parse-usda.ts';

type UsdKind = 'text' | 'binary' | 'package';

const STARTS: readonly (readonly [kind: UsdKind, start: string])[] = [
  ['binary', 'PXR-USDC'],
  ['package', 'PK\x03\x04'],
  ['text', '#usda '],
  ['text', '#sdf '],
  ['text', '\xef\xbb\xbf#usda '],
];

/** Levels of nested packages. Only hostile files have more. */
export const MAX_PACKAGES = 8;

/** Detects the kind of a USD file by its first bytes. Returns the kind; null for other files. */
export function detectUsdKind(bytes: Uint8Array): UsdKind | null {
  const head = String.fromCharCode(...bytes.subarray(0, 16));
  return STARTS.find(([, start]) => head.startsWith(start))?.[0] ?? null;
}

export function expectUsdKind(bytes: Uint8Array): UsdKind {
  const kind = detectUsdKind(bytes);
  if (kind !== null) return kind;
  throw new FormatError(
    'USD_SYNTAX',
    'Found neither #usda, PXR-USDC nor a zip signature at the start, expected a USD file',
    { offset: 0 },
  );
}

/** Returns the root layer of a package: its first file. */
export function rootLayerEntry({ entries }: Usdz): UsdzEntry {
  const [first] = entries;
  if (first !== undefined && detectUsdKind(first.bytes) !== null) return first;
  const found = first === undefined ? 'no file' : first.name;
  throw new FormatError(
    'USD_PACKAGE',
    `Found ${found} as the first file of the package, expected its root layer, a USD file`,
  );
}

/** Reads the root layer of a package, which may be a package itself. The issues of both are joined. */
function readPackage(bytes: Uint8Array, depth: number): Layer {
  if (depth >= MAX_PACKAGES) {
    throw new FormatError(
      'USD_LIMIT',
      `Packages are nested more than ${MAX_PACKAGES} levels deep, the limit of anyrig; unzip the inner packages`,
    );
  }
  const usdz = readUsdz(bytes);
  const layer = readAt(rootLayerEntry(usdz).bytes, depth + 1);
  return { ...layer, issues: [...usdz.issues, ...layer.issues] };
}

function readAt(bytes: Uint8Array, depth: number): Layer {
  const kind = expectUsdKind(bytes);
  if (kind === 'package') return readPackage(bytes, depth);
  return kind === 'binary' ? parseUsdc(bytes) : parseUsda(decodeLooseUtf8(bytes).replace(/^\ufeff/, ''));
}

/**
 * Reads the layer of a text, binary or packaged USD file. The kind is detected by content. Of a package it reads the root layer; {@link readUsdz}
 * returns the other files.
 *
 * @param bytes Content of a `.usd`, `.usda`, `.usdc` or `.usdz` file.
 * @returns The layer.
 * @throws FormatError `USD_SYNTAX` for invalid text and files that are not USD; `USD_CRATE` for damaged binary files; `USD_PACKAGE` for invalid
 *   packages; `USD_LIMIT` for files that exceed a limit.
 * @example
 * ```ts
 * const layer = readUsdLayer(new Uint8Array(await readFile('hero.usd')));
 * [...layer.specs.keys()]; // ['/', '/Hero', '/Hero/Skel', …]
 * ```
 */
export function readUsdLayer(bytes: Uint8Array): Layer {
  return readAt(bytes, 0);
}
