import { expect, it } from 'vitest';
import { emptyListOp } from '../../../../src/formats/usd/layer/list-op.ts';
import { composeListOps } from '../../../../src/formats/usd/stage/compose-list-ops.ts';
import { type Composer, composeListOpsCounted } from '../../../../src/formats/usd/stage/composer.ts';
import { createBudget } from '../../../../src/formats/usd/stage/composition-budget.ts';
import { createLayerSource } from '../../../../src/formats/usd/stage/layer-stack.ts';

const own = (name: string): string => name;
const edits = ['a', 'b', 'c'].map((name) => ({ ...emptyListOp<string>('token'), prepended: [name] }));

it('composeListOpsCounted: equals composeListOps and spends steps per edit and item', () => {
  const source = createLayerSource(() => null, createBudget(1));
  const composer: Composer = { source, variantFallback: 'none', uniqueLists: new Set() };
  expect(composeListOpsCounted(composer, edits, own)).toEqual(composeListOps(edits, own));
  expect(source.budget.spent).toBe(2 * (1 + 2 + 3));
  expect(composeListOpsCounted(composer, [], own)).toEqual([]);
});

it('composeListOpsCounted: throws for long lists with many edits', () => {
  const source = createLayerSource(() => null, createBudget(100));
  const composer: Composer = { source, variantFallback: 'none', uniqueLists: new Set() };
  const many = Array.from({ length: 1000 }, (_, k) => ({ ...edits[0], prepended: [`n${k}`] }));
  expect(() => composeListOpsCounted(composer, many, own)).toThrow(expect.objectContaining({ code: 'USD_LIMIT' }));
});
