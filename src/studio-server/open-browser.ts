import { spawn } from 'node:child_process';

/** The program of each system that opens an address with the default browser. */
function openerOf(platform: NodeJS.Platform, url: string): readonly [program: string, ...args: string[]] {
  if (platform === 'darwin') return ['open', url];
  // The first quoted argument of start is the title of a window.
  if (platform === 'win32') return ['cmd', '/c', 'start', '""', url];
  return ['xdg-open', url];
}

/** Opens an address in the default browser, without waiting for it. Nothing happens on systems without a browser. */
export function openBrowser(url: string, platform: NodeJS.Platform = process.platform): void {
  const [program, ...args] = openerOf(platform, url);
  const child = spawn(program, args, { detached: true, stdio: 'ignore', windowsVerbatimArguments: true });
  child.on('error', () => {});
  child.unref();
}
