/** Takes results away: files, pictures, videos, an archive of all pairs, and the command line that does the same. */
import { stemOf } from 'anyrig/files';
import type { JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { commandLine } from '../app/command-line.ts';
import { download, downloadFiles } from '../app/download.ts';
import { messageOf } from '../app/message.ts';
import { formatsOf, isMotionOnly, type OutputFormat, outputName } from '../app/outputs.ts';
import { editsOf } from '../app/project.ts';
import { recordStage } from '../app/record-stage.ts';
import { t } from '../app/strings.ts';
import type { StudioFile } from '../app/studio.ts';
import { type ZipProgress, zipAll } from '../app/zip-all.ts';
import type { WriteRequest, WrittenFile } from '../engine/protocol.ts';
import { usePage } from './context.ts';
import { Check, Field, Select } from './controls.tsx';

/** The command line with a button that copies it. */
function Command({ text }: { text: string }): JSX.Element {
  const [isCopied, setIsCopied] = useState(false);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(text);
    setIsCopied(true);
  };
  return (
    <div class="section">
      <header>
        <h3>{t('exportCommand')}</h3>
        <button type="button" class="small" onClick={() => void copy()}>
          {t(isCopied ? 'copied' : 'copy')}
        </button>
      </header>
      <code class="command">{text}</code>
    </div>
  );
}

/** Pictures and videos of the stage. */
function Pictures({ name }: { name: string }): JSX.Element {
  const { player } = usePage();
  const [isRecording, setIsRecording] = useState(false);
  const picture = async (): Promise<void> => {
    const stage = player.stage.peek();
    if (stage !== null) download(`${name}.png`, await stage.snapshot());
  };
  const video = async (): Promise<void> => {
    const stage = player.stage.peek();
    if (stage === null) return;
    setIsRecording(true);
    try {
      const recorded = await recordStage(stage);
      download(`${name}.${recorded.extension}`, recorded.blob);
    } finally {
      setIsRecording(false);
    }
  };
  return (
    <>
      <button type="button" onClick={() => void picture()}>
        {t('exportImage')}
      </button>
      <button type="button" disabled={isRecording} onClick={() => void video()}>
        {t(isRecording ? 'working' : 'exportVideo')}
      </button>
    </>
  );
}

/** An archive of all pairs, with progress. */
function AllPairs({ format }: { format: OutputFormat }): JSX.Element {
  const { studio } = usePage();
  const [progress, setProgress] = useState<ZipProgress | null>(null);
  const stop = useRef<AbortController | null>(null);
  const start = async (): Promise<void> => {
    stop.current = new AbortController();
    const archive = await zipAll(studio, format, setProgress, stop.current.signal);
    setProgress(null);
    if (archive !== null) download('anyrig.zip', archive);
  };
  if (progress === null) {
    return (
      <button type="button" onClick={() => void start()}>
        {t('exportAll')}
      </button>
    );
  }
  return (
    <div role="status">
      <progress max={progress.total} value={progress.done} aria-label={progress.name} />
      <div class="transport">
        <span class="dim">
          {progress.done} / {progress.total} · {progress.name}
        </span>
        <button type="button" onClick={() => stop.current?.abort()}>
          {t('exportCancel')}
        </button>
      </div>
    </div>
  );
}

function Outputs({
  motion,
  clip,
  character,
}: {
  motion: StudioFile;
  clip: number;
  character: StudioFile;
}): JSX.Element {
  const { studio } = usePage();
  const formats = formatsOf(character);
  const [wanted, setWanted] = useState<OutputFormat>('glb');
  const [name, setName] = useState<string | null>(null);
  const [isAll, setIsAll] = useState(false);
  const [replace, setReplace] = useState(false);
  const [mesh, setMesh] = useState(true);
  const [error, setError] = useState<string | null>(null);
  const format = formats.includes(wanted) ? wanted : formats[0];
  const output = name ?? outputName(motion.input.name, character.input.name, format);
  const project = studio.history.state.value;
  const source = editsOf(project, motion.input.id);
  const target = editsOf(project, character.input.id);
  const hasMesh = mesh || isMotionOnly(format);
  const clips = motion.summary?.clips ?? [];
  const isWhole = isAll || clips.length === 1;
  const engine = studio.client.engine();
  const request: WriteRequest = {
    motion: motion.input.id,
    clip: isWhole ? null : clip,
    character: character.input.id,
    options: project.options,
    source,
    target,
    output,
    replace,
    mesh: hasMesh,
  };
  const take = async (files: Promise<readonly WrittenFile[]>): Promise<void> => {
    setError(null);
    try {
      await downloadFiles(stemOf(output), await files);
    } catch (reason) {
      setError(messageOf(reason));
    }
  };
  /** The result, with the maps and poses that its command line names. */
  const result = async (): Promise<readonly WrittenFile[]> => {
    const files = await engine.write(request);
    for (const [file, edits] of [[motion, source] as const, [character, target] as const]) {
      const name = stemOf(file.input.name);
      if (edits.map !== null) {
        const { json } = await engine.bones(file.input.id, edits);
        files.push({ path: `${name}.map.json`, bytes: new TextEncoder().encode(json) });
      }
      if (edits.pose.kind === 'edited') files.push(...(await engine.pose(file.input.id, edits, `${name}.pose.glb`)));
    }
    return files;
  };
  const command = commandLine({
    motion: motion.input.name,
    clip: isWhole ? null : (clips[clip]?.name ?? null),
    character: character.input.name,
    output,
    options: project.options,
    source,
    target,
    replace,
    mesh: hasMesh,
  });
  return (
    <>
      <div class="section">
        <Select
          label={t('exportFormat')}
          value={format}
          choices={formats.map((value) => ({ value, label: `.${value}` }))}
          onChange={(value) => {
            setWanted(value);
            setName(null);
          }}
        />
        <Field label={t('exportName')} id="output-name">
          <input
            id="output-name"
            type="text"
            value={output}
            onInput={({ currentTarget }) => setName(currentTarget.value)}
          />
        </Field>
        {clips.length > 1 && <Check label={t('exportAllClips')} value={isAll} onChange={setIsAll} />}
        <Check label={t('exportReplace')} value={replace} onChange={setReplace} />
        {!isMotionOnly(format) && <Check label={t('exportMesh')} value={mesh} onChange={setMesh} />}
        <button type="button" class="primary" onClick={() => void take(result())}>
          {t('exportDownload', { name: output })}
        </button>
        {error !== null && (
          <p class="bad" role="alert">
            {error}
          </p>
        )}
        <button
          type="button"
          onClick={() => void take(engine.extract({ ...request, output: `${stemOf(motion.input.name)}.clips.glb` }))}
        >
          {t('exportClip')}
        </button>
        <button type="button" onClick={() => void take(engine.sheet({ ...request, output: `${stemOf(output)}.svg` }))}>
          {t('exportSheet')}
        </button>
        <Pictures name={stemOf(output)} />
        <AllPairs format={format} />
      </div>
      <Command text={command} />
    </>
  );
}

/** The panel. */
export function ExportPanel(): JSX.Element {
  const { studio } = usePage();
  const { motion, selected } = studio.history.state.value;
  const files = studio.files.value;
  const from = files.find(({ input }) => input.id === motion?.file);
  const onto = files.find(({ input }) => input.id === selected);
  if (motion === null || from === undefined) return <div class="section dim">{t('noMotion')}</div>;
  if (onto === undefined) return <div class="section dim">{t('noCharacter')}</div>;
  return <Outputs motion={from} clip={motion.clip} character={onto} />;
}
