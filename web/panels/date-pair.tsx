/** Two fields for the first and the last day of a range, made to be typed into. */
import type { FunctionComponent } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { usePanel } from './kit/panel.tsx';
import type { Dates } from './plan-dates.ts';
import { planDates } from './plan-dates.ts';

interface PairProps {
  /** The ids of the fields are `<name>-from` and `<name>-to`. */
  readonly name: string;
  readonly dates: Dates;
  /** Called with the range, and with the one when the focus came. */
  readonly onChange: (dates: Dates, before: Dates) => void;
  readonly onFocus?: () => void;
}

const Field: FunctionComponent<PairProps & { readonly end: keyof Dates }> = ({
  name,
  end,
  dates,
  onChange,
  onFocus,
}) => {
  const { texts } = usePanel();
  const input = useRef<HTMLInputElement>(null);
  const before = useRef(dates);
  const id = `${name}-${end}`;
  // A field that is being typed into takes the range when the focus leaves.
  useLayoutEffect(() => {
    if (input.current !== null && document.activeElement !== input.current) input.current.value = dates[end];
  }, [dates[end]]);
  return (
    <div>
      <label for={id}>{texts.find[end]}</label>
      <input
        ref={input}
        type="date"
        id={id}
        onFocus={() => {
          before.current = dates;
          onFocus?.();
        }}
        onChange={({ currentTarget }) => {
          // A date of which a part is missing has no value, but is not empty.
          if (currentTarget.validity.badInput) return;
          const planned = planDates(before.current, end, currentTarget.value);
          if (planned !== null) onChange(planned, before.current);
        }}
        onBlur={({ currentTarget }) => {
          currentTarget.value = dates[end];
        }}
      />
    </div>
  );
};

/** The pair. */
export const DatePair: FunctionComponent<PairProps> = (props) => (
  <div class="pair">
    <Field {...props} end="from" />
    <Field {...props} end="to" />
  </div>
);
