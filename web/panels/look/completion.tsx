/** Names that begin like the one being typed, to be taken by a click or by keys. */
import { useSignal } from '@preact/signals';
import type { FunctionComponent } from 'preact';
import type { KnownNames } from './highlight.ts';
import { planCompletion } from './highlight.ts';

interface Offers {
  readonly names: readonly string[];
  readonly chosen: number;
}

const NO_OFFERS: Offers = { names: [], chosen: 0 };

/** Where the offers are listed, and what the field of text does with them. */
export interface Completion {
  readonly offers: Offers;
  /** Offers names for the caret. */
  offer(area: HTMLTextAreaElement): void;
  take(area: HTMLTextAreaElement, name: string): void;
  close(): void;
  /** Arrow keys move in the list, Tab and Enter take, Escape closes; true if the key was one of these. */
  press(event: KeyboardEvent, area: HTMLTextAreaElement): boolean;
}

/** `onText` is called after a name was completed. */
export const useCompletion = (names: KnownNames, onText: () => void): Completion => {
  const offers = useSignal(NO_OFFERS);
  const close = (): void => {
    offers.value = NO_OFFERS;
  };
  const take = (area: HTMLTextAreaElement, name: string): void => {
    const { typed } = planCompletion(area.value, area.selectionStart, names);
    const end = names.functions.includes(name) ? `${name}(` : name;
    area.setRangeText(end, area.selectionStart - typed.length, area.selectionStart, 'end');
    close();
    area.focus();
    onText();
  };
  return {
    offers: offers.value,
    close,
    take,
    offer(area) {
      const planned = planCompletion(area.value, area.selectionStart, names);
      offers.value = { names: planned.offers, chosen: 0 };
    },
    press(event, area) {
      const { names: offered, chosen } = offers.value;
      if (offered.length === 0) return false;
      if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
        const step = event.key === 'ArrowDown' ? 1 : offered.length - 1;
        offers.value = { names: offered, chosen: (chosen + step) % offered.length };
      } else if ((event.key === 'Enter' && !event.ctrlKey && !event.metaKey) || event.key === 'Tab') {
        take(area, offered[chosen] ?? '');
      } else if (event.key === 'Escape') {
        close();
        event.stopPropagation();
      } else return false;
      event.preventDefault();
      return true;
    },
  };
};

interface ListProps {
  readonly id: string;
  /** What the list is called for screen readers. */
  readonly title: string;
  readonly offers: Offers;
  readonly onTake: (name: string) => void;
}

/** The list under the text. */
export const CompletionList: FunctionComponent<ListProps> = ({ id, title, offers, onTake }) => (
  <div class="completion" role="listbox" id={id} aria-label={title} hidden={offers.names.length === 0}>
    {offers.names.map((name, i) => (
      // The focus stays in the text, which names the chosen one.
      <div
        key={name}
        role="option"
        id={`${id}-${i}`}
        tabIndex={-1}
        aria-selected={i === offers.chosen}
        onPointerDown={(event) => {
          // Before the text loses the focus.
          event.preventDefault();
          onTake(name);
        }}
      >
        {name}
      </div>
    ))}
  </div>
);
