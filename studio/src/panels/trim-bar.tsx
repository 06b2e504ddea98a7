/** The part of the motion that is kept: handles over the whole motion, and fields for exact seconds. */
import type { ComponentChildren, JSX } from 'preact';
import { FRAME } from '../app/player.ts';
import { t } from '../app/strings.ts';
import { setTrim, trimOf } from '../app/trim.ts';
import { usePage } from './context.ts';

/** A handle. Native sliders have keys and names for screen readers; only their thumbs take the pointer, since both lie on one bar. */
function Handle(props: {
  label: string;
  value: number;
  length: number;
  onMove: (seconds: number) => void;
}): JSX.Element {
  const { studio } = usePage();
  return (
    <input
      type="range"
      aria-label={props.label}
      title={props.label}
      aria-valuetext={t('seconds', { count: props.value.toFixed(2) })}
      min={0}
      max={props.length}
      // Steps of about half a frame that end exactly at the end of the motion.
      step={props.length / Math.max(1, Math.round((2 * props.length) / FRAME))}
      value={props.value}
      onInput={({ currentTarget }) => props.onMove(currentTarget.valueAsNumber)}
      onChange={studio.history.endGroup}
    />
  );
}

/** The bar over the whole motion: what is kept is bright and has the scrubber, its ends are dragged. */
export function TrimBar({ children }: { children: ComponentChildren }): JSX.Element {
  const { studio, player } = usePage();
  const trim = trimOf(studio);
  if (trim === null) return <div class="trim-bar">{children}</div>;
  const { length, from, to } = trim;
  const start = (100 * from) / length;
  const end = (100 * to) / length;
  return (
    <div class="trim-bar">
      <div class="kept" style={{ insetInlineStart: `${start}%`, insetInlineEnd: `${100 - end}%` }}>
        {children}
      </div>
      <Handle
        label={t('trimHandleStart')}
        value={from}
        length={length}
        onMove={(seconds) => {
          setTrim(studio, { from: seconds });
          player.seek(0);
        }}
      />
      <Handle
        label={t('trimHandleEnd')}
        value={to}
        length={length}
        onMove={(seconds) => {
          setTrim(studio, { to: seconds });
          player.seek(player.duration.peek());
        }}
      />
    </div>
  );
}

function Seconds(props: {
  label: string;
  value: number;
  max: number;
  onChange: (seconds: number) => void;
}): JSX.Element {
  const { studio } = usePage();
  return (
    <input
      type="number"
      class="seconds"
      aria-label={props.label}
      title={props.label}
      min={0}
      max={Math.round(1000 * props.max) / 1000}
      step={0.01}
      value={Math.round(1000 * props.value) / 1000}
      onInput={({ currentTarget }) => {
        if (Number.isFinite(currentTarget.valueAsNumber)) props.onChange(currentTarget.valueAsNumber);
      }}
      onChange={studio.history.endGroup}
    />
  );
}

export function TrimFields(): JSX.Element | null {
  const { studio } = usePage();
  const trim = trimOf(studio);
  if (trim === null) return null;
  const { length, from, to } = trim;
  return (
    <div class="trim">
      <span class="dim">{t('trim')}</span>
      <Seconds
        label={t('trimStart')}
        value={from}
        max={length}
        onChange={(seconds) => setTrim(studio, { from: seconds })}
      />
      <span class="dim">–</span>
      <Seconds label={t('trimEnd')} value={to} max={length} onChange={(seconds) => setTrim(studio, { to: seconds })} />
      {studio.history.state.value.options.trim !== null && (
        <button type="button" onClick={() => studio.setOptions({ trim: null })}>
          {t('trimClear')}
        </button>
      )}
    </div>
  );
}
