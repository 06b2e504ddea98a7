/** Makes the files of the first view: the cast, and the dance on every one of them. */
import { retargetClips } from 'anyrig/files';
import { CAST } from '../../site/cast/cast.ts';
import type { Floats } from '../../src/core/math/floats.ts';
import { DANCE } from '../../src/demo/index.ts';
import { MOTION_DEFAULTS } from '../src/app/motion-options.ts';
import {
  type KeyRange,
  type ListedMember,
  SHOW_FOLDER,
  SHOW_KEYS,
  SHOW_LIST,
  type ShowList,
} from '../src/app/opening.ts';
import { DETECTED } from '../src/app/project.ts';
import { figure } from '../src/engine/describe.ts';
import { entryOf } from '../src/engine/entries.ts';
import { jobOptions } from '../src/engine/job-options.ts';
import { displayOf, load } from '../src/engine/open-files.ts';
import { toStageClip } from '../src/engine/stage-clip.ts';

/** Degrees that keys may be off: a third of them is left, and nobody sees it. */
const REDUCE = 0.5;

async function makeShow(): Promise<ReadonlyMap<string, Uint8Array>> {
  const files = new Map<string, Uint8Array>();
  const keys: number[] = [];
  const known = new Map<string, KeyRange>();
  /** Adds numbers; tracks with the same times share them. */
  const append = (numbers: Floats): KeyRange => {
    const text = numbers.join();
    const range = known.get(text) ?? ([keys.length, numbers.length] as const);
    if (!known.has(text)) keys.push(...numbers);
    known.set(text, range);
    return range;
  };
  const dance = await load(DANCE.name, DANCE.name, DANCE.bytes(), new Map());
  const options = jobOptions({ ...MOTION_DEFAULTS, reduce: REDUCE }, {}, {});
  const members: ListedMember[] = [];
  for (const { name, title, bytes } of CAST) {
    const content = bytes();
    files.set(`${SHOW_FOLDER}/${name}`, content);
    await load(name, name, content, new Map());
    const { clips, target } = await retargetClips([dance], await displayOf(entryOf(name)), { ...options, clips: [0] });
    if (target.found === null)
      throw new Error(`${DANCE.name} does not move ${name}. Both are made by site/cast and src/demo.`);
    const clip = toStageClip(clips[0].clip, target.found.part, clips[0].morphs);
    const tracks = clip.tracks.map((track) => ({
      ...track,
      times: append(track.times),
      values: append(track.values),
    }));
    members.push({ file: name, title, data: await figure(name, DETECTED), clip: { ...clip, tracks } });
  }
  const list: ShowList = { motion: DANCE.name, members };
  files.set(`${SHOW_FOLDER}/${SHOW_LIST}`, new TextEncoder().encode(JSON.stringify(list)));
  files.set(`${SHOW_FOLDER}/${SHOW_KEYS}`, new Uint8Array(Float32Array.from(keys).buffer));
  return files;
}

/**
 * Bytes of the files by address relative to the page. They are made while this file is imported: Vite imports it and closes what it imports modules with, and
 * the library loads parts of itself as it works.
 */
export const SHOW_FILES: ReadonlyMap<string, Uint8Array> = await makeShow();
