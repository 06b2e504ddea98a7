/** Keeps files and decisions on this machine, so that a reload goes on where it stopped. */
import { effect } from '@preact/signals';
import { get, set } from 'idb-keyval';
import type { InputFile } from './engine-client.ts';
import type { Project } from './project.ts';
import type { Studio } from './studio.ts';
import { type View, view } from './view.ts';

interface Session {
  readonly files: readonly InputFile[];
  readonly project: Project;
}

const KEY = 'session';
/** Milliseconds without a change before a session is stored. */
const DELAY = 400;

/** Runs work a moment after the last call. */
function debounce(work: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(work, DELAY);
  };
}

export function restoreView(): void {
  try {
    const kept = JSON.parse(localStorage.getItem('view') ?? '{}') as Partial<View>;
    view.value = { ...view.peek(), ...kept, show: { ...view.peek().show, ...kept.show } };
  } catch {
    // Browsers can refuse to store anything: the page has the settings of a first visit.
  }
}

/** Stores the view settings whenever they change. */
export function keepView(): void {
  effect(() => {
    const settings = JSON.stringify(view.value);
    try {
      localStorage.setItem('view', settings);
    } catch {
      // Browsers can refuse to store anything: the settings last until the page is closed.
    }
  });
}

export async function restoreSession(studio: Studio): Promise<boolean> {
  const session = await get<Session>(KEY).catch(() => undefined);
  if (session === undefined || session.files.length === 0) return false;
  studio.history.reset(session.project);
  await studio.add(session.files, { isShown: false });
  return true;
}

export function keepSession(studio: Studio): void {
  const store = debounce(() => {
    const files = studio.files.peek().flatMap(({ input, isBuiltIn }) => (isBuiltIn ? [] : [input]));
    // A machine that stores nothing loses the session, and nothing else.
    void set(KEY, { files, project: studio.history.state.peek() } satisfies Session).catch(() => undefined);
  });
  effect(() => {
    void studio.files.value;
    void studio.history.state.value;
    store();
  });
}
