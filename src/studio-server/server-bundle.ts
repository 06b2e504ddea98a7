/** The parts of the server that the command line imports on first use. */
export { openBrowser } from './open-browser.ts';
export { startServer } from './start-server.ts';
