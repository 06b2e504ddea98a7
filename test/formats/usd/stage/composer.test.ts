import { expect, it } from 'vitest';
import { emptyListOp } from '../../../../src/formats/usd/layer/list-op.ts';
import { type Composer, composeListOpsCounted } from '../../../../src/formats/usd/stage/composer.ts';
import { createLayerSource } from '../../../../src/formats/usd/stage/layer-stack.ts';
import { composeListOps } from '../../../../src/formats/usd/stage/compose-list-ops.ts';
import { createBudget } from '../../../../src/formats/usd/stage/composition-budget.ts';

const own = (name: string): string => name;
const edits = ['a', 'b', 'c'].map((name) => ({ ...emptyListOp<string>('token'), prepended: [name] }));

it('lists are composed as anywhere, and counted as often as edits go over them', () => {
  const source = createLayerSource(() => null, createBudget(1));
  const composer: Composer = { source, variantFallback: 'none', uniqueLists: new Set() };
  expect(composeListOpsCounted(composer, edits, own)).toEqual(composeListOps(edits, own));
  expect(source.budget.spent).toBe(2 * (1 + 2 + 3));
  expect(composeListOpsCounted(composer, [], own)).toEqual([]);
});

it('lists that many edits go over are refused', () => {
  const source = createLayerSource(() => null, createBudget(100));
  const composer: Composer = { source, variantFallback: 'none', uniqueLists: new Set() };
  const many = Array.from({ length: 1000 }, (_, k) => ({ ...edits[0], prepended: [`n${k}`] }));
  expect(() => composeListOpsCounted(composer, many, own)).toThrow(expect.objectContaining({ code: 'USD_LIMIT' }));
});
