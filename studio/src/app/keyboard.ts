/** Keys that work everywhere on the page, except in text fields and while a dialog is open. */
import { FRAME, type Player } from './player.ts';
import type { Studio } from './studio.ts';
import { motionTime, setTrim } from './trim.ts';
import { changeView, lookFrom, type Tab, type View, view } from './view.ts';

const VIEWS: Readonly<Record<string, View['camera']>> = { f: 'front', s: 'side', t: 'top', o: 'orbit' };
const TABS: readonly Tab[] = ['motion', 'map', 'pose', 'export'];

/** Whether a key belongs to the element that has the focus. */
function isTaken({ target, key }: KeyboardEvent): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.matches('input[type="text"], input[type="search"], input[type="number"], input[type="url"], textarea'))
    return true;
  // What has no other key. Buttons, and fields that open files, have Enter, and the camera has Shift with arrows.
  if (key.startsWith('Arrow')) return target.matches('input[type="range"], select, [role="tab"], [role="radio"]');
  return key === ' ' && target.matches('input:not([type="file"]), select');
}

/** Starts the motion at the frame that is shown, which is then the first one. */
function startHere(studio: Studio, player: Player): void {
  setTrim(studio, { from: motionTime(studio, player.time.peek()) });
  player.seek(0);
}

export function listenToKeys(studio: Studio, player: Player, showHelp: () => void): () => void {
  const onKey = (event: KeyboardEvent): void => {
    if (isTaken(event) || event.defaultPrevented || document.querySelector('dialog[open]') !== null) return;
    const { key } = event;
    const lower = key.toLowerCase();
    if (event.ctrlKey || event.metaKey) {
      if (lower === 'z' && event.shiftKey) studio.history.redo();
      else if (lower === 'z') studio.history.undo();
      else if (lower === 'y') studio.history.redo();
      else return;
    } else if (event.altKey) return;
    else if (key === ' ') player.toggle();
    else if (event.shiftKey && key.startsWith('Arrow')) return;
    else if (key === 'ArrowLeft') player.seek(player.time.peek() - FRAME);
    else if (key === 'ArrowRight') player.seek(player.time.peek() + FRAME);
    else if (key === '?') showHelp();
    else if (key === '[') startHere(studio, player);
    else if (key === ']') setTrim(studio, { to: motionTime(studio, player.time.peek()) });
    else if (lower === 'c') changeView({ follow: !view.peek().follow });
    else if (VIEWS[lower] !== undefined) lookFrom(player.stage.peek(), VIEWS[lower]);
    else if (TABS[Number(key) - 1] !== undefined) changeView({ tab: TABS[Number(key) - 1] });
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  // Before the stage, whose arrows rotate the camera.
  addEventListener('keydown', onKey, true);
  return () => removeEventListener('keydown', onKey, true);
}
