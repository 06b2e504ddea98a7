/** Licences and notices of packages (W12). */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ALLOWED, BUNDLED, lockedPackages, thirdPartyPage } from '../scripts/third-party-page.ts';

const ROOT = new URL('../', import.meta.url);
const text = (path: string): string => readFileSync(new URL(path, ROOT), 'utf8');
const packageJson = JSON.parse(text('package.json'));

/** Names of the packages that sources import. */
function importsOf(folder: string): Set<string> {
  const sources = readdirSync(new URL(folder, ROOT), { recursive: true, encoding: 'utf8' }).filter((path) =>
    /\.tsx?$/.test(path),
  );
  const found = new Set<string>();
  for (const path of sources) {
    for (const [, type, name] of text(`${folder}/${path}`).matchAll(
      /^import (type )?[^'"]*?['"]((?:@[\w-]+\/)?[\w-]+)[^'"]*['"]/gm,
    )) {
      if (type === undefined) found.add(name);
    }
  }
  return found;
}

describe('THIRD-PARTY.md', () => {
  it('W12: is up to date with the lock file and the packages (regenerate with npx tsx scripts/third-party-page.ts)', () => {
    expect(text('THIRD-PARTY.md')).toBe(thirdPartyPage());
  });

  it('W12: has the notices of all that the studio and the command line bundle', () => {
    const external = new Set([
      'anyrig',
      'node',
      ...Object.keys(packageJson.peerDependencies),
      'piscina',
      '@resvg/resvg-js',
      'gltf-validator',
    ]);
    external.delete('three');
    const bundled = [
      ...importsOf('studio/src'),
      ...importsOf('src/cli'),
      ...importsOf('src/formats'),
      ...importsOf('src/batch'),
      ...importsOf('src/stage'),
    ];
    expect(bundled.filter((name) => !external.has(name) && !Object.hasOwn(BUNDLED, name))).toEqual([]);
    expect(bundled).toContain('three');
    for (const name of Object.keys(BUNDLED)) expect(text('THIRD-PARTY.md')).toContain(`## Notice of ${name}\n`);
  });

  it('W12: is in the package, with SECURITY.md and the licence', () => {
    expect(packageJson.files).toEqual(expect.arrayContaining(['THIRD-PARTY.md', 'SECURITY.md', 'LICENSE']));
  });
});

describe('package-lock.json', () => {
  it('W12: all packages have an allowed licence, and those that are installed or bundled a hash', () => {
    const allowed = (isDevelopment: boolean): readonly string[] => [
      ...ALLOWED.installed,
      ...(isDevelopment ? ALLOWED.development : []),
    ];
    const wrong = lockedPackages().filter((one) => {
      const isShipped = !one.isDevelopment || Object.hasOwn(BUNDLED, one.name);
      return !allowed(!isShipped).includes(one.license) || (isShipped && !one.hasIntegrity);
    });
    expect(wrong).toEqual([]);
  });

  it('W12: no installed package runs a script, and own dependencies have exact versions', () => {
    const { packages } = JSON.parse(text('package-lock.json')) as {
      packages: Record<string, { hasInstallScript?: true; dev?: true }>;
    };
    const scripted = Object.entries(packages).filter(
      ([, { hasInstallScript, dev }]) => hasInstallScript === true && dev !== true,
    );
    expect(scripted.map(([path]) => path)).toEqual([]);
    const own = { ...packageJson.dependencies, ...packageJson.optionalDependencies, ...packageJson.devDependencies };
    expect(Object.values<string>(own).filter((version) => !/^\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(version))).toEqual([]);
  });
});
