/** Compares a motion with its retargeted result, clip by clip, as `anyrig compare` does. */
import type { Clip, Track } from '../../core/animation/clip.ts';
import { applyContacts } from '../../core/contacts/plan/apply-contacts.ts';
import { planContacts } from '../../core/contacts/plan/plan-contacts.ts';
import { describeContactSurface } from '../../core/contacts/surface/contact-surface.ts';
import { BONE } from '../../core/humanoid/bones.ts';
import type { Humanoid } from '../../core/humanoid/humanoid.ts';
import { describeBody } from '../../core/measure/body.ts';
import type { Issue } from '../../core/report/issue.ts';
import { planRetarget } from '../../core/retarget/plan-retarget.ts';
import { retargetClip } from '../../core/retarget/retarget-clip.ts';
import { defaultClipName } from '../../files/clips/clip-names.ts';
import { loadDecoders } from '../../files/geometry.ts';
import { readSkinPoints } from '../../files/humanoid/contact-surface.ts';
import type { HumanoidOptions } from '../../files/humanoid/describe-file-humanoid.ts';
import { chooseHumanoid } from '../../files/humanoid/find-humanoid.ts';
import type { OpenFile } from '../../files/open.ts';
import { notHumanoidIssue, withFileName } from '../../files/reports/collect-issues.ts';
import { pairClips } from '../pair-clips.ts';
import { comparePage } from './compare-page.ts';
import type { CompareColumn, ComparedClip, CompareReport, DrawnColumn } from './compare-report.ts';
import { measureMotion } from './figures.ts';

/** Least fraction of the bones of the source that the target has by name. */
const LEAST_MATCH = 0.5;

/** The part of a name that exporters leave alone: without namespace, case, blanks and punctuation. */
function plainName(name: string): string {
  return name
    .slice(name.lastIndexOf(':') + 1)
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '');
}

/**
 * Copies a clip as programs without retargeting do: tracks go to the nodes with the same names, their values unchanged. Returns rotations of all
 * nodes and the translation of the hips; null where fewer than half of the bones have the same names.
 */
function copyByName(source: Humanoid, clip: Clip, target: Humanoid): Clip | null {
  const nodes = new Map<string, number>();
  for (const [node, name] of target.skeleton.names.entries()) {
    const plain = plainName(name);
    if (plain !== '' && !nodes.has(plain)) nodes.set(plain, node);
  }
  const targetOf = (node: number): number | undefined => nodes.get(plainName(source.skeleton.names[node]));
  const bones = Array.from(source.map.nodes).filter((node) => node >= 0);
  if (bones.filter((node) => targetOf(node) !== undefined).length < LEAST_MATCH * bones.length) return null;
  const hips = source.map.nodes[BONE.hips];
  const tracks = clip.tracks.flatMap((track): Track[] => {
    const node = targetOf(track.target);
    const isCopied = track.path === 'rotation' || (track.path === 'translation' && track.target === hips);
    return node === undefined || !isCopied ? [] : [{ ...track, target: node }];
  });
  const taken = new Set<string>();
  const first = tracks.filter(({ target: node, path }) => {
    const key = `${node} ${path}`;
    return !taken.has(key) && taken.add(key);
  });
  return { ...clip, tracks: first };
}

const MOST_CLIPS = 24;

/** How to compare. */
export interface CompareOptions {
  /** Another result, such as that of another program. */
  readonly with?: OpenFile;
  /** Names or indices of the clips of the source; all by default. */
  readonly clips?: readonly (string | number)[];
  /** What the caller knows about the humanoid of the source: skeleton, bone map, reference pose. */
  readonly source?: HumanoidOptions;
  /** The same for the character of the results. */
  readonly target?: HumanoidOptions;
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

type Side = Pick<DrawnColumn, 'file' | 'found' | 'character' | 'surface'>;

/** Finds the character of a file; null, with an issue, without one. */
async function sideOf(
  file: OpenFile,
  role: 'source' | 'target',
  options: HumanoidOptions,
  issues: Issue[],
): Promise<Side | null> {
  await loadDecoders(file);
  const choice = chooseHumanoid(file, role, options);
  issues.push(...withFileName(file.name, choice.issues));
  const { found } = choice;
  if (found === null) {
    issues.push(notHumanoidIssue(file.name, choice.reason));
    return null;
  }
  const { humanoid } = found;
  const skin = readSkinPoints(file, found.part);
  const body = describeBody({ skeleton: humanoid.skeleton, nodes: humanoid.map.nodes, skin });
  return { file, found, character: { humanoid, body }, surface: describeContactSurface(humanoid, skin) };
}

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
    sourceSurface: source.surface,
    targetSurface: target.surface,
  });
  const auto = applyContacts(contacts, clip, off).clip;
  const motions: { readonly column: CompareColumn; readonly side: Side; readonly clip: Clip | null }[] = [
    { column: 'names', side: target, clip: copyByName(from.humanoid, clip, to.humanoid) },
    { column: 'off', side: target, clip: off },
    { column: 'auto', side: target, clip: auto },
    { column: 'result', side: target, clip: result },
    ...(other === null ? [] : [{ column: 'with' as const, side: other.side, clip: other.clip }]),
  ];
  const drawn = motions.flatMap(({ column, side, clip: motion }): DrawnColumn[] => {
    if (motion === null || motion.tracks.length === 0) return [];
    const isOwn = side === target;
    const scale = isOwn ? plan.hipsScale : planRetarget(from.humanoid, side.character.humanoid).hipsScale;
    // Only on the same character is it known what contacts change.
    const purpose = isOwn && column !== 'names' && column !== 'off' ? { plain: off, changed: auto } : null;
    const measured = measureMotion({ ...from, clip }, { ...side.character, clip: motion }, scale, purpose);
    return [{ ...side, column, clip: motion, measured }];
  });
  return { hipsScale: plan.hipsScale, drawn: [{ ...source, column: null, clip, measured: null }, ...drawn] };
}

/**
 * Compares motions with their retargeted results: the figures of the ruler and its verdict, beside those of a copy by name, of plain retargeting and of
 * retargeting with contacts. Clips are paired by name, as on contact sheets.
 *
 * @param source File with the motions; it stays unchanged.
 * @param result File with the retargeted clips and their character.
 * @param options Another result, which clips, and what is known of the humanoids.
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
  const from = await sideOf(source, 'source', options.source ?? {}, issues);
  const to = await sideOf(result, 'target', options.target ?? {}, issues);
  const other = options.with === undefined ? null : await sideOf(options.with, 'target', options.target ?? {}, issues);
  const groups = pairClips([source, result], options.clips ?? []).filter((group) => group.length === 2);
  const others = options.with === undefined ? [] : pairClips([source, options.with], options.clips ?? []);
  const compared: { readonly clip: ComparedClip; readonly drawn: readonly DrawnColumn[] }[] = [];
  if (from !== null && to !== null) {
    for (const group of groups.slice(0, MOST_CLIPS)) {
      const [motion, made] = group;
      if (made === undefined) continue;
      const clip = motion.clip.clips[from.found.index];
      if (clip.tracks.length === 0) continue;
      const named = defaultClipName(motion.clip.name, source.name);
      const name = named.trim() === '' ? `clip ${motion.index}` : named;
      options.onClip?.(name);
      const also = others.find(([one]) => one.index === motion.index && one.file === 0)?.[1];
      const second =
        other === null || also === undefined ? null : { side: other, clip: also.clip.clips[other.found.index] };
      const { hipsScale, drawn } = compareClip(from, clip, to, made.clip.clips[to.found.index], second);
      const columns = Object.fromEntries(
        drawn.flatMap(({ column, measured }) =>
          column === null || measured === null ? [] : [[column, measured.figures]],
        ),
      );
      compared.push({ clip: { name, duration: clip.duration, hipsScale, columns }, drawn });
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
