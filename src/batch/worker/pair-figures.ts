/** Figures of a retargeted clip, sampled coarsely: they rank results, `anyrig compare` measures them. */
import type { Clip } from '../../core/animation/clip.ts';
import type { MeasuredMotion } from '../../core/measure/joint-frames.ts';
import { measureResult } from '../../core/measure/ruler.ts';
import { type Finding, judgeFigures, THRESHOLDS } from '../../core/measure/verdict.ts';
import type { PairFigures } from '../run/task-outcome.ts';

const FPS = 20;
/** Longest motion that is sampled at this rate, seconds; longer ones have as many samples. */
const LONGEST = 12;
const MOST_FINDINGS = 6;

function round(value: number): number {
  return Number(value.toPrecision(4));
}

/** How far the worst error is above the value from which a person should look at it; what was changed on purpose is no error. */
function errorScore(findings: readonly Finding[]): number {
  const errors = findings.filter(({ figure }) => figure !== 'changed');
  return errors.reduce((worst, { figure, value }) => Math.max(worst, value / THRESHOLDS[figure].look), 0);
}

export function measurePair(source: MeasuredMotion, result: MeasuredMotion, plain: Clip): PairFigures {
  const fps = FPS / Math.max(1, source.clip.duration / LONGEST);
  const { figures } = measureResult(source, result, { fps, plain, skinFps: 0 });
  const { level, findings } = judgeFigures(figures);
  const limbs = Object.values(figures.limbs);
  const most = (values: readonly number[]): number => values.reduce((a, b) => Math.max(a, b), 0);
  const mean = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0) / Math.max(1, values.length);
  const { feet, moved } = figures;
  return {
    level,
    findings: findings.slice(0, MOST_FINDINGS).map(({ message }) => message),
    errorScore: round(errorScore(findings)),
    errorMean: round(figures.meanError),
    errorMax: round(most(limbs.map(({ max }) => max))),
    changedMean: round(mean(limbs.map(({ changed }) => changed.mean))),
    movedMost: round(most(Object.values(moved ?? {}).map(({ max }) => max))),
    slide: round(feet?.slide.result ?? 0),
    slideOfSource: round(feet?.slide.source ?? 0),
    below: round(feet?.below.p95 ?? 0),
    above: round(feet?.above.p95 ?? 0),
  };
}

/** Combines the figures of several clips: of each figure the worst. Returns the worst; null without clips. */
export function worstFigures(all: readonly PairFigures[]): PairFigures | null {
  const [first] = all;
  if (first === undefined) return null;
  const worst = all.reduce((a, b) => (b.errorScore > a.errorScore ? b : a));
  const sliding = all.reduce((a, b) => (b.slide - b.slideOfSource > a.slide - a.slideOfSource ? b : a));
  const most = (of: (one: PairFigures) => number): number => Math.max(...all.map(of));
  const levels = all.map(({ level }) => level);
  return {
    level: levels.includes('wrong') ? 'wrong' : levels.includes('look') ? 'look' : 'good',
    findings: worst.findings,
    errorScore: worst.errorScore,
    errorMean: most(({ errorMean }) => errorMean),
    errorMax: most(({ errorMax }) => errorMax),
    changedMean: most(({ changedMean }) => changedMean),
    movedMost: most(({ movedMost }) => movedMost),
    slide: sliding.slide,
    slideOfSource: sliding.slideOfSource,
    below: most(({ below }) => below),
    above: most(({ above }) => above),
  };
}
