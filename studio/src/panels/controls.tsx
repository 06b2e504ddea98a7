/** Controls that several panels use: a menu, a labeled choice, number, slider and check box. */
import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { t } from '../app/strings.ts';

interface Choice<T extends string> {
  readonly value: T;
  readonly label: string;
}

/** A button, and below it what it opens, until a press or the focus goes elsewhere, or Escape. */
export function Menu(props: { button: ComponentChildren; label: string; children: ComponentChildren }): JSX.Element {
  const { button, label, children } = props;
  const menu = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    const leave = ({ target }: Event): void => {
      if (menu.current !== null && !menu.current.contains(target as Node)) menu.current.open = false;
    };
    const onKey = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape' || menu.current?.open !== true) return;
      // It closes the menu and nothing else.
      event.stopPropagation();
      menu.current.open = false;
      menu.current.querySelector('summary')?.focus();
    };
    addEventListener('pointerdown', leave, true);
    addEventListener('focusin', leave, true);
    addEventListener('keydown', onKey, true);
    return () => {
      removeEventListener('pointerdown', leave, true);
      removeEventListener('focusin', leave, true);
      removeEventListener('keydown', onKey, true);
    };
  }, []);
  return (
    <details class="menu" ref={menu}>
      <summary aria-label={label} title={label}>
        {button}
      </summary>
      <div class="menu-body">{children}</div>
    </details>
  );
}

interface Explained {
  readonly help?: string;
  /** Name of a picture without and with it, which the line opens: a file of `public/options`. */
  readonly picture?: string;
}

/** The line below a control. Pictures are loaded when they are opened. */
function Help({ id, label, help, picture }: Explained & { id: string; label: string }): JSX.Element | null {
  const [isOpen, setIsOpen] = useState(false);
  if (help === undefined) return null;
  if (picture === undefined) {
    return (
      <small class="help" id={`${id}-help`}>
        {help}
      </small>
    );
  }
  return (
    <details class="help" onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
      <summary id={`${id}-help`}>{help}</summary>
      {isOpen && (
        <img src={`options/${picture}.webp`} alt={t('withoutAndWith', { option: label })} width={256} height={112} />
      )}
    </details>
  );
}

export function Field(
  props: Explained & {
    label: string;
    id: string;
    children: ComponentChildren;
  },
): JSX.Element {
  const { label, id, children } = props;
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <div class="pair">{children}</div>
      <Help id={id} label={label} {...helpOf(props)} />
    </div>
  );
}

function helpOf({ help, picture }: Explained): Explained {
  return { ...(help === undefined ? {} : { help }), ...(picture === undefined ? {} : { picture }) };
}

function describedBy(id: string, { help }: Explained): { 'aria-describedby'?: string } {
  return help === undefined ? {} : { 'aria-describedby': `${id}-help` };
}

export function Select<T extends string>(
  props: Explained & {
    label: string;
    value: T;
    choices: readonly Choice<T>[];
    onChange: (value: T) => void;
    children?: ComponentChildren;
  },
): JSX.Element {
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

export function Slider(
  props: Explained & {
    label: string;
    /** Its name for screen readers, where the label is short. */
    name?: string;
    value: number;
    min: number;
    max: number;
    step: number;
    unit?: string;
    onInput: (value: number) => void;
    onEnd?: () => void;
    children?: ComponentChildren;
  },
): JSX.Element {
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

export function Check(
  props: Explained & {
    label: string;
    value: boolean;
    onChange: (value: boolean) => void;
  },
): JSX.Element {
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
      <Help id={id} label={props.label} {...helpOf(props)} />
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
