/** The figures of a comparison: those of the ruler for every column, with the verdict. */
import type { Clip } from '../../core/animation/clip.ts';
import type { Humanoid } from '../../core/humanoid/humanoid.ts';
import type { MeasuredBody } from '../../core/measure/body.ts';
import { type MeasuredResult, measureResult, type ResultFigures } from '../../core/measure/ruler.ts';
import { judgeFigures, type Verdict } from '../../core/measure/verdict.ts';
import { measureRootSpeed, type RootSpeed } from '../../core/root-motion/root-speed.ts';

/** Speed of a source, meters per second, below which its ratio means nothing. */
const STILL_SPEED = 0.01;

export interface ComparedCharacter {
  readonly humanoid: Humanoid;
  /** The same for the ruler. */
  readonly body: MeasuredBody;
}

/** Figures of one motion beside its source. */
export interface CompareFigures extends ResultFigures {
  /** How good it is, and why. */
  readonly verdict: Verdict;
  /** Speed and direction over the ground. */
  readonly root: RootSpeed;
  /** Speed relative to the source times the hips scale; null for a source that stays. */
  readonly speedRatio: number | null;
}

export interface MeasuredMotion extends Pick<MeasuredResult, 'times' | 'errors'> {
  readonly figures: CompareFigures;
}

interface ComparedMotion extends ComparedCharacter {
  readonly clip: Clip;
}

/**
 * Measures a motion against its source. `hipsScale`: meters of the character per meter of the source. `purpose`: what plain retargeting gives, and
 * what contacts make of it; null where nothing was changed on purpose.
 */
export function measureMotion(
  source: ComparedMotion,
  result: ComparedMotion,
  hipsScale: number,
  purpose: { readonly plain: Clip; readonly changed: Clip } | null,
): MeasuredMotion {
  const { figures, times, errors } = measureResult(source, result, purpose ?? {});
  const [before, root] = [source, result].map(({ humanoid, clip }) => measureRootSpeed(humanoid, clip));
  const speedRatio = before.speed < STILL_SPEED ? null : root.speed / (before.speed * hipsScale);
  return { figures: { ...figures, verdict: judgeFigures(figures), root, speedRatio }, times, errors };
}
