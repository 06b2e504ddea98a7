/** The size of the file that Export writes: it is written once things are quiet. */
import { computed, effect, type ReadonlySignal, signal } from '@preact/signals';
import { outputOf } from './output-choice.ts';
import type { Studio } from './studio.ts';

/** Milliseconds without a change before the file is written: people have stopped, and contacts are computed. */
const DELAY = 1500;

/** Keeps the size in step with the studio until the page ends. Bytes; null while it is not known. */
export function createFileSize(studio: Studio): ReadonlySignal<number | null> {
  const size = signal<number | null>(null);
  const wanted = computed(() => {
    const output = outputOf(studio);
    return output === null || studio.isShow.value || studio.pending.value > 0 ? null : JSON.stringify(output.request);
  });
  let timer: ReturnType<typeof setTimeout> | undefined;
  let known = '';
  effect(() => {
    const request = wanted.value;
    clearTimeout(timer);
    if (request === null || request === known) return;
    timer = setTimeout(() => {
      const asked = studio.client.engine().write(JSON.parse(request));
      asked.then(
        (files) => {
          if (wanted.peek() !== request) return;
          known = request;
          size.value = files.reduce((sum, { bytes }) => sum + bytes.length, 0);
        },
        // What cannot be written says so when it is exported.
        () => {
          size.value = null;
        },
      );
    }, DELAY);
  });
  return size;
}
