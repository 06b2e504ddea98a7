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
  help,
  children,
}: {
  label: string;
  id: string;
  /** A line that explains the control. */
  help?: string;
  children: ComponentChildren;
}): JSX.Element {
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <div class="pair">{children}</div>
      {help !== undefined && (
        <small class="help" id={`${id}-help`}>
          {help}
        </small>
      )}
    </div>
  );
}

interface Explained {
  readonly help?: string;
}

function helpOf({ help }: Explained): Explained {
  return help === undefined ? {} : { help };
}

function describedBy(id: string, { help }: Explained): { 'aria-describedby'?: string } {
  return help === undefined ? {} : { 'aria-describedby': `${id}-help` };
}

/** A choice of a few values. */
export function Select<T extends string>(props: {
  label: string;
  value: T;
  choices: readonly Choice<T>[];
  help?: string;
  onChange: (value: T) => void;
  children?: ComponentChildren;
}): JSX.Element {
  const id = useId();
  return (
    <Field label={props.label} id={id} {...helpOf(props)}>
      <select
        id={id}
        {...describedBy(id, props)}
        value={props.value}
        onChange={({ currentTarget }) => props.onChange(currentTarget.value as T)}
      >
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
  /** Its name for screen readers, where the label is short. */
  name?: string;
  value: number;
  min: number;
  max: number;
  step: number;
  unit?: string;
  help?: string;
  onInput: (value: number) => void;
  onEnd?: () => void;
  children?: ComponentChildren;
}): JSX.Element {
  const id = useId();
  return (
    <Field label={props.label} id={id} {...helpOf(props)}>
      <input
        id={id}
        {...describedBy(id, props)}
        type="range"
        {...(props.name === undefined ? {} : { 'aria-label': props.name })}
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
export function Check(props: {
  label: string;
  value: boolean;
  help?: string;
  onChange: (value: boolean) => void;
}): JSX.Element {
  const id = useId();
  const check = (
    <label class="check">
      <input
        type="checkbox"
        {...describedBy(id, props)}
        checked={props.value}
        onChange={({ currentTarget }) => props.onChange(currentTarget.checked)}
      />
      {props.label}
    </label>
  );
  if (props.help === undefined) return check;
  return (
    <div class="explained">
      {check}
      <small class="help" id={`${id}-help`}>
        {props.help}
      </small>
    </div>
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
