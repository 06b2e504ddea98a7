/** Pairs of a motion and a character, retargeted and measured: for `scripts/contacts.ts` and the tests of contacts. */

import { basename } from 'node:path';
import type { Clip } from '../../src/core/animation/clip.ts';
import { trimClip } from '../../src/core/animation/trim-clip.ts';
import { collectSkinPoints } from '../../src/core/asset/collect-skin-points.ts';
import { applyContacts } from '../../src/core/contacts/plan/apply-contacts.ts';
import type { ContactMode } from '../../src/core/contacts/plan/contact-plan.ts';
import { planContacts } from '../../src/core/contacts/plan/plan-contacts.ts';
import { type ContactSurface, describeContactSurface } from '../../src/core/contacts/surface/contact-surface.ts';
import type { SkinPoints } from '../../src/core/deform/skin-points.ts';
import type { Humanoid } from '../../src/core/humanoid/humanoid.ts';
import { countSpikes } from '../../src/core/measure/smoothness.ts';
import { planRetarget } from '../../src/core/retarget/plan-retarget.ts';
import { retargetClip } from '../../src/core/retarget/retarget-clip.ts';
import { makeCharacter } from '../../src/demo/characters/make-character.ts';
import { ADULT, CHIBI, CHILD, HEAVY, type Proportions, TALL } from '../../src/demo/figure/proportions.ts';
import { characterDocument, glbBytes } from '../../src/demo/files/glb.ts';
import { DEMO_MOTIONS } from '../../src/demo/index.ts';
import { adapterOf } from '../../src/files/adapters/adapters.ts';
import { chooseHumanoid } from '../../src/files/humanoid/find-humanoid.ts';
import { openFile as openPath } from '../../src/files/node.ts';
import { openBytes } from '../../src/files/open.ts';
import type { OpenFile } from '../../src/files/open-file.ts';
import { CHARACTERS, MOTIONS } from '../external/matrix/cover.ts';
import { measureContacts } from '../support/reference/contact-quality.ts';
import { playLive } from './play-live.ts';
import { smoothnessOf } from './ruler-of.ts';

/** A character with its surface. */
export interface Body {
  readonly humanoid: Humanoid;
  readonly surface: ContactSurface;
  /** All its vertices; null without meshes. */
  readonly skin: SkinPoints | null;
}

/** A motion for a character. */
export interface ContactPair {
  readonly motion: string;
  readonly clip: string;
  readonly character: string;
  readonly load: () => Promise<{ source: Body; clip: Clip; target: Body } | null>;
}

/** Figures of a pair, see `docs/contacts.md`. Lengths in percent of the height of the target. */
export interface PairFigures {
  /** Slide of the target relative to k times that of the source; null for sources that hardly slide. */
  readonly slide: number | null;
  /** For these, slide beyond k times that of the source, % per second. */
  readonly gain: number | null;
  readonly driftSource: number;
  readonly drift: number;
  readonly driftP90: number;
  readonly pen95: number;
  readonly penMax: number;
  readonly float95: number;
  readonly trunk95: number | null;
  readonly trunkMax: number | null;
  /** Jerk relative to plain retargeting. */
  readonly jerk: number;
  /** Flips of knees and elbows that plain retargeting does not have. */
  readonly flips: number;
  /** Samples whose change of angular velocity exceeds three times the 99.9th percentile of plain retargeting. */
  readonly spikes: number;
}

const opened = new Map<string, Promise<OpenFile>>();
const bodies = new Map<string, Promise<{ body: Body; index: number } | null>>();

function open(path: string, bytes?: () => Uint8Array): Promise<OpenFile> {
  const known = opened.get(path);
  if (known !== undefined) return known;
  const file = bytes === undefined ? openPath(path) : openBytes(bytes(), { name: path });
  opened.set(path, file);
  return file;
}

function readSkin(file: OpenFile, index: number): ReturnType<typeof collectSkinPoints> {
  try {
    const geometry = adapterOf(file).readVertices?.(file);
    return geometry === undefined ? null : collectSkinPoints(geometry, file.asset.skeletons[index]);
  } catch {
    return null;
  }
}

/** Finds the humanoid of a file and its surface, once. */
export function bodyOf(path: string, bytes?: () => Uint8Array): Promise<{ body: Body; index: number } | null> {
  const known = bodies.get(path);
  if (known !== undefined) return known;
  const found = open(path, bytes).then((file) => {
    const choice = chooseHumanoid(file, 'target', {});
    if (choice.found === null) return null;
    const { humanoid, index } = choice.found;
    const skin = readSkin(file, index);
    return { body: { humanoid, skin, surface: describeContactSurface(humanoid, skin) }, index };
  });
  bodies.set(path, found);
  return found;
}

async function motionsOf(path: string, seconds: number, bytes?: () => Uint8Array) {
  const file = await open(path, bytes);
  // A file with many clips would outweigh all others.
  const every = Math.ceil(file.asset.clips.length / 16);
  const isTaken = (name: string, index: number): boolean => index % every === 0 || /death|sit|lie/i.test(name);
  const clipsOf = file.asset.clips.filter(({ name }, index) => isTaken(name, index));
  return clipsOf.map(({ name, clips }, index) => ({
    name: name || String(index),
    load: async (): Promise<{ source: Body; clip: Clip } | null> => {
      const found = await bodyOf(path, bytes).catch(() => null);
      if (found === null) return null;
      const clip = clips[found.index];
      if (clip === undefined || clip.tracks.length === 0 || clip.duration < 0.25) return null;
      return { source: found.body, clip: clip.duration > seconds ? trimClip(clip, 0, seconds) : clip };
    },
  }));
}

async function pairsOf(
  motions: readonly (readonly [path: string, bytes?: () => Uint8Array])[],
  characters: readonly (readonly [path: string, bytes?: () => Uint8Array])[],
  seconds: number,
): Promise<ContactPair[]> {
  const pairs: ContactPair[] = [];
  for (const [path, bytes] of motions) {
    for (const motion of await motionsOf(path, seconds, bytes)) {
      for (const [character, characterBytes] of characters) {
        if (path === character) continue;
        pairs.push({
          motion: path,
          clip: motion.name,
          character,
          load: async () => {
            const [from, to] = [await motion.load(), await bodyOf(character, characterBytes).catch(() => null)];
            return from === null || to === null ? null : { ...from, target: to.body };
          },
        });
      }
    }
  }
  return pairs;
}

/** All motions of the asset folder, or the files whose path contains a text, on all its characters. */
export async function realPairs(seconds: number, only = ''): Promise<ContactPair[]> {
  const files = (paths: readonly string[]) => paths.map((path) => [path] as const);
  const motions = MOTIONS().filter(
    (path) => path.includes(only) && !/makehuman_tpose|openusd|threevrm_test|hips_spine_twisting/.test(path),
  );
  return pairsOf(files(motions), files(CHARACTERS()), seconds);
}

const LEGS = [0.5, 0.7, 0.85, 1.2, 1.6];

function demoBodies(): [string, () => Uint8Array][] {
  const bytesOf = (proportions: Proportions) => () =>
    glbBytes(characterDocument(makeCharacter({ proportions }), { color: [0.5, 0.5, 0.5] }));
  const legs = LEGS.map((factor): [string, () => Uint8Array] => [
    `legs ${factor}`,
    bytesOf({ ...ADULT, leg: ADULT.leg * factor }),
  ]);
  const others = Object.entries({ CHIBI, CHILD, HEAVY, TALL });
  return [...legs, ...others.map(([name, one]): [string, () => Uint8Array] => [`demo ${name}`, bytesOf(one)])];
}

/** Motions of the demo and of the asset folder on bodies of the demo with short and long legs. */
export async function demoPairs(seconds: number): Promise<ContactPair[]> {
  const demo = DEMO_MOTIONS.map((motion): [string, () => Uint8Array] => [motion.name, () => motion.bytes()]);
  const real = MOTIONS()
    .filter((path) => /Xbot|cmu_12|jumping|rokoko|dab|mocopi|ozz_pab_walk|RobotExp/.test(basename(path)))
    .map((path) => [path] as const);
  return pairsOf([...demo, ...real], demoBodies(), seconds);
}

/** Slide of a source below which its ratio says nothing, % of the height per second. */
const STATIC_SLIDE = 0.5;

/**
 * Retargets and measures a pair, as a whole clip or, with `liveFps`, frame by frame; null where there is nothing to retarget. Arms are measured apart, by
 * `evaluateArms`: they change the smoothness, and feet not at all.
 */
export async function evaluatePair(
  pair: ContactPair,
  mode: ContactMode | 'off',
  liveFps: number | null = null,
): Promise<PairFigures | null> {
  const loaded = await pair.load();
  if (loaded === null) return null;
  const { source, clip, target } = loaded;
  const plan = planRetarget(source.humanoid, target.humanoid);
  const plain = retargetClip(plan, clip);
  if (plain.tracks.length === 0) return null;
  const keep = (): Clip => {
    if (mode === 'off') return plain;
    const surfaces = { sourceSurface: source.surface, targetSurface: target.surface };
    const options = { mode, ...surfaces, selfCollision: 'off' } as const;
    const contacts = planContacts(plan, source.humanoid, target.humanoid, options);
    return liveFps === null ? applyContacts(contacts, clip, plain).clip : playLive(contacts, clip, liveFps).clip;
  };
  const result = keep();
  const quality = measureContacts({ ...source, clip }, { ...target, clip: result }, { hipsScale: plan.hipsScale });
  const before = smoothnessOf(target.humanoid, plain);
  const after = mode === 'off' ? before : smoothnessOf(target.humanoid, result);
  const { slide, drift, penetration, float, trunk } = quality;
  const isStatic = slide.source < STATIC_SLIDE;
  return {
    slide: isStatic ? null : slide.target / slide.source,
    gain: isStatic ? slide.target - slide.source : null,
    driftSource: drift.source,
    drift: drift.target,
    driftP90: drift.p90,
    pen95: penetration.p95,
    penMax: penetration.max,
    float95: float.p95,
    trunk95: trunk?.p95 ?? null,
    trunkMax: trunk?.max ?? null,
    jerk: before.jerk > 0 ? after.jerk / before.jerk : 1,
    flips: Math.max(0, after.flips - before.flips),
    spikes: Math.max(0, countSpikes(after, before) - countSpikes(before, before)),
  };
}
