/**
 * Retargets motions to characters with other proportions and prints how their contacts come out: slide, drift, penetration, float, jerk, flips,
 * and how much hands and forearms are inside the character.
 *
 *     npm run contacts                      a sample of motions × characters of the asset folder, and characters of the demo
 *     npm run contacts -- --mode off        plain retargeting, without contacts
 *     npm run contacts -- --live 60         frame by frame, at 60 frames per second
 *     npm run contacts -- --only walk       only pairs whose names contain a word
 *     npm run contacts -- --sample 1        all pairs; 7 takes every seventh
 */
import { basename } from 'node:path';
import { parseArgs } from 'node:util';
import type { ContactMode } from '../src/core/contacts/plan/contact-plan.ts';
import { type ContactPair, demoPairs, evaluatePair, type PairFigures, realPairs } from '../test/contacts/pairs.ts';

const { values } = parseArgs({
  options: {
    mode: { type: 'string', default: 'auto' },
    live: { type: 'string' },
    only: { type: 'string', default: '' },
    sample: { type: 'string', default: '7' },
    set: { type: 'string', default: 'both' },
    seconds: { type: 'string', default: '8' },
  },
});

const COLUMNS = [
  'slide/k',
  'gain',
  'drift S',
  'drift T',
  'p90',
  'pen95',
  'penMax',
  'float',
  'trunk95',
  'trunkMax',
  'jerk',
  'flips',
  'spikes',
  'in FK',
  'inside',
];

function cell(value: number | null): string {
  return (value === null ? '–' : value.toFixed(2)).padStart(9);
}

function row(pair: ContactPair, f: PairFigures): string {
  const name = `${basename(pair.motion).slice(0, 26).padEnd(27)}${pair.clip.slice(0, 18).padEnd(19)}${basename(pair.character).slice(0, 24).padEnd(25)}`;
  const cells = [
    f.slide,
    f.gain,
    f.driftSource,
    f.drift,
    f.driftP90,
    f.pen95,
    f.penMax,
    f.float95,
    f.trunk95,
    f.trunkMax,
    f.jerk,
    f.flips,
    f.spikes,
    f.inside?.plain ?? null,
    f.inside?.result ?? null,
  ];
  return name + cells.map(cell).join('');
}

function quantile(list: readonly number[], q: number): number {
  const sorted = [...list].sort((a, b) => a - b);
  return sorted[Math.floor(q * (sorted.length - 1))] ?? Number.NaN;
}

function summary(all: readonly PairFigures[]): string[] {
  const pick = (get: (f: PairFigures) => number | null): number[] =>
    all.map(get).filter((v): v is number => v !== null);
  const slides = pick((f) => f.slide);
  const within = (d: number): string =>
    `${((100 * slides.filter((s) => Math.abs(s - 1) <= d).length) / Math.max(1, slides.length)).toFixed(0)} %`;
  const mean = (list: readonly number[]): number => list.reduce((s, v) => s + v, 0) / Math.max(1, list.length);
  const q = (list: readonly number[], ...qs: number[]): string =>
    qs.map((one) => quantile(list, one).toFixed(3)).join(' / ');
  const excess = pick((f) => f.drift - f.driftSource);
  return [
    `pairs ${all.length}`,
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
    `vertices of hands and forearms inside %: plain ${mean(pick((f) => f.inside?.plain ?? null)).toFixed(2)} worst pair ${quantile(
      pick((f) => f.inside?.plain ?? null),
      1,
    ).toFixed(1)}  result ${mean(pick((f) => f.inside?.result ?? null)).toFixed(2)} worst pair ${quantile(
      pick((f) => f.inside?.result ?? null),
      1,
    ).toFixed(
      1,
    )}  more than plain in ${all.filter(({ inside }) => inside !== null && inside.result > inside.plain + 0.1).length} of ${
      pick((f) => f.inside?.plain ?? null).length
    }`,
  ];
}

const pairs = [
  ...(values.set === 'demo' ? [] : await realPairs(Number(values.seconds))),
  ...(values.set === 'real' ? [] : await demoPairs(Number(values.seconds))),
].filter(({ motion, clip, character }) => `${basename(motion)} ${clip} ${basename(character)}`.includes(values.only));
const liveFps = values.live === undefined ? null : Number(values.live);
const sample = values.only === '' ? Number(values.sample) : 1;
console.log(`${''.padEnd(71)}${COLUMNS.map((c) => c.padStart(9)).join('')}`);
const all: PairFigures[] = [];
for (const [index, pair] of pairs.entries()) {
  if (index % sample !== 0) continue;
  try {
    const figures = await evaluatePair(pair, values.mode as ContactMode | 'off', { liveFps, measuresInside: true });
    if (figures === null) continue;
    all.push(figures);
    console.log(row(pair, figures));
  } catch (error) {
    console.log(`${basename(pair.motion)} ${pair.clip} ${basename(pair.character)}: ${(error as Error).stack}`);
  }
}
console.log(summary(all).join('\n'));
