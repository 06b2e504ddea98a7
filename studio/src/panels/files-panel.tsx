/** The list of motions on the left, and that of characters on the right. */
import { Fragment, type JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { DRAGGED } from '../app/cards.ts';
import { editsOf } from '../app/project.ts';
import { t } from '../app/strings.ts';
import { isCharacter, isMotion, type StudioFile, titleOf } from '../app/studio.ts';
import type { PictureKind } from '../app/thumbnails.ts';
import { usePage } from './context.ts';
import { Icon } from './icons.tsx';

function About({ kind, file }: { kind: PictureKind; file: StudioFile }): JSX.Element {
  const { studio } = usePage();
  const { summary, error, isBuiltIn } = file;
  if (error !== null) return <small class="bad wrap">{error}</small>;
  if (summary === null) return <small class="dim">{t('opening')}</small>;
  const { role, clips, humanoid, reason } = summary;
  // A map by hand makes a file usable whose bones are not recognized.
  const bones = editsOf(studio.history.state.value, file.input.id).map ?? humanoid?.bones;
  if (role === 'neither' || bones === undefined) {
    const text = `${t(role === 'neither' ? 'notUsable' : 'notRecognized')}: ${reason}`;
    return (
      <small class="warn wrap" title={text}>
        {text}
      </small>
    );
  }
  const parts = [
    ...(isBuiltIn ? [] : [file.input.name.split('.').at(-1)?.toUpperCase()]),
    ...(kind === 'character' ? [t('bones', { count: Object.keys(bones).length })] : []),
    ...(clips.length === 1 && kind === 'motion' ? [t('seconds', { count: clips[0].duration.toFixed(1) })] : []),
    ...(clips.length > 1 ? [t('clips', { count: clips.length })] : []),
  ];
  const text = parts.join(' · ');
  return (
    <small class="dim" title={text}>
      {text}
    </small>
  );
}

/** The picture of a file: drawn when its card is seen first. That of a motion plays under the pointer. */
function Picture({ kind, file }: { kind: PictureKind; file: StudioFile }): JSX.Element {
  const { thumbnails } = usePage();
  const place = useRef<HTMLSpanElement>(null);
  const { id } = file.input;
  const isDrawn = kind === 'motion' ? isMotion(file) : file.summary?.hasMesh === true;
  useEffect(() => {
    if (place.current === null || !isDrawn) return;
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) thumbnails.want(kind, id);
    });
    observer.observe(place.current);
    return () => observer.disconnect();
  }, [thumbnails, kind, id, isDrawn]);
  const address = thumbnails.pictureOf(kind, id);
  return (
    <span class={`picture ${kind}`} ref={place} aria-hidden="true">
      {address === undefined ? <Icon name={kind} /> : <img src={address} alt="" draggable={false} />}
    </span>
  );
}

/** A name, which breaks between its words where it is too long. */
export function FileName({ name }: { name: string }): JSX.Element {
  const words = name.split(/(?<=[_.-])/);
  return (
    <span title={name}>
      {words.map((word, k) => (
        <Fragment key={`${k} ${word}`}>
          {k > 0 && <wbr />}
          {word}
        </Fragment>
      ))}
    </span>
  );
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
  const { id } = file.input;
  const name = titleOf(file);
  const isChosen = studio.history.state.value.motion?.file === id;
  return (
    <li>
      <div class="item" data-chosen={isChosen}>
        <button
          type="button"
          class="choose"
          aria-pressed={isChosen}
          disabled={!isMotion(file)}
          draggable={isMotion(file)}
          onDragStart={({ dataTransfer }) => dataTransfer?.setData(DRAGGED, `motion ${id}`)}
          onClick={() => studio.chooseMotion(id, 0)}
        >
          <Picture kind="motion" file={file} />
          <FileName name={name} />
          <About kind="motion" file={file} />
        </button>
        <RemoveButton file={file} />
      </div>
      <Clips file={file} />
    </li>
  );
}

function CharacterItem({ file }: { file: StudioFile }): JSX.Element {
  const { studio } = usePage();
  const { id } = file.input;
  const name = titleOf(file);
  const { characters, selected } = studio.history.state.value;
  const isOnStage = characters.includes(id);
  return (
    <li class="item" data-chosen={isOnStage} data-selected={selected === id}>
      <button
        type="button"
        class="choose"
        aria-pressed={selected === id}
        disabled={!isCharacter(file)}
        draggable={isCharacter(file)}
        onDragStart={({ dataTransfer }) => dataTransfer?.setData(DRAGGED, `character ${id}`)}
        onClick={() => studio.chooseCharacter(id, false)}
      >
        <Picture kind="character" file={file} />
        <FileName name={name} />
        <About kind="character" file={file} />
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
        <span class="tick" aria-hidden="true">
          {isOnStage && <Icon name="check" />}
        </span>
      </button>
      <RemoveButton file={file} />
    </li>
  );
}

const SEARCHED = 8;

/** Files of the user, and below them those of the page, which are folded away once the user has own ones. */
function FileList(props: {
  files: readonly StudioFile[];
  searchLabel: string;
  Item: (one: { file: StudioFile }) => JSX.Element;
}): JSX.Element {
  const [search, setSearch] = useState('');
  const { files: all, Item } = props;
  const text = search.trim().toLowerCase();
  const files = all.filter(({ input }) => `${input.title ?? ''} ${input.name}`.toLowerCase().includes(text));
  const [own, builtIn] = [files.filter((file) => !file.isBuiltIn), files.filter((file) => file.isBuiltIn)];
  const list = (some: readonly StudioFile[]): JSX.Element => (
    <ul class="list">
      {some.map((file) => (
        <Item key={file.input.id} file={file} />
      ))}
    </ul>
  );
  return (
    <>
      {all.length >= SEARCHED && (
        <input
          type="search"
          aria-label={props.searchLabel}
          placeholder={props.searchLabel}
          value={search}
          onInput={({ currentTarget }) => setSearch(currentTarget.value)}
        />
      )}
      {files.length === 0 && all.length > 0 && <p class="dim">{t('noFileFound')}</p>}
      {own.length > 0 && list(own)}
      {builtIn.length > 0 && (
        <details open={own.length === 0 || text !== ''}>
          <summary class="dim">{t('builtInFiles', { count: builtIn.length })}</summary>
          {list(builtIn)}
        </details>
      )}
    </>
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
      <FileList files={files} searchLabel={t('searchMotions')} Item={MotionItem} />
    </section>
  );
}

export function CharacterList(): JSX.Element {
  const { studio } = usePage();
  const files = studio.files.value.filter(isCharacter);
  return (
    <section class="section" aria-labelledby="characters">
      <h2 id="characters">{t('characters')}</h2>
      {files.length === 0 && <p class="dim">{t('noCharacter')}</p>}
      <FileList files={files} searchLabel={t('searchCharacters')} Item={CharacterItem} />
    </section>
  );
}
