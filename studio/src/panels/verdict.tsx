/** One line about the result: traffic lights from the figures of the ruler, and the size of the file. */
import type { JSX } from 'preact';
import type { Level } from '../../../src/core/measure/verdict.ts';
import { type StringKey, t } from '../app/strings.ts';
import { changeView, view } from '../app/view.ts';
import type { FeetFinding, ResultVerdict } from '../engine/protocol.ts';
import { usePage } from './context.ts';
import { Icon } from './icons.tsx';

const FEET_TEXT = {
  ground: 'verdictFeetGround',
  slide: 'verdictFeetSlide',
  below: 'verdictFeetBelow',
  above: 'verdictFeetAbove',
  pelvis: 'verdictFeetPelvis',
} as const satisfies Record<FeetFinding, StringKey>;

const LEVEL_TEXT = {
  good: 'levelGood',
  look: 'levelLook',
  wrong: 'levelWrong',
} as const satisfies Record<Level, StringKey>;

function Light({ level, text }: Finding): JSX.Element {
  return (
    <span class={`light ${level}`} title={`${text}: ${t(LEVEL_TEXT[level])}`}>
      <span class="lamp" role="img" aria-label={t(LEVEL_TEXT[level])} />
      {text}
    </span>
  );
}

/** Writes a length with one digit where it is small. */
function number(value: number): string {
  return value < 9.95 ? `${Number(value.toFixed(1))}` : value.toFixed(0);
}

function megabytes(bytes: number): string {
  return bytes < 95_000 ? `${Math.max(1, Math.round(bytes / 1000))} kB` : `${number(bytes / 1e6)} MB`;
}

interface Finding {
  readonly level: Level;
  readonly text: string;
}

export function findingsOf({ pose, feet, arms }: ResultVerdict): Finding[] {
  const isKept = pose.level === 'good';
  const isStill = arms.centimeters < 0.5;
  return [
    { level: pose.level, text: isKept ? t('verdictPose') : t('verdictPoseOff', { count: number(pose.degrees) }) },
    ...(feet === null
      ? []
      : [{ level: feet.level, text: t(FEET_TEXT[feet.finding], { count: number(feet.centimeters) }) }]),
    {
      level: arms.level,
      text: isStill ? t('verdictArms') : t('verdictArmsMoved', { count: number(arms.centimeters) }),
    },
  ];
}

/** The line; a click opens the charts. */
export function Verdict(): JSX.Element | null {
  const { studio, fileSize } = usePage();
  const { selected } = studio.history.state.value;
  const one = selected === null ? undefined : studio.results.value.get(selected);
  const { isQualityOpen } = view.value;
  if (one === undefined) return null;
  const { measures, isMeasured, error } = one;
  return (
    <button
      type="button"
      class={isMeasured ? 'verdict' : 'verdict old'}
      aria-busy={!isMeasured}
      aria-expanded={isQualityOpen}
      aria-controls="charts"
      title={t(isMeasured ? 'verdictOpen' : 'verdictMeasuring')}
      onClick={() => changeView({ isQualityOpen: !isQualityOpen })}
    >
      {measures !== null && findingsOf(measures.verdict).map((finding) => <Light key={finding.text} {...finding} />)}
      {measures === null && !isMeasured && <span class="dim">{t('verdictMeasuring')}</span>}
      {error !== null && <Light level="wrong" text={t('errorTitle')} />}
      <span class="size">
        {fileSize.value !== null && megabytes(fileSize.value)}
        <Icon name="chart" />
      </span>
    </button>
  );
}
