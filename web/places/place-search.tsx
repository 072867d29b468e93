/** The search for a place over the map: a combobox as the ARIA practices describe it, and a button that locates the device. */
import { useSignal } from '@preact/signals';
import type { FunctionComponent } from 'preact';
import { useRef } from 'preact/hooks';
import { Button } from '../panels/kit/controls.tsx';
import { usePanel, usePart } from '../panels/kit/panel.tsx';
import type { PlaceFinder, Suggestion } from './find-places.ts';

const LIST = 'place-list';
const toOptionId = (index: number): string => `place-option-${index}`;
/** As close as a street; a device is located to some ten metres. */
const DEVICE_ZOOM = 13;

/** Why there is no location. */
type NotLocated = 'denied' | 'unknown' | 'insecure';

const TIMEOUT_MS = 20_000;
/** A minute ago is now, for a map. */
const MAX_AGE_MS = 60_000;

/** Asks the browser once; the location is used for the map and sent nowhere. */
const locateDevice = (): Promise<{ readonly lon: number; readonly lat: number } | NotLocated> => {
  if (!isSecureContext || !('geolocation' in navigator)) return Promise.resolve('insecure');
  return new Promise((resolve) =>
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => resolve({ lon: coords.longitude, lat: coords.latitude }),
      ({ code, PERMISSION_DENIED }) => resolve(code === PERMISSION_DENIED ? 'denied' : 'unknown'),
      { timeout: TIMEOUT_MS, maximumAge: MAX_AGE_MS },
    ),
  );
};

type Answer =
  | { readonly kind: 'none' }
  | { readonly kind: 'loading'; readonly suggestions: readonly Suggestion[] }
  | { readonly kind: 'found'; readonly suggestions: readonly Suggestion[] }
  | { readonly kind: 'failed' };

const suggestionsOf = (answer: Answer): readonly Suggestion[] =>
  'suggestions' in answer ? answer.suggestions : [];

/** The sentence below the list, or in its place. */
const useSentence = (answer: Answer): string => {
  const { places: words } = usePanel().texts;
  if (answer.kind === 'failed') return words.failed;
  if (answer.kind === 'loading') return words.loading;
  if (answer.kind === 'none') return '';
  return answer.suggestions.length === 0 ? words.nothing : words.count(answer.suggestions.length);
};

/** Asks for suggestions; only the answer to the newest query is shown. */
const useFinder = (onEntered: (suggestion: Suggestion) => void) => {
  const { patience, texts, store } = usePanel();
  const answer = useSignal<Answer>({ kind: 'none' });
  const finder = useRef<Promise<PlaceFinder> | null>(null);
  const newest = useRef<string | null>(null);
  /** The query whose suggestions are shown, and the one that was entered before it had any. */
  const answered = useRef<string | null>(null);
  const entered = useRef<string | null>(null);
  const show = (query: string, suggestions: readonly Suggestion[]): void => {
    if (newest.current !== query) return;
    answer.value = { kind: 'found', suggestions };
    answered.current = query;
    const [first] = suggestions;
    if (entered.current !== query || first === undefined) return;
    entered.current = null;
    onEntered(first);
  };
  const load = async (): Promise<PlaceFinder> => {
    const { makePlaceFinder } = await import('./find-places.ts');
    return makePlaceFinder({
      patience,
      texts,
      hasDemo: () => store.read().knowledge?.origins.hasDemo ?? false,
    });
  };
  const ask = async (query: string): Promise<void> => {
    newest.current = query;
    try {
      finder.current ??= load();
      const ready = await finder.current;
      if (newest.current !== query) return;
      const atOnce = ready.findAtOnce(query);
      if (query.trim() === '') {
        if (atOnce.length > 0) show(query, atOnce);
        else answer.value = { kind: 'none' };
        return;
      }
      if (answer.value.kind !== 'found') answer.value = { kind: 'loading', suggestions: atOnce };
      const find = async (onMore: () => void): Promise<void> => show(query, await ready.find(query, onMore));
      await find(() => {
        if (newest.current === query) void find(() => undefined);
      });
    } catch (error) {
      console.error(error);
      finder.current = null;
      if (newest.current === query) answer.value = { kind: 'failed' };
    }
  };
  /** Chooses the first suggestion, now or when it is there. */
  const enter = (query: string, active: number): void => {
    const suggestion =
      answered.current === query ? suggestionsOf(answer.value)[Math.max(0, active)] : undefined;
    if (suggestion !== undefined) onEntered(suggestion);
    else {
      entered.current = query;
      if (newest.current !== query) void ask(query);
    }
  };
  const close = (): void => {
    newest.current = null;
    answered.current = null;
    entered.current = null;
    answer.value = { kind: 'none' };
  };
  return { answer, ask, enter, close };
};

const Locate: FunctionComponent = () => {
  const { actions, texts } = usePanel();
  const isLocating = useSignal(false);
  const locate = async (): Promise<void> => {
    isLocating.value = true;
    const located = await locateDevice();
    isLocating.value = false;
    if (typeof located === 'string') return actions.report.showError(texts.places.notLocated[located]);
    const { lon, lat } = located;
    actions.showPlace({ lon, lat, name: texts.places.here }, { view: { lon, lat, zoom: DEVICE_ZOOM } });
  };
  return (
    <Button
      look="plain"
      icon="locate"
      label={texts.places.locate}
      isDisabled={isLocating.value}
      onClick={() => void locate()}
    />
  );
};

/** The search. */
export const PlaceSearch: FunctionComponent = () => {
  const { actions, texts } = usePanel();
  const words = texts.places;
  const place = usePart((state) => state.place);
  const query = useSignal('');
  const active = useSignal(-1);
  const input = useRef<HTMLInputElement>(null);
  const choose = ({ name, lon, lat, goal }: Suggestion): void => {
    query.value = name;
    active.value = -1;
    close();
    actions.showPlace({ name, lon, lat }, goal);
  };
  const { answer, ask, enter, close } = useFinder(choose);
  const suggestions = suggestionsOf(answer.value);
  const sentence = useSentence(answer.value);
  const clear = (): void => {
    query.value = '';
    active.value = -1;
    close();
    actions.clearPlace();
    input.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step !== 0) {
      if (suggestions.length === 0) void ask(query.value);
      else {
        // One more than there are: the input itself, between the last and the first.
        const count = suggestions.length + 1;
        active.value = ((active.value + 1 + step + count) % count) - 1;
      }
    } else if (event.key === 'Enter') {
      if (query.value.trim() !== '' || active.value >= 0) enter(query.value, active.value);
    } else if (event.key === 'Escape') {
      if (answer.value.kind !== 'none') close();
      else if (query.value !== '') clear();
      else input.current?.blur();
      active.value = -1;
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };

  return (
    <div
      class="place-search"
      onFocusOut={({ relatedTarget, currentTarget }) => {
        if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) close();
      }}
    >
      <div class="place-row">
        <input
          ref={input}
          type="text"
          role="combobox"
          aria-label={words.label}
          aria-autocomplete="list"
          aria-expanded={suggestions.length > 0}
          aria-controls={LIST}
          aria-activedescendant={active.value < 0 ? undefined : toOptionId(active.value)}
          placeholder={words.placeholder}
          title={words.hint}
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          maxLength={200}
          value={query.value}
          onFocus={() => void ask(query.value)}
          onInput={({ currentTarget }) => {
            query.value = currentTarget.value;
            active.value = -1;
            void ask(currentTarget.value);
          }}
          onKeyDown={onKeyDown}
        />
        {(query.value !== '' || place !== null) && (
          <Button look="plain" icon="close" label={words.clear} onClick={clear} />
        )}
        <Locate />
      </div>
      <div
        id={LIST}
        class="place-list"
        role="listbox"
        aria-label={words.results}
        hidden={suggestions.length === 0}
      >
        {suggestions.map((suggestion, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the combobox has the keys.
          <div
            key={`${suggestion.name} ${suggestion.lon} ${suggestion.lat}`}
            id={toOptionId(index)}
            class="place-option"
            role="option"
            tabIndex={-1}
            aria-selected={index === active.value}
            // Before the input loses the focus, which closes the list.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => choose(suggestion)}
          >
            <span>{suggestion.name}</span>
            <span class="muted small">{suggestion.detail}</span>
          </div>
        ))}
      </div>
      <p
        class={suggestions.length > 0 || answer.value.kind === 'none' ? 'unseen' : 'place-sentence'}
        role="status"
      >
        {sentence}
      </p>
    </div>
  );
};
