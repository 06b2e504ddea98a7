/** Undo and redo over immutable states. */
import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';

const MOST_STATES = 200;

/** A state with a past and a future. */
export interface History<T> {
  readonly state: ReadonlySignal<T>;
  readonly canUndo: ReadonlySignal<boolean>;
  readonly canRedo: ReadonlySignal<boolean>;
  /** Changes what is looked at: nothing to undo. */
  look(change: (state: T) => T): void;
  /**
   * Changes the state. Changes with the same name in a row, such as those of a slider that is dragged, are undone as one. `name`: groups changes;
   * null for a change that is undone alone.
   */
  edit(change: (state: T) => T, name?: string | null): void;
  undo(): void;
  redo(): void;
  /** Ends a group, so that the next change is undone alone. */
  endGroup(): void;
  /** Replaces the state and forgets past and future. */
  reset(state: T): void;
}

export function createHistory<T>(
  initial: T,
  keepLook: (restored: T, present: T) => T = (restored) => restored,
): History<T> {
  const past: Signal<readonly T[]> = signal([]);
  const future: Signal<readonly T[]> = signal([]);
  const state = signal(initial);
  let group: string | null = null;
  return {
    state,
    canUndo: computed(() => past.value.length > 0),
    canRedo: computed(() => future.value.length > 0),
    look: (change) => {
      state.value = change(state.peek());
    },
    edit: (change, name = null) => {
      const next = change(state.peek());
      if (next === state.peek()) return;
      const isGrouped = name !== null && name === group && past.peek().length > 0;
      if (!isGrouped) past.value = [...past.peek(), state.peek()].slice(-MOST_STATES);
      group = name;
      future.value = [];
      state.value = next;
    },
    undo: () => {
      const previous = past.peek().at(-1);
      if (previous === undefined) return;
      group = null;
      future.value = [state.peek(), ...future.peek()];
      past.value = past.peek().slice(0, -1);
      state.value = keepLook(previous, state.peek());
    },
    redo: () => {
      const [next, ...rest] = future.peek();
      if (next === undefined) return;
      group = null;
      past.value = [...past.peek(), state.peek()];
      future.value = rest;
      state.value = keepLook(next, state.peek());
    },
    endGroup: () => {
      group = null;
    },
    reset: (next) => {
      past.value = [];
      future.value = [];
      group = null;
      state.value = next;
    },
  };
}
