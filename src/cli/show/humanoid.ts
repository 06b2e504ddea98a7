import { SIDES } from '../../core/humanoid/bones.ts';
import type { DirectionReport, HumanoidReport } from '../../files/reports/humanoid-report.ts';
import { oneLine } from '../io.ts';
import { boneLines, lowConfidenceLines, percent } from './bones.ts';
import { columns } from './columns.ts';

/** Parts of a reference pose below this confidence are listed. */
const LOW_CONFIDENCE = 0.6;

/** Formats a direction as its axis, or as a vector where it is not an axis. */
function direction({ axis, vector }: DirectionReport): string {
  return axis ?? `(${vector.map((value) => value.toFixed(3)).join(', ')})`;
}

export function meters(value: number): string {
  const text = Math.abs(value) >= 0.1 || value === 0 ? value.toFixed(3) : value.toPrecision(3);
  return `${text.replace(/\.?0+$/, '')} m`;
}

function degrees(deviations: HumanoidReport['referencePose']['deviationDegrees']): string {
  const limbs = Object.entries(deviations).map(([limb, value]) => `${limb} ${value.toFixed(1)}°`);
  return limbs.length === 0 ? 'unknown' : limbs.join(', ');
}

/** A row about palms or feet; none where nothing was found. */
function sides(label: string, degreesOfSides: HumanoidReport['referencePose']['palmDegrees']): string[][] {
  const texts = Object.entries(degreesOfSides).map(([side, value]) => `${side} ${value.toFixed(1)}°`);
  return texts.length === 0 ? [] : [[label, texts.join(', ')]];
}

/** Describes where a reference pose comes from. */
export function referencePoseText({ kind, from }: HumanoidReport['referencePose']): string {
  return kind === from || from === '' ? kind : kind === 'estimated' ? `estimated from ${from}` : `${kind} (${from})`;
}

function soleRow(soles: HumanoidReport['soles']): string[][] {
  const texts = SIDES.flatMap((side) => {
    const sole = soles?.[side];
    return sole === undefined ? [] : [`${side} ${meters(sole.length)} long, ankle ${meters(sole.ankleHeight)} above`];
  });
  if (soles === undefined || texts.length === 0) return [];
  return [['soles', `${texts.join('; ')}; ${soles.from === 'skin' ? 'from the skin' : 'estimated from the joints'}`]];
}

/** Parts of the row about radii, and their bones. */
const THICK_PARTS = [
  ['trunk', ['hips', 'spine', 'chest', 'upperChest']],
  ['head', ['head']],
  ['upper arms', ['leftUpperArm', 'rightUpperArm']],
  ['forearms', ['leftLowerArm', 'rightLowerArm']],
  ['thighs', ['leftUpperLeg', 'rightUpperLeg']],
] as const;

/** A row about the skin around the bones; none in reports without it. */
function radiiRow({ radii = {}, soles }: HumanoidReport): string[][] {
  const texts = THICK_PARTS.flatMap(([part, bones]) => {
    const found = bones.flatMap((bone) => radii[bone]?.mean ?? []);
    return found.length === 0 ? [] : [`${part} ${meters(found.reduce((sum, mean) => sum + mean, 0) / found.length)}`];
  });
  if (texts.length === 0) return [];
  return [
    ['mean radius', `${texts.join(', ')}; ${soles?.from === 'skin' ? 'from the skin' : 'estimated from the joints'}`],
  ];
}

/** Lists the findings about parts of an estimated pose: those with low confidence, or with `why` all. */
function findingLines({ findings }: HumanoidReport['referencePose'], why: boolean): string[] {
  const shown = (findings ?? []).filter(({ confidence }) => why || confidence < LOW_CONFIDENCE);
  const rows = shown.map(({ part, confidence, reason }) => [part, percent(confidence), oneLine(reason)]);
  if (rows.length === 0) return [];
  return why ? columns([['part', 'confidence', 'why'], ...rows], [1]) : columns(rows, [1]);
}

/** Joins blocks of lines with an empty line between them, without empty blocks. */
function blocks(...all: readonly (readonly string[])[]): string[] {
  const present = all.filter((lines) => lines.length > 0);
  return present.flatMap((lines, k) => (k === 0 ? lines : ['', ...lines]));
}

function headed(head: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [head, ...lines.map((line) => `  ${line}`)];
}

/**
 * Describes a humanoid: facts, reference pose, bones. `why` explains every bone and every part of the reference pose; otherwise only those with low
 * confidence.
 */
export function humanoidLines(humanoid: HumanoidReport, why = false): string[] {
  const { referencePose, facing, up, metersPerUnit, ground, heightMeters, hipsHeight, mapFrom, soles } = humanoid;
  const facts = [
    ['bones', `${Object.keys(humanoid.bones).length}, map: ${mapFrom}`],
    ['reference pose', referencePoseText(referencePose)],
    ['off a T-pose', degrees(referencePose.deviationDegrees)],
    ...(referencePose.kind === 'estimated'
      ? [['before estimation', degrees(referencePose.startDeviationDegrees)]]
      : []),
    ...sides('palms off the ground', referencePose.palmDegrees),
    ...sides('feet off the front', referencePose.headingDegrees),
    ['facing', `${direction(facing)}, up ${direction(up)}`],
    ['unit', `1 = ${meters(metersPerUnit)}`],
    ['ground', `at ${meters(ground)}`],
    ...soleRow(soles),
    ...radiiRow(humanoid),
    ...(humanoid.cloth === undefined || humanoid.cloth === 0
      ? []
      : [['cloth', `${percent(humanoid.cloth)} of the surface, which arms may touch`]]),
    ['height', `${meters(heightMeters)} to the highest joint, hips at ${meters(hipsHeight)}`],
  ];
  const parts = findingLines(referencePose, why);
  if (why) return blocks(columns(facts), parts, boneLines(humanoid.bones, true));
  return blocks(
    columns(facts),
    headed('parts of the reference pose to check', parts),
    boneLines(humanoid.bones, false),
    headed('bones to check', lowConfidenceLines(humanoid.bones)),
  );
}
