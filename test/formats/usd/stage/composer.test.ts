import { expect, it } from 'vitest';
import { emptyListOp } from '../../../../src/formats/usd/layer/list-op.ts';
import { type Composer, composeCounted } from '../../../../src/formats/usd/stage/composer.ts';
import { makeLayerSource } from '../../../../src/formats/usd/stage/layer-stack.ts';
import { composeLists } from '../../../../src/formats/usd/stage/list-opinions.ts';
import { workFor } from '../../../../src/formats/usd/stage/work.ts';

const own = (name: string): string => name;
const edits = ['a', 'b', 'c'].map((name) => ({ ...emptyListOp<string>('token'), prepended: [name] }));

it('lists are composed as anywhere, and counted as often as edits go over them', () => {
  const source = makeLayerSource(() => null, workFor(1));
  const composer: Composer = { source, variantFallback: 'none', uniqueLists: new Set() };
  expect(composeCounted(composer, edits, own)).toEqual(composeLists(edits, own));
  expect(source.work.spent).toBe(2 * (1 + 2 + 3));
  expect(composeCounted(composer, [], own)).toEqual([]);
});

it('lists that many edits go over are refused', () => {
  const source = makeLayerSource(() => null, workFor(100));
  const composer: Composer = { source, variantFallback: 'none', uniqueLists: new Set() };
  const many = Array.from({ length: 1000 }, (_, k) => ({ ...edits[0], prepended: [`n${k}`] }));
  expect(() => composeCounted(composer, many, own)).toThrow(expect.objectContaining({ code: 'USD_LIMIT' }));
});
