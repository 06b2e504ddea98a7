/** Shows the project on the stage: figures, clips, skeletons, trails. */
import { computed, effect, signal } from '@preact/signals';
import type { BoneName } from 'anyrig';
import type { HumanoidReport } from 'anyrig/files';
import type { AnyrigStage, StageFigure, StageJoints } from 'anyrig/stage';
import type { StageClip } from '../../../src/stage/contract.ts';
import type { TimingOptions } from '../engine/edit-timing.ts';
import type { Charts, FigureData, FigureJoint, GroundLines, HumanoidEdits } from '../engine/protocol.ts';
import { createLatest } from './latest.ts';
import { messageOf } from './message.ts';
import type { Player } from './player.ts';
import { DETECTED, editsOf } from './project.ts';
import { referencePose } from './reference-pose.ts';
import type { Studio } from './studio.ts';
import { posed, view } from './view.ts';

type Color = readonly [r: number, g: number, b: number];

const NO_BONE: Color = [0.55, 0.58, 0.62];
const GOOD: Color = [0.16, 0.65, 0.33];
const BAD: Color = [0.86, 0.2, 0.16];
/** Degrees that are shown as entirely bad. */
const WORST_ERROR = 20;

function mix(t: number): Color {
  const part = Math.min(1, Math.max(0, t));
  return [0, 1, 2].map((k) => GOOD[k] + part * (BAD[k] - GOOD[k])) as unknown as Color;
}

function errorAt(charts: Charts, bone: BoneName, time: number): number {
  const values = charts.boneErrors[bone];
  return values?.[Math.min(values.length - 1, Math.round(time * charts.rate))] ?? 0;
}

/**
 * Colors the joints of a figure. `humanoid`: the humanoid of the file, with confidences; null without. `charts`: errors over time; null without a
 * result. Returns three floats per joint, sRGB 0…1.
 */
export function jointColors(
  joints: readonly FigureJoint[],
  kind: 'confidence' | 'error',
  humanoid: HumanoidReport | null,
  charts: Charts | null,
  time: number,
): Float32Array {
  const colors = new Float32Array(3 * joints.length);
  for (const [k, { bone }] of joints.entries()) {
    let color = NO_BONE;
    if (bone !== null && kind === 'confidence') color = mix(1 - (humanoid?.bones[bone]?.confidence ?? 1));
    else if (bone !== null) color = mix(charts === null ? 0 : errorAt(charts, bone, time) / WORST_ERROR);
    colors.set(color, 3 * k);
  }
  return colors;
}

/** The id of the figure of a motion; a file can be on stage as a motion and as a character. */
export const SOURCE = 'source';

interface Wanted {
  readonly source: { readonly file: string; readonly clip: number; readonly timing: TimingOptions } | null;
  readonly characters: readonly string[];
  readonly edits: Readonly<Record<string, HumanoidEdits>>;
}

const COLORS = { left: '#e3734b', right: '#4b8fe3', path: '#9a9a9a', mark: '#4cc36b' } as const;

function isFinger({ bone }: FigureJoint): boolean {
  return bone !== null && /Thumb|Index|Middle|Ring|Little/.test(bone);
}

/** Length from which on a beginning that all names share says nothing, such as `mixamorig:`. */
const LEAST_PREFIX = 4;

export function withoutPrefix(names: readonly string[]): string[] {
  const [first = '', ...others] = names;
  let length = 0;
  while (length < first.length && others.every((name) => name[length] === first[length])) length++;
  const isNotable = others.length > 0 && length >= LEAST_PREFIX;
  return names.map((name) => (isNotable && name.length > length ? name.slice(length) : name));
}

/** Texts beside joints. Fingers would hide each other: they have their names under the pointer. */
function labelsOf(joints: readonly FigureJoint[]): string[] {
  const names = withoutPrefix(joints.map(({ name, node }) => (name === '' ? `#${node}` : name)));
  return names.map((name, k) => (isFinger(joints[k]) ? '' : name));
}

function overlayOf({ joints }: FigureData, isNamed = false): StageJoints {
  return {
    ...(isNamed ? { labels: labelsOf(joints) } : {}),
    nodes: joints.map(({ node }) => node),
    parents: joints.map(({ parent }) => parent),
    names: joints.map(({ name, bone }) => (bone === null ? name : `${name} (${bone})`)),
  };
}

export function placeOf(humanoid: FigureData['humanoid']): Omit<StageFigure, 'id' | 'glb'> {
  if (humanoid === null) return {};
  const { frame, metersPerUnit, ground, hips } = humanoid;
  return { frame, metersPerUnit, ground, hips };
}

/** Tests whether two descriptions of a file put its figure in the same place. */
function isSamePlace({ humanoid: a }: FigureData, { humanoid: b }: FigureData): boolean {
  return JSON.stringify(placeOf(a)) === JSON.stringify(placeOf(b));
}

/** Keeps the stage in step with the project until the page ends. */
export function showOnStage(studio: Studio, player: Player, stage: AnyrigStage): () => void {
  const engine = () => studio.client.engine();
  const fileOf = (id: string) => studio.files.peek().find(({ input }) => input.id === id);
  const names = (id: string): string => fileOf(id)?.input.title ?? fileOf(id)?.input.name ?? memberOf(id)?.title ?? id;
  /** What is on stage: the file and the decisions that a figure was made from, and its description. */
  const shown = new Map<string, { readonly key: string; readonly file: string; readonly data: FigureData }>();
  const memberOf = (id: string) => studio.opening.value?.members.find((member) => member.id === id);
  /** The clip that every character plays. */
  const played = new Map<string, StageClip | null>();
  /** The lines on the ground of every character. */
  const drawn = new Map<string, GroundLines | null>();
  /** The first result plays as soon as it is there, unless the user wants little motion. */
  let hasPlayed = globalThis.matchMedia('(prefers-reduced-motion: reduce)').matches;

  let said: string | null = null;

  function keyOf(file: string, edits: HumanoidEdits): string {
    return JSON.stringify([file, edits]);
  }

  /** Puts a figure on stage. Says why where that fails; the others stay. */
  async function tryPlace(id: string, file: string, edits: HumanoidEdits, role: 'source' | 'result'): Promise<void> {
    try {
      await place(id, file, edits, role);
    } catch (error) {
      shown.delete(id);
      said = `${names(file)}: ${messageOf(error)}`;
      studio.notice.value = said;
    }
  }

  async function place(id: string, file: string, edits: HumanoidEdits, role: 'source' | 'result'): Promise<void> {
    const key = keyOf(file, edits);
    if (shown.get(id)?.key === key) return;
    if (studio.notice.peek() === said) studio.notice.value = null;
    // The show moves before the worker has its files.
    const member = edits === DETECTED && role === 'result' ? memberOf(id) : undefined;
    const before = shown.get(id);
    const isThere = before?.file === file && stage.figures.includes(id);
    const readGlb = () => member?.bytes ?? engine().glb(file);
    // Both at once: what the worker is asked for next, a result, takes long, and the stage loads the figure meanwhile.
    const figure = member?.data ?? engine().figure(file, edits);
    const [data, early] = await Promise.all([figure, isThere ? null : readGlb()]);
    const { humanoid } = data;
    shown.set(id, { key, file, data });
    // Most decisions change neither the file nor how it stands: the figure stays, and with it what is being edited.
    if (isThere && isSamePlace(before.data, data)) return describe(id, data);
    // Those that are there dance while the next one is loaded; a page that nobody sees has no frames.
    await Promise.race([new Promise(requestAnimationFrame), new Promise((resolve) => setTimeout(resolve, 50))]);
    const glb = early ?? (await readGlb());
    await stage.addFigure({
      id,
      glb,
      label: names(file),
      role,
      ...placeOf(humanoid),
    });
    // Results that came meanwhile went to the figure that was replaced.
    played.delete(id);
    drawn.delete(id);
    // It was taken off while it was loaded.
    if (stage.figures.includes(id)) describe(id, data);
  }

  function describe(id: string, data: FigureData): void {
    stage.setJoints(id, overlayOf(data));
    if (data.humanoid === null) return;
    stage.setRestPose(id, referencePose(data.humanoid));
    if (posed.peek() === id) stage.setPose(id, referencePose(data.humanoid));
  }

  /** The clip that the figure of the motion plays. */
  let sourceKey = '';

  /** Gives the figure of the motion its clip, in step with the results. */
  async function playSource(source: NonNullable<Wanted['source']>): Promise<void> {
    if (!stage.figures.includes(SOURCE)) return;
    const key = JSON.stringify([source, shown.get(SOURCE)?.key]);
    if (key === sourceKey) return;
    const clip = await engine().sourceClip(source.file, source.clip, source.timing);
    if (!stage.figures.includes(SOURCE)) return;
    stage.setClip(SOURCE, clip);
    sourceKey = key;
  }

  function drop(id: string): void {
    if (!shown.delete(id)) return;
    played.delete(id);
    drawn.delete(id);
    if (id === SOURCE) sourceKey = '';
    stage.removeFigure(id);
  }

  /** Draws the trails of the feet, the path of the hips, and where feet stood. */
  function drawLines(character: string, lines: GroundLines | null): void {
    if (drawn.get(character) === lines && drawn.has(character)) return;
    drawn.set(character, lines);
    const [left, right] = lines?.trails ?? [];
    stage.setTrails(character, [
      ...(left === undefined ? [] : [{ points: left, color: COLORS.left }]),
      ...(right === undefined ? [] : [{ points: right, color: COLORS.right }]),
    ]);
    stage.setPath(character, lines?.path ?? null);
    stage.setMarks(
      character,
      (lines?.marks ?? []).map((mark) => ({ ...mark, color: COLORS.mark })),
    );
  }

  /** Puts the newest results on their figures. */
  function showResults(): void {
    const results = studio.results.value;
    const isOpening = studio.history.state.value.motion?.file === studio.opening.value?.motion;
    for (const character of stage.figures) {
      if (character === SOURCE) continue;
      const found = results.get(character);
      const clip = found === undefined && isOpening ? memberOf(character)?.clip : found?.result?.clip;
      // Until the first result of another motion is there, a character goes on.
      if (clip === undefined && found === undefined) continue;
      drawLines(character, found?.measures?.lines ?? null);
      if (played.get(character) === (clip ?? null) && played.has(character)) continue;
      played.set(character, clip ?? null);
      stage.setClip(character, clip ?? null);
      if (clip == null || hasPlayed) continue;
      hasPlayed = true;
      stage.play();
    }
    player.refresh();
  }

  /** Orders the characters of the show from the middle of their row outwards: the first to dance stays in the middle. */
  function byEntrance(a: string, b: string): number {
    const members = studio.opening.peek()?.members ?? [];
    const entrance = (id: string): number => {
      const at = members.findIndex((member) => member.id === id);
      return at < 0 ? -1 : Math.abs(at - Math.floor(members.length / 2));
    };
    return entrance(a) - entrance(b);
  }

  const isSourceShown = computed(() => view.value.show.source);

  const wanted = computed<Wanted>(() => {
    const { motion, characters, options } = studio.history.state.value;
    const timing = { trim: options.trim, skipFirstPose: options.skipFirstPose, speed: options.speed };
    const open = new Set(studio.files.value.flatMap(({ input, summary }) => (summary === null ? [] : [input.id])));
    const edits = [motion?.file ?? '', ...characters].map((id) => [id, editsOf(studio.history.state.value, id)]);
    return {
      source: motion !== null && open.has(motion.file) && isSourceShown.value ? { ...motion, timing } : null,
      characters: characters.filter((id) => open.has(id) || memberOf(id) !== undefined),
      edits: Object.fromEntries(edits),
    };
  });

  const update = createLatest(async ({ source, characters, edits }: Wanted, isLatest: () => boolean) => {
    for (const id of [...shown.keys()]) if (id !== SOURCE && !characters.includes(id)) drop(id);
    if (source === null) drop(SOURCE);
    else {
      await tryPlace(SOURCE, source.file, edits[source.file], 'source');
      await playSource(source);
    }
    for (const character of [...characters].sort(byEntrance)) {
      if (!isLatest()) return;
      // Those that are there are not waited for: the worker is asked for a new one before it is asked for results.
      if (shown.get(character)?.key === keyOf(character, edits[character])) continue;
      await tryPlace(character, character, edits[character], 'result');
      showResults();
    }
    player.refresh();
  });

  // As in the stage: where it is higher than wide, the show stands in two rows.
  const isTall = signal(stage.clientHeight > stage.clientWidth);
  const resize = new ResizeObserver(() => {
    isTall.value = stage.clientHeight > stage.clientWidth;
  });
  resize.observe(stage);
  const stops = [
    () => resize.disconnect(),
    effect(() => update(wanted.value)),
    effect(showResults),
    effect(() => {
      const { layout, camera, follow, show, equalHeights } = view.value;
      stage.layout = layout;
      if (stage.view !== camera) stage.view = camera;
      stage.follow = follow;
      // In the row of the show the small ones would be specks beside the tall one. In two rows they stand in front of it.
      stage.equalHeights = equalHeights || (studio.isShow.value && !isTall.value);
      const { source: _, ...drawn } = show;
      stage.show = { ...drawn, ground: true, labels: !studio.isShow.value && posed.value === null };
    }),
    effect(() => {
      stage.order = studio.history.state.value.characters;
    }),
    // Colors of joints: how sure their bone is, or how far it is from the motion now.
    effect(() => {
      const { colors, show, tab } = view.value;
      if (!show.skeleton) return;
      const time = colors === 'error' ? player.time.value : 0;
      for (const [id, { data }] of shown) {
        if (!stage.figures.includes(id)) continue;
        const file = studio.files.value.find(({ input }) => input.id === id)?.summary ?? null;
        const charts = studio.results.value.get(id)?.measures?.charts ?? null;
        const rgb = jointColors(data.joints, colors, file?.humanoid ?? null, charts, time);
        stage.setJoints(id, { ...overlayOf(data, tab === 'map' && posed.value === id), colors: rgb });
      }
    }),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}
