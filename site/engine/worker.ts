/** The library in a worker: the jobs of the tools of the site, and what a stage shows of files. */
import { BONE } from 'anyrig';
import {
  convertFile,
  type FileReport,
  geometryOf,
  inspectFile,
  type OpenFile,
  type OutputFile,
  openBytes,
  retargetMotions,
  tryFindHumanoid,
} from 'anyrig/files';
import { concatParts } from 'anyrig/gltf';
import type { StageClip, StageFigure } from 'anyrig/stage';
import { expose } from 'comlink';
import { hasDracoMeshes } from '../../src/formats/gltf/document/draco.ts';
import type { WrittenFile } from '../../studio/src/engine/protocol.ts';
import { toStageClip } from '../../studio/src/engine/stage-clip.ts';

/** A file of the page with those that it may reference. */
export interface SentFile {
  readonly name: string;
  readonly blob: Blob;
  readonly resources: ReadonlyMap<string, Blob>;
}

/** What a stage shows: a character in its file, and a clip on its nodes. */
export interface Shown {
  readonly figure: StageFigure;
  readonly clip: StageClip | null;
}

/** Files to take, and what they look like. */
export interface Done {
  readonly files: readonly WrittenFile[];
  /** Null where the result has no skeleton that can be shown. */
  readonly shown: Shown | null;
  /** What was unusual, in words. */
  readonly notes: readonly string[];
}

const bytesOf = async (blob: Blob): Promise<Uint8Array> => new Uint8Array(await blob.arrayBuffer());

async function open({ name, blob, resources }: SentFile): Promise<OpenFile> {
  const readResource = async (path: string): Promise<Uint8Array> => {
    const found = resources.get(path) ?? resources.get(decodeURIComponent(path).split('/').at(-1) ?? path);
    if (found === undefined) throw new Error(`${name} needs ${path}, which is missing: drop both together.`);
    return bytesOf(found);
  };
  const file = await openBytes(await bytesOf(blob), { name, readResource });
  if (file.format === 'gltf' && hasDracoMeshes(file.document)) {
    const { attachDraco } = await import('../../studio/src/engine/attach-draco.ts');
    await attachDraco(file.document);
  }
  return file;
}

/** Copies outputs: they may be views of larger buffers. */
function written(outputs: readonly OutputFile[]): WrittenFile[] {
  return outputs.map(({ path, parts }) => ({ path, bytes: Uint8Array.from(concatParts(parts)) }));
}

function notesOf(issues: readonly { readonly severity: string; readonly message: string }[]): string[] {
  return [...new Set(issues.filter(({ severity }) => severity !== 'info').map(({ message }) => message))];
}

/** Makes what a stage shows of a file and its last clip. */
async function shownOf(file: OpenFile, id: string): Promise<Shown | null> {
  const { outputs } = await convertFile(file, { output: 'shown.glb' });
  const glb = written(outputs).at(-1)?.bytes;
  if (glb === undefined) return null;
  const shown = await openBytes(glb, { name: file.name });
  const found = tryFindHumanoid(shown);
  const part = found?.part ?? shown.asset.skeletons[0];
  if (part === undefined) return null;
  const taken = shown.asset.clips.at(-1);
  const clip = taken === undefined ? null : toStageClip(taken.clips[found?.index ?? 0], part, taken.morphs);
  if (found === null) return { figure: { id, glb }, clip };
  const { humanoid } = found;
  const { frame, metersPerUnit, ground } = humanoid;
  const hips = part.sourceNodes[humanoid.map.nodes[BONE.hips]];
  return { figure: { id, glb, frame: Array.from(frame), metersPerUnit, ground, hips }, clip };
}

async function sample(name: string): Promise<WrittenFile> {
  // What makes the files is not loaded before one is asked for.
  const { builtIn } = await import('../built-in.ts');
  return { path: name, bytes: builtIn(name).bytes() as Uint8Array<ArrayBuffer> };
}

async function openSample(name: string): Promise<OpenFile> {
  return openBytes((await sample(name)).bytes, { name });
}

/** The built-in character on which a motion without a body is shown. */
const ACTOR = 'runner.glb';

/** Makes what a stage shows of the last clip of a motion, on the built-in character; null where it cannot be retargeted, such as motions of four legs. */
async function shownOnActor(motion: OpenFile, id: string): Promise<Shown | null> {
  if (tryFindHumanoid(motion) === null || motion.asset.clips.length === 0) return null;
  const options = { output: 'shown.glb', replace: true, clips: [motion.asset.clips.length - 1] };
  const { outputs } = await retargetMotions([motion], await openSample(ACTOR), options);
  return shownOf(await openBytes(written(outputs)[0].bytes, { name: ACTOR }), id);
}

async function hasBody(file: OpenFile): Promise<boolean> {
  return ((await geometryOf(file))?.geometry.instances.length ?? 0) > 0;
}

/** Tests whether a motion and a character were given in the other order: a drop has them by name. */
async function areSwapped(motion: OpenFile, character: OpenFile): Promise<boolean> {
  if (character.asset.clips.length === 0) return false;
  return motion.asset.clips.length === 0 || ((await hasBody(motion)) && !(await hasBody(character)));
}

const api = {
  /** Returns a built-in file. */
  sample,

  /** Puts a built-in motion on a built-in character, on the spot: several in a row stay in view. */
  pair: async (motion: string, character: string): Promise<Shown | null> => {
    const [walk, hero] = [await openSample(motion), await openSample(character)];
    const output = character.replace(/.*\./, 'pair.');
    const { outputs } = await retargetMotions([walk], hero, { output, replace: true, edits: { root: 'in-place' } });
    return shownOf(await openBytes(written(outputs)[0].bytes, { name: character }), character);
  },

  /** Converts a file; one file per clip where the format has one clip. */
  convert: async (file: SentFile, format: 'vrma' | 'glb'): Promise<Done> => {
    const opened = await open(file);
    const stem = file.name.replace(/\.[^.]*$/, '');
    const isOne = format !== 'vrma' || opened.asset.clips.length < 2;
    const { outputs, report } = await convertFile(opened, {
      output: isOne ? `${stem}.${format}` : `${stem}-{clip}.${format}`,
    });
    // Without a picture, the files are still there.
    const shown = (await hasBody(opened)) ? null : await shownOnActor(opened, stem).catch(() => null);
    return {
      files: written(outputs),
      shown: shown ?? (await shownOf(opened, stem)),
      notes: notesOf(report.issues),
    };
  },

  /** Tells what a file is: a motion has no body, a character no clip; null where it can be both. */
  roleOf: async (file: SentFile): Promise<'motion' | 'character' | null> => {
    const opened = await open(file);
    if (opened.asset.clips.length === 0) return 'character';
    return (await hasBody(opened)) ? null : 'motion';
  },

  /** Puts a motion on a character: a VRM gets a VRM Animation, all others a GLB. Files in an order that nobody chose are exchanged where they are in the other one. */
  retarget: async (
    first: SentFile,
    second: SentFile,
    isChosen: boolean,
  ): Promise<Done & { readonly isSwapped: boolean }> => {
    const opened = [await open(first), await open(second)] as const;
    const isSwapped = !isChosen && (await areSwapped(...opened));
    const [motion, character] = isSwapped ? [second, first] : [first, second];
    const [walk, hero] = isSwapped ? [opened[1], opened[0]] : opened;
    const stem = `${character.name.replace(/\.[^.]*$/, '')}-${motion.name.replace(/\.[^.]*$/, '')}`;
    const format = /\.vrm$/i.test(character.name) ? 'vrma' : 'glb';
    const { outputs, report } = await retargetMotions([walk], hero, { output: `${stem}.${format}` });
    const files = written(outputs);
    // A VRM Animation has no body: the picture is of the avatar with the clip inside.
    const whole =
      format === 'glb'
        ? files
        : written((await retargetMotions([walk], hero, { output: 'shown.vrm', replace: true })).outputs);
    const shown = await shownOf(await openBytes(whole[0].bytes, { name: character.name }), stem);
    return { files, shown, notes: notesOf(report.issues), isSwapped };
  },

  /** Describes a file. */
  inspect: async (file: SentFile): Promise<{ readonly report: FileReport; readonly shown: Shown | null }> => {
    const opened = await open(file);
    return { report: inspectFile(opened), shown: await shownOf(opened, file.name) };
  },
};

/** The functions of the worker. */
export type Engine = typeof api;

expose(api);
