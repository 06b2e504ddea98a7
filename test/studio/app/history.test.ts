import { expect, it } from 'vitest';
import { createHistory } from '../../../studio/src/app/history.ts';

it('history: undo and redo go through changes one by one', () => {
  const history = createHistory(0);
  history.edit(() => 1);
  history.edit(() => 2);
  history.undo();
  expect(history.state.value).toBe(1);
  history.undo();
  expect([history.state.value, history.canUndo.value, history.canRedo.value]).toEqual([0, false, true]);
  history.redo();
  history.redo();
  expect([history.state.value, history.canRedo.value]).toEqual([2, false]);
});

it('history: changes with one name in a row, as of a slider, are undone together', () => {
  const history = createHistory(0);
  history.edit(() => 5);
  for (let value = 10; value < 20; value++) history.edit(() => value, 'slider');
  history.undo();
  expect(history.state.value).toBe(5);
});

it('history: the end of a group starts a new change', () => {
  const history = createHistory(0);
  history.edit(() => 1, 'slider');
  history.endGroup();
  history.edit(() => 2, 'slider');
  history.undo();
  expect(history.state.value).toBe(1);
});

it('history: a change after undo forgets what could be redone', () => {
  const history = createHistory(0);
  history.edit(() => 1);
  history.undo();
  history.edit(() => 2);
  history.redo();
  expect([history.state.value, history.canRedo.value]).toEqual([2, false]);
});

it('history: an edit that changes nothing leaves nothing to undo', () => {
  const history = createHistory(0);
  history.edit((state) => state);
  expect(history.canUndo.value).toBe(false);
});

it('history: reset forgets past and future', () => {
  const history = createHistory(0);
  history.edit(() => 1);
  history.reset(7);
  history.undo();
  expect([history.state.value, history.canUndo.value]).toEqual([7, false]);
});

it('history: a look changes the state without a step, and undo keeps what is looked at', () => {
  const history = createHistory({ look: 'a', value: 0 }, (restored, { look }) => ({ ...restored, look }));
  history.look((state) => ({ ...state, look: 'b' }));
  expect(history.canUndo.value).toBe(false);
  history.edit((state) => ({ ...state, value: 1 }));
  history.look((state) => ({ ...state, look: 'c' }));
  history.undo();
  expect([history.state.value, history.canUndo.value]).toEqual([{ look: 'c', value: 0 }, false]);
  history.redo();
  expect(history.state.value).toEqual({ look: 'c', value: 1 });
});
