/** Reads models and motions of MikuMikuDance as assets. */

import type { Clip } from '../../core/animation/clip.ts';
import type { Asset, AssetClip, AssetSkeleton, MorphTrack, ReadResource } from '../../core/asset/asset.ts';
import type { Geometry } from '../../core/asset/geometry.ts';
import { limitAsset } from '../../core/asset/limit-asset.ts';
import type { ExpressionTrack } from '../../core/face/face-tracks.ts';
import { type Issue, issue } from '../../core/report/issue.ts';
import { inverseOrder, sortParentsFirst } from '../../core/skeleton/topology.ts';
import { bakeMotion, restOfBones } from './evaluate/bake-motion.ts';
import { METERS_PER_UNIT, type MmdModel } from './model/mmd-model.ts';
import { MESH_NODE, modelGeometry, readMmdMaterials, shownMorphs } from './model/model-geometry.ts';
import { parsePmd } from './model/parse-pmd.ts';
import { parsePmx } from './model/parse-pmx.ts';
import { standardModel } from './model/standard-model.ts';
import { MMD_FPS, type MmdMorphKeys, type MmdMotion } from './motion/mmd-motion.ts';
import { parseVmd } from './motion/parse-vmd.ts';
import { parseVpd } from './motion/parse-vpd.ts';
import { createNameFinder } from './shift-jis.ts';

const LISTED = 8;
/** Most weights of morphs of a clip: those of 200 morphs at 20 minutes of keys per frame. */
const MOST_WEIGHTS = 2 ** 23;

function startsWith(bytes: Uint8Array, text: string): boolean {
  for (let k = 0; k < text.length; k++) if (bytes[k] !== text.charCodeAt(k)) return false;
  return true;
}

/** Tells by the first bytes whether a file is a model: PMX or PMD. */
export function isMmdModel(bytes: Uint8Array): boolean {
  return startsWith(bytes, 'PMX ') || startsWith(bytes, 'Pmd');
}

/** Parses a model: PMX 2.0 or 2.1, or PMD. Throws FormatError `MMD_SYNTAX` or `MMD_LIMIT`. */
export function parseMmdModel(bytes: Uint8Array): MmdModel {
  return startsWith(bytes, 'Pmd') ? parsePmd(bytes) : parsePmx(bytes);
}

/** Parses a motion or a pose: VMD or VPD. Throws FormatError `MMD_SYNTAX` or `MMD_LIMIT`. */
export function parseMmdMotion(bytes: Uint8Array): MmdMotion {
  return startsWith(bytes, 'Vocaloid Motion Data') ? parseVmd(bytes) : parseVpd(bytes);
}

function readSkeleton(model: MmdModel): AssetSkeleton {
  const { bones, name } = model;
  const { parents, order } = sortParentsFirst(bones.map(({ parent }) => parent));
  const names = Array.from(order, (bone) => bones[bone].name);
  const joints = new Uint8Array(bones.length).fill(1);
  const skeleton = { name: name || names[0], names, parents, rest: restOfBones(bones, order), bind: null, joints };
  return { skeleton, sourceNodes: order, declared: null };
}

/** Reads the morphs of a motion that the model does not have on its mesh. */
function readExpressions(morphs: readonly MmdMorphKeys[]): ExpressionTrack[] {
  return morphs.map(({ name, frames, weights }) => ({
    name,
    sourceNode: -1,
    interpolation: 'LINEAR',
    times: frames.map((frame) => frame / MMD_FPS),
    values: weights,
  }));
}

/** Reads the morphs of a motion as weights of the mesh. */
function readMorphTrack(
  model: MmdModel,
  found: readonly { readonly keys: MmdMorphKeys; readonly target: number }[],
): MorphTrack[] {
  const names = shownMorphs(model).map((morph) => model.morphs[morph].name);
  const frames = [...new Set(found.flatMap(({ keys }) => [...keys.frames]))].sort((a, b) => a - b);
  if (frames.length === 0) return [];
  const values = new Float32Array(frames.length * names.length);
  for (const { keys, target } of found) {
    let key = 0;
    for (const [k, frame] of frames.entries()) {
      while (key + 1 < keys.frames.length && keys.frames[key + 1] <= frame) key++;
      const next = Math.min(key + 1, keys.frames.length - 1);
      const span = keys.frames[next] - keys.frames[key];
      const share = span > 0 ? Math.max(0, (frame - keys.frames[key]) / span) : 0;
      values[k * names.length + target] = keys.weights[key] + (keys.weights[next] - keys.weights[key]) * share;
    }
  }
  return [
    {
      sourceNode: model.bones.length,
      nodeName: MESH_NODE,
      targetCount: names.length,
      targetNames: names,
      interpolation: 'LINEAR',
      times: Float64Array.from(frames, (frame) => frame / MMD_FPS),
      values,
    },
  ];
}

function readFace(model: MmdModel, motion: MmdMotion): Pick<AssetClip, 'morphs' | 'expressions'> {
  const shown = model.mesh === null ? [] : shownMorphs(model);
  const find = createNameFinder(shown.map((morph) => model.morphs[morph].name));
  const found = motion.morphs.map((keys) => ({ keys, target: find(keys.name) }));
  const keyCount = motion.morphs.reduce((sum, { frames }) => sum + frames.length, 0);
  const fits = keyCount * shown.length <= MOST_WEIGHTS;
  const morphs = readMorphTrack(
    model,
    found.filter(({ target }) => fits && target >= 0),
  );
  const others = found.filter(({ target }) => !fits || target < 0).map(({ keys }) => keys);
  return { morphs, ...(others.length === 0 ? {} : { expressions: readExpressions(others) }) };
}

function readClip(model: MmdModel, motion: MmdMotion, order: Int32Array, issues: Issue[]): AssetClip {
  const { tracks, times, missing } = bakeMotion(model.bones, motion, inverseOrder(order));
  if (missing.length > 0) {
    const names = missing.slice(0, LISTED).map((name) => JSON.stringify(name));
    if (missing.length > LISTED) names.push(`${missing.length - LISTED} more`);
    const whose = model.kind === 'standard' ? 'the standard skeleton' : `the model ${JSON.stringify(model.name)}`;
    const found =
      tracks.length === 0
        ? issue(
            'MMD_MOTION',
            `The motion moves no bone that ${whose} has, only ${names.join(', ')}. Play it on the PMX that it was made for: pass that as the option model`,
          )
        : issue(
            'MMD_BONES_MISSING',
            `The motion moves ${missing.length} bones that ${whose} lacks: ${names.join(', ')}; their movement was left out`,
          );
    issues.push(found);
  }
  const face = readFace(model, motion);
  let duration = times[times.length - 1] ?? 0;
  for (const { frames } of motion.morphs) duration = Math.max(duration, frames[frames.length - 1] / MMD_FPS);
  const clip: Clip = { name: '', duration: times[times.length - 1] ?? 0, tracks, keyTimes: times };
  return { name: '', duration, clips: [clip], ...face, otherChannels: motion.otherKeys > 0 ? 1 : 0 };
}

/**
 * Creates the asset of a model, of a motion on a model, or of a motion alone, which plays on the standard skeleton. `model`: the model; null for
 * the standard skeleton. `motion`: the motion; null for the model alone. Throws FormatError `MMD_LIMIT` for a motion that takes too much memory or
 * time.
 */
export function mmdAsset(model: MmdModel | null, motion: MmdMotion | null): Asset {
  const played = model ?? standardModel();
  const issues: Issue[] = [...played.issues, ...(motion?.issues ?? [])];
  if (model === null && motion !== null) {
    const { kind, modelName } = motion;
    const whose = modelName === '' ? 'a model' : `the model ${JSON.stringify(modelName)}`;
    const message = `The ${kind.toUpperCase()} was made for ${whose}, and holds no skeleton; it plays on the standard skeleton of MikuMikuDance, an adult of 1.58 m. With the PMX that it was made for as the model, feet and hands are where they belong`;
    issues.push(issue('MMD_SKELETON', message));
  }
  const part = readSkeleton(played);
  const clips = motion === null ? [] : [readClip(played, motion, part.sourceNodes, issues)];
  return limitAsset({
    format: 'mmd',
    metersPerUnit: METERS_PER_UNIT,
    up: [0, 1, 0],
    skeletons: [part],
    clips,
    issues,
  });
}

/**
 * Reads a file of MMD: the skeleton of a model (PMX, PMD), or a motion or pose (VMD, VPD) on a model.
 *
 * A motion is evaluated at its 30 frames per second as MMD does it: Bézier curves, IK of legs and toes, bones that follow others, in the order of layers. Physics is left out.
 * Every bone that moves gets LINEAR tracks with a key per frame. Morphs become weights of the mesh of the model, or expressions where it has no such morph.
 *
 * Axes are right-handed, +Y up, a model faces +Z; a unit is 8 cm, as `up` and `metersPerUnit` say.
 *
 * @param bytes The file.
 * @param model The PMX or PMD that a motion plays on; without it, the standard skeleton of MMD. It is ignored for a file that is a model.
 * @returns The asset. Its `issues` say what the motion lacks, and what was repaired.
 * @throws FormatError `MMD_SYNTAX` for other content or a damaged file; `MMD_LIMIT` for one that takes too much memory or time.
 * @example
 * ```ts
 * const { skeletons, clips } = readMmd(await readFile('dance.vmd'), await readFile('miku.pmx'));
 * ```
 * @experimental
 */
export function readMmd(bytes: Uint8Array, model?: Uint8Array): Asset {
  if (isMmdModel(bytes)) return mmdAsset(parseMmdModel(bytes), null);
  return mmdAsset(model === undefined ? null : parseMmdModel(model), parseMmdMotion(bytes));
}

/**
 * Reads the mesh of a model, its skin, its morphs, and its materials with color and texture. `readResource` reads images beside the model; without
 * it, materials have their color only. Throws FormatError `MMD_LIMIT` for meshes beyond a gigabyte.
 */
export async function readMmdGeometry(
  model: MmdModel,
  readResource: ReadResource | null = null,
): Promise<{ geometry: Geometry; issues: Issue[] }> {
  const issues: Issue[] = [];
  const appearance = await readMmdMaterials(model.materials, readResource, issues);
  return { geometry: { ...modelGeometry(model), ...appearance }, issues };
}
