import { expect, it } from 'vitest';
import { nameFault } from '../../../../src/formats/usd/package/zip-records.ts';

it.each(['a.usda', 'a/b.png', 'ä/..b', 'a./b', '...'])('nameFault: accepts the file name %j', (name) => {
  expect(nameFault(name)).toBeNull();
});

it.each(['', '/a', 'c:/a', 'a\\b', 'a/../b', '..', 'a\n'])('nameFault: rejects the file name %j', (name) =>
  expect(nameFault(name)).toMatch(/^it /),
);
