/** Skeletons of USD files for people to read. */
import type { SkelBindingReport, SkelTargetReport, UsdSkelReport } from '../formats/usd/skel/skel-report.ts';
import { columns } from './columns.ts';
import { type Io, oneLine, type StyleText, stylesFor } from './io.ts';
import { issueLines } from './show-issues.ts';
import { writeLines } from './write-lines.ts';

/** Joints and prims of a skeleton that are listed; the JSON has all. */
const LISTED = 100;

/** Names that stand in a row. */
const IN_A_ROW = 8;

/** `2 joints`, `1 joint`. */
function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`;
}

function listed(names: readonly string[]): string {
  const shown = names.slice(0, IN_A_ROW).map(oneLine).join(', ');
  return names.length > IN_A_ROW ? `${shown} and ${names.length - IN_A_ROW} more` : shown;
}

function shortened(lines: readonly string[]): string[] {
  return lines.length <= LISTED ? [...lines] : [...lines.slice(0, LISTED), `and ${lines.length - LISTED} more`];
}

/** Joints as a tree; those that the animation moves are marked. */
function jointLines({ joints, parents, animJoints }: SkelBindingReport): string[] {
  const moved = new Set(animJoints ?? []);
  const depths: number[] = [];
  const rows = joints.map((joint, i) => {
    // Joints of a skeleton that is not valid may come before their parents.
    depths[i] = parents[i] < 0 ? 0 : (depths[parents[i]] ?? 0) + 1;
    const parent = parents[i] < 0 ? joint : joint.slice(joints[parents[i]].length + 1);
    return [String(i), `${'  '.repeat(depths[i])}${oneLine(parent)}`, moved.has(joint) ? 'animated' : ''];
  });
  return shortened(columns(rows, [0]));
}

function animationRows({ anim, animJoints, blendShapes, mapper, times }: SkelBindingReport): string[][] {
  if (anim === null || animJoints === undefined || mapper === undefined) {
    return [['animation', anim === null ? 'none: the rest pose' : oneLine(anim)]];
  }
  const order = mapper.null ? '' : mapper.identity ? ', all in the same order' : mapper.sparse ? ', not all' : '';
  const span = times.length === 0 ? '' : `: ${times[0]} to ${times[times.length - 1]}`;
  const shapes = blendShapes ?? [];
  return [
    ['animation', `${oneLine(anim)}, ${count(animJoints.length, 'joint')}${order}`],
    ['time codes', `${times.length}${span}`],
    ...(shapes.length === 0 ? [] : [['blend shapes', `${shapes.length}: ${listed(shapes)}`]]),
  ];
}

function targetRow(target: SkelTargetReport): string[] {
  const { prim, hasInfluences, rigid, n, method, joints, blendShapes } = target;
  const influences = count(n, 'influence');
  const bones = !hasInfluences ? 'no joints' : rigid ? `moves as a whole, ${influences}` : `${influences} a point`;
  const order = joints === undefined ? '' : `, ${count(joints.length, 'joint')} of its own`;
  const shapes = blendShapes === undefined ? '' : `${count(blendShapes.length, 'blend shape')}: ${listed(blendShapes)}`;
  return [oneLine(prim), bones + order, hasInfluences ? oneLine(method) : '', shapes];
}

function bindingLines(binding: SkelBindingReport, style: StyleText): string[] {
  const { skeleton, valid, joints, hasBind, hasRest, targets } = binding;
  const poses = `${hasBind ? 'bind pose' : 'no bind pose'}, ${hasRest ? 'rest pose' : 'no rest pose'}`;
  const facts = [
    ['joints', `${joints.length}, ${valid ? poses : 'not valid: nothing moves'}`],
    ...animationRows(binding),
  ];
  return [
    style('bold', `skeleton ${oneLine(skeleton)}`),
    ...columns(facts).map((line) => `  ${line}`),
    ...jointLines(binding).map((line) => `    ${line}`),
    `  bound: ${targets.length}`,
    ...shortened(columns(targets.map(targetRow))).map((line) => `    ${line}`),
    '',
  ];
}

/** Prints a report. */
export async function showUsdSkel(report: UsdSkelReport, io: Io): Promise<void> {
  const style = await stylesFor(io.stdout, io);
  const { file, upAxis, tcps, start, end, roots, issues } = report;
  const span = start === end ? '' : `, ${start} to ${end}`;
  const lines = [`${style('bold', oneLine(file))}  up ${upAxis}, ${tcps} time codes a second${span}`, ''];
  if (roots.length === 0) lines.push('There is no SkelRoot in it; only what stands below one is skinned.', '');
  for (const { path, bindings } of roots) {
    lines.push(style('bold', `SkelRoot ${oneLine(path)}`));
    if (bindings.length === 0) lines.push('  nothing below it is bound to a skeleton', '');
    for (const binding of bindings) lines.push(...bindingLines(binding, style).map((line) => `  ${line}`.trimEnd()));
  }
  lines.push(style('bold', `issues: ${issues.length}`));
  lines.push(...issueLines(issues, style).map((line) => `  ${line}`));
  writeLines(io.stdout, lines);
}
