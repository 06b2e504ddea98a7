import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ListOp } from '../../../../src/formats/usd/layer/layer.ts';
import { applyListOp, emptyListOp, explicitListOp } from '../../../../src/formats/usd/layer/list-op.ts';
import { composeListOps, mapListOp } from '../../../../src/formats/usd/stage/compose-list-ops.ts';

const same = (item: string): string => item;
const items = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'e'));
const edits: fc.Arbitrary<ListOp<string>> = fc.oneof(
  fc
    .record({ prepended: items, appended: items, deleted: items, added: items, ordered: items })
    .map((lists) => ({ ...emptyListOp<string>('token'), ...lists })),
  items.map((list) => explicitListOp<string>('token', list)),
);

describe('composeListOps', () => {
  it('equals applying every edit, weakest first', () => {
    fc.assert(
      fc.property(fc.array(edits, { minLength: 1, maxLength: 5 }), (list) => {
        let slow: readonly string[] = [];
        for (const edit of [...list].reverse()) slow = applyListOp(edit, slow, same);
        expect(composeListOps(list, same)).toEqual(slow);
      }),
      { seed: 91 },
    );
  });

  it('has no duplicates and starts with the items prepended by the strongest edit', () => {
    fc.assert(
      fc.property(fc.array(edits, { minLength: 1, maxLength: 5 }), items, (list, first) => {
        const strongest = { ...emptyListOp<string>('token'), prepended: first };
        const made = composeListOps([strongest, ...list], same) ?? [];
        expect(new Set(made).size).toBe(made.length);
        expect(made.slice(0, first.length)).toEqual(first);
      }),
      { seed: 92 },
    );
  });

  it('distinguishes no opinion from an empty list', () => {
    expect(composeListOps([], same)).toBeNull();
    expect(composeListOps([explicitListOp<string>('token', [])], same)).toEqual([]);
  });
});

describe('mapListOp', () => {
  it('converts every list and drops items without a counterpart', () => {
    const op = { ...emptyListOp<string>('path'), prepended: ['a', 'x'], deleted: ['b'] };
    const mapped = mapListOp(op, (item) => (item === 'x' ? null : item.toUpperCase()));
    expect(mapped).toEqual({ ...emptyListOp<string>('path'), prepended: ['A'], deleted: ['B'] });
    expect(mapListOp(explicitListOp<string>('path', ['x']), () => null).explicit).toEqual([]);
  });
});
