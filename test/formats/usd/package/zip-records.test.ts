import { expect, it } from 'vitest';
import { nameFault } from '../../../../src/formats/usd/package/zip-records.ts';

it.each(['a.usda', 'a/b.png', 'ä/..b', 'a./b', '...'])('%j may be the name of a file in a package', (name) => {
  expect(nameFault(name)).toBeNull();
});

it.each(['', '/a', 'c:/a', 'a\\b', 'a/../b', '..', 'a\n'])('%j may not', (name) =>
  expect(nameFault(name)).toMatch(/^it /),
);
