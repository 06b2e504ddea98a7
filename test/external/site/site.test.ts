/** The built site (`npm run site`): its links, its texts for agents, and its pages in Chromium. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, posix } from 'node:path';
import axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addressOf, HOME, SECTIONS } from '../../../site/pages.ts';
import { inProject } from '../../support/documents.ts';
import { walkFbx } from '../../support/make/demo-fbx.ts';
import { demoBytes } from '../../support/make/demo-files.ts';
import { bundle, CHROMIUM, launchChromium, VIEWPORT } from '../browser/chromium.ts';

const SITE = inProject('site/dist');
const PATIENCE = 60_000;
/** Bytes that the home page may load before anyone touches it. */
const HOME_BYTES = 1_500_000;
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.webp': 'image/webp',
  '.wasm': 'application/wasm',
  '.woff2': 'font/woff2',
};

if (!existsSync(join(SITE, 'llms.txt')))
  throw new Error('site/dist is missing or incomplete. Build it first: npm run site');

const pages = [HOME, ...SECTIONS.flatMap(({ pages: all }) => all)].map(addressOf);
const htmlOf = (address: string): string => readFileSync(join(SITE, address, 'index.html'), 'utf8');
const read = (path: string): string => readFileSync(join(SITE, path), 'utf8');

/** Lists the values of an attribute in a page. */
function valuesOf(html: string, pattern: RegExp): string[] {
  return [...html.matchAll(pattern)].map((found) => (found[1] ?? found[2]).replaceAll('&amp;', '&'));
}

/** Returns the file that an address leads to, relative to the site. */
function fileOf(address: string, page: string): string {
  const path = decodeURI(posix.resolve(`/${page}`, address)).slice(1);
  return address.endsWith('/') || path === '' ? join(path, 'index.html') : path;
}

describe('the built site', () => {
  it('has a page for every document and every entry of the package', () => {
    expect(pages.length).toBeGreaterThan(70);
    expect(pages.filter((address) => !existsSync(join(SITE, address, 'index.html')))).toEqual([]);
  });

  it('has no link, picture or anchor that leads nowhere', () => {
    const ids = new Map(
      pages.map((address) => [`${address}index.html`, new Set(valuesOf(htmlOf(address), / id="([^"]*)"/g))]),
    );
    const broken: string[] = [];
    let count = 0;
    for (const page of pages) {
      for (const link of valuesOf(htmlOf(page), / (?:href|src)="([^"]*)"/g)) {
        if (/^(?:[a-z]+:|\/\/)/.test(link)) continue;
        count++;
        const [address, anchor] = link.split('#');
        const file = address === '' ? `${page}index.html` : fileOf(address, page);
        const isThere = existsSync(join(SITE, file)) && statSync(join(SITE, file)).isFile();
        const known = ids.get(file);
        const isMissing = anchor !== undefined && anchor !== '' && known !== undefined && !known.has(decodeURI(anchor));
        if (!isThere || isMissing) broken.push(`/${page} → ${link}`);
      }
    }
    expect(count).toBeGreaterThan(1000);
    expect([...new Set(broken)]).toEqual([]);
  });

  it('loads nothing from other hosts', () => {
    const loaded = pages.flatMap((page) =>
      valuesOf(
        htmlOf(page),
        /<(?:script|img|source|iframe|video)[^>]* src(?:set)?="([^"]*)"|<link[^>]* rel="(?:stylesheet|preload|modulepreload|icon)"[^>]* href="([^"]*)"/g,
      ),
    );
    expect(loaded.length).toBeGreaterThan(100);
    expect(loaded.filter((url) => /^(?:https?:)?\/\//.test(url))).toEqual([]);
    const styles = readdirSync(join(SITE, 'assets')).filter((name) => name.endsWith('.css'));
    expect(styles.length).toBeGreaterThan(0);
    expect(styles.filter((name) => /url\(["']?https?:/.test(read(`assets/${name}`)))).toEqual([]);
  });

  it('llms.txt lists every page, and llms-full.txt has their text', () => {
    const list = read('llms.txt');
    const listed = pages.filter((address) => address !== '');
    expect(listed.filter((address) => !list.includes(`(/${address}index.md)`))).toEqual([]);
    expect(listed.filter((address) => !existsSync(join(SITE, address, 'index.md')))).toEqual([]);
    const full = read('llms-full.txt');
    expect(
      SECTIONS.flatMap(({ pages: all }) => all).filter((path) => {
        const heading = /^# .*$/m.exec(readFileSync(inProject(path), 'utf8'))?.[0] ?? '';
        return !full.includes(heading);
      }),
    ).toEqual([]);
  });

  it('has the studio with its service worker, and the notices of what it is made of', () => {
    expect(read('studio/index.html')).toContain('anyrig');
    expect(existsSync(join(SITE, 'studio/sw.js'))).toBe(true);
    for (const name of ['vue', 'vitepress', 'three', 'comlink']) expect(read('third-party.txt')).toContain(name);
  });

  it('imports no file that a worker starts with: WebKit runs it once more then, with other variables', () => {
    for (const folder of ['assets', 'studio/assets']) {
      const names = readdirSync(join(SITE, folder)).filter((name) => name.endsWith('.js'));
      const worker = names.filter((name) => name.startsWith('worker-'));
      expect(worker, folder).toHaveLength(1);
      const importers = names.filter((name) => read(`${folder}/${name}`).includes(`./${worker[0]}`));
      expect(importers, folder).toEqual([]);
    }
  });
});

describe.skipIf(CHROMIUM === null)('the site in Chromium', () => {
  let server: Server;
  let browser: Browser;
  let url: string;
  let library: string;

  beforeAll(async () => {
    library = await bundle(inProject('test/external/site/library-page.ts'));
    server = createServer((request, response) => {
      const path = decodeURIComponent(new URL(request.url ?? '/', 'http://localhost').pathname);
      const send = (type: string, content: string | Uint8Array) =>
        response.writeHead(200, { 'content-type': type }).end(content);
      if (path === '/library.html')
        return send('text/html', '<!doctype html><script type="module" src="library.js"></script>');
      if (path === '/library.js') return send('text/javascript', library);
      const file = join(SITE, path.endsWith('/') ? `${path}index.html` : path);
      if (!existsSync(file)) return response.writeHead(404).end();
      return send(TYPES[extname(file)] ?? 'application/octet-stream', readFileSync(file));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    browser = await launchChromium();
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    server?.close();
  });

  /**
   * Opens a page, and collects what it complains about and what it asks other hosts for. Stages do not play by themselves: frames of results that nobody looks at
   * take most of the processor.
   */
  async function open(
    address: string,
    options: object = {},
  ): Promise<{ page: Page; complaints: string[]; bytes: () => Promise<number> }> {
    const page = await (
      await browser.newContext({ locale: 'en-US', viewport: VIEWPORT, reducedMotion: 'reduce', ...options })
    ).newPage();
    page.setDefaultTimeout(PATIENCE);
    const complaints: string[] = [];
    const bodies: Promise<Buffer>[] = [];
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
    page.on('pageerror', ({ message }) => complaints.push(message));
    page.on('request', (request) => {
      if (!request.url().startsWith(url) && !/^(?:blob|data):/.test(request.url())) complaints.push(request.url());
    });
    page.on('response', (response) => {
      bodies.push(response.body().catch(() => Buffer.alloc(0)));
    });
    await page.goto(url + address, { waitUntil: 'networkidle' });
    const bytes = async (): Promise<number> => (await Promise.all(bodies)).reduce((sum, { length }) => sum + length, 0);
    return { page, complaints, bytes };
  }

  const SEEN = [
    '',
    'recipes/',
    'docs/three/',
    'docs/ja/studio/',
    'reference/anyrig/files/',
    'gallery/',
    'fbx-to-vrma/',
    'bvh-to-glb/',
    'retarget/',
    'inspect/',
  ];

  it.each(SEEN)(
    '/%s: axe finds nothing serious, light and dark, and nothing scrolls sideways on a phone',
    async (address) => {
      const { page, complaints } = await open(address, { viewport: { width: 390, height: 844 } });
      await page.evaluate(axe.source);
      // Colors on their way from one theme to the other would be measured.
      await page.addStyleTag({ content: '* { transition: none !important; }' });
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        await page.waitForFunction(
          (isDark) => document.documentElement.classList.contains('dark') === isDark,
          colorScheme === 'dark',
        );
        // Another theme changes only colors.
        const rules = colorScheme === 'light' ? '' : ", runOnly: ['color-contrast', 'link-in-text-block']";
        const found = (await page.evaluate(`axe.run({ resultTypes: ['violations']${rules} })`)) as {
          violations: { id: string; impact: string; nodes: { html: string }[] }[];
        };
        const serious = found.violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
        expect(serious.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)).toEqual([]);
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
      }
      expect(complaints).toEqual([]);
      await page.context().close();
    },
    180_000,
  );

  it('the home page loads at most 1.5 MB before it is touched, then plays a motion on five characters', async () => {
    const { page, complaints, bytes } = await open('', { reducedMotion: 'no-preference' });
    const loaded = await bytes();
    expect(loaded).toBeGreaterThan(100_000);
    expect(loaded).toBeLessThanOrEqual(HOME_BYTES);
    await page.getByRole('button', { name: 'Play built-in characters live' }).click();
    await page.waitForFunction('document.querySelector("anyrig-stage")?.figures.length === 5');
    await page.waitForFunction('document.querySelector("anyrig-stage").currentTime > 0');
    expect(complaints).toEqual([]);
    await page.context().close();
  }, 180_000);

  it('the search finds a page by its words', async () => {
    const { page, complaints } = await open('docs/three/');
    const box = page.getByRole('searchbox');
    // The page listens to keys once its program runs, which nothing on it shows.
    const press = async (): Promise<boolean> => {
      if (!(await box.isVisible())) await page.keyboard.press('/');
      return box.isVisible();
    };
    await expect.poll(press, { timeout: 60_000, interval: 500 }).toBe(true);
    await box.fill('twist joints');
    await page.locator('.VPLocalSearchBox .result').first().waitFor();
    expect(complaints).toEqual([]);
    await page.context().close();
  }, 120_000);

  it('every sample of a page can be copied as it stands there', async () => {
    const { page, complaints } = await open('docs/three/', { permissions: ['clipboard-read', 'clipboard-write'] });
    const blocks = page.locator('div[class*=language-]');
    const count = await blocks.count();
    expect(count).toBeGreaterThan(3);
    for (let k = 0; k < count; k++) {
      const block = blocks.nth(k);
      await block.hover();
      await block.locator('button.copy').click();
      const code = ((await block.locator('code').textContent()) ?? '').trim();
      await page.waitForFunction(
        (text) => navigator.clipboard.readText().then((copied) => copied.trim() === text),
        code,
      );
    }
    expect(complaints).toEqual([]);
    await page.context().close();
  }, 120_000);

  const JOBS = [
    ['fbx-to-vrma/', 'convert', [['walk.fbx', walkFbx()]], 'walk.vrma'],
    ['bvh-to-glb/', 'convert', [['turn.bvh', demoBytes('turn.bvh')]], 'turn.glb'],
    [
      'retarget/',
      'retarget',
      [
        ['turn.bvh', demoBytes('turn.bvh')],
        ['hero.glb', demoBytes('unreal.glb')],
      ],
      'hero-turn.glb',
    ],
    [
      'retarget/',
      'retarget',
      [
        ['walk.fbx', walkFbx()],
        ['avatar.vrm', demoBytes('child.vrm')],
      ],
      'avatar-walk.vrma',
    ],
  ] as const;

  it.each(JOBS)(
    '/%s gives the bytes of the library (%s, %#)',
    async (address, job, files, name) => {
      const { page, complaints } = await open(address);
      for (const [k, [file, bytes]] of files.entries()) {
        await page
          .locator('.drop-target input')
          .nth(k)
          .setInputFiles({ name: file, mimeType: '', buffer: Buffer.from(bytes) });
      }
      const waiting = page.waitForEvent('download');
      await page.getByRole('button', { name: `Download ${name}` }).click();
      const download = await waiting;
      expect(download.suggestedFilename()).toBe(name);
      const bytes = readFileSync(await download.path());
      await page.waitForFunction('document.querySelector("anyrig-stage")?.figures.length === 1');
      // A motion without a body has a built-in one.
      expect(await page.evaluate('document.querySelector("anyrig-stage").world.figures[0].isSkeleton')).toBe(false);
      expect(complaints).toEqual([]);

      // In the same browser: its Math functions differ from those of Node in the last bits.
      await page.goto(`${url}library.html`);
      await page.waitForFunction('globalThis.work !== undefined');
      const sent = files.map(([file, content]) => [file, Buffer.from(content).toString('base64')]);
      const expected = (await page.evaluate(`work(${JSON.stringify([job, sent, name])})`)) as string;
      expect(bytes.equals(Buffer.from(expected, 'base64'))).toBe(true);
      await page.context().close();
    },
    120_000,
  );

  it('/retarget/ takes a character and a motion in any order: a drop has them by name', async () => {
    const { page, complaints } = await open('retarget/');
    const files = [
      ['avatar.vrm', demoBytes('child.vrm')],
      ['walk.fbx', walkFbx()],
    ] as const;
    const sent = files.map(([name, bytes]) => ({ name, mimeType: '', buffer: Buffer.from(bytes) }));
    await page.locator('.drop-target input').first().setInputFiles(sent);
    await page.getByRole('button', { name: /^Download avatar-walk\.vrma / }).waitFor();
    expect(await page.locator('.drop-name').allTextContents()).toEqual(['walk.fbx', 'avatar.vrm']);
    expect(complaints).toEqual([]);
    await page.context().close();
  }, 120_000);

  it('/retarget/ puts what is dropped beside the targets where it belongs, and leaves files where they were put', async () => {
    const { page, complaints } = await open('retarget/');
    const drop = (...files: (readonly [string, Uint8Array])[]) =>
      page.evaluate(
        (all) => {
          const dataTransfer = new DataTransfer();
          for (const [name, text] of all)
            dataTransfer.items.add(new File([Uint8Array.from(atob(text), (one) => one.charCodeAt(0))], name));
          document.body.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
        },
        files.map(([name, bytes]) => [name, Buffer.from(bytes).toString('base64')] as const),
      );
    const given = (...names: string[]) =>
      page.waitForFunction(
        (wanted) => [...document.querySelectorAll('.drop-name')].map((one) => one.textContent).join() === wanted,
        names.join(),
      );
    const [turn, wave, hero, avatar] = (['turn.bvh', 'wave.bvh', 'hero.glb', 'avatar.vrm'] as const).map(
      (name, k) => [name, demoBytes(['turn.bvh', 'turn.bvh', 'unreal.glb', 'child.vrm'][k])] as const,
    );
    await drop(hero);
    await given('Drop a motion', 'hero.glb');
    await drop(turn);
    await given('turn.bvh', 'hero.glb');
    await drop(avatar);
    await given('turn.bvh', 'avatar.vrm');
    await drop(wave);
    await given('wave.bvh', 'avatar.vrm');
    await drop(hero, turn);
    await given('turn.bvh', 'hero.glb');
    await page.getByRole('button', { name: /^Download hero-turn\.glb / }).waitFor();
    expect(complaints).toEqual([]);

    // Targets that were chosen stay, also where that cannot work.
    await page.reload();
    for (const [k, [name, bytes]] of [hero, turn].entries()) {
      const file = { name, mimeType: '', buffer: Buffer.from(bytes) };
      await page.locator('.drop-target input').nth(k).setInputFiles(file);
    }
    await page.locator('.drop-error').waitFor();
    await given('hero.glb', 'turn.bvh');
    await page.context().close();
  }, 120_000);

  it('the tools work with their samples without a server, after the first visit of one of them', async () => {
    const { page } = await open('retarget/');
    await page.evaluate('navigator.serviceWorker.ready.then(() => null)');
    await page.context().setOffline(true);
    for (const address of ['retarget/', 'bvh-to-glb/', 'fbx-to-vrma/', 'inspect/']) {
      await page.goto(url + address);
      await page.getByRole('button', { name: 'Take a sample' }).click();
      await page.getByRole('button', { name: /^Download / }).waitFor();
      await page.waitForFunction('document.querySelector("anyrig-stage")?.figures.length === 1');
    }
    await page.context().close();
  }, 180_000);

  it('the page of the studio in Japanese says that it is', () => {
    expect(htmlOf('docs/ja/studio/')).toContain('<html lang="ja"');
    expect(htmlOf('docs/studio/')).toContain('<html lang="en-US"');
  });

  it('/inspect/ says what a rig is, and a file that cannot be read says why', async () => {
    const { page } = await open('inspect/');
    const input = page.locator('.drop-target input');
    await input.setInputFiles({ name: 'hero.glb', mimeType: '', buffer: Buffer.from(demoBytes('unreal.glb')) });
    await page.getByRole('row', { name: /^Bones \d+ of 55/ }).waitFor();
    await input.setInputFiles({ name: 'broken.glb', mimeType: '', buffer: Buffer.from('glTF') });
    await page.locator('.drop-error').waitFor();
    expect(await page.locator('.drop-error').textContent()).not.toBe('');
    await page.context().close();
  }, 120_000);
});
