/** Takes results away: files, pictures, videos, an archive of all pairs, and the command line that does the same. */
import type { ComponentChildren, JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { stemOf } from '../../../src/files/clips/clip-names.ts';
import { download, downloadFiles } from '../app/download.ts';
import { isServedHere, linkOf } from '../app/links.ts';
import { messageOf } from '../app/message.ts';
import { changeOutput, type Output, outputChoice, outputOf, writeOutput } from '../app/output-choice.ts';
import { fileStem, isMotionOnly } from '../app/outputs.ts';
import { recordStage, type VideoFormat, videoFormats } from '../app/record-stage.ts';
import { t } from '../app/strings.ts';
import { type ZipProgress, zipAll } from '../app/zip-all.ts';
import type { WrittenFile } from '../engine/protocol.ts';
import { usePage } from './context.ts';
import { Check, Field, Select } from './controls.tsx';
import { WatchAll } from './watch-all.tsx';

/** Runs work and shows why it failed. */
type Attempt = (work: () => Promise<void>) => Promise<void>;

/** A text with a button that copies it. */
function CopyableText({
  title,
  text,
  children,
}: {
  title: string;
  text: string;
  children?: ComponentChildren;
}): JSX.Element {
  const [copied, setCopied] = useState<string | null>(null);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(text);
    setCopied(text);
  };
  return (
    <div class="section">
      <header>
        <h3>{title}</h3>
        <button type="button" class="small" aria-label={`${t('copy')}: ${title}`} onClick={() => void copy()}>
          {t(copied === text ? 'copied' : 'copy')}
        </button>
      </header>
      {children}
    </div>
  );
}

function ShareLink(): JSX.Element {
  const { studio } = usePage();
  const { link, missing, edited } = linkOf(studio, location.href);
  return (
    <CopyableText title={t('exportLink')} text={link}>
      <p class="dim">
        {t(missing.length > 0 ? 'exportLinkMissing' : 'exportLinkWhole', { names: missing.join(', ') })}
        {edited.length > 0 && ` ${t('exportLinkEdited', { names: edited.join(', ') })}`}
      </p>
    </CopyableText>
  );
}

const VIDEO_NAMES: Readonly<Record<VideoFormat, string>> = { mp4: 'MP4', webm: 'WebM' };

function Pictures({ name, attempt }: { name: string; attempt: Attempt }): JSX.Element {
  const { player } = usePage();
  const [recording, setRecording] = useState<VideoFormat | null>(null);
  const stage = player.stage.value;
  const picture = async (): Promise<void> => {
    if (stage !== null) download(`${name}.png`, await stage.snapshot());
  };
  const video = async (format: VideoFormat): Promise<void> => {
    if (stage === null) return;
    setRecording(format);
    try {
      const { blob, extension } = await recordStage(stage, format);
      download(`${name}.${extension}`, blob);
    } finally {
      setRecording(null);
    }
  };
  return (
    <>
      <button type="button" disabled={stage === null} onClick={() => void attempt(picture)}>
        {t('exportImage')}
      </button>
      {videoFormats().map((format) => (
        <button
          key={format}
          type="button"
          disabled={stage === null || recording !== null}
          onClick={() => void attempt(() => video(format))}
        >
          {recording === format ? t('exportRecording') : t('exportVideo', { format: VIDEO_NAMES[format] })}
        </button>
      ))}
    </>
  );
}

function AllPairs({ attempt }: { attempt: Attempt }): JSX.Element {
  const { studio } = usePage();
  const [progress, setProgress] = useState<ZipProgress | null>(null);
  const stop = useRef<AbortController | null>(null);
  const start = async (): Promise<void> => {
    stop.current = new AbortController();
    try {
      const archive = await zipAll(studio, outputChoice.peek().format, setProgress, stop.current.signal);
      if (archive !== null) download('anyrig.zip', archive);
    } finally {
      setProgress(null);
    }
  };
  if (progress === null) {
    return (
      <>
        <WatchAll />
        <button type="button" onClick={() => void attempt(start)}>
          {t('exportAll')}
        </button>
      </>
    );
  }
  return (
    <div role="status" class="zip-progress">
      <progress max={progress.total} value={progress.done} aria-label={progress.name} />
      <span class="dim wrap">
        {progress.done} / {progress.total} · {progress.name}
      </span>
      <button type="button" onClick={() => stop.current?.abort()}>
        {t('exportCancel')}
      </button>
    </div>
  );
}

function Outputs({ output }: { output: Output }): JSX.Element {
  const { studio } = usePage();
  const [error, setError] = useState<string | null>(null);
  const { motion, formats, format, request, command } = output;
  const { isAll, replace, mesh } = outputChoice.value;
  const engine = studio.client.engine();
  const stem = stemOf(request.output);
  const attempt: Attempt = async (work) => {
    setError(null);
    try {
      await work();
    } catch (reason) {
      setError(messageOf(reason));
    }
  };
  const take = (files: () => Promise<readonly WrittenFile[]>): void => {
    void attempt(async () => downloadFiles(stem, await files()));
  };
  return (
    <>
      <div class="section">
        <h3>{t('exportResult')}</h3>
        <Select
          label={t('exportFormat')}
          value={format}
          choices={formats.map((value) => ({ value, label: `.${value}` }))}
          onChange={(value) => changeOutput({ format: value, name: null })}
        />
        <Field label={t('exportName')} id="output-name">
          <input
            id="output-name"
            type="text"
            value={request.output}
            title={request.output}
            onInput={({ currentTarget }) => changeOutput({ name: currentTarget.value })}
          />
        </Field>
        {(motion.summary?.clips.length ?? 0) > 1 && (
          <Check label={t('exportAllClips')} value={isAll} onChange={(value) => changeOutput({ isAll: value })} />
        )}
        <Check label={t('exportReplace')} value={replace} onChange={(value) => changeOutput({ replace: value })} />
        {!isMotionOnly(format) && (
          <Check label={t('exportMesh')} value={mesh} onChange={(value) => changeOutput({ mesh: value })} />
        )}
        <button type="button" class="primary wrap" onClick={() => take(() => writeOutput(studio, output))}>
          {t('exportDownload', { name: request.output })}
        </button>
        {error !== null && (
          <p class="bad" role="alert">
            {error}
          </p>
        )}
      </div>
      <CopyableText title={t('exportCommand')} text={command}>
        <code class="command">{command}</code>
      </CopyableText>
      <div class="section">
        <h3>{t('exportMore')}</h3>
        <div class="more">
          <button
            type="button"
            onClick={() =>
              take(() => engine.extract({ ...request, output: `${fileStem(motion.input.name)}.clips.glb` }))
            }
          >
            {t('exportClip')}
          </button>
          <button type="button" onClick={() => take(() => engine.sheet({ ...request, output: `${stem}.svg` }))}>
            {t('exportSheet')}
          </button>
          <Pictures name={stem} attempt={attempt} />
        </div>
        <AllPairs attempt={attempt} />
      </div>
      {!isServedHere() && <ShareLink />}
    </>
  );
}

export function ExportPanel(): JSX.Element {
  const { studio } = usePage();
  const output = outputOf(studio);
  if (output !== null) return <Outputs output={output} />;
  return <div class="section dim">{t(studio.history.state.value.motion === null ? 'noMotion' : 'noCharacter')}</div>;
}
