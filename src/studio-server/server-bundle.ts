/** What the command line loads on demand: the build bundles it apart. */
export { openBrowser } from './open-browser.ts';
export { startServer } from './start-server.ts';
