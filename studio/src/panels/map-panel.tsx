/** The bone map of the motion or the character: diagram, table, and how each node was found. */
import type { BoneName } from 'anyrig';
import { parseBoneMap, stemOf } from 'anyrig/files';
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { download } from '../app/download.ts';
import { type MapRow, mapRows, withBone } from '../app/map-rows.ts';
import { messageOf } from '../app/message.ts';
import { editsOf } from '../app/project.ts';
import { t } from '../app/strings.ts';
import type { MapData } from '../engine/protocol.ts';
import { BodyDiagram } from './body-diagram.tsx';
import { usePage } from './context.ts';
import { SidePicker, useSide } from './side-picker.tsx';

/** What a row is matched by in the search field. */
function matches(
  { bone, detected }: MapRow,
  names: ReadonlyMap<number, string>,
  node: number | null,
  text: string,
): boolean {
  const words = `${bone} ${detected?.name ?? ''} ${node === null ? '' : (names.get(node) ?? '')}`.toLowerCase();
  return words.includes(text.trim().toLowerCase());
}

const STATE_CLASS = { auto: 'good', given: 'good', review: 'warn', unmapped: 'bad' } as const;
const STATE_TEXT = { auto: 'mapAuto', given: 'mapGiven', review: 'mapReview', unmapped: 'mapUnmapped' } as const;

function Row(props: {
  row: MapRow;
  nodes: MapData['nodes'];
  isPicked: boolean;
  onPick: () => void;
  onChange: (node: number | null) => void;
}): JSX.Element {
  const { row, nodes, isPicked } = props;
  const { bone, node, state, detected } = row;
  const percent = detected === null ? '' : `${Math.round(100 * detected.confidence)} %`;
  const runnerUp = detected?.runnerUp;
  return (
    <tr data-picked={isPicked}>
      <th scope="row">{bone}</th>
      <td>
        <select
          aria-label={bone}
          value={node === null ? '' : `${node}`}
          onFocus={props.onPick}
          onChange={({ currentTarget }) =>
            props.onChange(currentTarget.value === '' ? null : Number(currentTarget.value))
          }
        >
          <option value="">{t('mapNone')}</option>
          {nodes.map((one) => (
            <option key={one.node} value={`${one.node}`}>
              {one.name === '' ? `#${one.node}` : one.name}
            </option>
          ))}
        </select>
        {isPicked && detected !== null && (
          <small class="dim">
            {detected.why}{' '}
            {runnerUp !== undefined &&
              t('mapRunnerUp', { name: runnerUp.name, percent: Math.round(100 * runnerUp.confidence) })}
          </small>
        )}
      </td>
      <td class={STATE_CLASS[state]}>
        {t(STATE_TEXT[state])} <small>{state === 'auto' || state === 'review' ? percent : ''}</small>
      </td>
    </tr>
  );
}

/** The panel. */
export function MapPanel(): JSX.Element | null {
  const { studio, player } = usePage();
  const { side, file, setSide } = useSide();
  const [data, setData] = useState<MapData | null>(null);
  const [picked, setPicked] = useState<BoneName | null>(null);
  const [isPicking, setIsPicking] = useState(false);
  const [search, setSearch] = useState('');
  const project = studio.history.state.value;
  const edits = file === null ? null : editsOf(project, file);
  const key = JSON.stringify([file, edits]);
  // The key stands for file and edits.
  useEffect(() => {
    if (file === null || edits === null) return setData(null);
    let isCurrent = true;
    void studio.client
      .engine()
      .bones(file, edits)
      .then(
        (found) => isCurrent && setData(found),
        (error: unknown) => {
          // A map that does not fit: the rows stay, so that it can be corrected.
          studio.notice.value = messageOf(error);
        },
      );
    return () => {
      isCurrent = false;
    };
  }, [key]);

  const rows = data === null ? [] : mapRows(data, edits?.map ?? null);
  const change = (bone: BoneName, node: number | null): void => {
    if (file !== null) studio.setEdits(file, { map: withBone(rows, bone, node) });
  };

  const stage = player.stage.value;
  useEffect(() => {
    if (stage === null || !isPicking || picked === null) return;
    const onPick = (event: Event): void => {
      const { figure, node } = (event as CustomEvent<{ figure: string; node: number }>).detail;
      if (figure !== file) return;
      change(picked, node);
      setIsPicking(false);
    };
    stage.addEventListener('jointpick', onPick);
    return () => stage.removeEventListener('jointpick', onPick);
  });

  if (file === null || data === null) return <div class="section dim">{t('noCharacter')}</div>;
  const names = new Map(data.nodes.map(({ node, name }) => [node, name]));
  const shown = rows.filter((row) => matches(row, names, row.node, search));
  const load = async (input: HTMLInputElement): Promise<void> => {
    const [chosen] = input.files ?? [];
    if (chosen === undefined) return;
    try {
      studio.setEdits(file, { map: parseBoneMap(new Uint8Array(await chosen.arrayBuffer())) });
    } catch (error) {
      studio.notice.value = messageOf(error);
    }
    input.value = '';
  };
  const stem = stemOf(studio.files.value.find(({ input }) => input.id === file)?.input.name ?? '');
  return (
    <>
      <div class="section">
        <SidePicker side={side} onChange={setSide} />
        {data.reason !== null && <p class="bad">{t('mapInvalid', { reason: data.reason })}</p>}
        <BodyDiagram label={t('mapOf')} rows={rows} picked={picked} onPick={setPicked} />
        <input
          type="search"
          aria-label={t('mapSearch')}
          placeholder={t('mapSearch')}
          value={search}
          onInput={({ currentTarget }) => setSearch(currentTarget.value)}
        />
        <div class="transport">
          <button
            type="button"
            aria-pressed={isPicking}
            disabled={picked === null}
            onClick={() => setIsPicking(!isPicking)}
          >
            {t('mapPick')}
          </button>
          <button type="button" disabled={edits?.map === null} onClick={() => studio.setEdits(file, { map: null })}>
            {t('mapReset')}
          </button>
          <button type="button" onClick={() => download(`${stem}.map.json`, data.json)}>
            {t('mapSave')}
          </button>
          <label class="button">
            {t('mapLoad')}
            <input
              class="visually-hidden"
              type="file"
              accept=".json"
              onChange={({ currentTarget }) => void load(currentTarget)}
            />
          </label>
        </div>
        {isPicking && picked !== null && <p role="status">{t('mapPicking', { bone: picked })}</p>}
      </div>
      <div class="section">
        <table class="map-table">
          <tbody>
            {shown.map((row) => (
              <Row
                key={row.bone}
                row={row}
                nodes={data.nodes}
                isPicked={row.bone === picked}
                onPick={() => setPicked(row.bone)}
                onChange={(node) => change(row.bone, node)}
              />
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}
