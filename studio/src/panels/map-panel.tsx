/** The bone map of the motion or the character: diagram, table, and how each node was found. */
import type { BoneAssignments, BoneName } from 'anyrig';
import { parseBoneMap } from 'anyrig/files';
import type { JSX } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { conventionLabel } from '../app/convention-label.ts';
import { download } from '../app/download.ts';
import {
  bonesThatStay,
  isSameMap,
  type MapRow,
  mapOfClicks,
  mapRows,
  NO_CLICKS,
  nextProblem,
  type RowState,
  withBone,
  withClick,
  withSidesSwapped,
} from '../app/map-rows.ts';
import { messageOf } from '../app/message.ts';
import { fileStem } from '../app/outputs.ts';
import { DETECTED, editsOf } from '../app/project.ts';
import { t } from '../app/strings.ts';
import type { MapData } from '../engine/protocol.ts';
import { BodyDiagram } from './body-diagram.tsx';
import { usePage } from './context.ts';
import { Group, Select } from './controls.tsx';
import { useFigure, useHeldPose } from './held-pose.ts';
import { MapBone } from './map-bone.tsx';
import { SidePicker, useSide } from './side-picker.tsx';

/** What a row is matched by in the search field. */
function matches({ bone, node, detected }: MapRow, names: ReadonlyMap<number, string>, text: string): boolean {
  const words = `${bone} ${detected?.name ?? ''} ${node === null ? '' : (names.get(node) ?? '')}`.toLowerCase();
  return words.includes(text.trim().toLowerCase());
}

const STATE_CLASS = { auto: 'good', given: 'good', review: 'warn', unmapped: 'bad', optional: 'dim' } as const;
const STATE_TEXT = {
  auto: 'mapAuto',
  given: 'mapGiven',
  review: 'mapReview',
  unmapped: 'mapUnmapped',
  optional: 'mapOptional',
} as const;

type Filter = 'all' | 'review' | 'unmapped';
const FILTERS: Readonly<Record<Filter, readonly RowState[]>> = {
  all: ['auto', 'given', 'review', 'unmapped', 'optional'],
  review: ['review'],
  unmapped: ['unmapped', 'optional'],
};

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
      </td>
      <td class={STATE_CLASS[state]}>
        {t(STATE_TEXT[state])} <small>{state === 'auto' || state === 'review' ? percent : ''}</small>
      </td>
    </tr>
  );
}

/** Whole maps: detected, by one naming convention, or empty. */
function Presets(props: {
  presets: MapData['presets'];
  map: BoneAssignments | null;
  onChange: (map: BoneAssignments | null) => void;
}): JSX.Element {
  const { presets, map } = props;
  const chosen = map === null ? undefined : presets.find(({ bones }) => isSameMap(bones, map));
  const isEmpty = map !== null && Object.keys(map).length === 0;
  const own = { value: 'own', label: t('mapOwn') };
  return (
    <Select
      label={t('mapPreset')}
      value={map === null ? 'auto' : isEmpty ? 'empty' : (chosen?.convention ?? 'own')}
      choices={[
        { value: 'auto', label: t('mapDetected') },
        ...presets.map(({ convention, bones }) => {
          return {
            value: convention,
            label: `${conventionLabel(convention)} · ${t('bones', { count: Object.keys(bones).length })}`,
          };
        }),
        { value: 'empty', label: t('mapEmpty') },
        ...(map === null || isEmpty || chosen !== undefined ? [] : [own]),
      ]}
      onChange={(value) => {
        if (value === 'auto') props.onChange(null);
        else if (value === 'empty') props.onChange({});
        else props.onChange(presets.find(({ convention }) => convention === value)?.bones ?? map);
      }}
    />
  );
}

/** Asks the worker for the map of a file with the present decisions. */
function useMap(file: string | null): MapData | null {
  const { studio } = usePage();
  const [data, setData] = useState<{ readonly file: string; readonly map: MapData } | null>(null);
  const edits = file === null ? null : editsOf(studio.history.state.value, file);
  // The key stands for file and edits.
  useEffect(() => {
    if (file === null || edits === null) return setData(null);
    let isCurrent = true;
    void studio.client
      .engine()
      .bones(file, edits)
      .then(
        (map) => isCurrent && setData({ file, map }),
        (error: unknown) => {
          // A map that does not fit: the rows stay, so that it can be corrected.
          studio.notice.value = messageOf(error);
        },
      );
    return () => {
      isCurrent = false;
    };
  }, [JSON.stringify([file, edits])]);
  return data?.file === file ? data.map : null;
}

export function MapPanel(): JSX.Element | null {
  const { studio, player } = usePage();
  const { side, file, figure, setSide } = useSide();
  const data = useMap(file);
  const [picked, setPicked] = useState<BoneName | null>(null);
  const [isPicking, setIsPicking] = useState(false);
  const [search, setSearch] = useState('');
  const [filter, setFilter] = useState<Filter>('all');
  const edits = file === null ? null : editsOf(studio.history.state.value, file);
  useHeldPose(figure, useFigure(file));
  const [clicks, setClicks] = useState(NO_CLICKS);
  useEffect(() => setClicks(NO_CLICKS), [file]);
  const rig = useMemo(() => {
    if (file === null || edits === null) return null;
    // Asked before the map, so that no click waits for it. The click reports why it failed.
    const asked = studio.client.engine().rig(file, edits);
    asked.catch(() => null);
    return asked;
  }, [file, data?.skeleton ?? 0]);
  const people = studio.files.value.find(({ input }) => input.id === file)?.summary?.people ?? [];
  const rows = data === null ? [] : mapRows(data, edits?.map ?? null, clicks);
  const setMap = (map: BoneAssignments | null): void => {
    if (file !== null) studio.setEdits(file, { map });
  };
  /** Takes a whole map: what earlier clicks said is of the map before. */
  const replaceMap = (map: BoneAssignments | null): void => {
    setClicks(NO_CLICKS);
    setMap(map);
  };
  const change = (bone: BoneName, node: number | null): void => setMap(withBone(rows, bone, node));
  /** Gives a bone the joint that was clicked, and with it those of the bones that follow from it. */
  const changeByClick = async (bone: BoneName, node: number): Promise<void> => {
    const found = await rig;
    if (file === null || data === null || found === null) return;
    const { followingBones } = await import('../engine/following-bones.ts');
    const stay = bonesThatStay(rows, clicks, bone, node);
    const all = withClick(clicks, bone, stay, followingBones(found, stay));
    const map = mapOfClicks(rows, all);
    setClicks(all);
    setMap(map);
    // The click may have answered more than was asked.
    if (problems.some((one) => one.bone === bone)) pickNext(mapRows(data, map, all).filter((row) => row.bone !== bone));
    else setIsPicking(false);
  };
  const problems = rows.filter(({ state }) => state === 'review' || state === 'unmapped');
  /** Picks the problem after the picked bone: a rig without a map is a tour of its bones. */
  const pickNext = (all: readonly MapRow[]): void => {
    const next = nextProblem(all, picked);
    setPicked(next?.bone ?? null);
    setIsPicking(next !== null);
  };

  const stage = player.stage.value;
  useEffect(() => {
    if (stage === null || !isPicking || picked === null) return;
    const onPick = (event: Event): void => {
      const { detail } = event as CustomEvent<{ figure: string; node: number }>;
      if (detail.figure !== figure) return;
      void changeByClick(picked, detail.node).catch((error: unknown) => {
        studio.notice.value = messageOf(error);
      });
    };
    const onKey = ({ key }: KeyboardEvent): void => {
      if (key === 'Escape') setIsPicking(false);
    };
    stage.addEventListener('jointpick', onPick);
    addEventListener('keydown', onKey);
    return () => {
      stage.removeEventListener('jointpick', onPick);
      removeEventListener('keydown', onKey);
    };
  });

  const pickedNode = rows.find(({ bone }) => bone === picked)?.node ?? null;
  useEffect(() => {
    if (stage !== null && figure !== null && stage.figures.includes(figure)) stage.highlightJoint(figure, pickedNode);
  }, [stage, figure, pickedNode]);

  if (file === null) return <div class="section dim">{t(side === 'source' ? 'noMotion' : 'noCharacter')}</div>;
  if (data === null) return <div class="section dim">{t('opening')}</div>;
  const names = new Map(data.nodes.map(({ node, name }) => [node, name]));
  const shown = rows.filter((row) => FILTERS[filter].includes(row.state) && matches(row, names, search));
  const count = (kind: Filter): number => rows.filter(({ state }) => FILTERS[kind].includes(state)).length;
  const load = async (input: HTMLInputElement): Promise<void> => {
    const [chosen] = input.files ?? [];
    if (chosen === undefined) return;
    try {
      replaceMap(parseBoneMap(new Uint8Array(await chosen.arrayBuffer())));
    } catch (error) {
      studio.notice.value = messageOf(error);
    }
    input.value = '';
  };
  const stem = fileStem(studio.files.value.find(({ input }) => input.id === file)?.input.name ?? '');
  const pickedRow = rows.find(({ bone }) => bone === picked);
  return (
    <>
      <div class="section">
        <SidePicker side={side} onChange={setSide} />
        {people.length > 0 && (
          <Select
            label={t('mapPerson')}
            value={`${edits?.skeleton}`}
            choices={people.map(({ skeleton, name }) => ({ value: `${skeleton}`, label: name }))}
            onChange={(value) => {
              if (file !== null) studio.setEdits(file, { ...DETECTED, skeleton: Number(value) });
              setClicks(NO_CLICKS);
            }}
          />
        )}
        <Presets presets={data.presets} map={edits?.map ?? null} onChange={replaceMap} />
        {data.reason !== null && (
          <p class="bad">{t(edits?.map == null ? 'mapByHand' : 'mapInvalid', { reason: data.reason })}</p>
        )}
        <BodyDiagram
          label={t('mapOf')}
          rows={rows}
          picked={picked}
          onPick={(bone) => {
            setPicked(bone);
            setIsPicking(true);
          }}
        />
        {pickedRow === undefined ? (
          <p class="dim">{t('mapHint')}</p>
        ) : (
          <MapBone
            row={pickedRow}
            nodes={data.nodes}
            isPicking={isPicking}
            onPicking={setIsPicking}
            onChange={(node) => change(pickedRow.bone, node)}
          />
        )}
        <div class="transport">
          <button type="button" disabled={problems.length === 0} onClick={() => pickNext(rows)}>
            {problems.length === 0 ? t('mapNoProblem') : `${t('mapNext', { count: problems.length })} →`}
          </button>
          <button type="button" onClick={() => replaceMap(withSidesSwapped(rows))}>
            {t('mapSwap')}
          </button>
          <button type="button" disabled={edits?.map === null} onClick={() => replaceMap(null)}>
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
      </div>
      <details class="options">
        <summary>{t('mapTable')}</summary>
        <div class="section">
          <Group
            label={t('mapFilter')}
            value={filter}
            choices={[
              { value: 'all', label: t('mapAll') },
              { value: 'review', label: `${t('mapReviewed')} ${count('review')}` },
              { value: 'unmapped', label: `${t('mapMissing')} ${count('unmapped')}` },
            ]}
            onChange={setFilter}
          />
          <input
            type="search"
            aria-label={t('mapSearch')}
            placeholder={t('mapSearch')}
            value={search}
            onInput={({ currentTarget }) => setSearch(currentTarget.value)}
          />
          {shown.length === 0 && <p class="dim">{t('mapNoRows')}</p>}
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
      </details>
    </>
  );
}
