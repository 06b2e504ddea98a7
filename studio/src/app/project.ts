/** What the user made: the motion, the characters, and every decision about them. Plain immutable data, so that it can be undone and stored. */
import type { HumanoidEdits } from '../engine/protocol.ts';
import { MOTION_DEFAULTS, type MotionOptions } from './motion-options.ts';

/** The state that undo restores. */
export interface Project {
  /** The motion on stage; null without. */
  readonly motion: { readonly file: string; readonly clip: number } | null;
  /** Ids of the characters on stage, in their order. */
  readonly characters: readonly string[];
  /** The character that panels and outputs are about; null without. */
  readonly selected: string | null;
  readonly options: MotionOptions;
  /** Decisions about the humanoids of files, by id. */
  readonly humanoids: Readonly<Record<string, HumanoidEdits>>;
}

/** A file about which nothing was decided. */
export const DETECTED: HumanoidEdits = { skeleton: null, map: null, pose: { kind: 'auto' } };

export const EMPTY_PROJECT: Project = {
  motion: null,
  characters: [],
  selected: null,
  options: MOTION_DEFAULTS,
  humanoids: {},
};

/** Returns the decisions about the humanoid of a file. */
export function editsOf(project: Project, id: string): HumanoidEdits {
  return project.humanoids[id] ?? DETECTED;
}

export function withEdits(project: Project, id: string, edits: Partial<HumanoidEdits>): Project {
  return { ...project, humanoids: { ...project.humanoids, [id]: { ...editsOf(project, id), ...edits } } };
}

/** Keeps what the page looks at, where undo restores decisions. */
export function keepLook(restored: Project, present: Project): Project {
  const { motion, characters, selected } = present;
  const isSame = restored.motion?.file === motion?.file && restored.motion?.clip === motion?.clip;
  const options = isSame ? restored.options : { ...restored.options, trim: present.options.trim };
  // Files that were opened since then have no decisions in it, but a person each.
  const opened = Object.entries(present.humanoids).map(([id, { skeleton }]) => [id, { ...DETECTED, skeleton }]);
  const humanoids = { ...Object.fromEntries(opened), ...restored.humanoids };
  return { ...restored, motion, characters, selected, options, humanoids };
}

export function withoutFile(project: Project, id: string): Project {
  const characters = project.characters.filter((character) => character !== id);
  const { [id]: _, ...others } = project.humanoids;
  // Poses of the file are gone with it.
  const humanoids = Object.entries(others).map(([other, edits]): [string, HumanoidEdits] => {
    const isGone = edits.pose.kind === 'file' && edits.pose.file === id;
    return [other, isGone ? { ...edits, pose: DETECTED.pose } : edits];
  });
  return {
    ...project,
    motion: project.motion?.file === id ? null : project.motion,
    characters,
    selected: project.selected === id ? (characters[0] ?? null) : project.selected,
    humanoids: Object.fromEntries(humanoids),
  };
}

/** Puts a character on stage, or takes it off. */
export function withCharacter(project: Project, id: string, isAdded: boolean): Project {
  if (!isAdded) return { ...project, characters: [id], selected: id };
  if (!project.characters.includes(id)) return { ...project, characters: [...project.characters, id], selected: id };
  const characters = project.characters.filter((character) => character !== id);
  return { ...project, characters, selected: characters[characters.length - 1] ?? null };
}
