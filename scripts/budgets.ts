/**
 * Prints sizes of what users load beside their budgets, and fails above one. Speed is measured by `npm run bench`.
 *
 *     npm run build && npx tsx site/build.ts && npx tsx scripts/budgets.ts
 */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const SITE = join(ROOT, 'site/dist');
const MB = 1e6;

/** Sums the sizes of the files that the home page names. */
function homePage(): number {
  const html = readFileSync(join(SITE, 'index.html'), 'utf8');
  const links = [...html.matchAll(/ (?:src|href)="(\/[^"#]+\.(?:js|css|woff2|webp|svg|png))"/g)].map(
    ([, link]) => link,
  );
  const files = [...new Set(links)].filter((link) => !link.includes('hero-still'));
  return Buffer.byteLength(html) + files.reduce((sum, link) => sum + statSync(join(SITE, link)).size, 0);
}

/** Sums the files of the command line after gzip. */
function commandLine(): number {
  const folder = join(ROOT, 'dist/cli');
  const files = readdirSync(folder).filter((name) => name.endsWith('.js'));
  return files.reduce((sum, name) => sum + gzipSync(readFileSync(join(folder, name))).length, 0);
}

interface Packed {
  readonly size: number;
  readonly unpackedSize: number;
}

const npm = execFileSync('npm', ['pack', '--dry-run', '--ignore-scripts', '--json'], { cwd: ROOT, encoding: 'utf8' });
const [packed] = JSON.parse(npm) as readonly Packed[];

/** What is measured, its bytes, and the most that it may have: about a tenth more than when the budget was set. */
const BUDGETS: readonly (readonly [what: string, bytes: number, most: number])[] = [
  // With the 1.2 MB of the studio's first view, which the build makes so that it moves before the library is loaded.
  ['package, packed', packed.size, 4.4 * MB],
  ['package, installed', packed.unpackedSize, 14 * MB],
  ['command line, all its files after gzip', commandLine(), 0.65 * MB],
  ['site, home page before it is touched', homePage(), 1.5 * MB],
  ['README, its moving picture', statSync(join(ROOT, 'docs/images/hero.webp')).size, 2 * MB],
];

for (const [what, bytes, most] of BUDGETS) {
  console.log(`${(bytes / 1000).toFixed(0).padStart(6)} of ${(most / 1000).toFixed(0).padStart(6)} kB  ${what}`);
}
const above = BUDGETS.filter(([, bytes, most]) => bytes > most);
if (above.length > 0) {
  console.error(
    `Above the budget: ${above.map(([what]) => what).join('; ')}. Make it smaller, or raise the budget and say why.`,
  );
  process.exit(1);
}
