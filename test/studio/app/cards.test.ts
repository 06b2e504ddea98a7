import { expect, it } from 'vitest';
import { takeCard } from '../../../studio/src/app/cards.ts';
import type { Studio } from '../../../studio/src/app/studio.ts';

/** Returns what a dropped card puts on the stage of a page with a motion and two characters, of which one is there. */
function taken(data: string): unknown[] {
  const chosen: unknown[] = [];
  const file = (id: string, role: string) => ({ input: { id }, summary: { role } });
  takeCard(
    {
      files: { peek: () => [file('walk', 'motion'), file('hero', 'character'), file('there', 'character')] },
      history: { state: { peek: () => ({ characters: ['there'] }) } },
      chooseMotion: (...motion: unknown[]) => chosen.push(motion),
      chooseCharacter: (...character: unknown[]) => chosen.push(character),
    } as unknown as Studio,
    data,
  );
  return chosen;
}

it('a card puts its motion or character on stage', () => {
  expect(taken('motion walk')).toEqual([['walk', 0]]);
  expect(taken('character hero')).toEqual([['hero', true]]);
});

it.each(['motion gone', 'character gone', 'motion hero', 'character walk', 'character there', '', 'else walk'])(
  'the card "%s" changes nothing',
  (data) => {
    expect(taken(data)).toEqual([]);
  },
);
