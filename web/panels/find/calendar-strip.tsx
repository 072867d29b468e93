/** A strip of the days that have scenes: a bar a day, as tall as it has scenes; a click narrows the list to it. */
import { useSignal } from '@preact/signals';
import type { FunctionComponent } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { DayCount } from '../../state/search-state.ts';
import { formatDate } from '../../texts/format.ts';
import { Button } from '../kit/controls.tsx';
import { usePanel, usePart } from '../kit/panel.tsx';

/** More scenes than this on a day make no taller bar: the strip tells one from many, not ten from twelve. */
const TALL = 4;

const groupByMonth = (days: readonly DayCount[]): readonly (readonly [string, readonly DayCount[]])[] => {
  const months = new Map<string, DayCount[]>();
  for (const day of days) {
    const month = day.day.slice(0, 7);
    months.set(month, [...(months.get(month) ?? []), day]);
  }
  return [...months];
};

/** How far the strip was scrolled: to its newest end, or with a day so many pixels from its left edge. */
type Position = 'newest' | { readonly day: string; readonly leftPx: number };

const buttonsOf = (strip: HTMLElement): HTMLButtonElement[] => [...strip.querySelectorAll('button')];
const findDay = (strip: HTMLElement, day: string | null | undefined): HTMLElement | undefined =>
  buttonsOf(strip).find((button) => button.value === day);
const toLeftPx = (strip: HTMLElement, element: HTMLElement): number =>
  element.getBoundingClientRect().left - strip.getBoundingClientRect().left;

const readPosition = (strip: HTMLElement): Position => {
  if (strip.scrollLeft + strip.clientWidth >= strip.scrollWidth - 1) return 'newest';
  const first = buttonsOf(strip).find((button) => toLeftPx(strip, button) >= 0);
  return first === undefined ? 'newest' : { day: first.value, leftPx: toLeftPx(strip, first) };
};

/** A day at the right edge with its month; without one the newest, which most people want. */
const scrollToDay = (strip: HTMLElement, day: HTMLElement | undefined): void => {
  const month = day?.closest('li');
  strip.scrollLeft =
    month === null || month === undefined || month === strip.lastElementChild
      ? strip.scrollWidth
      : strip.scrollLeft + toLeftPx(strip, month) + month.clientWidth - strip.clientWidth;
};

/** Keeps the strip where it was scrolled to, whatever days come. The answer is for its `scroll` event. */
const useScrolled = (strip: { readonly current: HTMLElement | null }): (() => void) => {
  const { store } = usePanel();
  const days = usePart(({ results }) => results.days);
  /** `null` until there was a strip to scroll. */
  const position = useRef<Position | null>(null);
  const before = useRef<{ readonly days: unknown; readonly filters: string | null }>({
    days: null,
    filters: null,
  });
  const remember = (): void => {
    if (strip.current !== null && strip.current.clientWidth > 0)
      position.current = readPosition(strip.current);
  };
  // The strip has the days from before until this render is done.
  if (before.current.days !== days) remember();
  const restore = (): void => {
    const { current } = strip;
    if (current === null || current.clientWidth === 0) return;
    const { query, shown } = store.read();
    const at = position.current;
    const kept = at === null || at === 'newest' ? undefined : findDay(current, at.day);
    if (at === 'newest') current.scrollLeft = current.scrollWidth;
    else if (at !== null && kept !== undefined) current.scrollLeft += toLeftPx(current, kept) - at.leftPx;
    else scrollToDay(current, findDay(current, query.day) ?? findDay(current, shown?.date));
    remember();
  };
  useLayoutEffect(() => {
    // Other filters bring other days; more days of the same filters leave the strip where it was.
    const { day: _, ...rest } = store.read().query;
    const filters = JSON.stringify(rest);
    if (before.current.filters !== filters) position.current = null;
    before.current = { days, filters };
    restore();
  }, [days]);
  useLayoutEffect(() => {
    const { current } = strip;
    if (current === null) return;
    // A strip that was out of the page, or hidden, is at its oldest day when it comes back.
    let widthPx = 0;
    const observer = new ResizeObserver(() => {
      if (widthPx === 0) restore();
      widthPx = current.clientWidth;
    });
    observer.observe(current);
    return () => observer.disconnect();
  }, []);
  return remember;
};

interface DayProps extends DayCount {
  readonly isChosen: boolean;
  readonly isTabStop: boolean;
  readonly onFocus: () => void;
}

const Day: FunctionComponent<DayProps> = ({ day, count, isChosen, isTabStop, onFocus }) => {
  const { actions, texts } = usePanel();
  const label = texts.find.sceneCount(formatDate(day, texts.locale), count);
  return (
    <button
      type="button"
      value={day}
      title={label}
      aria-label={label}
      aria-pressed={isChosen}
      tabIndex={isTabStop ? 0 : -1}
      onClick={() => void actions.setQuery({ day: isChosen ? null : day })}
      onFocus={onFocus}
    >
      <span style={{ height: `${(Math.min(count, TALL) / TALL) * 100}%` }} />
    </button>
  );
};

/** Arrow keys step from day to day. */
const stepByKey = (event: KeyboardEvent, strip: HTMLElement): void => {
  const buttons = buttonsOf(strip);
  const index = buttons.indexOf(document.activeElement as HTMLButtonElement);
  const next = {
    ArrowLeft: Math.max(0, index - 1),
    ArrowRight: Math.min(buttons.length - 1, index + 1),
    Home: 0,
    End: buttons.length - 1,
  }[event.key];
  if (next === undefined || index < 0) return;
  buttons[next]?.focus();
  event.preventDefault();
};

/** The strip. */
export const CalendarStrip: FunctionComponent = () => {
  const { actions, texts } = usePanel();
  const { locale, find } = texts;
  const days = usePart(({ results }) => results.days);
  const chosen = usePart(({ query }) => query.day);
  const strip = useRef<HTMLOListElement>(null);
  const remember = useScrolled(strip);
  // One stop of the Tab key for all days, which may be hundreds: the day that had the focus last.
  const focused = useSignal<string | null>(null);
  const isIn = days.some(({ day }) => day === focused.value);
  const tabStop = isIn ? focused.value : (chosen ?? days.at(-1)?.day ?? null);
  const nameMonth = (month: string): string =>
    new Date(`${month}-01T00:00:00Z`).toLocaleDateString(locale, {
      month: 'short',
      year: '2-digit',
      timeZone: 'UTC',
    });
  return (
    <section class="calendar" aria-label={find.calendar} hidden={days.length < 2 && chosen === null}>
      <div class="heading-row">
        <h3>{find.calendar}</h3>
        {chosen !== null && (
          <Button look="link" onClick={() => void actions.setQuery({ day: null })}>
            {find.allDays}
          </Button>
        )}
      </div>
      <ol
        ref={strip}
        class="days"
        onScroll={remember}
        onKeyDown={(event) => stepByKey(event, event.currentTarget)}
      >
        {groupByMonth(days).map(([month, ofMonth]) => (
          <li key={month}>
            <div class="bars">
              {ofMonth.map((one) => (
                <Day
                  key={one.day}
                  {...one}
                  isChosen={one.day === chosen}
                  isTabStop={one.day === tabStop}
                  onFocus={() => {
                    focused.value = one.day;
                  }}
                />
              ))}
            </div>
            <span class="month">{nameMonth(month)}</span>
          </li>
        ))}
      </ol>
    </section>
  );
};
