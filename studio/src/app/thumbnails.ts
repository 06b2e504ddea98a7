/** Pictures of files for their cards: drawn once, by the renderer of the stage, while nothing else is to be done. */
import { effect, signal } from '@preact/signals';
import type { AnyrigStage } from 'anyrig/stage';
import type { StageClip } from '../../../src/stage/contract.ts';
import type { HumanoidEdits } from '../engine/protocol.ts';
import { MOTION_DEFAULTS } from './motion-options.ts';
import { builtInId } from './opening.ts';
import type { Player } from './player.ts';
import { DETECTED, editsOf } from './project.ts';
import { placeOf } from './show-on-stage.ts';
import type { Studio, StudioFile } from './studio.ts';

/** The character that shows motions: an ordinary body with few vertices. */
const ACTOR = builtInId('runner.glb');
/** Pixels along a side: twice what a card shows. */
const SIZE = 96;
/** Pictures of a motion, which a card plays under the pointer. */
const FRAMES = 8;
/** Milliseconds without work before a picture is drawn. */
const QUIET = 700;

/** Role of a file in which a picture shows it. */
export type PictureKind = 'motion' | 'character';

export interface Thumbnails {
  /** Returns the address of a picture; undefined while there is none. Reads a signal. */
  pictureOf(kind: PictureKind, id: string): string | undefined;
  /** Asks for a picture, of a card that is seen. */
  want(kind: PictureKind, id: string): void;
}

/** Resolves when the browser has nothing else to do. */
function idle(): Promise<void> {
  return new Promise((resolve) => {
    if (globalThis.requestIdleCallback === undefined) setTimeout(resolve, QUIET);
    else requestIdleCallback(() => resolve(), { timeout: 4 * QUIET });
  });
}

/** A file about which nothing was decided but the person. */
function detectedOf({ history }: Studio, file: string): HumanoidEdits {
  return { ...DETECTED, skeleton: editsOf(history.state.peek(), file).skeleton };
}

/**
 * Draws a file, in its reference pose or as it plays a clip. `times`: moments of the clip, seconds: a square each, from left to right. `size`:
 * pixels along a side.
 */
export async function drawFile(
  studio: Studio,
  stage: AnyrigStage,
  file: string,
  clip: StageClip | null,
  times: readonly number[],
  size: number,
): Promise<Blob> {
  const engine = studio.client.engine();
  const { humanoid } = await engine.figure(file, detectedOf(studio, file));
  const glb = await engine.glb(file);
  return stage.portrait({ id: 'portrait', glb, ...placeOf(humanoid) }, clip, times, size);
}

/** Draws pictures of the files until the page ends. */
export function createThumbnails(studio: Studio, player: Player): Thumbnails {
  const pictures = signal<ReadonlyMap<string, string>>(new Map());
  /** Pictures that are still to be drawn, by kind and id. */
  const wanted = signal<readonly (readonly [kind: PictureKind, id: string])[]>([]);
  const keyOf = (kind: PictureKind, id: string): string => `${kind} ${id}`;
  const summaryOf = (id: string) => studio.files.value.find(({ input }) => input.id === id)?.summary ?? null;

  function draw(stage: AnyrigStage, file: string, clip: StageClip | null): Promise<Blob> {
    const duration = clip?.duration ?? 0;
    const times = clip === null ? [0] : Array.from({ length: FRAMES }, (_, k) => (duration * (k + 0.5)) / FRAMES);
    return drawFile(studio, stage, file, clip, times, SIZE);
  }

  /** The motion on the character that shows motions; its own figure where it cannot be retargeted. */
  async function drawMotion(stage: AnyrigStage, motion: string): Promise<Blob> {
    const options = { ...MOTION_DEFAULTS, contacts: 'off' } as const;
    const request = {
      motion,
      clip: 0,
      character: ACTOR,
      options,
      source: detectedOf(studio, motion),
      target: DETECTED,
    };
    const result = await studio.client.retarget(request).catch(() => null);
    return result?.clip == null ? draw(stage, motion, null) : draw(stage, ACTOR, result.clip);
  }

  async function drawNext(stage: AnyrigStage): Promise<void> {
    const [next] = wanted.peek();
    if (next === undefined) return;
    const [kind, id] = next;
    try {
      const blob = await (kind === 'motion' ? drawMotion(stage, id) : draw(stage, id, null));
      // A file may have been removed meanwhile.
      if (studio.files.peek().some(({ input }) => input.id === id))
        pictures.value = new Map([...pictures.peek(), [keyOf(kind, id), URL.createObjectURL(blob)]]);
    } catch {
      // A card without a picture says the same.
    }
    wanted.value = wanted.peek().filter((one) => one !== next);
  }

  /** Whether a picture is being drawn, or waits for the browser to be idle: another one begins after it. */
  let isDrawing = false;
  async function work(): Promise<void> {
    if (isDrawing) return;
    isDrawing = true;
    try {
      await idle();
      const stage = player.stage.peek();
      if (stage !== null && studio.pending.peek() === 0) await drawNext(stage);
    } finally {
      isDrawing = false;
    }
  }

  /** Frees the pictures of files that were removed, and draws no more of them. */
  function forget(files: readonly StudioFile[]): void {
    const isThere = (id: string): boolean => files.some(({ input }) => input.id === id);
    if (wanted.peek().some(([, id]) => !isThere(id))) wanted.value = wanted.peek().filter(([, id]) => isThere(id));
    const isKept = (key: string): boolean => isThere(key.slice(key.indexOf(' ') + 1));
    const gone = [...pictures.peek()].filter(([key]) => !isKept(key));
    if (gone.length === 0) return;
    for (const [, address] of gone) URL.revokeObjectURL(address);
    pictures.value = new Map([...pictures.peek()].filter(([key]) => isKept(key)));
  }

  let timer: ReturnType<typeof setTimeout> | undefined;
  effect(() => {
    forget(studio.files.value);
    clearTimeout(timer);
    const isQuiet = studio.pending.value === 0 && !studio.isShow.value && player.stage.value !== null;
    const isReady = wanted.value.length > 0 && summaryOf(ACTOR) !== null;
    if (isQuiet && isReady) timer = setTimeout(() => void work(), QUIET);
  });
  return {
    pictureOf: (kind, id) => pictures.value.get(keyOf(kind, id)),
    want: (kind, id) => {
      const isKnown = pictures.peek().has(keyOf(kind, id)) || wanted.peek().some(([a, b]) => a === kind && b === id);
      if (!isKnown) wanted.value = [...wanted.peek(), [kind, id]];
    },
  };
}
