import { isCharacter, isMotion, type Studio } from './studio.ts';

/** Type of data of a card that is dragged: `motion ID` or `character ID`. */
export const DRAGGED = 'application/x-anyrig-file';

/** Puts a card that was dropped on stage: a motion plays, a character joins the others. */
export function takeCard(studio: Studio, data: string): void {
  const [kind, id] = data.split(' ');
  const file = studio.files.peek().find(({ input }) => input.id === id);
  // Other pages of the studio have files of their own, and they may have been removed meanwhile.
  if (file === undefined) return;
  if (kind === 'motion' && isMotion(file)) studio.chooseMotion(id, 0);
  const isOnStage = studio.history.state.peek().characters.includes(id);
  if (kind === 'character' && isCharacter(file) && !isOnStage) studio.chooseCharacter(id, true);
}
