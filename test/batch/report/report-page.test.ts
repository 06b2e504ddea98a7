import { expect, it } from 'vitest';
import { planBatch } from '../../../src/batch/plan/plan-batch.ts';
import { reportBatch } from '../../../src/batch/report/batch-report.ts';
import { PAGE_SCRIPT } from '../../../src/batch/report/page-script.ts';
import { reportPage } from '../../../src/batch/report/report-page.ts';

/** The page of a batch with one result and one failure. */
function pageOfTwo(): string {
  const { tasks } = planBatch({ motions: ['good.bvh', '</script><b>.bvh'], characters: ['x.glb'] });
  const report = { clips: [], figures: null, strips: [], issues: [] };
  const result = { state: 'ready', id: '', key: '', files: [], resources: [], report } as const;
  return reportPage(
    reportBatch([
      { task: tasks[0], state: 'made', result, failure: null },
      { task: tasks[1], state: 'failed', result: null, failure: { code: 'NOT_HUMANOID', message: '</script>' } },
    ]),
  );
}

/** As much of an element as the script of the page needs. */
class FakeElement {
  textContent = '';
  className = '';
  value = '';
  readonly dataset = {};
  children: FakeElement[] = [];
  get childElementCount(): number {
    return this.children.length;
  }
  append(...nodes: FakeElement[]): void {
    this.children.push(...nodes);
  }
  replaceChildren(...nodes: FakeElement[]): void {
    this.children = nodes;
  }
  addEventListener(): void {}
  setAttribute(): void {}
  /** The words of an element with those of its children. */
  get words(): string {
    return [this.textContent, ...this.children.map(({ words }) => words)].join('');
  }
}

/** Runs the script of a page, and returns its head and its rows as it draws them. */
function drawnRows(page: string): { head: FakeElement[]; rows: FakeElement[][] } {
  const elements = new Map<string, FakeElement>();
  const getElementById = (id: string): FakeElement => {
    const found = elements.get(id) ?? new FakeElement();
    elements.set(id, found);
    return found;
  };
  getElementById('data').textContent = dataOf(page);
  class Observer {
    observe(): void {}
  }
  const run = new Function('document', 'IntersectionObserver', PAGE_SCRIPT);
  run({ getElementById, createElement: () => new FakeElement() }, Observer);
  return {
    head: getElementById('head').children,
    rows: getElementById('rows').children.map(({ children }) => children),
  };
}

function dataOf(page: string): string {
  return (/<script type="application\/json" id="data">(.*)<\/script>/.exec(page) ?? [])[1];
}

it('reportPage: needs no other file, lists the worst first, and no name of a file ends its script', () => {
  const page = pageOfTwo();
  expect(page).not.toMatch(/(?:src|href)="/);
  expect(page.match(/<\/script>/g)).toHaveLength(2);
  const { rows } = JSON.parse(dataOf(page)) as { rows: { m: string; e: string | null }[] };
  expect(rows.map(({ e }) => e)).toEqual(['NOT_HUMANOID: </script>', null]);
});

it('reportPage: every cell is below its heading, and what was found beside the verdict', () => {
  const { head, rows } = drawnRows(pageOfTwo());
  const titles = head.map(({ words }) => words);
  const verdict = titles.indexOf('verdict');
  expect(titles[verdict + 1]).toBe('what was found');
  expect(rows.map((cells) => cells.length)).toEqual([titles.length, titles.length]);
  expect(rows.map((cells) => cells.slice(verdict, verdict + 2).map(({ words }) => words))).toEqual([
    ['failed', 'NOT_HUMANOID: </script>'],
    ['–', ''],
  ]);
});
