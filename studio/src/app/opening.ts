/** The first view as the build made it: the characters of the show with the motion on them, so that it moves before the library is loaded. */
import type { StageClip, StageTrack } from '../../../src/stage/contract.ts';
import type { FigureData } from '../engine/protocol.ts';

/** Folder of the files of the show, beside the page. */
export const SHOW_FOLDER = 'show';
export const SHOW_LIST = 'show.json';
/** Name of the file with the keys of all clips, float32. */
export const SHOW_KEYS = 'keys.bin';

/** Numbers in the file of keys: index of the first one, and how many there are. */
export type KeyRange = readonly [first: number, count: number];

/** A track whose numbers are in the file of keys. */
type ListedTrack = Omit<StageTrack, 'times' | 'values'> & {
  readonly times: KeyRange;
  readonly values: KeyRange;
};

/** A character of the show. */
export interface ListedMember {
  readonly file: string;
  /** Its name for people. */
  readonly title: string;
  readonly data: FigureData;
  /** The motion of the show on it. */
  readonly clip: Omit<StageClip, 'tracks'> & { readonly tracks: readonly ListedTrack[] };
}

export interface ShowList {
  readonly motion: string;
  readonly members: readonly ListedMember[];
}

interface OpeningMember {
  readonly id: string;
  readonly file: string;
  readonly title: string;
  readonly data: FigureData;
  readonly clip: StageClip;
  readonly bytes: Promise<Uint8Array<ArrayBuffer>>;
}

/** The show on its way. */
export interface Opening {
  readonly motion: string;
  readonly members: readonly OpeningMember[];
}

/** Start of the ids of files that are part of the page. */
export const BUILT_IN = 'demo-';

export function builtInId(name: string): string {
  return `${BUILT_IN}${name}`;
}

async function load(name: string): Promise<Uint8Array<ArrayBuffer>> {
  const response = await fetch(`./${SHOW_FOLDER}/${name}`);
  if (!response.ok)
    throw new Error(`${name} of the first view cannot be read: the server answered ${response.status}.`);
  return new Uint8Array(await response.arrayBuffer());
}

export function readClip({ clip }: ListedMember, keys: Float32Array): StageClip {
  const numbers = ([first, count]: KeyRange): Float32Array => keys.slice(first, first + count);
  const tracks = clip.tracks.map((track) => ({
    ...track,
    times: numbers(track.times),
    values: numbers(track.values),
  }));
  return { ...clip, tracks };
}

/** Starts to load the show. Throws Error if a file of the page is missing. */
export async function loadOpening(): Promise<Opening> {
  const [list, keys] = await Promise.all([load(SHOW_LIST), load(SHOW_KEYS)]);
  const { motion, members } = JSON.parse(new TextDecoder().decode(list)) as ShowList;
  const numbers = new Float32Array(keys.buffer);
  return {
    motion: builtInId(motion),
    members: members.map((member) => {
      const bytes = load(member.file);
      // Whoever waits for it says why it failed.
      bytes.catch(() => undefined);
      const { file, title, data } = member;
      return { id: builtInId(file), file, title, data, clip: readClip(member, numbers), bytes };
    }),
  };
}
