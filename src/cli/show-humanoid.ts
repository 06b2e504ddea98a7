/** Humanoids for people to read. */
import { BONES, presentParent } from '../core/humanoid/bones.ts';
import type { BoneReport, DirectionReport, HumanoidReport } from '../files/humanoid-report.ts';
import { columns } from './columns.ts';
import { oneLine } from './io.ts';

/** A direction: its axis, or its vector where it is none. */
function direction({ axis, vector }: DirectionReport): string {
  return axis ?? `(${vector.map((value) => value.toFixed(3)).join(', ')})`;
}

/** A length in metres with three decimals, or more where it is short. */
export function metres(value: number): string {
  const text = Math.abs(value) >= 0.1 || value === 0 ? value.toFixed(3) : value.toPrecision(3);
  return `${text.replace(/\.?0+$/, '')} m`;
}

function degrees(deviations: HumanoidReport['referencePose']['deviationDegrees']): string {
  const limbs = Object.entries(deviations).map(([limb, value]) => `${limb} ${value.toFixed(1)}°`);
  return limbs.length === 0 ? 'unknown' : limbs.join(', ');
}

/** What the reference pose is and where it comes from, in words. */
export function referenceWords({ kind, from }: HumanoidReport['referencePose']): string {
  return kind === from || from === '' ? kind : kind === 'estimated' ? `estimated from ${from}` : `${kind} (${from})`;
}

/** Bones that are there, every one before what hangs on it, with its depth. */
function boneTree({ bones }: HumanoidReport): { bone: number; depth: number }[] {
  const nodes = BONES.map((bone) => bones[bone]?.node ?? -1);
  const present = BONES.flatMap((_, bone) => (nodes[bone] >= 0 ? [bone] : []));
  const below = (parent: number, depth: number): { bone: number; depth: number }[] => {
    const children = present.filter((bone) => presentParent(bone, nodes) === parent);
    return children.flatMap((bone) => [{ bone, depth }, ...below(bone, depth + 1)]);
  };
  return below(-1, 0);
}

function boneRows(humanoid: HumanoidReport): string[][] {
  const rows = boneTree(humanoid).map(({ bone, depth }) => {
    const { node, name, confidence } = humanoid.bones[BONES[bone]] as BoneReport;
    return [' '.repeat(depth) + BONES[bone], `${Math.round(100 * confidence)} %`, String(node), oneLine(name)];
  });
  return [['bone', 'sure', 'node', 'name'], ...rows];
}

/** Everything about a humanoid as lines. */
export function humanoidLines(humanoid: HumanoidReport): string[] {
  const { referencePose, facing, up, metresPerUnit, ground, heightMetres, hipsHeight, mapFrom } = humanoid;
  const facts = [
    ['bones', `${Object.keys(humanoid.bones).length}, map: ${mapFrom}`],
    ['reference pose', referenceWords(referencePose)],
    ['off a T-pose', degrees(referencePose.deviationDegrees)],
    ...(referencePose.kind === 'estimated'
      ? [['before estimation', degrees(referencePose.startDeviationDegrees)]]
      : []),
    ['facing', `${direction(facing)}, up ${direction(up)}`],
    ['unit', `1 = ${metres(metresPerUnit)}`],
    ['ground', `at ${metres(ground)}`],
    ['height', `${metres(heightMetres)} to the highest joint, hips at ${metres(hipsHeight)}`],
  ];
  return [...columns(facts), '', ...columns(boneRows(humanoid), [1, 2])];
}
