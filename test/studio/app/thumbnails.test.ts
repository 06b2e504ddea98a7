import { type Signal, signal } from '@preact/signals';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { builtInId } from '../../../studio/src/app/opening.ts';
import type { Player } from '../../../studio/src/app/player.ts';
import { EMPTY_PROJECT } from '../../../studio/src/app/project.ts';
import type { Studio, StudioFile } from '../../../studio/src/app/studio.ts';
import { createThumbnails, type Thumbnails } from '../../../studio/src/app/thumbnails.ts';

/** Milliseconds that a picture takes. */
const DRAWING = 5000;

beforeEach(() => {
  vi.useFakeTimers();
  const createObjectURL = vi.fn((blob: Blob) => `blob:${blob.size}`);
  vi.stubGlobal('URL', { createObjectURL, revokeObjectURL: () => {} });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

interface Scene {
  readonly thumbnails: Thumbnails;
  readonly files: Signal<readonly StudioFile[]>;
  readonly portrait: ReturnType<typeof vi.fn>;
}

/** Two characters beside the one that shows motions, and a stage that draws slowly. */
function scene(): Scene {
  const all = ['a', 'b', builtInId('runner.glb')].map((id) => ({ input: { id }, summary: {} }));
  const files = signal(all as unknown as readonly StudioFile[]);
  const portrait = vi.fn(async () => {
    await new Promise((resolve) => setTimeout(resolve, DRAWING));
    return new Blob(['x']);
  });
  const engine = { figure: async () => ({ humanoid: null }), glb: async () => new Uint8Array() };
  const history = { state: signal(EMPTY_PROJECT) };
  const studio = { files, history, pending: signal(0), isShow: signal(false), client: { engine: () => engine } };
  const player = { stage: signal({ portrait }) };
  return { thumbnails: createThumbnails(studio as unknown as Studio, player as unknown as Player), files, portrait };
}

it('a picture is drawn once, while others are asked for', async () => {
  const { thumbnails, portrait } = scene();
  thumbnails.want('character', 'a');
  await vi.advanceTimersByTimeAsync(DRAWING / 2);
  thumbnails.want('character', 'b');
  await vi.advanceTimersByTimeAsync(4 * DRAWING);
  expect(portrait).toHaveBeenCalledTimes(2);
  expect(['a', 'b'].map((id) => thumbnails.pictureOf('character', id))).toEqual(['blob:1', 'blob:1']);
});

it('a file that was removed while it was drawn has no picture, and others are drawn', async () => {
  const { thumbnails, files, portrait } = scene();
  thumbnails.want('character', 'a');
  thumbnails.want('character', 'b');
  await vi.advanceTimersByTimeAsync(DRAWING / 2);
  expect(portrait).toHaveBeenCalledTimes(1);
  files.value = files.value.filter(({ input }) => input.id !== 'a');
  await vi.advanceTimersByTimeAsync(4 * DRAWING);
  expect(thumbnails.pictureOf('character', 'a')).toBeUndefined();
  expect(thumbnails.pictureOf('character', 'b')).toBe('blob:1');
  expect(URL.createObjectURL).toHaveBeenCalledTimes(1);
});

it('a file that was removed before its turn is not drawn', async () => {
  const { thumbnails, files, portrait } = scene();
  thumbnails.want('character', 'a');
  thumbnails.want('character', 'b');
  await vi.advanceTimersByTimeAsync(DRAWING / 2);
  files.value = files.value.filter(({ input }) => input.id !== 'b');
  await vi.advanceTimersByTimeAsync(4 * DRAWING);
  expect(portrait).toHaveBeenCalledTimes(1);
});
