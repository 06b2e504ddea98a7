/** Compares a motion with its retargeted result, clip by clip, as `anyrig compare` does. */
import type { Clip } from '../../core/animation/clip.ts';
import { applyContacts } from '../../core/contacts/plan/apply-contacts.ts';
import { planContacts } from '../../core/contacts/plan/plan-contacts.ts';
import { describeContactSurface } from '../../core/contacts/surface/contact-surface.ts';
import { measureSmoothness } from '../../core/measure/smoothness.ts';
import type { Issue } from '../../core/report/issue.ts';
import { planRetarget } from '../../core/retarget/plan-retarget.ts';
import { retargetClip } from '../../core/retarget/retarget-clip.ts';
import { measureRootSpeed } from '../../core/root-motion/root-speed.ts';
import { loadDecoders } from '../../files/geometry.ts';
import { readSkinPoints } from '../../files/humanoid/contact-surface.ts';
import { type FoundHumanoid, findHumanoid } from '../../files/humanoid/find-humanoid.ts';
import type { OpenFile } from '../../files/open.ts';
import { notHumanoidIssue, withFileName } from '../../files/reports/collect-issues.ts';
import { pairClips } from '../pair-clips.ts';
import { comparePage } from './compare-page.ts';
import type { CompareColumn, ComparedClip, CompareReport, DrawnColumn } from './compare-report.ts';
import { copyByName } from './copy-by-name.ts';
import { type ComparedCharacter, type ComparedSource, measureMotion } from './figures.ts';

/** Greatest number of clips that are compared. */
const MOST_CLIPS = 24;

/** How to compare. */
export interface CompareOptions {
  /** Another result, such as that of another program. */
  readonly with?: OpenFile;
  /** Names or indices of the clips of the source; all by default. */
  readonly clips?: readonly (string | number)[];
  /** Called before each clip with its name. */
  readonly onClip?: (clip: string) => void;
}

/** Report and page of a comparison. */
export interface CompareResult {
  /** The figures. */
  readonly report: CompareReport;
  /** HTML text with figures and pictures that needs no other file; null without clips. */
  readonly html: string | null;
}

interface Side {
  readonly file: OpenFile;
  readonly found: FoundHumanoid;
  readonly character: ComparedCharacter;
}

/** Finds the character of a file; null, with an issue, without one. */
async function sideOf(file: OpenFile, role: 'source' | 'target', issues: Issue[]): Promise<Side | null> {
  await loadDecoders(file);
  const choice = findHumanoid(file, role, {});
  issues.push(...withFileName(file.name, choice.issues));
  const { found } = choice;
  if (found === null) {
    issues.push(notHumanoidIssue(file.name, choice.reason));
    return null;
  }
  const skin = readSkinPoints(file, found.part);
  return {
    file,
    found,
    character: { humanoid: found.humanoid, surface: describeContactSurface(found.humanoid, skin), skin },
  };
}

/** Makes and measures the motions of all columns. */
function compareClip(
  source: Side,
  clip: Clip,
  target: Side,
  result: Clip,
  other: { side: Side; clip: Clip } | null,
): { hipsScale: number; drawn: DrawnColumn[] } {
  const [from, to] = [source.character, target.character];
  const plan = planRetarget(from.humanoid, to.humanoid);
  const off = retargetClip(plan, clip);
  const contacts = planContacts(plan, from.humanoid, to.humanoid, {
    sourceSurface: from.surface,
    targetSurface: to.surface,
  });
  const motions: { readonly column: CompareColumn; readonly side: Side; readonly clip: Clip | null }[] = [
    { column: 'names', side: target, clip: copyByName(from.humanoid, clip, to.humanoid) },
    { column: 'off', side: target, clip: off },
    { column: 'auto', side: target, clip: applyContacts(contacts, clip, off).clip },
    { column: 'result', side: target, clip: result },
    ...(other === null ? [] : [{ column: 'with' as const, side: other.side, clip: other.clip }]),
  ];
  const moving: ComparedSource = {
    ...from,
    clip,
    smoothness: measureSmoothness(from.humanoid, clip),
    root: measureRootSpeed(from.humanoid, clip),
  };
  const itself: DrawnColumn = { ...source, column: null, clip, measured: measureMotion(moving, from, clip, 1) };
  const drawn = motions.flatMap(({ column, side, clip: motion }): DrawnColumn[] => {
    if (motion === null || motion.tracks.length === 0) return [];
    const scale = side === target ? plan.hipsScale : planRetarget(from.humanoid, side.character.humanoid).hipsScale;
    return [{ ...side, column, clip: motion, measured: measureMotion(moving, side.character, motion, scale) }];
  });
  return { hipsScale: plan.hipsScale, drawn: [itself, ...drawn] };
}

/**
 * Compares motions with their retargeted results: pose error, contacts, smoothness and speed of the result, beside those of a copy by name, of plain
 * retargeting and of retargeting with contacts. Clips are paired by name, as on contact sheets.
 *
 * @param source File with the motions; it stays unchanged.
 * @param result File with the retargeted clips and their character.
 * @param options Another result, and which clips.
 * @returns The figures, and a page that shows them.
 * @throws OptionError when a clip does not exist.
 * @example
 * const { report, html } = await compareFiles(await openFile('walk.fbx'), await openFile('hero-walks.glb'));
 */
export async function compareFiles(
  source: OpenFile,
  result: OpenFile,
  options: CompareOptions = {},
): Promise<CompareResult> {
  const issues: Issue[] = [];
  const from = await sideOf(source, 'source', issues);
  const to = await sideOf(result, 'target', issues);
  const other = options.with === undefined ? null : await sideOf(options.with, 'target', issues);
  const groups = pairClips([source, result], options.clips ?? []).filter((group) => group.length === 2);
  const others = options.with === undefined ? [] : pairClips([source, options.with], options.clips ?? []);
  const compared: { readonly clip: ComparedClip; readonly drawn: readonly DrawnColumn[] }[] = [];
  if (from !== null && to !== null) {
    for (const group of groups.slice(0, MOST_CLIPS)) {
      const [motion, made] = group;
      if (made === undefined) continue;
      const clip = motion.clip.clips[from.found.index];
      if (clip.tracks.length === 0) continue;
      options.onClip?.(motion.clip.name);
      const also = others.find(([one]) => one.index === motion.index && one.file === 0)?.[1];
      const second =
        other === null || also === undefined ? null : { side: other, clip: also.clip.clips[other.found.index] };
      const { hipsScale, drawn } = compareClip(from, clip, to, made.clip.clips[to.found.index], second);
      const columns = Object.fromEntries(
        drawn.slice(1).map(({ column, measured }) => [column as CompareColumn, measured.figures]),
      );
      const name = motion.clip.name.trim() === '' ? `clip ${motion.index}` : motion.clip.name;
      const { figures } = drawn[0].measured;
      compared.push({ clip: { name, duration: clip.duration, hipsScale, source: figures, columns }, drawn });
    }
  }
  const report: CompareReport = {
    ok: compared.length > 0,
    source: source.name,
    result: result.name,
    with: options.with?.name ?? null,
    clips: compared.map(({ clip }) => clip),
    clipsLeftOut: Math.max(0, groups.length - MOST_CLIPS),
    issues,
  };
  return { report, html: compared.length === 0 ? null : comparePage(report, compared) };
}
