import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { openBrowser } from '../../src/studio-server/open-browser.ts';
import { temporaryFolder } from '../support/make/demo-files.ts';

const at = temporaryFolder();
const { PATH } = process.env;
afterEach(() => {
  process.env['PATH'] = PATH;
});

/** Milliseconds to wait for another process on a busy machine. */
const PATIENCE = 10_000;

describe.skipIf(process.platform === 'win32')('openBrowser', () => {
  it.each([
    ['linux', 'xdg-open', ''],
    ['darwin', 'open', ''],
    ['win32', 'cmd', '/c start "" '],
  ] as const)('runs the opener of %s', async (platform, program, before) => {
    writeFileSync(at(program), `#!/bin/sh\necho "$@" > ${at('tmp')}\nmv ${at('tmp')} ${at(`opened-${platform}`)}\n`);
    chmodSync(at(program), 0o755);
    process.env['PATH'] = `${at()}:${PATH}`;
    openBrowser('http://127.0.0.1:4747/', platform);
    const end = performance.now() + PATIENCE;
    while (!existsSync(at(`opened-${platform}`)) && performance.now() < end) await wait(10);
    expect(readFileSync(at(`opened-${platform}`), 'utf8')).toBe(`${before}http://127.0.0.1:4747/\n`);
  });

  it('does nothing on a system without an opener', async () => {
    process.env['PATH'] = at('empty');
    openBrowser('http://127.0.0.1:4747/', 'linux');
    await wait(50);
  });
});
