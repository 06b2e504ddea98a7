/** The options of the motion: every option of `anyrig retarget` that changes how it looks. */
import type { ComponentChildren, JSX } from 'preact';
import { MOTION_OPTIONS, type MotionOptions as Values } from '../../../src/files/options/motion-options.ts';
import { MOTION_DEFAULTS, type ShownOption } from '../app/motion-options.ts';
import { t } from '../app/strings.ts';
import { usePage } from './context.ts';
import { Check, Select, Slider } from './controls.tsx';
import { Figures } from './figures.tsx';

type NameOf<Kind extends string> = {
  [K in ShownOption]: (typeof MOTION_OPTIONS)[K]['type']['kind'] extends Kind ? K : never;
}[ShownOption];

/** The part of the values that a slider reaches, and its step. Text fields of the command line take all of them. */
const SLIDERS = {
  hipsScale: [0.1, 3, 0.05],
  armSpace: [-40, 40, 1],
  legSpace: [-20, 20, 1],
  speed: [0.25, 3, 0.05],
  reduce: [0, 3, 0.1],
} as const satisfies Partial<Record<NameOf<'number'>, readonly [number, number, number]>>;

/** Options with a picture, which scripts/site-pictures.ts draws. */
const PICTURED: readonly ShownOption[] = [
  'contacts',
  'selfCollision',
  'hands',
  'face',
  'twist',
  'ground',
  'clean',
  'hipsScale',
  'armSpace',
  'legSpace',
  'root',
  'mirror',
];

function explained(name: ShownOption & NameOf<'flag' | 'choice' | 'number'>): { help: string; picture?: string } {
  return { help: t(`${name}.help`), ...(PICTURED.includes(name) ? { picture: name } : {}) };
}

const FRAME_RATES = ['24', '25', '30', '60'];

/** Whether an option is on. */
function Flag({ name }: { name: NameOf<'flag'> }): JSX.Element {
  const { studio } = usePage();
  const { options } = studio.history.state.value;
  return (
    <Check
      label={t(name)}
      {...explained(name)}
      value={options[name]}
      onChange={(value) => studio.setOptions({ [name]: value })}
    />
  );
}

/** One of the words of an option that always has one. */
function Words({ name }: { name: Exclude<NameOf<'choice'>, 'names'> }): JSX.Element {
  const { studio } = usePage();
  const { values } = MOTION_OPTIONS[name].type;
  return (
    <Select
      label={t(name)}
      {...explained(name)}
      value={studio.history.state.value.options[name]}
      choices={values.map((value) => ({ value, label: t(`${name}.${value}` as Parameters<typeof t>[0]) }))}
      onChange={(value) => studio.setOptions({ [name]: value })}
    />
  );
}

/** A number; its slider is at 0 where an option has none or the word `auto`. */
function Amount({ name, label = t(name) }: { name: keyof typeof SLIDERS; label?: string }): JSX.Element {
  const { studio } = usePage();
  const value: Values[typeof name] = studio.history.state.value.options[name];
  const [min, max, step] = SLIDERS[name];
  const { type, default: none } = MOTION_OPTIONS[name];
  const hasAuto = 'words' in type && type.words.some((word) => word === 'auto');
  const set = (next: number | string): void =>
    studio.setOptions({ [name]: next === 0 && none === null ? null : next }, name);
  return (
    <Slider
      label={label}
      value={typeof value === 'number' ? value : 0}
      min={min}
      max={max}
      step={step}
      {...explained(name)}
      {...('unit' in type ? { unit: type.unit } : {})}
      onInput={set}
      onEnd={studio.history.endGroup}
    >
      {hasAuto && (
        <button
          type="button"
          class="small"
          aria-pressed={value === 'auto'}
          onClick={() => set(value === 'auto' ? 0 : 'auto')}
        >
          {t('auto')}
        </button>
      )}
    </Slider>
  );
}

/** How the hips travel: one of the words, or a factor. */
function HipsScale(): JSX.Element {
  const { studio } = usePage();
  const { hipsScale } = studio.history.state.value.options;
  const words = MOTION_OPTIONS.hipsScale.type.words.map((value) => ({ value, label: t(`hipsScale.${value}`) }));
  return (
    <>
      <Select
        label={t('hipsScale')}
        {...explained('hipsScale')}
        value={typeof hipsScale === 'number' ? 'factor' : hipsScale}
        choices={[...words, { value: 'factor', label: t('factor') }]}
        onChange={(value) => studio.setOptions({ hipsScale: value === 'factor' ? 1 : value })}
      />
      {typeof hipsScale === 'number' && <Amount name="hipsScale" label={t('factor')} />}
    </>
  );
}

/** Keys of the motion, or so many per second. */
function FrameRate(): JSX.Element {
  const { studio } = usePage();
  const { fps } = studio.history.state.value.options;
  return (
    <Select
      label={t('fps')}
      help={t('fps.help')}
      value={fps === null ? 'keep' : `${fps}`}
      choices={[
        { value: 'keep', label: t('fpsKeep') },
        ...FRAME_RATES.map((value) => ({ value, label: `${value} fps` })),
      ]}
      onChange={(value) => studio.setOptions({ fps: value === 'keep' ? null : Number(value) })}
    />
  );
}

function JointNames(): JSX.Element {
  const { studio } = usePage();
  const { names } = studio.history.state.value.options;
  const { values } = MOTION_OPTIONS.names.type;
  return (
    <Select
      label={t('names')}
      help={t('names.help')}
      value={names ?? 'keep'}
      choices={[
        { value: 'keep', label: t('namesKeep') },
        ...values.map((value) => ({ value, label: t(`names.${value}`) })),
      ]}
      onChange={(value) => studio.setOptions({ names: value === 'keep' ? null : value })}
    />
  );
}

/** Options that belong together. */
function Options({
  title,
  isOpen,
  children,
}: {
  title: string;
  isOpen: boolean;
  children: ComponentChildren;
}): JSX.Element {
  return (
    <details class="options" open={isOpen}>
      <summary>{title}</summary>
      <div class="section">{children}</div>
    </details>
  );
}

export function MotionPanel(): JSX.Element {
  const { studio } = usePage();
  const { options } = studio.history.state.value;
  return (
    <>
      <Options title={t('groupBody')} isOpen>
        <Words name="contacts" />
        <HipsScale />
        <Words name="selfCollision" />
        <Amount name="armSpace" />
        <Amount name="legSpace" />
        <Flag name="hands" />
        <Words name="ground" />
        <Words name="root" />
        <Flag name="twist" />
        <Flag name="distribute" />
        <Flag name="face" />
      </Options>
      <Options title={t('groupTiming')} isOpen>
        <Amount name="speed" />
        <Flag name="mirror" />
        <Flag name="loop" />
        <Flag name="skipFirstPose" />
        <Flag name="clean" />
      </Options>
      <Options title={t('groupSize')} isOpen={false}>
        <Amount name="reduce" />
        <Words name="keys" />
        <FrameRate />
        <JointNames />
        <Flag name="events" />
      </Options>
      <div class="section">
        <button
          type="button"
          disabled={JSON.stringify(options) === JSON.stringify(MOTION_DEFAULTS)}
          onClick={() => studio.setOptions(MOTION_DEFAULTS)}
        >
          {t('reset')}
        </button>
      </div>
      <Figures />
    </>
  );
}
