/** Playback, trim and curves. */
import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { ERROR_LIMBS, type ErrorLimb, limbError } from '../app/limb-error.ts';
import { FRAME } from '../app/player.ts';
import { type StringKey, t } from '../app/strings.ts';
import { posed, view } from '../app/view.ts';
import type { Charts } from '../engine/protocol.ts';
import { Chart } from './chart.tsx';
import { usePage } from './context.ts';
import { Icon } from './icons.tsx';
import { TrimBar, TrimFields } from './trim-bar.tsx';
import { Verdict } from './verdict.tsx';

const RATES = [0.1, 0.25, 0.5, 1, 2];

/** The present time and frame. A part of its own, as the scrubber: both change while the motion plays. */
function Clock(): JSX.Element {
  const { time, duration } = usePage().player;
  return (
    <output aria-label={t('time')} class="clock">
      {time.value.toFixed(2)} / {duration.value.toFixed(2)} s
      <small class="dim">{t('frame', { frame: Math.round(time.value / FRAME) })}</small>
    </output>
  );
}

function Transport(): JSX.Element {
  const { player } = usePage();
  const { time, paused, loop, rate } = player;
  return (
    <div class="transport playback">
      <button
        type="button"
        class="quiet only-icon"
        onClick={() => player.seek(time.peek() - FRAME)}
        aria-label={t('previousFrame')}
        title={`${t('previousFrame')} (←)`}
      >
        <Icon name="back" />
      </button>
      <button
        type="button"
        class="play"
        onClick={player.toggle}
        aria-label={t(paused.value ? 'play' : 'pause')}
        title={`${t(paused.value ? 'play' : 'pause')} (Space)`}
      >
        <Icon name={paused.value ? 'play' : 'pause'} />
      </button>
      <button
        type="button"
        class="quiet only-icon"
        onClick={() => player.seek(time.peek() + FRAME)}
        aria-label={t('nextFrame')}
        title={`${t('nextFrame')} (→)`}
      >
        <Icon name="on" />
      </button>
      <TrimBar>
        <Scrubber />
      </TrimBar>
      <Clock />
      <button
        type="button"
        class="only-icon"
        aria-pressed={loop.value}
        aria-label={t('repeat')}
        title={t('repeat')}
        onClick={() => player.setLoop(!loop.peek())}
      >
        <Icon name="repeat" />
      </button>
      <select
        class="rate"
        aria-label={t('playbackRate')}
        title={t('playbackRate')}
        value={`${rate.value}`}
        onChange={({ currentTarget }) => player.setRate(Number(currentTarget.value))}
      >
        {RATES.map((value) => (
          <option key={value} value={`${value}`}>
            {value}×
          </option>
        ))}
      </select>
    </div>
  );
}

function keyDensity(times: readonly Iterable<number>[], frames: number, rate: number): Float32Array {
  const density = new Float32Array(frames);
  for (const track of times) {
    for (const time of track) density[Math.min(frames - 1, Math.round(time * rate))]++;
  }
  return density;
}

const LIMB_TEXT = {
  all: 'limbAll',
  leftArm: 'limbLeftArm',
  rightArm: 'limbRightArm',
  leftLeg: 'limbLeftLeg',
  rightLeg: 'limbRightLeg',
  trunk: 'limbTrunk',
  fingers: 'limbFingers',
} as const satisfies Record<ErrorLimb, StringKey>;

/** The pose error of all bones or of one limb. */
function PoseError({ charts, duration }: { charts: Charts; duration: number }): JSX.Element {
  const [limb, setLimb] = useState<ErrorLimb>('all');
  const curves = useMemo(() => [{ kind: 'result', values: limbError(charts, limb) }] as const, [charts, limb]);
  return (
    <div class="chart-of-limb">
      <Chart
        // The choice over the chart is what is seen of it.
        label={<span class="visually-hidden">{t(LIMB_TEXT[limb])}</span>}
        unit="°"
        curves={curves}
        duration={duration}
        scale={1}
      />
      <select
        aria-label={t('chartLimb')}
        value={limb}
        onChange={({ currentTarget }) => setLimb(currentTarget.value as ErrorLimb)}
      >
        {ERROR_LIMBS.map((one) => (
          <option key={one} value={one}>
            {t(LIMB_TEXT[one])}
          </option>
        ))}
      </select>
    </div>
  );
}

function Curves(): JSX.Element {
  const { studio, player } = usePage();
  const { selected } = studio.history.state.value;
  const one = selected === null ? undefined : studio.results.value.get(selected);
  const [clip, charts] = [one?.result?.clip ?? null, one?.measures?.charts ?? null];
  if (clip === null || charts === null) return <div id="charts" class="charts" />;
  const { footHeight, slide, rate } = charts;
  const frames = footHeight.target.length;
  const times = clip.tracks.map((track) => track.times);
  const duration = player.duration.value;
  const both = (pair: { source: Float32Array; target: Float32Array }) =>
    [
      { kind: 'source', values: pair.source },
      { kind: 'result', values: pair.target },
    ] as const;
  return (
    <div id="charts" class="charts">
      <p class="legend dim">
        <span class="key source" /> {t('source')} <span class="key result" /> {t('result')}
      </p>
      <Chart label={t('chartFootHeight')} unit="cm" curves={both(footHeight)} duration={duration} scale={100} />
      <Chart label={t('chartSlide')} unit="cm/s" curves={both(slide)} duration={duration} scale={100} />
      <PoseError charts={charts} duration={duration} />
      <Chart
        label={t('chartKeys')}
        unit=""
        curves={[{ kind: 'result', values: keyDensity(times, frames, rate) }]}
        duration={duration}
        scale={1}
      />
    </div>
  );
}

/** Moves through the part that is kept. */
function Scrubber(): JSX.Element {
  const { player } = usePage();
  return (
    <input
      type="range"
      class="scrubber"
      aria-label={t('time')}
      min={0}
      max={player.duration.value}
      step={0.001}
      value={player.time.value}
      onInput={({ currentTarget }) => player.seek(currentTarget.valueAsNumber)}
    />
  );
}

export function Timeline(): JSX.Element {
  return (
    <>
      <Transport />
      <div class="below">
        <Verdict />
        <TrimFields />
      </div>
      {/* In a reference pose there is no time. */}
      {view.value.isQualityOpen && posed.value === null && <Curves />}
    </>
  );
}
