/** The list of motions on the left, and that of characters on the right. */
import type { JSX } from 'preact';
import { t } from '../app/strings.ts';
import { isCharacter, isMotion, type StudioFile } from '../app/studio.ts';
import { usePage } from './context.ts';

/** Says in words what a file is. */
function About({ file }: { file: StudioFile }): JSX.Element {
  const { summary, error, isBuiltIn } = file;
  if (error !== null) return <small class="bad wrap">{error}</small>;
  if (summary === null) return <small class="dim">{t('opening')}</small>;
  const { role, clips, humanoid, reason, format } = summary;
  if (role === 'neither') {
    return (
      <small class="warn wrap">
        {t('notUsable')}: {reason}
      </small>
    );
  }
  const roles = { motion: 'roleMotion', character: 'roleCharacter', both: 'roleBoth' } as const;
  const parts = [
    isBuiltIn ? t('builtIn') : format.toUpperCase(),
    t(roles[role]),
    t('bones', { count: Object.keys(humanoid?.bones ?? {}).length }),
    ...(clips.length > 0 ? [t('clips', { count: clips.length })] : []),
  ];
  return <small class="dim">{parts.join(' · ')}</small>;
}

function RemoveButton({ file }: { file: StudioFile }): JSX.Element | null {
  const { studio } = usePage();
  if (file.isBuiltIn) return null;
  const { id, name } = file.input;
  return (
    <button
      type="button"
      class="small"
      aria-label={t('remove', { name })}
      title={t('remove', { name })}
      onClick={() => void studio.remove(id)}
    >
      ✕
    </button>
  );
}

function Clips({ file }: { file: StudioFile }): JSX.Element | null {
  const { studio } = usePage();
  const { motion } = studio.history.state.value;
  const clips = file.summary?.clips ?? [];
  if (motion?.file !== file.input.id || clips.length < 2) return null;
  return (
    <ul class="list clips">
      {clips.map(({ name, duration }, clip) => (
        <li key={clip} class="item" data-chosen={motion.clip === clip}>
          <button
            type="button"
            class="choose"
            aria-pressed={motion.clip === clip}
            onClick={() => studio.chooseMotion(file.input.id, clip)}
          >
            <span>{name}</span>
            <small class="dim">{t('seconds', { count: duration.toFixed(2) })}</small>
          </button>
        </li>
      ))}
    </ul>
  );
}

function MotionItem({ file }: { file: StudioFile }): JSX.Element {
  const { studio } = usePage();
  const { id, name } = file.input;
  const isChosen = studio.history.state.value.motion?.file === id;
  return (
    <li>
      <div class="item" data-chosen={isChosen}>
        <button
          type="button"
          class="choose"
          aria-pressed={isChosen}
          disabled={!isMotion(file)}
          onClick={() => studio.chooseMotion(id, 0)}
        >
          <span>{name}</span>
          <About file={file} />
        </button>
        <RemoveButton file={file} />
      </div>
      <Clips file={file} />
    </li>
  );
}

function CharacterItem({ file }: { file: StudioFile }): JSX.Element {
  const { studio } = usePage();
  const { id, name } = file.input;
  const { characters, selected } = studio.history.state.value;
  const isOnStage = characters.includes(id);
  return (
    <li class="item" data-chosen={isOnStage}>
      <button
        type="button"
        class="choose"
        aria-pressed={selected === id}
        disabled={!isCharacter(file)}
        onClick={() => studio.chooseCharacter(id, false)}
      >
        <span>{name}</span>
        <About file={file} />
      </button>
      <button
        type="button"
        class="small"
        aria-pressed={isOnStage}
        aria-label={t('addToStage', { name })}
        title={t('addToStage', { name })}
        disabled={!isCharacter(file)}
        onClick={() => studio.chooseCharacter(id, true)}
      >
        {isOnStage ? '−' : '+'}
      </button>
      <RemoveButton file={file} />
    </li>
  );
}

/** Files that are motions, and those that are not known to be anything else. */
export function MotionList(): JSX.Element {
  const { studio } = usePage();
  const files = studio.files.value.filter((file) => isMotion(file) || !isCharacter(file));
  return (
    <section class="section" aria-labelledby="motions">
      <h2 id="motions">{t('motions')}</h2>
      {files.length === 0 && <p class="dim">{t('noMotion')}</p>}
      <ul class="list">
        {files.map((file) => (
          <MotionItem key={file.input.id} file={file} />
        ))}
      </ul>
    </section>
  );
}

/** Files that can be characters. */
export function CharacterList(): JSX.Element {
  const { studio } = usePage();
  const files = studio.files.value.filter(isCharacter);
  return (
    <section class="section" aria-labelledby="characters">
      <h2 id="characters">{t('characters')}</h2>
      {files.length === 0 && <p class="dim">{t('noCharacter')}</p>}
      <ul class="list">
        {files.map((file) => (
          <CharacterItem key={file.input.id} file={file} />
        ))}
      </ul>
    </section>
  );
}
