/** A curve over time; a click goes to its frame. */
import type { ComponentChildren, JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { usePage } from './context.ts';

/** Most points of a curve: more cannot be seen. */
const MOST_POINTS = 400;

interface Curve {
  /** What it is of: colors it. */
  readonly kind: 'source' | 'result';
  /** One value per frame. */
  readonly values: Float32Array;
}

function pointsOf(values: Float32Array, low: number, high: number): string {
  const step = Math.max(1, Math.ceil(values.length / MOST_POINTS));
  const points: string[] = [];
  for (let frame = 0; frame < values.length; frame += step) {
    const x = values.length < 2 ? 0 : (100 * frame) / (values.length - 1);
    points.push(`${x.toFixed(2)},${(100 - (100 * (values[frame] - low)) / (high - low)).toFixed(2)}`);
  }
  return points.join(' ');
}

function rangeOf(curves: readonly Curve[]): [low: number, high: number] {
  let [low, high] = [0, 1e-6];
  for (const { values } of curves) {
    for (const value of values) {
      low = Math.min(low, value);
      high = Math.max(high, value);
    }
  }
  return [low, high];
}

/** The moment that is shown. A part of its own: it moves in every frame, and the curves stay as they are. */
function Cursor({ duration }: { duration: number }): JSX.Element {
  const { player } = usePage();
  const x = duration > 0 ? (100 * player.time.value) / duration : 0;
  return <span class="cursor" style={{ transform: `translateX(${x.toFixed(2)}%)` }} />;
}

function Curves({ curves, low, high }: { curves: readonly Curve[]; low: number; high: number }): JSX.Element {
  return (
    <svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">
      {curves.map(({ kind, values }) => (
        <polyline key={kind} class={kind} points={pointsOf(values, low, high)} />
      ))}
    </svg>
  );
}

/** Writes a value with a digit where it is small: there is room for two of them. */
function short(value: number): string {
  return Math.abs(value) < 9.95 && !Number.isInteger(value) ? value.toFixed(1) : value.toFixed(0);
}

/** The values at the present time. A part of its own, as the cursor. */
function Present({
  curves,
  duration,
  scale,
}: {
  curves: readonly Curve[];
  duration: number;
  scale: number;
}): JSX.Element {
  const { player } = usePage();
  const at = (values: Float32Array): number => {
    const frame = duration > 0 ? Math.round((player.time.value / duration) * (values.length - 1)) : 0;
    return (values[Math.min(frame, values.length - 1)] ?? 0) * scale;
  };
  return (
    <span class="present">
      {curves.map(({ kind, values }) => (
        <span key={kind} class={`value ${kind}`}>
          {short(at(values))}
        </span>
      ))}
    </span>
  );
}

/** A chart with its caption, its range with units, the values at the present time, and a line there. */
export function Chart(props: {
  label: ComponentChildren;
  unit: string;
  curves: readonly Curve[];
  duration: number;
  scale: number;
}): JSX.Element {
  const { player } = usePage();
  const { label, unit, curves, duration, scale } = props;
  const [low, high] = useMemo(() => rangeOf(curves), [curves]);
  const goTo = (event: MouseEvent & { currentTarget: HTMLElement }): void => {
    const box = event.currentTarget.getBoundingClientRect();
    player.seek((duration * (event.clientX - box.left)) / box.width);
  };
  return (
    <button type="button" class="chart" onClick={goTo}>
      <Curves curves={curves} low={low} high={high} />
      <Cursor duration={duration} />
      <span class="caption">
        {label}
        <Present curves={curves} duration={duration} scale={scale} />
      </span>
      <span class="axis high">{`${short(high * scale)} ${unit}`}</span>
      <span class="axis low">{`${short(low * scale)} ${unit}`}</span>
    </button>
  );
}
