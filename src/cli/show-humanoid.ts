/** Humanoids for people to read. */
import type { DirectionReport, HumanoidReport } from '../files/humanoid-report.ts';
import { columns } from './columns.ts';
import { oneLine } from './io.ts';
import { boneLines, percent, unsureLines } from './show-bones.ts';

/** Parts of a reference pose that are less sure than this are told of. */
const SURE = 0.6;

/** A direction: its axis, or its vector where it is none. */
function direction({ axis, vector }: DirectionReport): string {
  return axis ?? `(${vector.map((value) => value.toFixed(3)).join(', ')})`;
}

/** A length in meters with three decimals, or more where it is short. */
export function meters(value: number): string {
  const text = Math.abs(value) >= 0.1 || value === 0 ? value.toFixed(3) : value.toPrecision(3);
  return `${text.replace(/\.?0+$/, '')} m`;
}

function degrees(deviations: HumanoidReport['referencePose']['deviationDegrees']): string {
  const limbs = Object.entries(deviations).map(([limb, value]) => `${limb} ${value.toFixed(1)}°`);
  return limbs.length === 0 ? 'unknown' : limbs.join(', ');
}

/** A row of facts about palms or feet; none where nothing shows. */
function sides(label: string, degreesOfSides: HumanoidReport['referencePose']['palmDegrees']): string[][] {
  const told = Object.entries(degreesOfSides).map(([side, value]) => `${side} ${value.toFixed(1)}°`);
  return told.length === 0 ? [] : [[label, told.join(', ')]];
}

/** What the reference pose is and where it comes from, in words. */
export function referenceWords({ kind, from }: HumanoidReport['referencePose']): string {
  return kind === from || from === '' ? kind : kind === 'estimated' ? `estimated from ${from}` : `${kind} (${from})`;
}

/** What was decided about the parts of an estimated pose: those that are not sure, or with `why` all. */
function findingLines({ findings }: HumanoidReport['referencePose'], why: boolean): string[] {
  const told = (findings ?? []).filter(({ confidence }) => why || confidence < SURE);
  const rows = told.map(({ part, confidence, reason }) => [part, percent(confidence), oneLine(reason)]);
  if (rows.length === 0) return [];
  return why ? columns([['part', 'sure', 'why'], ...rows], [1]) : columns(rows, [1]);
}

/** Blocks of lines with an empty line between; blocks without lines are left out. */
function blocks(...all: readonly (readonly string[])[]): string[] {
  const there = all.filter((lines) => lines.length > 0);
  return there.flatMap((lines, k) => (k === 0 ? lines : ['', ...lines]));
}

function headed(head: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [head, ...lines.map((line) => `  ${line}`)];
}

/**
 * Everything about a humanoid as lines. `why` tells of every bone and of every part of the reference pose what spoke for it; without, only
 * what is not sure is explained.
 */
export function humanoidLines(humanoid: HumanoidReport, why = false): string[] {
  const { referencePose, facing, up, metersPerUnit, ground, heightMeters, hipsHeight, mapFrom } = humanoid;
  const facts = [
    ['bones', `${Object.keys(humanoid.bones).length}, map: ${mapFrom}`],
    ['reference pose', referenceWords(referencePose)],
    ['off a T-pose', degrees(referencePose.deviationDegrees)],
    ...(referencePose.kind === 'estimated'
      ? [['before estimation', degrees(referencePose.startDeviationDegrees)]]
      : []),
    ...sides('palms off the ground', referencePose.palmDegrees),
    ...sides('feet off the front', referencePose.headingDegrees),
    ['facing', `${direction(facing)}, up ${direction(up)}`],
    ['unit', `1 = ${meters(metersPerUnit)}`],
    ['ground', `at ${meters(ground)}`],
    ['height', `${meters(heightMeters)} to the highest joint, hips at ${meters(hipsHeight)}`],
  ];
  const parts = findingLines(referencePose, why);
  if (why) return blocks(columns(facts), parts, boneLines(humanoid.bones, true));
  return blocks(
    columns(facts),
    headed('unsure parts of the reference pose', parts),
    boneLines(humanoid.bones, false),
    headed('unsure bones', unsureLines(humanoid.bones)),
  );
}
