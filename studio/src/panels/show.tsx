/** The first view: characters dance, large words, two targets for files, and motions to try. */
import type { JSX } from 'preact';
import { filesOfInput } from '../app/dropped-files.ts';
import { t } from '../app/strings.ts';
import { isMotion } from '../app/studio.ts';
import { usePage } from './context.ts';
import { Icon, type IconName } from './icons.tsx';
import { openFound } from './top-bar.tsx';

/** Motions that can be tried. */
const CHIPS = 3;

export function ShowHeading(): JSX.Element {
  return (
    <div class="show-heading">
      <h2>{t('showTitle')}</h2>
      <p>{t('showText')}</p>
    </div>
  );
}

function Target({ icon, label, formats }: { icon: IconName; label: string; formats: string }): JSX.Element {
  const { studio } = usePage();
  return (
    <label class="target">
      <Icon name={icon} />
      <strong>{label}</strong>
      <small>{formats}</small>
      <input
        class="visually-hidden"
        type="file"
        multiple
        aria-label={label}
        onChange={({ currentTarget }) => {
          if (currentTarget.files !== null) void openFound(studio, filesOfInput(currentTarget.files));
        }}
      />
    </label>
  );
}

/** Where files are dropped, and what can be tried without any. */
export function ShowTargets(): JSX.Element {
  const { studio } = usePage();
  const { motion } = studio.history.state.value;
  const motions = studio.files.value.filter(isMotion).slice(0, CHIPS);
  return (
    <div class="show-targets">
      <div class="targets">
        <Target icon="motion" label={t('targetMotion')} formats="FBX · BVH · GLB · VRMA · VMD · USD · NPZ" />
        <Target icon="character" label={t('targetCharacter')} formats="VRM · GLB · FBX · USD · PMX" />
      </div>
      <div class="chips">
        <span class="dim">{t('showTry')}</span>
        {motions.map(({ input }) => (
          <button
            key={input.id}
            type="button"
            class="chip"
            aria-pressed={motion?.file === input.id}
            onClick={() => studio.chooseMotion(input.id, 0)}
          >
            {input.title}
          </button>
        ))}
        <button type="button" class="quiet" onClick={studio.endShow}>
          {t('showOpen')} →
        </button>
      </div>
    </div>
  );
}
