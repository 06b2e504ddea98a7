/**
 * Retargets motions to characters with other proportions and prints how their contacts come out: slide, drift, penetration, float, jerk, flips,
 * how much hands and forearms are inside the character, and how far hands are from what those of the source touch.
 *
 *     npm run contacts                      a sample of motions × characters of the asset folder, and characters of the demo
 *     npm run contacts -- --mode off        plain retargeting, without contacts
 *     npm run contacts -- --live 60         frame by frame, at 60 frames per second
 *     npm run contacts -- --only walk       only pairs whose names contain a word
 *     npm run contacts -- --sample 1        all pairs; 7 takes every seventh
 *     npm run contacts -- --feet            feet and trunk alone
 *     npm run contacts -- --arms            arms alone; with --strict as far as it takes to keep them out
 *     npm run contacts -- --hands           contacts of hands, where hands of the source touch
 *     npm run contacts -- --hands --set touch        the same for claps and hands on the hips, the head and the knees of the demo
 *     npm run contacts -- --hands --set real-touch   the same for motions of the asset folder whose hands touch, on four characters
 *     npm run contacts -- --sample 1 --part 1/3 --rows one.jsonl   every third pair, for several processes; writes a line of JSON per pair
 *     npm run contacts -- --join one.jsonl --join two.jsonl        prints the figures of such files together
 */
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { parseArgs } from 'node:util';
import type { ContactMode } from '../src/core/contacts/plan/contact-plan.ts';
import {
  type ArmFigures,
  evaluateArms,
  evaluateHands,
  type HandFigures,
  realTouchPairs,
  touchPairs,
} from '../test/contacts/arm-figures.ts';
import { type ContactPair, demoPairs, evaluatePair, type PairFigures, realPairs } from '../test/contacts/pairs.ts';

const { values } = parseArgs({
  options: {
    mode: { type: 'string', default: 'auto' },
    live: { type: 'string' },
    only: { type: 'string', default: '' },
    sample: { type: 'string', default: '7' },
    set: { type: 'string', default: 'both' },
    seconds: { type: 'string', default: '8' },
    feet: { type: 'boolean', default: false },
    arms: { type: 'boolean', default: false },
    strict: { type: 'boolean', default: false },
    hands: { type: 'boolean', default: false },
    part: { type: 'string', default: '1/1' },
    rows: { type: 'string' },
    join: { type: 'string', multiple: true, default: [] },
  },
});

/** Figures of one pair; those that were not asked for are missing. */
interface Row {
  readonly pair: Pick<ContactPair, 'motion' | 'clip' | 'character'>;
  readonly feet: PairFigures | null;
  readonly arms: ArmFigures | null;
  readonly hands: HandFigures | null;
}

type Column = readonly [title: string, get: (row: Row) => number | null | undefined];

const FEET: readonly Column[] = [
  ['slide/k', ({ feet }) => feet?.slide],
  ['gain', ({ feet }) => feet?.gain],
  ['drift S', ({ feet }) => feet?.driftSource],
  ['drift T', ({ feet }) => feet?.drift],
  ['p90', ({ feet }) => feet?.driftP90],
  ['pen95', ({ feet }) => feet?.pen95],
  ['penMax', ({ feet }) => feet?.penMax],
  ['float', ({ feet }) => feet?.float95],
  ['trunk95', ({ feet }) => feet?.trunk95],
  ['trunkMax', ({ feet }) => feet?.trunkMax],
  ['jerk', ({ feet }) => feet?.jerk],
  ['flips', ({ feet }) => feet?.flips],
  ['spikes', ({ feet }) => feet?.spikes],
];
const ARMS: readonly Column[] = [
  ['in FK', ({ arms }) => arms?.inside?.plain],
  ['inside', ({ arms }) => arms?.inside?.result],
  ['armJerk', ({ arms }) => arms?.jerk],
];
const HANDS: readonly Column[] = [
  ['gap S', ({ hands }) => hands?.gaps.before.source],
  ['gap', ({ hands }) => hands?.gaps.before.result],
  ['touching', ({ hands }) => hands?.gaps.after.result],
  ['reach', ({ hands }) => hands?.reach],
  ['jerk', ({ hands }) => hands?.jerk],
  ['inside', ({ hands }) => hands?.inside?.before],
  ['inTouch', ({ hands }) => hands?.inside?.after],
];

function cell(value: number | null | undefined): string {
  return (typeof value === 'number' ? value.toFixed(2) : '–').padStart(9);
}

function line(row: Row, columns: readonly Column[]): string {
  const { motion, clip, character } = row.pair;
  const name = `${basename(motion).slice(0, 26).padEnd(27)}${clip.slice(0, 18).padEnd(19)}${basename(character).slice(0, 24).padEnd(25)}`;
  return name + columns.map(([, get]) => cell(get(row))).join('');
}

function quantile(list: readonly number[], q: number): number {
  const sorted = [...list].sort((a, b) => a - b);
  return sorted[Math.floor(q * (sorted.length - 1))] ?? Number.NaN;
}

const mean = (list: readonly number[]): number =>
  list.reduce((sum, value) => sum + value, 0) / Math.max(1, list.length);

const q = (list: readonly number[], ...qs: number[]): string =>
  qs.map((one) => quantile(list, one).toFixed(3)).join(' / ');

/** Reach from which on a contact of a hand is dropped, relative to the length of the arm. */
const OUT_OF_REACH = 1.2;

/** Lists the numbers of all rows that have one. */
function numbers(rows: readonly Row[], get: (row: Row) => number | null | undefined): number[] {
  return rows.map(get).filter((value): value is number => typeof value === 'number');
}

function summarizeArms(rows: readonly Row[]): string[] {
  const inside = rows.flatMap(({ arms }) => arms?.inside ?? []);
  if (inside.length === 0) return [];
  const [plain, result] = [inside.map((one) => one.plain), inside.map((one) => one.result)];
  const worse = inside.filter((one) => one.result > one.plain + 0.1).length;
  const free = inside.filter((one) => one.plain === 0);
  return [
    `vertices of hands and forearms inside %: plain ${mean(plain).toFixed(2)} worst pair ${quantile(plain, 1).toFixed(1)}  result ${mean(result).toFixed(2)} worst pair ${quantile(result, 1).toFixed(1)}  more than plain in ${worse} of ${inside.length}; some in ${free.filter((one) => one.result > 0).length} of ${free.length} without any`,
    `jerk with arms kept out × without, median / p90 / p99 / max ${q(
      numbers(rows, ({ arms }) => arms?.jerk),
      0.5,
      0.9,
      0.99,
      1,
    )}`,
  ];
}

function summarizeHands(rows: readonly Row[]): string[] {
  const hands = rows.flatMap((row) => row.hands ?? []);
  if (hands.length === 0) return [];
  const inside = hands.flatMap((one) => one.inside ?? []);
  const reached = hands.filter(({ reach }) => reach <= OUT_OF_REACH);
  return [
    `hands of ${hands.length} pairs: gap %h source ${mean(hands.map(({ gaps }) => gaps.before.source)).toFixed(2)}  without contacts of hands ${mean(hands.map(({ gaps }) => gaps.before.result)).toFixed(2)}  with ${mean(hands.map(({ gaps }) => gaps.after.result)).toFixed(2)}; ${mean(reached.map(({ gaps }) => gaps.after.result)).toFixed(2)} in the ${reached.length} pairs whose hands are all within reach`,
    `jerk with hands × FK median / p90 / max ${q(
      hands.map(({ jerk }) => jerk),
      0.5,
      0.9,
      1,
    )}  vertices inside %: ${mean(inside.map(({ before }) => before)).toFixed(2)} → ${mean(inside.map(({ after }) => after)).toFixed(2)}`,
  ];
}

function summarizeFeet(rows: readonly Row[]): string[] {
  const all = rows.flatMap(({ feet }) => feet ?? []);
  if (all.length === 0) return [];
  const pick = (get: (f: PairFigures) => number | null): number[] =>
    all.map(get).filter((v): v is number => v !== null);
  const slides = pick((f) => f.slide);
  const within = (d: number): string =>
    `${((100 * slides.filter((s) => Math.abs(s - 1) <= d).length) / Math.max(1, slides.length)).toFixed(0)} %`;
  const excess = pick((f) => f.drift - f.driftSource);
  return [
    `slide/k median ${quantile(slides, 0.5).toFixed(3)}  p5/p95 ${q(slides, 0.05, 0.95)}  worst ${quantile(slides, 0).toFixed(2)}…${quantile(slides, 1).toFixed(2)}  within .02 ${within(0.02)}  .05 ${within(0.05)}   (${slides.length} clips)`,
    `static sources: gain %h/s median / p90 / max ${q(
      pick((f) => f.gain),
      0.5,
      0.9,
      1,
    )}`,
    `drift %h: source ${mean(pick((f) => f.driftSource)).toFixed(3)}  target ${mean(pick((f) => f.drift)).toFixed(3)}  p90 of pairs ${q(
      pick((f) => f.drift),
      0.9,
    )}  p90 in clips, p90 ${q(
      pick((f) => f.driftP90),
      0.9,
    )}  excess p50/p90/max ${q(excess, 0.5, 0.9, 1)}`,
    `penetration below source %h: p95 in clips, median/p90/max ${q(
      pick((f) => f.pen95),
      0.5,
      0.9,
      1,
    )}  worst frame median/p90/max ${q(
      pick((f) => f.penMax),
      0.5,
      0.9,
      1,
    )}`,
    `float in contact %h: p95 in clips, median/p90/max ${q(
      pick((f) => f.float95),
      0.5,
      0.9,
      1,
    )}`,
    `trunk on the ground %h: p95 in clips, median/p90/max ${q(
      pick((f) => f.trunk95),
      0.5,
      0.9,
      1,
    )}  worst frame ${q(
      pick((f) => f.trunkMax),
      0.5,
      0.9,
      1,
    )}  (${pick((f) => f.trunk95).length} clips)`,
    `jerk × FK median / p90 / max ${q(
      pick((f) => f.jerk),
      0.5,
      0.9,
      1,
    )}`,
    `flips beyond FK ${pick((f) => f.flips).reduce((s, v) => s + v, 0)} in ${pick((f) => f.flips).filter((v) => v > 0).length} clips; spikes ${pick((f) => f.spikes).reduce((s, v) => s + v, 0)} in ${pick((f) => f.spikes).filter((v) => v > 0).length} clips`,
  ];
}

const sets = {
  real: () => realPairs(Number(values.seconds)),
  demo: () => demoPairs(Number(values.seconds)),
  touch: () => Promise.resolve(touchPairs()),
  'real-touch': () => realTouchPairs(Number(values.seconds)),
};

/** Lists the pairs that were asked for. */
async function choosePairs(): Promise<ContactPair[]> {
  const chosen = values.set === 'both' ? [sets.real, sets.demo] : [sets[values.set as keyof typeof sets]];
  const isNamed = ({ motion, clip, character }: ContactPair): boolean =>
    `${basename(motion)} ${clip} ${basename(character)}`.includes(values.only);
  const pairs = (await Promise.all(chosen.map((make) => make()))).flat().filter(isNamed);
  const sample = values.only === '' && !values.set.endsWith('touch') ? Number(values.sample) : 1;
  const [part, parts] = values.part.split('/').map(Number);
  return pairs.filter((_, index) => index % sample === 0).filter((_, index) => index % parts === part - 1);
}

const liveFps = values.live === undefined ? null : Number(values.live);
const hasFeet = !values.arms && !values.hands;
const hasArms = values.arms || (hasFeet && !values.feet && liveFps === null && values.mode === 'auto');

/** Measures pairs and prints a line for each. */
async function measurePairs(): Promise<Row[]> {
  const columns = [...(hasFeet ? FEET : []), ...(hasArms ? ARMS : []), ...(values.hands ? HANDS : [])];
  console.log(`${''.padEnd(71)}${columns.map(([title]) => title.padStart(9)).join('')}`);
  if (values.rows !== undefined) writeFileSync(values.rows, '');
  const rows: Row[] = [];
  for (const pair of await choosePairs()) {
    const { motion, clip, character } = pair;
    try {
      const row: Row = {
        pair: { motion, clip, character },
        feet: hasFeet ? await evaluatePair(pair, values.mode as ContactMode | 'off', liveFps) : null,
        arms: hasArms ? await evaluateArms(pair, values.strict ? 'strict' : 'soft') : null,
        hands: values.hands ? await evaluateHands(pair) : null,
      };
      if (row.feet === null && row.arms === null && row.hands === null) continue;
      rows.push(row);
      if (values.rows !== undefined) appendFileSync(values.rows, `${JSON.stringify(row)}\n`);
      console.log(line(row, columns));
    } catch (error) {
      console.log(`${basename(motion)} ${clip} ${basename(character)}: ${(error as Error).stack}`);
    }
  }
  return rows;
}

/** Reads the rows of a file of `--rows`. */
function readRows(path: string): Row[] {
  const lines = readFileSync(path, 'utf8').split('\n').filter(Boolean);
  return lines.map((text) => JSON.parse(text) as Row);
}

const rows = values.join.length > 0 ? values.join.flatMap(readRows) : await measurePairs();
console.log(
  [`pairs ${rows.length}`, ...summarizeFeet(rows), ...summarizeArms(rows), ...summarizeHands(rows)].join('\n'),
);
