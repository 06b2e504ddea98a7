/** Gives panels the state of the page. */
import type { ReadonlySignal } from '@preact/signals';
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Player } from '../app/player.ts';
import type { Studio } from '../app/studio.ts';
import type { Thumbnails } from '../app/thumbnails.ts';

export interface Page {
  readonly studio: Studio;
  /** Time and playback of the stage. */
  readonly player: Player;
  /** Bytes of the file that Export writes; null while they are not known. */
  readonly fileSize: ReadonlySignal<number | null>;
  readonly thumbnails: Thumbnails;
}

export const PageContext = createContext<Page | null>(null);

export function usePage(): Page {
  const page = useContext(PageContext);
  if (page === null) throw new Error('A panel is outside the page; wrap it in PageContext.Provider.');
  return page;
}
