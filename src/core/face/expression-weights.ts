/** Evaluates expression weights: clamping, binary expressions and overrides. VRMC_vrm-1.0, expressions.md, Procedural override. */
import { unionTimes } from '../animation/resample.ts';
import { sampleKeys } from '../animation/sample.ts';
import { clamp01, type Floats } from '../math/floats.ts';
import type { FaceExpression, Override } from './face-rig.ts';
import type { FaceSource, FaceTerm } from './plan-face.ts';

/** Presets of the three kinds of expressions that others can override. */
const BLINK: ReadonlySet<string> = new Set(['blink', 'blinkLeft', 'blinkRight']);
const LOOK: ReadonlySet<string> = new Set(['lookUp', 'lookDown', 'lookLeft', 'lookRight']);
const MOUTH: ReadonlySet<string> = new Set(['aa', 'ih', 'ou', 'ee', 'oh']);

/** A binary expression is on above this weight. */
const BINARY_THRESHOLD = 0.5;
/** Subdivisions of an interval between keys in the search for jumps. */
const SUBDIVISIONS = 8;

function weightOf(terms: readonly FaceTerm[], weights: Floats): number {
  let sum = 0;
  for (const { source, factor } of terms) sum += factor * weights[source];
  return clamp01(sum);
}

/** Returns the factor by which an expression reduces the overridden kind: 0…1. */
function overrideAmount(override: Override, output: number): number {
  if (override === 'block') return output > 0 ? 1 : 0;
  return override === 'blend' ? output : 0;
}

/** Returns the factor that overrides by other kinds leave for a kind of expressions: 0…1. */
function remainingFactor(
  kind: ReadonlySet<string>,
  override: 'overrideBlink' | 'overrideLookAt' | 'overrideMouth',
  expressions: readonly FaceExpression[],
  outputs: Floats,
): number {
  let rest = 1;
  for (let e = 0; e < expressions.length; e++) {
    if (!kind.has(expressions[e].name)) rest -= overrideAmount(expressions[e][override], outputs[e]);
  }
  return Math.max(0, rest);
}

/**
 * Evaluates the output weights of expressions: the sum of terms, clamped to 0…1, or 0 or 1 for binary expressions. Overrides by other kinds then
 * scale the weight; any override sets a binary expression to 0. An expression never overrides its own kind. Expressions without terms have weight
 * 0. `out` receives one weight per expression, 0…1.
 */
export function expressionOutputs(
  terms: readonly (readonly FaceTerm[])[],
  expressions: readonly FaceExpression[],
  weights: Floats,
  out: Floats,
): void {
  for (let e = 0; e < expressions.length; e++) {
    const weight = terms[e].length === 0 ? 0 : weightOf(terms[e], weights);
    out[e] = expressions[e].isBinary ? (weight > BINARY_THRESHOLD ? 1 : 0) : weight;
  }
  const blink = remainingFactor(BLINK, 'overrideBlink', expressions, out);
  const lookAt = remainingFactor(LOOK, 'overrideLookAt', expressions, out);
  const mouth = remainingFactor(MOUTH, 'overrideMouth', expressions, out);
  for (let e = 0; e < expressions.length; e++) {
    const { name, isBinary } = expressions[e];
    const factor = BLINK.has(name) ? blink : LOOK.has(name) ? lookAt : MOUTH.has(name) ? mouth : 1;
    out[e] *= isBinary && factor < 1 ? 0 : factor;
  }
}

/**
 * Finds the times at which a binary expression switches, or an expression starts or stops overriding others. Returns ascending times in seconds,
 * exact in float32; at each of them the new state already applies.
 */
export function findOutputJumps(
  terms: readonly (readonly FaceTerm[])[],
  expressions: readonly FaceExpression[],
  sources: readonly FaceSource[],
): Float64Array {
  const jumps: number[] = [];
  const weights = new Float64Array(sources.length);
  for (const [e, { isBinary, overrideBlink, overrideLookAt, overrideMouth }] of expressions.entries()) {
    const overrides = [overrideBlink, overrideLookAt, overrideMouth].some((override) => override !== 'none');
    if (terms[e].length === 0 || !(isBinary || overrides)) continue;
    const used = terms[e].map(({ source }) => ({ source, keys: sources[source].keys }));
    const isOn = (time: number): boolean => {
      for (const { source, keys } of used) sampleKeys(keys, 1, false, time, weights, source);
      return weightOf(terms[e], weights) > (isBinary ? BINARY_THRESHOLD : 0);
    };
    const times = unionTimes(used.map(({ keys }) => keys.times));
    for (let k = 1; k < times.length; k++) {
      for (let piece = 0; piece < SUBDIVISIONS; piece++) {
        const span = times[k] - times[k - 1];
        const from = Math.fround(times[k - 1] + (span * piece) / SUBDIVISIONS);
        const to = Math.fround(times[k - 1] + (span * (piece + 1)) / SUBDIVISIONS);
        if (isOn(from) !== isOn(to)) jumps.push(findSwitchTime(isOn, from, to));
      }
    }
  }
  return Float64Array.from(jumps).sort();
}

/** Finds the first float32 time with the state of `to`, between two times with different states. */
function findSwitchTime(isOn: (time: number) => boolean, from: number, to: number): number {
  const start = isOn(from);
  let [low, high] = [from, to];
  for (;;) {
    const middle = Math.fround((low + high) / 2);
    if (middle <= low || middle >= high) return high;
    if (isOn(middle) === start) low = middle;
    else high = middle;
  }
}
