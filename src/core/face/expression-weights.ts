/** What expressions are worth at a time: limits, switches and overrides. VRMC_vrm-1.0, expressions.md, Procedural override. */
import { unionTimes } from '../animation/resample.ts';
import { sampleKeys } from '../animation/sample.ts';
import type { Floats } from '../math/floats.ts';
import type { FaceExpression, Override } from './face-rig.ts';
import { saturate } from './face-tracks.ts';
import type { FaceSource, FaceTerm } from './plan-face.ts';

/** The kinds of expressions that others override, the presets of each. */
const BLINK: ReadonlySet<string> = new Set(['blink', 'blinkLeft', 'blinkRight']);
const LOOK: ReadonlySet<string> = new Set(['lookUp', 'lookDown', 'lookLeft', 'lookRight']);
const MOUTH: ReadonlySet<string> = new Set(['aa', 'ih', 'ou', 'ee', 'oh']);

/** Above it an expression that knows only on and off is on. */
const SWITCH = 0.5;
/** Points of an interval between keys that are looked at for jumps. */
const PIECES = 8;

function weightOf(terms: readonly FaceTerm[], weights: Floats): number {
  let sum = 0;
  for (const { source, factor } of terms) sum += factor * weights[source];
  return saturate(sum);
}

/** How much of others an expression takes away. */
function taken(override: Override, output: number): number {
  if (override === 'block') return output > 0 ? 1 : 0;
  return override === 'blend' ? output : 0;
}

/** What is left of a kind of expressions after those of other kinds took their part. */
function left(
  kind: ReadonlySet<string>,
  override: 'overrideBlink' | 'overrideLookAt' | 'overrideMouth',
  expressions: readonly FaceExpression[],
  outputs: Floats,
): number {
  let rest = 1;
  for (let e = 0; e < expressions.length; e++) {
    if (!kind.has(expressions[e].name)) rest -= taken(expressions[e][override], outputs[e]);
  }
  return Math.max(0, rest);
}

/**
 * Weights with which expressions are shown, of the weights of the sources: the sum of their terms within 0…1; binary ones 1 above 0.5, else 0;
 * then times what overrides leave of their kind, of binary ones nothing once anything is taken. An expression does not override its own kind.
 * Expressions that no source moves do nothing, and those without morph targets are not shown and override nothing.
 */
export function expressionOutputs(
  terms: readonly (readonly FaceTerm[])[],
  expressions: readonly FaceExpression[],
  weights: Floats,
  out: Floats,
): void {
  for (let e = 0; e < expressions.length; e++) {
    const weight = terms[e].length === 0 ? 0 : weightOf(terms[e], weights);
    out[e] = expressions[e].isBinary ? (weight > SWITCH ? 1 : 0) : weight;
  }
  const blink = left(BLINK, 'overrideBlink', expressions, out);
  const lookAt = left(LOOK, 'overrideLookAt', expressions, out);
  const mouth = left(MOUTH, 'overrideMouth', expressions, out);
  for (let e = 0; e < expressions.length; e++) {
    const { name, isBinary } = expressions[e];
    const factor = BLINK.has(name) ? blink : LOOK.has(name) ? lookAt : MOUTH.has(name) ? mouth : 1;
    out[e] *= isBinary && factor < 1 ? 0 : factor;
  }
}

/** Float32 times at which an expression is switched or begins or ends to override others: it has the new state at the very time. */
export function outputJumps(
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
      return weightOf(terms[e], weights) > (isBinary ? SWITCH : 0);
    };
    const times = unionTimes(used.map(({ keys }) => keys.times));
    for (let k = 1; k < times.length; k++) {
      for (let piece = 0; piece < PIECES; piece++) {
        const span = times[k] - times[k - 1];
        const from = Math.fround(times[k - 1] + (span * piece) / PIECES);
        const to = Math.fround(times[k - 1] + (span * (piece + 1)) / PIECES);
        if (isOn(from) !== isOn(to)) jumps.push(turn(isOn, from, to));
      }
    }
  }
  return Float64Array.from(jumps).sort();
}

/** The first float32 time at which a state is that of the end, between two times with different states. */
function turn(isOn: (time: number) => boolean, from: number, to: number): number {
  const start = isOn(from);
  let [low, high] = [from, to];
  for (;;) {
    const middle = Math.fround((low + high) / 2);
    if (middle <= low || middle >= high) return high;
    if (isOn(middle) === start) low = middle;
    else high = middle;
  }
}
