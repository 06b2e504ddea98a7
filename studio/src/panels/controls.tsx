/** Controls that several panels use: a labeled choice, number, slider and check box. */
import type { ComponentChildren, JSX } from 'preact';
import { useId } from 'preact/hooks';

/** One of several values. */
export interface Choice<T extends string> {
  /** The value. */
  readonly value: T;
  /** Its label. */
  readonly label: string;
}

/** A row with a label. */
export function Field({
  label,
  id,
  children,
}: {
  label: string;
  id: string;
  children: ComponentChildren;
}): JSX.Element {
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <div class="pair">{children}</div>
    </div>
  );
}

/** A choice of a few values. */
export function Select<T extends string>(props: {
  label: string;
  value: T;
  choices: readonly Choice<T>[];
  onChange: (value: T) => void;
  children?: ComponentChildren;
}): JSX.Element {
  const id = useId();
  return (
    <Field label={props.label} id={id}>
      <select id={id} value={props.value} onChange={({ currentTarget }) => props.onChange(currentTarget.value as T)}>
        {props.choices.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
      {props.children}
    </Field>
  );
}

/** A slider with its value. */
export function Slider(props: {
  label: string;
  value: number;
  min: number;
  max: number;
  step: number;
  unit?: string;
  onInput: (value: number) => void;
  onEnd?: () => void;
  children?: ComponentChildren;
}): JSX.Element {
  const id = useId();
  return (
    <Field label={props.label} id={id}>
      <input
        id={id}
        type="range"
        min={props.min}
        max={props.max}
        step={props.step}
        value={props.value}
        onInput={({ currentTarget }) => props.onInput(currentTarget.valueAsNumber)}
        onChange={props.onEnd}
      />
      <output for={id}>
        {props.value}
        {props.unit}
      </output>
      {props.children}
    </Field>
  );
}

/** A check box with its label. */
export function Check(props: { label: string; value: boolean; onChange: (value: boolean) => void }): JSX.Element {
  return (
    <label class="check">
      <input
        type="checkbox"
        checked={props.value}
        onChange={({ currentTarget }) => props.onChange(currentTarget.checked)}
      />
      {props.label}
    </label>
  );
}

/** Buttons of which one is pressed. */
export function Group<T extends string>(props: {
  label: string;
  value: T;
  choices: readonly Choice<T>[];
  onChange: (value: T) => void;
}): JSX.Element {
  return (
    <fieldset class="group bare" aria-label={props.label}>
      {props.choices.map(({ value, label }) => (
        <button key={value} type="button" aria-pressed={value === props.value} onClick={() => props.onChange(value)}>
          {label}
        </button>
      ))}
    </fieldset>
  );
}
