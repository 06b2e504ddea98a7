/** Playback, trim handles and curves. */
import type { JSX } from 'preact';
import { FRAME } from '../app/player.ts';
import { t } from '../app/strings.ts';
import { Chart } from './chart.tsx';
import { usePage } from './context.ts';

const RATES = [0.1, 0.25, 0.5, 1, 2];

/** The present time. A part of its own, as the scrubber: both change while the motion plays. */
function Clock(): JSX.Element {
  const { time, duration } = usePage().player;
  return (
    <output aria-label={t('time')}>
      {time.value.toFixed(2)} / {duration.value.toFixed(2)} s
    </output>
  );
}

function Transport(): JSX.Element {
  const { player } = usePage();
  const { time, paused, loop, rate } = player;
  return (
    <div class="transport">
      <button type="button" onClick={() => player.seek(time.peek() - FRAME)} aria-label={t('previousFrame')}>
        ◀▏
      </button>
      <button type="button" class="primary" onClick={player.toggle} aria-label={t(paused.value ? 'play' : 'pause')}>
        {paused.value ? '▶' : '❚❚'}
      </button>
      <button type="button" onClick={() => player.seek(time.peek() + FRAME)} aria-label={t('nextFrame')}>
        ▕▶
      </button>
      <Clock />
      <button type="button" aria-pressed={loop.value} onClick={() => player.setLoop(!loop.peek())}>
        {t('repeat')}
      </button>
      <select
        aria-label={t('playbackRate')}
        value={`${rate.value}`}
        onChange={({ currentTarget }) => player.setRate(Number(currentTarget.value))}
      >
        {RATES.map((value) => (
          <option key={value} value={`${value}`}>
            {value}×
          </option>
        ))}
      </select>
      <Trim />
    </div>
  );
}

/** Start and end of the part that is kept, in seconds of the motion. */
function Trim(): JSX.Element | null {
  const { studio } = usePage();
  const { motion, options } = studio.history.state.value;
  const file = studio.files.value.find(({ input }) => input.id === motion?.file);
  const length = motion === null ? undefined : file?.summary?.clips[motion.clip]?.duration;
  if (length === undefined || length <= 0) return null;
  const [from, to] = options.trim ?? [0, length];
  const round = (value: number): number => Math.round(value * 1000) / 1000;
  const set = (start: number, end: number): void => {
    if (!(end - start >= FRAME)) return;
    const isWhole = start <= 0 && end >= length;
    studio.setOptions({ trim: isWhole ? null : [round(start), round(end)] }, 'trim');
  };
  const input = (label: string, value: number, change: (value: number) => void): JSX.Element => (
    <input
      type="number"
      class="seconds"
      aria-label={label}
      title={label}
      min={0}
      max={round(length)}
      step={0.01}
      value={round(value)}
      onInput={({ currentTarget }) => {
        if (Number.isFinite(currentTarget.valueAsNumber)) change(currentTarget.valueAsNumber);
      }}
      onChange={studio.history.endGroup}
    />
  );
  return (
    <span class="transport">
      {input(t('trimStart'), from, (value) => set(Math.max(0, value), to))}–
      {input(t('trimEnd'), to, (value) => set(from, Math.min(length, value)))}
      <button type="button" disabled={options.trim === null} onClick={() => studio.setOptions({ trim: null })}>
        {t('trimClear')}
      </button>
    </span>
  );
}

/** Number of keys per frame of the result. */
function keyDensity(times: readonly Float32Array[], frames: number, rate: number): Float32Array {
  const density = new Float32Array(frames);
  for (const track of times) {
    for (const time of track) density[Math.min(frames - 1, Math.round(time * rate))]++;
  }
  return density;
}

function Curves(): JSX.Element {
  const { studio, player } = usePage();
  const { selected } = studio.history.state.value;
  const result = selected === null ? null : (studio.results.value.get(selected)?.result ?? null);
  if (result === null || result.charts === null || result.clip === null) return <div class="charts" />;
  const { footHeight, slide, poseError, rate } = result.charts;
  const frames = footHeight.target.length;
  const times = result.clip.tracks.map((track) => track.times);
  const duration = player.duration.value;
  const both = (pair: { source: Float32Array; target: Float32Array }) =>
    [
      { kind: 'source', values: pair.source },
      { kind: 'result', values: pair.target },
    ] as const;
  return (
    <div class="charts">
      <Chart label={t('chartFootHeight')} curves={both(footHeight)} duration={duration} scale={100} />
      <Chart label={t('chartSlide')} curves={both(slide)} duration={duration} scale={100} />
      <Chart
        label={t('chartPoseError')}
        curves={[{ kind: 'result', values: poseError }]}
        duration={duration}
        scale={1}
      />
      <Chart
        label={t('chartKeys')}
        curves={[{ kind: 'result', values: keyDensity(times, frames, rate) }]}
        duration={duration}
        scale={1}
      />
    </div>
  );
}

function Scrubber(): JSX.Element {
  const { player } = usePage();
  return (
    <div class="track">
      <input
        type="range"
        aria-label={t('time')}
        min={0}
        max={player.duration.value}
        step={0.001}
        value={player.time.value}
        onInput={({ currentTarget }) => player.seek(currentTarget.valueAsNumber)}
      />
    </div>
  );
}

/** The timeline. */
export function Timeline(): JSX.Element {
  return (
    <>
      <Transport />
      <Scrubber />
      <Curves />
    </>
  );
}
