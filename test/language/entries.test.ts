/** The entries of the package: how much they export, that it has a task, and that a type name is one type. */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { apiPage } from '../../scripts/api-page.ts';
import { FROZEN, type FrozenApi, goneNames, stableNames } from '../../scripts/freeze-api.ts';
import { readPackageEntries } from '../../scripts/package-entries.ts';

const root = resolve(fileURLToPath(new URL('../..', import.meta.url)));
/** Most names in all entries together: 300, and those of NPZ, MMD and joint positions, which came later. */
const MOST_NAMES = 315;

const read = readPackageEntries();
const { entries } = read;
describe('entries of the package', () => {
  it('each export something and say what they are for', () => {
    const empty = entries.filter(({ exports, about }) => exports.length === 0 || about === '');
    expect(empty.map(({ name }) => name)).toEqual([]);
  });

  it(`export fewer than ${MOST_NAMES} names together`, () => {
    expect(new Set(entries.flatMap(({ exports }) => exports.map(({ name }) => name))).size).toBeLessThan(MOST_NAMES);
  });

  it('say for each name which task it is for', () => {
    const without = entries.flatMap(({ exports }) => exports.filter(({ group }) => group === ''));
    expect(without.map(({ name }) => name)).toEqual([]);
  });

  it('of what may still change say so: all of anyrig/experimental, live contacts, queues, newer formats', () => {
    const values = entries
      .flatMap(({ name, exports }) => exports.map((one) => ({ entry: name, ...one })))
      .filter((one) => !one.isType);
    const experimental = values.filter(({ isExperimental }) => isExperimental);
    const ofEntry = values.filter(({ entry }) => entry === 'anyrig/experimental');
    const others = ['createLiveContacts', 'createQueuePool', 'startQueueWorker', 'readMmd', 'readNpz'];
    expect(experimental.map(({ name }) => name).sort()).toEqual([...ofEntry.map(({ name }) => name), ...others].sort());
  });

  it('a type name that two entries export is the same type', () => {
    const types = new Map<string, ts.Symbol>();
    const clashes: string[] = [];
    for (const entry of entries) {
      for (const { name, symbol } of entry.exports.filter(({ isType }) => isType)) {
        const other = types.get(name) ?? symbol;
        if (other !== symbol) clashes.push(`${entry.name} ${name}`);
        types.set(name, other);
      }
    }
    expect(clashes).toEqual([]);
  });

  it('keep every name that was promised, and promise every name (npx tsx scripts/freeze-api.ts)', () => {
    const frozen = JSON.parse(readFileSync(FROZEN, 'utf8')) as FrozenApi;
    const now = stableNames(read);
    expect(goneNames(frozen, now)).toEqual([]);
    expect(goneNames(now, frozen)).toEqual([]);
  });

  it('docs/api.md is what the docstrings make it (npx tsx scripts/api-page.ts)', () => {
    expect(readFileSync(join(root, 'docs/api.md'), 'utf8')).toBe(apiPage(read));
  });
});
