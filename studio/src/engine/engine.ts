/** The library behind the page. Runs in the worker: keeps opened files, describes them, retargets and writes. */
import { type AssetClip, changeAssetClipSpeed, mirrorClip, mirrorHumanoid, trimAssetClip } from 'anyrig';
import {
  type FileReport,
  type FoundHumanoid,
  findHumanoid,
  geometryOf,
  type HumanoidOptions,
  inspectFile,
  type OpenFile,
  openBytes,
  retargetClips,
  retargetMotions,
} from 'anyrig/files';
import type { MotionOptions } from '../app/motion-options.ts';
import { type DisplayFile, displayFile } from './display-file.ts';
import { figureHumanoid, referenceRotations } from './figure-humanoid.ts';
import { figureJoints } from './figure-joints.ts';
import { humanoidOptions } from './humanoid-options.ts';
import { jobOptions } from './job-options.ts';
import { joinParts } from './join-parts.ts';
import { mapData } from './map-data.ts';
import { type MovedHumanoid, measureResult } from './measure-result.ts';
import { mirrorPose } from './mirror-pose.ts';
import type {
  FigureData,
  FileRole,
  FileSummary,
  HumanoidEdits,
  MapData,
  PoseEdit,
  RetargetRequest,
  RetargetResult,
  StageClip,
  WriteRequest,
  WrittenFile,
} from './protocol.ts';
import { toStageClip } from './stage-clip.ts';
import { translateEdits } from './translate-edits.ts';

/** A file and what was made of it. */
interface Entry {
  readonly file: OpenFile;
  readonly size: number;
  display: Promise<DisplayFile> | null;
}

/** Files that were opened, by id. */
const entries = new Map<string, Entry>();

function entryOf(id: string): Entry {
  const entry = entries.get(id);
  if (entry === undefined) throw new RangeError(`The file ${id} is not open; open it first.`);
  return entry;
}

function displayOf(entry: Entry): Promise<DisplayFile> {
  entry.display ??= displayFile(entry.file);
  return entry.display;
}

/** Decides what a file can be used as. */
function roleOf({ humanoids, clips }: FileReport, hasMesh: boolean): FileRole {
  if (humanoids.length === 0) return 'neither';
  if (clips.length === 0) return 'character';
  return hasMesh ? 'both' : 'motion';
}

/** Whether a file has meshes that can be read. */
async function hasVisibleMesh(file: OpenFile): Promise<boolean> {
  const found = await geometryOf(file);
  return found !== null && found.geometry.instances.length > 0;
}

/**
 * Opens a file.
 *
 * @param id Name of the file between page and worker; a file with the same id is replaced.
 * @param name Name of the file.
 * @param bytes Its bytes.
 * @param resources Bytes of the files that it may reference, by path relative to it.
 * @returns A description.
 * @throws FormatError when the file cannot be read.
 */
export async function open(
  id: string,
  name: string,
  bytes: Uint8Array,
  resources: ReadonlyMap<string, Uint8Array>,
): Promise<FileSummary> {
  const readResource = async (path: string): Promise<Uint8Array> => {
    const found = resources.get(path) ?? resources.get(decodeURIComponent(path).split('/').at(-1) ?? path);
    if (found === undefined) throw new Error(`${path} was not dropped together with ${name}; drop both.`);
    return found;
  };
  const file = await openBytes(bytes, { name, readResource });
  entries.set(id, { file, size: bytes.length, display: null });
  const report = inspectFile(file);
  const hasMesh = await hasVisibleMesh(file);
  return {
    id,
    name,
    format: report.format,
    size: bytes.length,
    role: roleOf(report, hasMesh),
    clips: report.clips.map(({ name: clip, duration, keys }) => ({ name: clip, duration, keys })),
    hasMesh,
    humanoid: report.humanoids[0] ?? null,
    reason: report.humanoids.length > 0 ? null : (report.skeletons[0]?.reason ?? 'It has no skeleton.'),
    issues: report.issues,
  };
}

/**
 * Closes a file.
 *
 * @param id The file.
 */
export function close(id: string): void {
  entries.delete(id);
}

/**
 * Makes the GLB that the stage shows for a file.
 *
 * @param id The file.
 * @returns A copy of its bytes: the worker needs its own for the next jobs.
 * @throws FormatError for meshes or images that cannot be read.
 */
export async function glb(id: string): Promise<Uint8Array<ArrayBuffer>> {
  return (await displayOf(entryOf(id))).bytes.slice();
}

/**
 * Describes the figure of a file.
 *
 * @param id The file.
 * @param edits What the user decided about its humanoid.
 * @returns Joints and humanoid, on the nodes of the GLB.
 * @throws OptionError for decisions that do not fit the file.
 */
export async function figure(id: string, edits: HumanoidEdits): Promise<FigureData> {
  const { file } = await displayOf(entryOf(id));
  const { found, reason } = findHumanoid(file, 'only', humanoidOptions(file, edits));
  const part = found?.part ?? file.asset.skeletons[0];
  const joints = part === undefined ? [] : figureJoints(part, found?.humanoid ?? null);
  return { joints, humanoid: found === null ? null : figureHumanoid(found), reason };
}

/**
 * Mirrors the reference pose of a humanoid from left to right.
 *
 * @param id The file.
 * @param edits What the user decided about its humanoid.
 * @returns The pose as an edit; null without a humanoid.
 */
export async function mirroredPose(id: string, edits: HumanoidEdits): Promise<PoseEdit | null> {
  const { file } = await displayOf(entryOf(id));
  const edited = findHumanoid(file, 'only', humanoidOptions(file, edits)).found;
  const detected = findHumanoid(file, 'only', humanoidOptions(file, { ...edits, pose: { kind: 'auto' } })).found;
  if (edited === null || detected === null) return null;
  const humanoid = mirrorPose(edited.humanoid, detected.humanoid);
  return { kind: 'edited', skeleton: edited.index, rotations: referenceRotations(humanoid, edited.part.sourceNodes) };
}

/**
 * Reads a clip of a file as the stage plays it.
 *
 * @param id The file.
 * @param index Index of the clip.
 * @returns The clip on the nodes of the figure.
 */
export async function sourceClip(id: string, index: number): Promise<StageClip | null> {
  const { file } = await displayOf(entryOf(id));
  const clip = file.asset.clips[index];
  if (clip === undefined) return null;
  const parts = clip.clips.map((one, k) => toStageClip(one, file.asset.skeletons[k], k === 0 ? clip.morphs : []));
  return { name: clip.name, duration: clip.duration, tracks: parts.flatMap(({ tracks }) => tracks) };
}

/** Converts decisions, which are about the nodes that are shown, to options for the file itself. */
async function ownOptions(id: string, edits: HumanoidEdits): Promise<HumanoidOptions> {
  const entry = entryOf(id);
  const { file: shown } = await displayOf(entry);
  return humanoidOptions(entry.file, translateEdits(edits, shown, entry.file));
}

/** The motion as the options edit it, for comparison with the result. */
function editedMotion(
  found: FoundHumanoid,
  original: AssetClip,
  { mirror, speed, trim }: MotionOptions,
): MovedHumanoid {
  let clip = original;
  if (trim !== null) clip = trimAssetClip(clip, trim[0], trim[1]);
  if (speed !== 1) clip = changeAssetClipSpeed(clip, speed);
  const motion = clip.clips[found.index];
  if (!mirror) return { humanoid: found.humanoid, clip: motion };
  return { humanoid: mirrorHumanoid(found.humanoid), clip: mirrorClip(motion) };
}

/**
 * Retargets a clip to a character and measures the result.
 *
 * @param request Motion, character and options.
 * @returns The clip on the nodes of the character's figure, and figures about it.
 * @throws OptionError for options that do not fit the files.
 */
export async function retarget(request: RetargetRequest): Promise<RetargetResult> {
  const start = performance.now();
  const motion = entryOf(request.motion).file;
  const source = await ownOptions(request.motion, request.source);
  const { file: character } = await displayOf(entryOf(request.character));
  const options = jobOptions(request.options, source, humanoidOptions(character, request.target));
  const done = retargetClips([motion], character, { ...options, clips: [request.clip] });
  const [one] = done.clips;
  const [{ found }] = done.sources;
  const target = done.target.found;
  const empty = { clip: null, contacts: null, charts: null, lines: null };
  if (one === undefined || found === null || target === null) {
    return { ...empty, hipsScale: done.hipsScale, issues: done.issues, took: performance.now() - start };
  }
  const edited = editedMotion(found, one.source.clip, request.options);
  const measured = measureResult(edited, { humanoid: target.humanoid, clip: one.clip }, one.hipsScale);
  return {
    clip: toStageClip(one.clip, target.part, one.morphs),
    hipsScale: one.hipsScale,
    contacts: one.contacts,
    ...measured,
    issues: done.issues,
    took: performance.now() - start,
  };
}

/**
 * Maps the bones of a file.
 *
 * @param id The file.
 * @param edits What the user decided; a user-supplied map is shown as it is.
 * @returns The map with reasons, on the nodes of the GLB that is shown.
 */
export async function bones(id: string, edits: HumanoidEdits): Promise<MapData> {
  const { file } = await displayOf(entryOf(id));
  return mapData(file, edits);
}

/**
 * Writes the files of a result, as `anyrig retarget` does.
 *
 * @param request Motion, character, options and output.
 * @returns The files; empty when there is nothing to write.
 * @throws OptionError for options that do not fit the files.
 */
export async function write(request: WriteRequest): Promise<WrittenFile[]> {
  const motion = entryOf(request.motion).file;
  const character = entryOf(request.character).file;
  const source = await ownOptions(request.motion, request.source);
  const target = await ownOptions(request.character, request.target);
  const options = jobOptions(request.options, source, target);
  const { outputs } = await retargetMotions([motion], character, {
    ...options,
    ...(request.clip === null ? {} : { clips: [request.clip] }),
    output: request.output,
    ...(request.replace ? { replace: true } : {}),
    ...(request.mesh ? {} : { mesh: false }),
  });
  return outputs.map(({ path, parts }) => ({ path, bytes: joinParts(parts) }));
}
