import { signal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { DRAGGED, takeCard } from '../app/cards.ts';
import { filesOfDrop, filesOfInput } from '../app/dropped-files.ts';
import { listenToKeys } from '../app/keyboard.ts';
import { addressesIn, openAddresses } from '../app/links.ts';
import { messageOf } from '../app/message.ts';
import { type StringKey, t } from '../app/strings.ts';
import { changeView, isNarrow, type Tab, view } from '../app/view.ts';
import { type Page, PageContext, usePage } from './context.ts';
import { CharacterList, MotionList } from './files-panel.tsx';
import { Icon } from './icons.tsx';
import { MotionPanel } from './motion-panel.tsx';
import { ShowHeading, ShowTargets } from './show.tsx';
import { StageView } from './stage-view.tsx';
import { Timeline } from './timeline.tsx';
import { openFound, TopBar } from './top-bar.tsx';

/** The files as a panel, where there is one column. */
function FilesPanel(): JSX.Element {
  return (
    <>
      <MotionList />
      <CharacterList />
    </>
  );
}

type Panel = () => JSX.Element | null;

/** Loads of all panels that are loaded after the page. */
const loads: (() => Promise<void>)[] = [];

/** Makes a panel whose module is loaded after the page, or when it is first shown. */
function loaded(load: () => Promise<Panel>): Panel {
  const panel = signal<Panel | null>(null);
  const ready = async (): Promise<void> => {
    panel.value ??= await load();
  };
  loads.push(ready);
  return () => {
    const { studio } = usePage();
    useEffect(() => {
      ready().catch((error: unknown) => {
        studio.notice.value = messageOf(error);
      });
    }, []);
    return panel.value === null ? null : <panel.value />;
  };
}

/** Loads the panels that are not shown yet. One that cannot be loaded says so when it is shown. */
export async function loadPanels(): Promise<void> {
  await Promise.allSettled(loads.map((load) => load()));
}

const FILES = { tab: 'files', label: 'tabFiles', Panel: FilesPanel } as const;
const TABS: readonly { tab: Tab; label: StringKey; Panel: Panel }[] = [
  { tab: 'motion', label: 'tabMotion', Panel: MotionPanel },
  { tab: 'map', label: 'tabMap', Panel: loaded(async () => (await import('./map-panel.tsx')).MapPanel) },
  { tab: 'pose', label: 'tabPose', Panel: loaded(async () => (await import('./pose-panel.tsx')).PosePanel) },
  { tab: 'export', label: 'tabExport', Panel: loaded(async () => (await import('./export-panel.tsx')).ExportPanel) },
];

function Tabs(): JSX.Element {
  const { tab } = view.value;
  const tabs = isNarrow.value ? [FILES, ...TABS] : TABS;
  const { Panel, tab: shown } = tabs.find((one) => one.tab === tab) ?? tabs[0];
  const move = (event: KeyboardEvent): void => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const next = tabs[(tabs.findIndex((one) => one.tab === shown) + step + tabs.length) % tabs.length];
    changeView({ tab: next.tab });
    document.getElementById(`tab-${next.tab}`)?.focus();
  };
  return (
    <>
      <div class="tabs" role="tablist" onKeyDown={move}>
        {tabs.map((one) => (
          <button
            key={one.tab}
            id={`tab-${one.tab}`}
            type="button"
            role="tab"
            aria-selected={one.tab === shown}
            aria-controls="panel"
            tabIndex={one.tab === shown ? 0 : -1}
            onClick={() => changeView({ tab: one.tab })}
          >
            {t(one.label)}
          </button>
        ))}
      </div>
      <div id="panel" role="tabpanel" aria-labelledby={`tab-${shown}`}>
        <Panel />
      </div>
    </>
  );
}

const SHORTCUTS: readonly (readonly [keys: readonly string[], label: StringKey])[] = [
  [['Space'], 'shortcutPlay'],
  [['←', '→'], 'shortcutFrame'],
  [['Ctrl+Z', 'Ctrl+Y'], 'shortcutUndo'],
  [['[', ']'], 'shortcutTrim'],
  [['F', 'S', 'T', 'O'], 'shortcutViews'],
  [['C'], 'shortcutFollow'],
  [['1', '2', '3', '4'], 'shortcutTabs'],
  [['?'], 'shortcutHelp'],
];

function Help(props: { dialog: { current: HTMLDialogElement | null } }): JSX.Element {
  return (
    <dialog ref={props.dialog} aria-label={t('help')}>
      <h2>{t('help')}</h2>
      <dl>
        {SHORTCUTS.map(([keys, label]) => (
          <>
            <dt>
              {keys.map((key) => (
                <>
                  <kbd>{key}</kbd>{' '}
                </>
              ))}
            </dt>
            <dd>{t(label)}</dd>
          </>
        ))}
      </dl>
      <form method="dialog">
        <button type="submit">{t('close')}</button>
      </form>
    </dialog>
  );
}

/** Listens to files that are dropped anywhere, and to addresses that are dropped or pasted. */
function useDrop({ studio }: Page): boolean {
  const [isOver, setIsOver] = useState(false);
  useEffect(() => {
    const over = (event: DragEvent): void => {
      event.preventDefault();
      // Cards of the page are no files.
      setIsOver(event.dataTransfer?.types.includes(DRAGGED) !== true);
    };
    const leave = (event: DragEvent): void => {
      if (event.relatedTarget === null) setIsOver(false);
    };
    const drop = (event: DragEvent): void => {
      event.preventDefault();
      setIsOver(false);
      if (event.dataTransfer === null) return;
      const card = event.dataTransfer.getData(DRAGGED);
      if (card !== '') {
        takeCard(studio, card);
        return;
      }
      // Like files, texts are gone after the event.
      const addresses = addressesIn(event.dataTransfer.getData('text/uri-list'));
      void filesOfDrop(event.dataTransfer).then((found) => {
        if (found.length === 0 && addresses.length > 0) return openAddresses(studio, addresses);
        if (found.length === 0) studio.notice.value = t('dropEmpty');
        else return openFound(studio, found);
      });
    };
    const paste = (event: ClipboardEvent): void => {
      if (event.target instanceof HTMLElement && event.target.matches('input, textarea')) return;
      const addresses = addressesIn(event.clipboardData?.getData('text/plain') ?? '');
      const found = filesOfInput(event.clipboardData?.files ?? []);
      if (addresses.length > 0) void openAddresses(studio, addresses);
      else if (found.length > 0) void openFound(studio, found);
    };
    addEventListener('paste', paste);
    addEventListener('dragover', over);
    addEventListener('dragleave', leave);
    addEventListener('drop', drop);
    return () => {
      removeEventListener('paste', paste);
      removeEventListener('dragover', over);
      removeEventListener('dragleave', leave);
      removeEventListener('drop', drop);
    };
  }, [studio]);
  return isOver;
}

/** Everything around the stage: motions, time, characters and panels. */
function Workbench(): JSX.Element {
  return (
    <>
      {!isNarrow.value && (
        <nav class="left" aria-label={t('motions')}>
          <MotionList />
          <p class="section dim">{t('dropHint')}</p>
        </nav>
      )}
      <section class="time" aria-label={t('time')}>
        <Timeline />
      </section>
      <aside class="right" aria-label={t('characters')}>
        {!isNarrow.value && <CharacterList />}
        <Tabs />
      </aside>
    </>
  );
}

/** What went wrong, over the stage: it is as long as it is, and seen wherever one looks. */
function Notice(): JSX.Element | null {
  const { notice } = usePage().studio;
  if (notice.value === null) return null;
  const close = (): void => {
    notice.value = null;
  };
  return (
    <div class="notice">
      <p role="alert">{notice.value}</p>
      <button type="button" class="quiet only-icon" aria-label={t('close')} title={t('close')} onClick={close}>
        <Icon name="close" />
      </button>
    </div>
  );
}

export function App({ page }: { page: Page }): JSX.Element {
  const { studio, player } = page;
  const dialog = useRef<HTMLDialogElement>(null);
  const showHelp = (): void => dialog.current?.showModal();
  useEffect(() => listenToKeys(studio, player, showHelp), [studio, player]);
  const isOver = useDrop(page);
  return (
    <PageContext.Provider value={page}>
      <div class={studio.isShow.value ? 'app show' : 'app'}>
        <TopBar onHelp={showHelp} />
        {studio.isShow.value && <ShowHeading />}
        <main class="stage">
          <StageView />
        </main>
        {studio.isShow.value ? <ShowTargets /> : <Workbench />}
      </div>
      <Notice />
      {isOver && (
        <div class="drop">
          <span>{t('dropHere')}</span>
        </div>
      )}
      <Help dialog={dialog} />
    </PageContext.Provider>
  );
}
