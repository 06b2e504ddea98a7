/**
 * Writes test/language/frozen-api.json: the names that the package promises. Run it when names were added; a name may go only before 1.0 and in a new major
 * version, with a line in CHANGELOG.md.
 *
 *     npx tsx scripts/freeze-api.ts
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { type PackageEntries, readPackageEntries } from './package-entries.ts';

/** Where the names are. */
export const FROZEN: URL = new URL('../test/language/frozen-api.json', import.meta.url);

/** The names of each entry that stay: all but the experimental ones, sorted. */
export type FrozenApi = Readonly<Record<string, readonly string[]>>;

/**
 * Lists the names that stay.
 *
 * @param packageEntries The entries of the package.
 * @returns The names by entry.
 */
export function stableNames({ entries }: PackageEntries): FrozenApi {
  return Object.fromEntries(
    entries
      .filter(({ name }) => name !== 'anyrig/experimental')
      .map(({ name, exports }) => {
        const stable = exports.filter(({ isExperimental }) => !isExperimental);
        return [name, stable.map((one) => one.name).sort()];
      }),
  );
}

/**
 * Compares names with those that were promised.
 *
 * @returns What is gone, as `entry name`.
 */
export function goneNames(frozen: FrozenApi, now: FrozenApi): string[] {
  return Object.entries(frozen).flatMap(([entry, names]) =>
    names.filter((name) => !(now[entry] ?? []).includes(name)).map((name) => `${entry} ${name}`),
  );
}

if (process.argv[1]?.endsWith('freeze-api.ts')) {
  const names = stableNames(readPackageEntries());
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
    version: string;
  };
  const gone = goneNames(JSON.parse(readFileSync(FROZEN, 'utf8')) as FrozenApi, names);
  if (gone.length > 0 && !/^(?:0\.|\d+\.0\.0)/.test(version)) {
    throw new Error(
      `Version ${version} may not take away names: ${gone.join(', ')}. Export them again, or raise the major version.`,
    );
  }
  writeFileSync(FROZEN, `${JSON.stringify(names, null, 2)}\n`);
}
