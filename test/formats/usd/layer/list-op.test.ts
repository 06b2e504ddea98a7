import { describe, expect, it } from 'vitest';
import type { ListOp } from '../../../../src/formats/usd/layer/layer.ts';
import { applyListOp, emptyListOp, explicitListOp } from '../../../../src/formats/usd/layer/list-op.ts';

function apply(op: Partial<ListOp<string>>, weaker: string): string {
  return applyListOp({ ...emptyListOp<string>('token'), ...op }, [...weaker], (item) => item).join('');
}

describe('list ops', () => {
  it.each<[Partial<ListOp<string>>, string, string]>([
    [{}, 'abc', 'abc'],
    [{ explicit: ['x', 'y', 'x'] }, 'abc', 'xy'],
    [{ explicit: [] }, 'abc', ''],
    [{ deleted: ['b', 'z'] }, 'abc', 'ac'],
    [{ added: ['b', 'd'] }, 'abc', 'abcd'],
    [{ prepended: ['c', 'd'] }, 'abc', 'cdab'],
    [{ appended: ['a', 'd'] }, 'abc', 'bcad'],
    [{ deleted: ['a'], appended: ['a'] }, 'abc', 'bca'],
    [{ ordered: ['c', 'a'] }, 'abcd', 'cdab'],
    [{ ordered: ['c', 'z'] }, 'abcd', 'abcd'],
  ])('applyListOp: equals OpenUSD: %j on %s is %s', (op, weaker, result) => expect(apply(op, weaker)).toBe(result));

  it('explicitListOp: has no other lists', () => {
    expect(explicitListOp('token', ['a'])).toEqual({ ...emptyListOp('token'), explicit: ['a'] });
  });
});
