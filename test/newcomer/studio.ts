/** Starts the studio of an installed package, and opens it in Chromium. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { CHROMIUM, launchChromium } from '../external/browser/chromium.ts';

/** What `anyrig studio --json` prints. */
interface Served {
  readonly url: string;
  readonly files: readonly { readonly name: string; readonly url: string }[];
}

/** Opens the page and returns its errors, once it lists the files. */
async function openPage({ url, files }: Served): Promise<string[]> {
  const browser = await launchChromium();
  try {
    const page = await browser.newPage();
    const errors: string[] = [];
    page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
    page.on('pageerror', ({ message }) => errors.push(message));
    await page.goto(url);
    for (const { name } of files) await page.getByText(name).first().waitFor();
    return errors;
  } finally {
    await browser.close();
  }
}

/**
 * Runs `npx anyrig studio` in a project: the page and the files answer, and the page opens without errors where Chromium is installed.
 *
 * @param folder The project, with the files.
 * @param names Names of the files.
 * @returns The result as text.
 * @throws Error when the page or a file does not answer, or the page reports errors.
 */
export async function tryStudio(folder: string, ...names: readonly string[]): Promise<string> {
  // A process group of its own: npx starts Node.js in another process.
  const args = ['anyrig', 'studio', ...names, '--no-open', '--port', '0', '--json'];
  const child = spawn('npx', args, { cwd: folder, detached: true, stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'close');
  try {
    const [line] = (await Promise.race([once(createInterface({ input: child.stdout }), 'line'), ended])) as unknown[];
    if (typeof line !== 'string') throw new Error(`anyrig studio ended with ${line} before it printed its address`);
    const served = JSON.parse(line) as Served;
    for (const { name, url } of served.files) {
      const bytes = Buffer.from(await (await fetch(new URL(url, served.url))).arrayBuffer());
      if (!bytes.equals(readFileSync(join(folder, name)))) throw new Error(`${url} is not the file ${name}`);
    }
    const page = await (await fetch(served.url)).text();
    if (!page.includes(JSON.stringify(served.files))) throw new Error(`The page does not list its files:\n${page}`);
    if (CHROMIUM === null) return 'the page and the files answer; Chromium is not installed';
    const errors = await openPage(served);
    if (errors.length > 0) throw new Error(`The page reports errors:\n${errors.join('\n')}`);
    return 'the page opens in Chromium without errors';
  } finally {
    process.kill(-(child.pid as number), 'SIGINT');
    await ended;
  }
}
