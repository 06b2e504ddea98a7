/** The bar at the top: open, undo, redo, theme, language, help. */
import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';
import { stemOf } from '../../../src/files/clips/clip-names.ts';
import { downloadFiles } from '../app/download.ts';
import { filesOfInput, toInputs } from '../app/dropped-files.ts';
import { addressesIn, openAddresses } from '../app/links.ts';
import { messageOf } from '../app/message.ts';
import { outputOf, writeOutput } from '../app/output-choice.ts';
import { type Language, t } from '../app/strings.ts';
import type { Studio } from '../app/studio.ts';
import { changeView, type View, view } from '../app/view.ts';
import { usePage } from './context.ts';
import { Menu } from './controls.tsx';
import { Icon, Logo } from './icons.tsx';

/** Creates an id that no other file of the page has, nor of an earlier session. */
function nextId(): string {
  return crypto.randomUUID();
}

/** Opens files that were dropped, pasted or chosen. What was said about those before is of no use then. */
export function openFound(studio: Studio, found: ReturnType<typeof filesOfInput>): Promise<void> {
  studio.notice.value = null;
  return studio.add(toInputs(found, nextId), { isShown: true });
}

function OpenButton({ label, isFolder }: { label: string; isFolder: boolean }): JSX.Element {
  const { studio } = usePage();
  const open = (input: HTMLInputElement): void => {
    if (input.files !== null) void openFound(studio, filesOfInput(input.files));
    input.value = '';
  };
  return (
    <label class={isFolder ? 'button folder' : 'button'} title={label}>
      <Icon name={isFolder ? 'folder' : 'file'} />
      <span class="words">{label}</span>
      <input
        class="visually-hidden"
        type="file"
        multiple
        aria-label={label}
        ref={(input) => void input?.toggleAttribute('webkitdirectory', isFolder)}
        onChange={({ currentTarget }) => open(currentTarget)}
      />
    </label>
  );
}

/** Asks for the address of a file on the web. */
function OpenAddress(): JSX.Element {
  const { studio } = usePage();
  const dialog = useRef<HTMLDialogElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const open = (): void => {
    const addresses = addressesIn(input.current?.value ?? '');
    if (addresses.length > 0) void openAddresses(studio, addresses);
    if (input.current !== null) input.current.value = '';
  };
  return (
    <>
      <button
        type="button"
        class="quiet only-icon"
        aria-label={t('openAddress')}
        title={t('openAddress')}
        onClick={() => dialog.current?.showModal()}
      >
        <Icon name="link" />
      </button>
      <dialog ref={dialog} aria-label={t('openAddress')}>
        <form method="dialog" class="address" onSubmit={open}>
          <h2>{t('openAddress')}</h2>
          <p class="dim">{t('openAddressHint')}</p>
          <input ref={input} type="url" required placeholder="https://…/walk.fbx" aria-label={t('address')} />
          <div class="transport">
            <button type="submit" class="primary">
              {t('openIt')}
            </button>
            <button type="button" onClick={() => dialog.current?.close()}>
              {t('exportCancel')}
            </button>
          </div>
        </form>
      </dialog>
    </>
  );
}

/** Downloads the result of the selected character, as the panel **Export** is set. */
function ExportButton(): JSX.Element {
  const { studio } = usePage();
  const output = outputOf(studio);
  const take = async (): Promise<void> => {
    if (output === null) return;
    studio.notice.value = null;
    try {
      await downloadFiles(stemOf(output.request.output), await writeOutput(studio, output));
    } catch (error) {
      studio.notice.value = messageOf(error);
    }
  };
  return (
    <button
      type="button"
      class="primary"
      disabled={output === null}
      title={output?.request.output}
      onClick={() => void take()}
    >
      {output === null ? t('download') : t('exportDownload', { name: `.${output.format}` })}
    </button>
  );
}

/** Theme and language, which are chosen once. */
function Settings(): JSX.Element {
  const { theme, language } = view.value;
  return (
    <Menu button={<Icon name="menu" />} label={t('menu')}>
      <label>
        {t('theme')}
        <select
          value={theme}
          onChange={({ currentTarget }) => changeView({ theme: currentTarget.value as View['theme'] })}
        >
          <option value="system">{t('themeSystem')}</option>
          <option value="light">{t('themeLight')}</option>
          <option value="dark">{t('themeDark')}</option>
        </select>
      </label>
      <label>
        {t('language')}
        <select
          value={language}
          onChange={({ currentTarget }) => changeView({ language: currentTarget.value as Language })}
        >
          <option value="en">English</option>
          <option value="ja">日本語</option>
        </select>
      </label>
    </Menu>
  );
}

export function TopBar({ onHelp }: { onHelp: () => void }): JSX.Element {
  const { studio } = usePage();
  const { history, pending } = studio;
  const isShow = studio.isShow.value;
  return (
    <header class="top">
      <h1>
        <Logo />
        <span>
          anyrig <span class="light">studio</span>
        </span>
      </h1>
      <OpenButton label={t('open')} isFolder={false} />
      <OpenButton label={t('openFolder')} isFolder />
      <OpenAddress />
      {!isShow && (
        <>
          <button
            type="button"
            class="quiet only-icon"
            aria-label={t('undo')}
            title={t('undo')}
            disabled={!history.canUndo.value}
            onClick={history.undo}
          >
            <Icon name="undo" />
          </button>
          <button
            type="button"
            class="quiet only-icon"
            aria-label={t('redo')}
            title={t('redo')}
            disabled={!history.canRedo.value}
            onClick={history.redo}
          >
            <Icon name="redo" />
          </button>
        </>
      )}
      <span class="status" role="status">
        {t(pending.value > 0 ? 'working' : 'ready')}
      </span>
      <button type="button" class="quiet only-icon help" aria-label={t('help')} title={t('help')} onClick={onHelp}>
        <Icon name="help" />
      </button>
      <Settings />
      {!isShow && <ExportButton />}
    </header>
  );
}
