/** A strip of the days that have scenes: a bar a day, as tall as it has scenes; a click narrows the list to it. */
import type { DayCount } from '../../state/search-state.ts';
import { formatDate } from '../../texts/format.ts';
import { el } from '../dom.ts';
import type { PanelContext } from '../panel-context.ts';

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

/** Builds the strip. */
export const makeCalendarStrip = ({ store, actions, texts }: PanelContext): HTMLElement => {
  const { locale, find } = texts;
  const strip = el('ol', { class: 'days' });
  const reset = el('button', { type: 'button', class: 'link' }, find.allDays);
  reset.addEventListener('click', () => void actions.setQuery({ day: null }));
  const element = el(
    'section',
    { class: 'calendar', 'aria-label': find.calendar },
    el('div', { class: 'heading-row' }, el('h3', {}, find.calendar), reset),
    strip,
  );
  let buttons: readonly HTMLButtonElement[] = [];
  /** The day that the Tab key stops at. */
  let stop: string | null = null;
  const setStop = (day: string | null): void => {
    stop = day;
    for (const button of buttons) button.tabIndex = button.value === day ? 0 : -1;
  };
  const mark = (chosen: string | null): void => {
    reset.hidden = chosen === null;
    for (const button of buttons) button.setAttribute('aria-pressed', String(button.value === chosen));
    const isIn = buttons.some((button) => button.value === stop);
    // One stop of the Tab key for all days, which may be hundreds; arrow keys step.
    setStop(isIn ? stop : (chosen ?? buttons.at(-1)?.value ?? null));
  };
  const makeDay = ({ day, count }: DayCount): HTMLButtonElement => {
    const label = find.sceneCount(formatDate(day, locale), count);
    const bar = el('span', {});
    bar.style.height = `${(Math.min(count, TALL) / TALL) * 100}%`;
    return el('button', { type: 'button', value: day, title: label, 'aria-label': label }, bar);
  };
  strip.addEventListener('click', (event) => {
    const button = event.target instanceof Element ? event.target.closest('button') : null;
    if (button === null) return;
    const isChosen = store.read().query.day === button.value;
    void actions.setQuery({ day: isChosen ? null : button.value });
  });
  strip.addEventListener('focusin', ({ target }) => {
    if (target instanceof HTMLButtonElement) setStop(target.value);
  });
  strip.addEventListener('keydown', (event) => {
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
  });
  /** `null` until there was a strip to scroll. */
  let position: Position | null = null;
  const readPosition = (): Position | null => {
    if (strip.clientWidth === 0) return position;
    if (strip.scrollLeft + strip.clientWidth >= strip.scrollWidth - 1) return 'newest';
    const first = buttons.find((button) => toLeftPx(button) >= 0);
    return first === undefined ? 'newest' : { day: first.value, leftPx: toLeftPx(first) };
  };
  const toLeftPx = (button: HTMLElement): number =>
    button.getBoundingClientRect().left - strip.getBoundingClientRect().left;
  const findDay = (day: string | null | undefined): HTMLElement | undefined =>
    buttons.find((button) => button.value === day);
  /** The chosen day or that of the shown scene at the right edge; without one the newest, which most people want. */
  const scrollToStart = (): void => {
    const { query, shown } = store.read();
    const button = findDay(query.day) ?? findDay(shown?.date) ?? buttons.at(-1);
    const month = button?.closest('li');
    strip.scrollLeft =
      month === null || month === undefined || month === strip.lastElementChild
        ? strip.scrollWidth
        : strip.scrollLeft + toLeftPx(month) + month.clientWidth - strip.clientWidth;
  };
  const restore = (): void => {
    if (strip.clientWidth === 0) return;
    const day = position === null || position === 'newest' ? undefined : findDay(position.day);
    if (position === 'newest') strip.scrollLeft = strip.scrollWidth;
    else if (day !== undefined && position !== null) strip.scrollLeft += toLeftPx(day) - position.leftPx;
    else scrollToStart();
    position = readPosition();
  };
  strip.addEventListener('scroll', () => {
    position = readPosition();
  });
  // A strip that was out of the page, or hidden, is at its oldest day when it comes back.
  let widthPx = 0;
  new ResizeObserver(() => {
    if (widthPx === 0) restore();
    widthPx = strip.clientWidth;
  }).observe(strip);
  let shownQuery: unknown = null;
  store.watch(
    ({ results }) => results.days,
    (days, { query }) => {
      const hadFocus = strip.contains(document.activeElement);
      const before = readPosition();
      const made: HTMLButtonElement[] = [];
      const months = groupByMonth(days).map(([month, ofMonth]) => {
        const own = ofMonth.map(makeDay);
        made.push(...own);
        const name = new Date(`${month}-01T00:00:00Z`).toLocaleDateString(locale, {
          month: 'short',
          year: '2-digit',
          timeZone: 'UTC',
        });
        return el('li', {}, el('div', { class: 'bars' }, ...own), el('span', { class: 'month' }, name));
      });
      buttons = made;
      strip.replaceChildren(...months);
      element.hidden = days.length < 2 && query.day === null;
      mark(query.day);
      // Other filters bring other days; more days of the same filters leave the strip where it was.
      const { day: _, ...filters } = query;
      const isSameQuery = JSON.stringify(filters) === shownQuery;
      shownQuery = JSON.stringify(filters);
      position = isSameQuery ? before : null;
      restore();
      if (hadFocus) findDay(stop)?.focus();
    },
  );
  store.watch(({ query }) => query.day, mark);
  return element;
};
