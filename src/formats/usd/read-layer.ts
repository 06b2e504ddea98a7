/** Layers of all kinds of USD files, told apart by content: `.usd` may be any of them. */
import { FormatError } from '../../core/report/format-error.ts';
import { parseUsdc } from './crate/parse-usdc.ts';
import type { Layer } from './layer/layer.ts';
import { readUsdz } from './package/read-usdz.ts';
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
export function usdKindOf(bytes: Uint8Array): UsdKind | null {
  const head = String.fromCharCode(...bytes.subarray(0, 16));
  return STARTS.find(([, start]) => head.startsWith(start))?.[0] ?? null;
}

/** The root layer of a package, which may be a package itself, with the issues of both. */
function readPackage(bytes: Uint8Array, depth: number): Layer {
  if (depth >= MAX_PACKAGES) {
    throw new FormatError(
      'USD_LIMIT',
      `Packages are in packages more than ${MAX_PACKAGES} deep, which anyrig does not read`,
    );
  }
  const { entries, issues } = readUsdz(bytes);
  if (entries.length === 0 || usdKindOf(entries[0].bytes) === null) {
    const found = entries.length === 0 ? 'no file' : entries[0].name;
    throw new FormatError('USD_PACKAGE', `Found ${found} as the first file of the package, expected its root layer`);
  }
  const layer = readAt(entries[0].bytes, depth + 1);
  return { ...layer, issues: [...issues, ...layer.issues] };
}

function readAt(bytes: Uint8Array, depth: number): Layer {
  const kind = usdKindOf(bytes);
  if (kind === 'package') return readPackage(bytes, depth);
  if (kind === 'binary') return parseUsdc(bytes);
  if (kind === 'text') return parseUsda(new TextDecoder().decode(bytes));
  throw new FormatError(
    'USD_SYNTAX',
    'Found neither #usda, PXR-USDC nor a zip file at the start, expected a USD file',
    { offset: 0 },
  );
}

/**
 * The layer of a text, binary or packaged USD file, whatever its name says; of a package its root layer, the first file ({@link readUsdz} gives the others).
 *
 * @throws FormatError USD_SYNTAX for texts and for what is no USD file, USD_CRATE for binary files, USD_PACKAGE for packages, USD_LIMIT for files that ask
 * for too much.
 */
export function readLayer(bytes: Uint8Array): Layer {
  return readAt(bytes, 0);
}
