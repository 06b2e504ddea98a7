/** All motions on all characters, to be watched before they are written. */
import type { AnyrigStage } from 'anyrig/stage';
import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Level } from '../../../src/core/measure/verdict.ts';
import { messageOf } from '../app/message.ts';
import { outputChoice } from '../app/output-choice.ts';
import type { Project } from '../app/project.ts';
import { t } from '../app/strings.ts';
import { type Studio, type StudioFile, titleOf } from '../app/studio.ts';
import { drawFile } from '../app/thumbnails.ts';
import { type Pair, pairsOf, requestOf } from '../app/zip-all.ts';
import { usePage } from './context.ts';
import { FileName } from './files-panel.tsx';
import { findingsOf } from './verdict.tsx';

/** Pixels along a side of a picture, as styles/watch.css has them. */
const SIZE = 112;
/** Pictures per second, and the seconds that are shown: software rendering draws about 30 pictures in a second. */
const RATE = 10;
const SECONDS = 4;

const LEVELS: readonly Level[] = ['good', 'look', 'wrong'];

/** What a cell shows once it was drawn. */
interface Watched {
  /** Address of the pictures beside each other; empty where the pair failed. */
  readonly address: string;
  readonly count: number;
  readonly level: Level;
  /** The verdict, or what went wrong. */
  readonly words: string;
}

function keyOf({ motion, character }: Pair): string {
  return `${motion.input.id} ${character.input.id}`;
}

async function watch(studio: Studio, stage: AnyrigStage, project: Project, pair: Pair): Promise<Watched> {
  try {
    const request = requestOf(project, pair);
    const { clip } = await studio.client.retarget(request);
    const measures = await studio.client.measure(request);
    const count = Math.max(1, Math.round(RATE * Math.min(SECONDS, clip?.duration ?? 0)));
    const times = Array.from({ length: count }, (_, k) => k / RATE);
    const blob = await drawFile(studio, stage, pair.character.input.id, clip, times, SIZE);
    const findings = measures === null ? [] : findingsOf(measures.verdict);
    return {
      address: URL.createObjectURL(blob),
      count,
      level: LEVELS[Math.max(0, ...findings.map(({ level }) => LEVELS.indexOf(level)))],
      words: findings.map(({ text }) => text).join(', '),
    };
  } catch (error) {
    return { address: '', count: 0, level: 'wrong', words: messageOf(error) };
  }
}

/** Pictures that follow each other at their own speed. */
function Moving({ address, count }: Watched): JSX.Element {
  const image = useRef<HTMLImageElement>(null);
  useEffect(() => {
    if (matchMedia('(prefers-reduced-motion: reduce)').matches || count < 2) return;
    const end = { transform: `translateX(${(1 - count) * SIZE}px)` };
    const timing = { duration: (1000 * count) / RATE, iterations: Infinity, easing: `steps(${count}, jump-none)` };
    const animation = image.current?.animate([{ transform: 'none' }, end], timing);
    return () => animation?.cancel();
  }, [count]);
  return <img ref={image} src={address} alt="" />;
}

/** The table. It draws one pair after the other while it is open. */
function Grid({ pairs, onChosen }: { pairs: readonly Pair[]; onChosen: () => void }): JSX.Element {
  const { studio, player } = usePage();
  const [watched, setWatched] = useState<ReadonlyMap<string, Watched>>(new Map());
  useEffect(() => {
    const stage = player.stage.peek();
    const project = studio.history.state.peek();
    const addresses: string[] = [];
    let isOpen = true;
    const draw = async (): Promise<void> => {
      for (const pair of pairs) {
        if (!isOpen || stage === null) return;
        const one = await studio.busy(() => watch(studio, stage, project, pair));
        addresses.push(one.address);
        if (isOpen) setWatched((before) => new Map(before).set(keyOf(pair), one));
      }
    };
    const drawing = draw();
    return () => {
      isOpen = false;
      // The one that is being drawn has its address later.
      void drawing.then(() => addresses.forEach(URL.revokeObjectURL));
    };
  }, [studio, player, pairs]);
  const motions = [...new Set(pairs.map(({ motion }) => motion))];
  const characters = [...new Set(pairs.map(({ character }) => character))];
  const charactersOf = (motion: StudioFile): StudioFile[] =>
    pairs.filter((pair) => pair.motion === motion).map(({ character }) => character);
  const show = (motion: StudioFile, on: readonly StudioFile[]): void => {
    const ids = on.map(({ input }) => input.id);
    studio.showTogether(motion.input.id, ids);
    onChosen();
  };
  const cell = (motion: StudioFile, character: StudioFile): JSX.Element | null => {
    const pair = pairs.find((one) => one.motion === motion && one.character === character);
    if (pair === undefined) return null;
    const one = watched.get(keyOf(pair));
    const names = { motion: titleOf(motion), character: titleOf(character) };
    const words = t('watchPair', { ...names, verdict: one?.words ?? t('working') });
    return (
      <button type="button" aria-label={words} title={words} onClick={() => show(motion, [character])}>
        {one !== undefined && one.address !== '' && <Moving {...one} />}
        {one !== undefined && (
          <span class={`light ${one.level}`}>
            <span class="lamp" />
          </span>
        )}
      </button>
    );
  };
  return (
    <table>
      <thead>
        <tr>
          <td />
          {characters.map((character) => (
            <th key={character.input.id} scope="col">
              <FileName name={titleOf(character)} />
              <small class="dim">.{pairs.find((pair) => pair.character === character)?.format}</small>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {motions.map((motion) => (
          <tr key={motion.input.id}>
            <th scope="row">
              <button
                type="button"
                class="quiet wrap"
                title={t('watchMotion', { motion: titleOf(motion) })}
                onClick={() => show(motion, charactersOf(motion))}
              >
                <FileName name={titleOf(motion)} />
              </button>
            </th>
            {characters.map((character) => (
              <td key={character.input.id}>{cell(motion, character)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** A button that opens the table. */
export function WatchAll(): JSX.Element {
  const { studio, player } = usePage();
  const dialog = useRef<HTMLDialogElement>(null);
  /** Whether the stage goes on after it: it is paused meanwhile, since nobody sees it. */
  const wasPlaying = useRef(false);
  /** The pairs when it was opened; null while it is closed. */
  const [pairs, setPairs] = useState<readonly Pair[] | null>(null);
  const open = (): void => {
    setPairs(pairsOf(studio.files.peek(), outputChoice.peek().format));
    const stage = player.stage.peek();
    wasPlaying.current = stage !== null && !stage.paused;
    stage?.pause();
    dialog.current?.showModal();
  };
  const goOn = (): void => {
    if (wasPlaying.current) player.stage.peek()?.play();
    wasPlaying.current = false;
  };
  const end = (): void => {
    setPairs(null);
    goOn();
  };
  useEffect(() => goOn, []);
  return (
    <>
      <button type="button" disabled={player.stage.value === null} onClick={open}>
        {t('watchAll')}
      </button>
      <dialog ref={dialog} class="watch" aria-label={t('watchTitle')} onClose={end}>
        <header>
          <div>
            <h2>{t('watchTitle')}</h2>
            <p class="dim">{t('watchHint')}</p>
          </div>
          <button type="button" onClick={() => dialog.current?.close()}>
            {t('close')}
          </button>
        </header>
        {pairs !== null && (
          <div class="scroll">
            <Grid pairs={pairs} onChosen={() => dialog.current?.close()} />
          </div>
        )}
      </dialog>
    </>
  );
}
