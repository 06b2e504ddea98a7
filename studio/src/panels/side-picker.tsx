/** Chooses between the motion and the characters on stage, for panels about one humanoid. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { SOURCE } from '../app/show-on-stage.ts';
import { t } from '../app/strings.ts';
import { usePage } from './context.ts';

/** The motion, or the selected character. */
type Side = 'source' | 'target';

interface ChosenSide {
  readonly side: Side;
  readonly file: string | null;
  /** Id of its figure on stage; null without. */
  readonly figure: string | null;
  readonly setSide: (side: Side) => void;
}

export function useSide(): ChosenSide {
  const { studio } = usePage();
  const [chosen, setSide] = useState<Side | null>(null);
  const { motion, selected } = studio.history.state.value;
  const isUnknown = (id: string | undefined): boolean =>
    studio.files.value.some(({ input, summary }) => input.id === id && summary?.humanoid === null);
  // A motion whose bones were not recognized needs its map first.
  const side = chosen ?? (isUnknown(motion?.file) ? 'source' : 'target');
  if (side === 'target') return { side, file: selected, figure: selected, setSide };
  return { side, file: motion?.file ?? null, figure: motion === null ? null : SOURCE, setSide };
}

export function SidePicker({ side, onChange }: { side: Side; onChange: (side: Side) => void }): JSX.Element {
  return (
    <fieldset class="group bare" aria-label={t('mapOf')}>
      <button type="button" aria-pressed={side === 'target'} onClick={() => onChange('target')}>
        {t('sideCharacter')}
      </button>
      <button type="button" aria-pressed={side === 'source'} onClick={() => onChange('source')}>
        {t('sideMotion')}
      </button>
    </fieldset>
  );
}
