/** Where crowds compute: in TypeScript here, in WebAssembly SIMD with `kernelCrowd` of `anyrig/kernels`. */
import { MATRIX_STRIDE } from '../../skeleton/skeleton.ts';
import { locateFrame } from '../compiled-clip.ts';
import { createPlaybackWork, playFrames } from '../playback/play-matrices.ts';
import type { PlaybackClip } from '../playback/playback-plan.ts';
import { CROWD_MATRIX_STRIDE, CROWD_ROWS, CROWD_TRANSLATION_STRIDE, type CrowdPlan } from './crowd-plan.ts';
import { createCrowdTable, crowdMatrices, crowdTranslations, fillCrowdTable, resetCrowdRows } from './crowd-rows.ts';

/** Sizes of a crowd. */
export interface CrowdSize {
  /** Greatest number of characters. */
  readonly capacity: number;
  /** Greatest number of playheads. */
  readonly playheads: number;
  /** Whether complete matrices are written. */
  readonly matrices: boolean;
}

/** The buffers and loops of a crowd. */
export interface CrowdBackend {
  /** Per playhead and bone a matrix of 16 floats, column-major: its delta D; that of the hips with their offset as translation. */
  readonly deltas: (source: number) => Float32Array;
  /** Per character and bone the translation x: x, y, z, 1. Empty if matrices are written. */
  readonly translations: () => Float32Array;
  /** Per character and bone a 3×4 matrix, row-major; empty unless requested. */
  readonly matrices: () => Float32Array;
  /** Copies a clip to where it is played: one prepared clip per source of the plan. */
  readonly addClip: (clips: readonly PlaybackClip[]) => void;
  /** Removes a clip. */
  readonly removeClip: (clips: readonly PlaybackClip[]) => void;
  /** Sets the clip of a playhead. */
  readonly setClip: (playhead: number, clips: readonly PlaybackClip[]) => void;
  /** Sets the model of a character and resets its transforms to the identity. */
  readonly setTarget: (character: number, target: number) => void;
  /** Characters by playhead and topology: the order in which they are updated. One index per character, four more at the end. */
  readonly order: () => Int32Array;
  /** Computes the deltas of a playhead at its time in a list of times: a number as an argument may be allocated. */
  readonly updateDeltas: (playhead: number, source: number, times: Float64Array) => void;
  /** Computes the characters of one topology at a playhead: `count` entries of `order` from `first` on. */
  readonly updateCharacters: (playhead: number, topology: number, first: number, count: number) => void;
}

/** Creates the buffers and loops of a crowd. */
export type CrowdBackendFactory = (plan: CrowdPlan, size: CrowdSize) => CrowdBackend;

/** Floats per playhead in {@link CrowdBackend.deltas}. */
const DELTA_STRIDE = MATRIX_STRIDE * CROWD_ROWS;
/** Floats per character in {@link CrowdBackend.translations}. */
const ROW_STRIDE = CROWD_TRANSLATION_STRIDE * CROWD_ROWS;

/**
 * Creates buffers and loops in TypeScript.
 *
 * @param plan The plan.
 * @param size Sizes of the crowd.
 * @returns The backend.
 */
export const plainCrowd: CrowdBackendFactory = (plan, { capacity, playheads, matrices }) => {
  const deltas = plan.sources.map(() => new Float32Array(DELTA_STRIDE * playheads));
  const works = plan.sources.map(createPlaybackWork);
  const tables = plan.topologies.map(createCrowdTable);
  const translations = new Float32Array(ROW_STRIDE * capacity);
  const full = new Float32Array(matrices ? CROWD_MATRIX_STRIDE * CROWD_ROWS * capacity : 0);
  const clips: (readonly PlaybackClip[] | undefined)[] = new Array(playheads).fill(undefined);
  const targets = new Int32Array(capacity);
  const order = new Int32Array(capacity + 4);
  const none = new Float32Array(0);
  const frame = new Float64Array(2);
  return {
    deltas: (source) => deltas[source],
    translations: () => (matrices ? none : translations),
    matrices: () => full,
    addClip: () => undefined,
    removeClip: (removed) => {
      for (let playhead = 0; playhead < playheads; playhead++) {
        if (clips[playhead] === removed) clips[playhead] = undefined;
      }
    },
    setClip: (playhead, set) => {
      clips[playhead] = set;
    },
    setTarget: (character, target) => {
      targets[character] = target;
      const at = CROWD_MATRIX_STRIDE * CROWD_ROWS * character;
      resetCrowdRows(translations, ROW_STRIDE * character, matrices ? full : null, at);
    },
    order: () => order,
    updateDeltas: (playhead, source, times) => {
      const clip = clips[playhead]?.[source];
      if (clip === undefined) return;
      locateFrame(frame, 0, clip.compiled, times[playhead]);
      playFrames(clip, frame, 0, deltas[source], DELTA_STRIDE * playhead, works[source]);
    },
    updateCharacters: (playhead, index, first, count) => {
      const topology = plan.topologies[index];
      const table = tables[index];
      const from = deltas[topology.source];
      const d = DELTA_STRIDE * playhead;
      fillCrowdTable(table, topology, from, d);
      for (let k = first; k < first + count; k++) {
        const character = order[k];
        const o = ROW_STRIDE * character;
        crowdTranslations(translations, o, topology, plan.targets[targets[character]], table, from, d);
        if (!matrices) continue;
        const m = CROWD_MATRIX_STRIDE * CROWD_ROWS * character;
        crowdMatrices(full, m, topology, translations, o, from, d);
      }
    },
  };
};
