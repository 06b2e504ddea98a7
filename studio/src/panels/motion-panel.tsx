/** The options of the motion: every option of `anyrig retarget` that changes how it looks. */
import type { HipsScale } from 'anyrig';
import type { JSX } from 'preact';
import type { MotionOptions } from '../app/motion-options.ts';
import { MOTION_DEFAULTS } from '../app/motion-options.ts';
import { t } from '../app/strings.ts';
import { usePage } from './context.ts';
import { Check, Select, Slider } from './controls.tsx';
import { Figures } from './figures.tsx';

type NamedScale = Exclude<HipsScale, number> | 'number';

function Space(props: { label: string; name: 'armSpace' | 'legSpace'; max: number }): JSX.Element {
  const { studio } = usePage();
  const value = studio.history.state.value.options[props.name];
  const set = (next: number | 'auto'): void => studio.setOptions({ [props.name]: next }, props.name);
  return (
    <Slider
      label={props.label}
      value={value === 'auto' ? 0 : value}
      min={-props.max}
      max={props.max}
      step={1}
      unit="°"
      onInput={set}
      onEnd={studio.history.endGroup}
    >
      <button
        type="button"
        class="small"
        aria-pressed={value === 'auto'}
        onClick={() => set(value === 'auto' ? 0 : 'auto')}
      >
        {t('auto')}
      </button>
    </Slider>
  );
}

function ScaleField(): JSX.Element {
  const { studio } = usePage();
  const { hipsScale } = studio.history.state.value.options;
  const named: NamedScale = typeof hipsScale === 'number' ? 'number' : hipsScale;
  const choose = (value: NamedScale): void => studio.setOptions({ hipsScale: value === 'number' ? 1 : value });
  return (
    <>
      <Select
        label={t('hipsScale')}
        value={named}
        choices={[
          { value: 'hips', label: t('hipsScaleHips') },
          { value: 'legs', label: t('hipsScaleLegs') },
          { value: 'stature', label: t('hipsScaleStature') },
          { value: 'none', label: t('hipsScaleNone') },
          { value: 'number', label: t('hipsScaleNumber') },
        ]}
        onChange={choose}
      />
      {typeof hipsScale === 'number' && (
        <Slider
          label={t('hipsScaleNumber')}
          value={hipsScale}
          min={0.1}
          max={3}
          step={0.05}
          onInput={(value) => studio.setOptions({ hipsScale: value }, 'hipsScale')}
          onEnd={studio.history.endGroup}
        />
      )}
    </>
  );
}

/** The panel. */
export function MotionPanel(): JSX.Element {
  const { studio } = usePage();
  const { options } = studio.history.state.value;
  const set = (changes: Partial<MotionOptions>): void => studio.setOptions(changes);
  return (
    <>
      <div class="section">
        <ScaleField />
        <Select
          label={t('contacts')}
          value={options.contacts}
          choices={[
            { value: 'auto', label: t('contactsAuto') },
            { value: 'lock', label: t('contactsLock') },
            { value: 'ground', label: t('contactsGround') },
            { value: 'off', label: t('contactsOff') },
          ]}
          onChange={(contacts) => set({ contacts })}
        />
        <Select
          label={t('root')}
          value={options.root}
          choices={[
            { value: 'keep', label: t('rootKeep') },
            { value: 'hips', label: t('rootHips') },
            { value: 'root-bone', label: t('rootBone') },
            { value: 'in-place', label: t('rootInPlace') },
          ]}
          onChange={(root) => set({ root })}
        />
        <Space label={t('armSpace')} name="armSpace" max={40} />
        <Space label={t('legSpace')} name="legSpace" max={20} />
        <Slider
          label={t('speed')}
          value={options.speed}
          min={0.25}
          max={3}
          step={0.05}
          unit="×"
          onInput={(speed) => studio.setOptions({ speed }, 'speed')}
          onEnd={studio.history.endGroup}
        />
        <Slider
          label={t('reduce')}
          value={options.reduce ?? 0}
          min={0}
          max={3}
          step={0.1}
          unit="°"
          onInput={(reduce) => studio.setOptions({ reduce: reduce === 0 ? null : reduce }, 'reduce')}
          onEnd={studio.history.endGroup}
        />
        <Select
          label={t('keys')}
          value={options.keys}
          choices={[
            { value: 'linear', label: t('keysLinear') },
            { value: 'exact', label: t('keysExact') },
          ]}
          onChange={(keys) => set({ keys })}
        />
        <Select
          label={t('fps')}
          value={options.fps === null ? 'keep' : `${options.fps}`}
          choices={[
            { value: 'keep', label: t('fpsKeep') },
            ...['24', '25', '30', '60'].map((value) => ({ value, label: `${value} fps` })),
          ]}
          onChange={(value) => set({ fps: value === 'keep' ? null : Number(value) })}
        />
      </div>
      <div class="section">
        <Check
          label={t('selfCollision')}
          value={options.selfCollision}
          onChange={(selfCollision) => set({ selfCollision })}
        />
        <Check label={t('hands')} value={options.hands} onChange={(hands) => set({ hands })} />
        <Check label={t('twist')} value={options.twist} onChange={(twist) => set({ twist })} />
        <Check label={t('distribute')} value={options.distribute} onChange={(distribute) => set({ distribute })} />
        <Check label={t('face')} value={options.face} onChange={(face) => set({ face })} />
        <Check
          label={t('skipFirstPose')}
          value={options.skipFirstPose}
          onChange={(skipFirstPose) => set({ skipFirstPose })}
        />
        <Check label={t('mirror')} value={options.mirror} onChange={(mirror) => set({ mirror })} />
        <Check label={t('loop')} value={options.loop} onChange={(loop) => set({ loop })} />
        <button
          type="button"
          disabled={JSON.stringify(options) === JSON.stringify(MOTION_DEFAULTS)}
          onClick={() => set(MOTION_DEFAULTS)}
        >
          {t('reset')}
        </button>
      </div>
      <Figures />
    </>
  );
}
