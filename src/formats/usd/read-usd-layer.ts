/** Layers of all kinds of USD files, told apart by content: `.usd` may be any of them. */
import { FormatError } from '../../core/report/format-error.ts';
import { parseUsdc } from './crate/parse-usdc.ts';
import type { Layer } from './layer/layer.ts';
import { decodeLooseUtf8 } from './layer/loose-utf8.ts';
import { readUsdz, type Usdz, type UsdzEntry } from './package/read-usdz.ts';
import { parseUsda } from './text/parse-usda.ts';

/** What kind of USD file bytes are. */
export type UsdKind = 'text' | 'binary' | 'package';

const STARTS: readonly (readonly [kind: UsdKind, start: string])[] = [
  ['binary', 'PXR-USDC'],
  ['package', 'PK\x03\x04'],
  ['text', '#usda '],
  ['text', '#sdf '],
  ['text', '\xef\xbb\xbf#usda '],
];

/** Packages whose root layer is a package, and so on: more is an attack. */
const MAX_PACKAGES = 8;

/** The kind of a USD file by its first bytes; null for other files. */
export function detectUsdKind(bytes: Uint8Array): UsdKind | null {
  const head = String.fromCharCode(...bytes.subarray(0, 16));
  return STARTS.find(([, start]) => head.startsWith(start))?.[0] ?? null;
}

/** {@link detectUsdKind}; FormatError USD_SYNTAX for other files. */
export function expectUsdKind(bytes: Uint8Array): UsdKind {
  const kind = detectUsdKind(bytes);
  if (kind !== null) return kind;
  throw new FormatError(
    'USD_SYNTAX',
    'Found neither #usda, PXR-USDC nor a zip file at the start, expected a USD file',
    { offset: 0 },
  );
}

/** The file of a package that is its root layer: the first one. FormatError USD_PACKAGE when that is no USD file, or there is none. */
export function rootLayerEntry({ entries }: Usdz): UsdzEntry {
  const [first] = entries;
  if (first !== undefined && detectUsdKind(first.bytes) !== null) return first;
  const found = first === undefined ? 'no file' : first.name;
  throw new FormatError('USD_PACKAGE', `Found ${found} as the first file of the package, expected its root layer`);
}

/** The root layer of a package, which may be a package itself, with the issues of both. */
function readPackage(bytes: Uint8Array, depth: number): Layer {
  if (depth >= MAX_PACKAGES) {
    throw new FormatError(
      'USD_LIMIT',
      `Packages are in packages more than ${MAX_PACKAGES} deep, which anyrig does not read`,
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
 * The layer of a text, binary or packaged USD file, whatever its name says; of a package its root layer, the first file ({@link readUsdz} gives the others).
 *
 * @throws FormatError USD_SYNTAX for texts and for what is no USD file, USD_CRATE for binary files, USD_PACKAGE for packages, USD_LIMIT for files that ask
 * for too much.
 */
export function readUsdLayer(bytes: Uint8Array): Layer {
  return readAt(bytes, 0);
}
