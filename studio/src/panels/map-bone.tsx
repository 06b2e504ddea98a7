/** The chosen bone of the map: its joint, why it was chosen, and ways to change it. */
import type { BoneName } from 'anyrig';
import type { JSX } from 'preact';
import { useId } from 'preact/hooks';
import type { MapRow } from '../app/map-rows.ts';
import { t } from '../app/strings.ts';
import type { MapData } from '../engine/protocol.ts';

function nodeNamed(nodes: MapData['nodes'], text: string): number | null {
  const wanted = text.trim().toLowerCase();
  return nodes.find(({ name }) => name.toLowerCase() === wanted)?.node ?? null;
}

/** A field that suggests joints while one types, and takes one as soon as its name is complete. */
function JointSearch(props: {
  bone: BoneName;
  node: number | null;
  nodes: MapData['nodes'];
  onChange: (node: number) => void;
}): JSX.Element {
  const id = useId();
  const { bone, node, nodes } = props;
  return (
    <>
      <input
        key={`${bone} ${node}`}
        type="search"
        list={id}
        aria-label={t('mapJointSearch', { bone })}
        placeholder={t('mapJointSearch', { bone })}
        onInput={({ currentTarget }) => {
          const found = nodeNamed(nodes, currentTarget.value);
          if (found !== null && found !== node) props.onChange(found);
        }}
      />
      <datalist id={id}>
        {nodes.map((one) => (
          <option key={one.node} value={one.name} />
        ))}
      </datalist>
    </>
  );
}

export function MapBone(props: {
  row: MapRow;
  nodes: MapData['nodes'];
  isPicking: boolean;
  onPicking: (isPicking: boolean) => void;
  onChange: (node: number | null) => void;
}): JSX.Element {
  const { row, nodes, isPicking } = props;
  const { bone, node, state, detected } = row;
  const runnerUp = detected?.runnerUp;
  const other = runnerUp === undefined ? null : nodeNamed(nodes, runnerUp.name);
  const name = nodes.find((one) => one.node === node)?.name;
  return (
    <div class="map-bone">
      <strong>{bone}</strong>
      <span class="wrap">{node === null ? t('mapNone') : (name ?? `#${node}`)}</span>
      {(detected !== null || state === 'given') && (
        <small class="dim wrap why">{state === 'given' ? t('mapOwn') : detected?.why}</small>
      )}
      <div class="transport why">
        <button type="button" aria-pressed={isPicking} onClick={() => props.onPicking(!isPicking)}>
          {t('mapPick')}
        </button>
        {runnerUp !== undefined && other !== null && other !== node && (
          <button type="button" class="wrap" onClick={() => props.onChange(other)}>
            {t('mapUse', { name: runnerUp.name, percent: Math.round(100 * runnerUp.confidence) })}
          </button>
        )}
        <button type="button" disabled={node === null} onClick={() => props.onChange(null)}>
          {t('mapClear')}
        </button>
      </div>
      <div class="why">
        <JointSearch bone={bone} node={node} nodes={nodes} onChange={props.onChange} />
      </div>
      {isPicking && (
        <p role="status" class="why">
          {t('mapPicking', { bone })}
        </p>
      )}
    </div>
  );
}
