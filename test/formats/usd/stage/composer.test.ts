import { expect, it } from 'vitest';
import { type Composer, countSites } from '../../../../src/formats/usd/stage/composer.ts';
import { makeLayerSource } from '../../../../src/formats/usd/stage/layer-stack.ts';

it('counts the places that speak about a prim, up to a bound', () => {
  const composer: Composer = { source: makeLayerSource(() => null), variantFallback: 'none', sites: 0 };
  countSites(composer, 2000, '/A');
  expect(composer.sites).toBe(2000);
  expect(() => countSites(composer, 2000, '/A')).toThrow(expect.objectContaining({ code: 'USD_LIMIT' }));
});
