/** Pages that are made of names in files: reports of batches and comparisons. */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { planBatch } from '../../src/batch/plan/plan-batch.ts';
import { reportBatch } from '../../src/batch/report/batch-report.ts';
import { reportPage } from '../../src/batch/report/report-page.ts';
import { comparePage } from '../../src/preview/compare/compare-page.ts';
import { CHROMIUM } from '../external/browser/chromium.ts';
import { IS_FULL_RUN } from '../support/law-runs.ts';
import { EMPTY_REPORT } from './beside.ts';

const HOSTILE = '"><img src=x onerror="window.ran=1"><script>window.ran=1</script></script><style>*{color:red}</style>';

/** A report in which all that comes from files is markup. */
function hostileReport(): string {
  const motions = [`a/${HOSTILE}.bvh`, 'b/javascript:alert(1).bvh'];
  const { tasks } = planBatch({ motions, characters: [`${HOSTILE}.glb`] });
  const report = {
    ...EMPTY_REPORT,
    clips: [{ name: HOSTILE, duration: 1, motion: HOSTILE }],
    issues: [{ code: 'CLIP_EMPTY', severity: 'error', message: HOSTILE, where: {} }],
  } as const;
  const files = [{ path: `${HOSTILE}`, bytes: 1, sha256: '' }];
  const result = { state: 'ready', id: '', key: '', files, resources: [], report } as const;
  return reportPage(
    reportBatch([
      { task: tasks[0], state: 'made', result, failure: null },
      { task: tasks[1], state: 'failed', result: null, failure: { code: 'BUG', message: HOSTILE } },
    ]),
  );
}

function policyOf(page: string): string {
  const [, policy] = /<meta http-equiv="Content-Security-Policy" content="([^"]*)">/.exec(page) ?? [];
  return policy ?? '';
}

const empty = { source: HOSTILE, result: HOSTILE, with: HOSTILE, clips: [], clipsLeftOut: 0, issues: [], ok: true };
const compared = comparePage(empty as unknown as Parameters<typeof comparePage>[0], []);

describe('W13: the content security policy', () => {
  it('of a report allows its own script and style by their hashes, and nothing else', () => {
    const page = hostileReport();
    const policy = policyOf(page);
    expect(page.indexOf('Content-Security-Policy')).toBeLessThan(page.indexOf('<style>'));
    for (const name of ['script', 'style']) {
      const [, text] = new RegExp(`<${name}>([^]*?)</${name}>`).exec(page) ?? [];
      const hash = createHash('sha256').update(text).digest('base64');
      expect(policy).toContain(`${name}-src 'sha256-${hash}';`);
    }
    expect(policy).toMatch(/^default-src 'none';/);
    expect(policy).not.toMatch(/unsafe|http|\*/);
  });

  it('of a comparison allows no script, and nothing from elsewhere', () => {
    expect(policyOf(compared)).toBe(
      "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'",
    );
  });

  describe.skipIf(CHROMIUM === null || !IS_FULL_RUN)('in a browser', () => {
    let browser: Browser;
    const requests: string[] = [];
    const server = createServer((request, response) => {
      requests.push(request.url ?? '');
      response.end();
    });
    let origin = '';
    beforeAll(async () => {
      await once(server.listen(0, '127.0.0.1'), 'listening');
      origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      browser = await chromium.launch({ executablePath: CHROMIUM as string, args: ['--no-sandbox'] });
    }, 60_000);
    afterAll(async () => {
      await browser?.close();
      server.close();
    });

    /** Shows a page; returns whether a script of a name ran, the rows, and what a server was asked for. */
    async function show(html: string): Promise<{ ran: unknown; rows: number; requests: string[] }> {
      const page = await browser.newPage();
      await page.setContent(html);
      await page.waitForTimeout(100);
      const rows = await page.locator('#rows tr').count();
      const ran = await page.evaluate(() => (globalThis as { ran?: unknown }).ran ?? null);
      await page.close();
      return { ran, rows, requests: requests.splice(0) };
    }

    it('3.1: the report works, and no script of a name runs', async () => {
      expect(await show(hostileReport())).toEqual({ ran: null, rows: 2, requests: [] });
      expect(await show(compared)).toEqual({ ran: null, rows: 0, requests: [] });
    });

    it('stops scripts and requests of markup that a mistake of ours would let in', async () => {
      const markup = `<img src="${origin}/x" onerror="window.ran=1"><script>window.ran=1</script>`;
      for (const [page, rows] of [
        [hostileReport(), 2],
        [compared, 0],
      ] as const) {
        const injected = page.replace('<h1>', `${markup}<h1>`);
        const without = injected.replace(/<meta http-equiv[^>]*>/, '');
        expect(await show(without)).toEqual({ ran: 1, rows, requests: ['/x'] });
        expect(await show(injected)).toEqual({ ran: null, rows, requests: [] });
      }
    });
  });
});
