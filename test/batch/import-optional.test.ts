import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { importOptional } from '../../src/batch/import-optional.ts';
import { inProject } from '../support/documents.ts';

const missing = async (): Promise<never> => {
  const name = 'a-package-that-is-not-installed';
  return (await import(name)) as never;
};

it('importOptional: names the package to install, and what needs it', async () => {
  await expect(importOptional('queue', 'bullmq ioredis', missing)).rejects.toMatchObject({
    name: 'OptionError',
    option: 'queue',
    message: 'A queue needs packages that are not installed; run "npm install bullmq ioredis"',
  });
  await expect(importOptional('storage', '@aws-sdk/client-s3', missing)).rejects.toThrow(/^Object storage needs/);
});

it('importOptional: passes on errors of a package that is installed', async () => {
  const broken = new SyntaxError('broken');
  await expect(importOptional('queue', 'bullmq', () => Promise.reject(broken))).rejects.toBe(broken);
});

it('optional packages are imported only when they are asked for: no module of a batch imports one statically', () => {
  const folder = inProject('src/batch');
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
  const statics = names.flatMap((name) => {
    const source = readFileSync(join(folder, name), 'utf8');
    const lines = source.match(
      /^(?:import|export) (?!type )[^;]*? from '(?:bullmq|ioredis|prom-client|@aws-sdk[^']*)'/gm,
    );
    return lines ?? [];
  });
  expect(names.length).toBeGreaterThan(40);
  expect(statics).toEqual([]);
});
