import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { packageVersion } from '../../src/files/package-version.ts';

it('packageVersion: is that of package.json', () => {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  expect(packageVersion()).toBe(version);
});
