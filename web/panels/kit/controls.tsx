/** Controls that panels share: all of them are the browser's own, so keys and screen readers know them. */
import type { ComponentChildren, FunctionComponent } from 'preact';
import { useState } from 'preact/hooks';

/** An icon of `web/icons.svg`. It says nothing to screen readers: the words next to it do. */
export const Icon: FunctionComponent<{ readonly name: string }> = ({ name }) => (
  <svg class="icon" aria-hidden="true">
    <use href={`${ICONS_URL}#${name}`} />
  </svg>
);

interface ButtonProps {
  /** `primary` is what most people want next: at most one in a section. `plain` has an icon and no words. */
  readonly look?: 'primary' | 'secondary' | 'link' | 'plain';
  /** The name for screen readers, where the words on the button do not say enough. */
  readonly label?: string;
  /** What it does, as a tooltip. */
  readonly hint?: string;
  readonly icon?: string;
  readonly isDisabled?: boolean;
  /** For a button that keeps something open: whether it is. */
  readonly isPressed?: boolean;
  readonly onClick: () => void;
  readonly children?: ComponentChildren;
}

/** A button with words, an icon, or both. */
export const Button: FunctionComponent<ButtonProps> = ({
  look = 'secondary',
  label,
  hint,
  icon,
  isDisabled = false,
  isPressed,
  onClick,
  children,
}) => (
  <button
    type="button"
    class={look}
    aria-label={label}
    title={hint}
    aria-expanded={isPressed}
    disabled={isDisabled}
    onClick={() => onClick()}
  >
    {icon !== undefined && <Icon name={icon} />}
    {children}
  </button>
);

/** One thing to choose. */
export interface Choice<Value extends string> {
  readonly value: Value;
  readonly title: string;
  /** What it means, as a tooltip. */
  readonly hint?: string;
  /** The language of the title, where it is not that of the page. */
  readonly lang?: string;
  readonly isDisabled?: boolean;
}

interface SelectProps<Value extends string> {
  /** For a label that stands somewhere else. */
  readonly id?: string;
  readonly label?: string;
  /** What it chooses, as a tooltip. */
  readonly hint?: string;
  readonly choices: readonly Choice<Value>[];
  readonly value: Value;
  readonly onChoose: (value: Value) => void;
}

/** A list that opens; for more than four choices. */
export const Select = <Value extends string>({
  id,
  label,
  hint,
  choices,
  value,
  onChoose,
}: SelectProps<Value>) => (
  <select
    id={id}
    aria-label={label}
    title={hint}
    value={value}
    onChange={({ currentTarget }) => {
      const chosen = choices.find((one) => one.value === currentTarget.value);
      if (chosen !== undefined) onChoose(chosen.value);
    }}
  >
    {choices.map((one) => (
      <option key={one.value} value={one.value} lang={one.lang} disabled={one.isDisabled}>
        {one.title}
      </option>
    ))}
  </select>
);

interface SegmentsProps<Value extends string> {
  /** The name of the radio buttons, unique on the page. */
  readonly name: string;
  readonly legend: string;
  readonly choices: readonly Choice<Value>[];
  /** `null`: none of them. */
  readonly value: Value | null;
  readonly onChoose: (value: Value) => void;
  readonly children?: ComponentChildren;
}

/** A row of segments of which one is chosen; for up to four choices. `children` stand below it. */
export const Segments = <Value extends string>({
  name,
  legend,
  choices,
  value,
  onChoose,
  children,
}: SegmentsProps<Value>) => (
  <fieldset class="choice">
    <legend>{legend}</legend>
    <div class="segments">
      {choices.map((one) => (
        <label key={one.value} class="segment" title={one.hint}>
          <input
            type="radio"
            name={name}
            value={one.value}
            checked={one.value === value}
            disabled={one.isDisabled}
            onChange={() => onChoose(one.value)}
          />
          <span>{one.title}</span>
        </label>
      ))}
    </div>
    {children}
  </fieldset>
);

interface SwitchProps {
  readonly isOn: boolean;
  /** What it means, as a tooltip. */
  readonly hint?: string;
  readonly onSwitch: (isOn: boolean) => void;
  readonly children: ComponentChildren;
}

/** Something that is on or off, with its words behind it. */
export const Switch: FunctionComponent<SwitchProps> = ({ isOn, hint, onSwitch, children }) => (
  <label class="check" title={hint}>
    <input type="checkbox" checked={isOn} onChange={({ currentTarget }) => onSwitch(currentTarget.checked)} />
    {children}
  </label>
);

interface FieldRowProps {
  readonly label: string;
  /** What the control has chosen, where it does not say so itself: the value of a slider. */
  readonly output?: string;
  /** The control; it takes the id, so that the label is its name. */
  readonly children: (id: string) => ComponentChildren;
}

let idsGiven = 0;

/** An id of its own on the whole page: Preact's `useId` begins anew in every part of the page that is mounted by itself. */
export const useOwnId = (): string => useState(() => `own-${++idsGiven}`)[0];

/** A label with its control in one row. */
export const FieldRow: FunctionComponent<FieldRowProps> = ({ label, output, children }) => {
  const id = useOwnId();
  return (
    <div class="row">
      <label for={id}>{label}</label>
      {children(id)}
      {output !== undefined && <output for={id}>{output}</output>}
    </div>
  );
};
