import { afterEach, expect, it, vi } from 'vitest';
import { keepView, restoreView } from '../../../studio/src/app/session.ts';
import { changeView, view } from '../../../studio/src/app/view.ts';

const FIRST = view.peek();

afterEach(() => {
  vi.unstubAllGlobals();
  view.value = FIRST;
});

function stubStorage(stored: Map<string, string>): void {
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
  });
}

it('view settings are there again at the next visit, and those that are newer have their defaults', () => {
  const stored = new Map([['view', '{"theme":"dark","show":{"trails":true}}']]);
  stubStorage(stored);
  restoreView();
  expect(view.peek()).toEqual({ ...FIRST, theme: 'dark', show: { ...FIRST.show, trails: true } });
  keepView();
  changeView({ language: 'ja' });
  expect(JSON.parse(stored.get('view') ?? '')).toEqual({ ...view.peek(), theme: 'dark', language: 'ja' });
});

it.each(['{', 'null'])('the stored view settings %s leave those of a first visit', (text) => {
  stubStorage(new Map([['view', text]]));
  restoreView();
  expect(view.peek()).toEqual(FIRST);
});

it('a browser that stores nothing has the view settings of a first visit, which can be changed', () => {
  const refuse = (): never => {
    throw new DOMException('denied', 'SecurityError');
  };
  vi.stubGlobal('localStorage', { getItem: refuse, setItem: refuse });
  restoreView();
  keepView();
  changeView({ theme: 'dark' });
  expect(view.peek()).toEqual({ ...FIRST, theme: 'dark' });
});
