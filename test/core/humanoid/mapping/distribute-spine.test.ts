import { describe, expect, it } from 'vitest';
import { distributeSpine } from '../../../../src/core/humanoid/mapping/distribute-spine.ts';

describe('distributeSpine', () => {
  it('assigns a spine of any length to spine, chest and upperChest', () => {
    expect(distributeSpine([])).toEqual([-1, -1, -1]);
    expect(distributeSpine([4])).toEqual([4, -1, -1]);
    expect(distributeSpine([4, 5])).toEqual([4, 5, -1]);
    expect(distributeSpine([4, 5, 6])).toEqual([4, 5, 6]);
    expect(distributeSpine([4, 5, 6, 7])).toEqual([4, 5, 7]);
    expect(distributeSpine([4, 5, 6, 7, 8])).toEqual([4, 6, 8]);
    expect(distributeSpine([1, 2, 3, 4, 5, 6, 7])).toEqual([1, 4, 7]);
  });
});
