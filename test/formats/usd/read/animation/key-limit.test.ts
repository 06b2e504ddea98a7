import { expect, it } from 'vitest';
import { createKeyLimit, takeKeys } from '../../../../../src/formats/usd/read/animation/key-limit.ts';

it('takeKeys: throws USD_LIMIT when no keys are left', () => {
  const keyLimit = createKeyLimit();
  takeKeys(keyLimit, 1_000_000, '/A');
  expect(() => takeKeys(keyLimit, 100_000_000, '/A')).toThrow(expect.objectContaining({ code: 'USD_LIMIT' }));
});
