import { writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { openFile } from '../../../src/files/node.ts';
import { compareFiles } from '../../../src/preview/compare/compare-files.ts';
import type { CompareReport } from '../../../src/preview/compare/compare-report.ts';
import { columnTitles, figureRows } from '../../../src/preview/compare/figure-rows.ts';
import { runHere } from '../../cli/run-here.ts';
import { IS_FULL_RUN } from '../../support/law-runs.ts';
import { temporaryFolder, writeDemo } from '../../support/make/demo-files.ts';
import { glbOf } from '../../support/make/glb.ts';

const at = temporaryFolder();
const walk = writeDemo(at, 'walk.glb');
const child = writeDemo(at, 'child.vrm');

async function retargeted(name: string, ...args: string[]): Promise<string> {
  const path = at(name);
  const { stderr, exit: code } = await runHere(['retarget', walk, child, '-o', path, ...args]);
  expect([stderr, code]).toEqual(['', 0]);
  return path;
}

describe('compareFiles', () => {
  it.runIf(IS_FULL_RUN)(
    'has the figures of the result beside those of the source and of other ways to retarget',
    async () => {
      const [on, off] = [await retargeted('on.glb'), await retargeted('off.glb', '--contacts', 'off')];
      const { report, html } = await compareFiles(await openFile(walk), await openFile(on), {
        with: await openFile(off),
      });
      expect(report).toMatchObject({ ok: true, source: walk, result: on, with: off, clipsLeftOut: 0 });
      const [clip] = report.clips;
      expect(Object.keys(clip.columns)).toEqual(expect.arrayContaining(['off', 'auto', 'result', 'with']));
      const { auto, result, with: other } = clip.columns;
      // The other result has no contacts: its limbs point where those of the source do. With contacts, what has changed is no error.
      for (const one of [clip.columns.off!, other!, auto!, result!]) expect(one.limbs.leftThigh!.max).toBeLessThan(0.1);
      expect(clip.columns.off!.limbs.leftThigh!.changed.max).toBe(0);
      expect(result!.limbs.leftThigh!.changed.max).toBeGreaterThan(0.1);
      expect(result!.feet!.drift.result).toBeCloseTo(auto!.feet!.drift.result, 1);
      expect(result!.verdict.level).not.toBe('wrong');
      expect(html).toContain('<table>');
      expect(html!.match(/<svg /g)!.length).toBeGreaterThanOrEqual(6);
      expect(html).not.toMatch(/<(?:script|link|img)\b/);
      const rows = figureRows(clip);
      expect(rows.every(({ cells }) => cells.length === columnTitles(clip).length)).toBe(true);
    },
    60_000,
  );

  it('reports a file without a humanoid', async () => {
    const box = at('box.glb');
    writeFileSync(
      box,
      glbOf({ asset: { version: '2.0' }, nodes: [{ name: 'box' }], scenes: [{ nodes: [0] }], scene: 0 }),
    );
    const { report, html } = await compareFiles(await openFile(walk), await openFile(box));
    expect([report.ok, html]).toEqual([false, null]);
    expect(report.issues.map(({ code }) => code)).toContain('NOT_HUMANOID');
  });
});

describe('anyrig compare', () => {
  it('prints a table, and writes a page', async () => {
    const made = await retargeted('made.glb');
    const page = at('page.html');
    const { stdout, exit: code } = await runHere(['compare', walk, made, '-o', page]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/contacts off +contacts auto +result/);
    expect(stdout).toContain(page);
    expect((await runHere(['compare', walk, made, '-o', page])).stderr).toMatch(/OVERWRITE_REFUSED/);
    expect((await runHere(['compare', walk, made, '-o', at('page.png')])).stderr).toMatch(/expected \.html/);
  }, 60_000);

  it.runIf(IS_FULL_RUN)('prints JSON', async () => {
    const { stdout } = await runHere(['compare', walk, await retargeted('other.glb'), '--json']);
    const json = JSON.parse(stdout) as CompareReport & { output: null };
    expect([json.ok, json.output, json.clips.length]).toEqual([true, null, 1]);
  });
});
