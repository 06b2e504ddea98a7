/** Starts the page. */
import { render } from 'preact';
import { addDemo } from './app/demo.ts';
import { givenFiles } from './app/given-files.ts';
import { keepOffline } from './app/offline.ts';
import { createPlayer } from './app/player.ts';
import { keepSession, restoreSession } from './app/session.ts';
import { createStudio } from './app/studio.ts';
import { applyTheme } from './app/theme.ts';
import { App } from './panels/app.tsx';

const page = { studio: createStudio(), player: createPlayer() };
applyTheme();
keepOffline();
render(<App page={page} />, document.querySelector('#app') as Element);

const given = await givenFiles();
if (given.length > 0) await page.studio.add(given, { isBuiltIn: false, isShown: true });
const isRestored = given.length > 0 || (await restoreSession(page.studio));
keepSession(page.studio);
await addDemo(page.studio, !isRestored);
