/** A small box over the map that says what the colours mean. It can be folded, by click and by key. */

import type { LegendBox } from '../api/follow-legend.ts';
import type { Legend } from '../api/legend.ts';
import { colorAt, formatValue } from '../api/legend.ts';
import { el } from './dom.ts';

/** As wide as the box gets; a column a colour when there are 256. */
const BAR_PX = 256;

const makeBar = (legend: Extract<Legend, { kind: 'bar' }>): readonly Node[] => {
  const { min, max } = legend;
  const [from, middle, to] = [min, (min + max) / 2, max].map(formatValue) as [string, string, string];
  const canvas = el('canvas', { role: 'img', 'aria-label': `Colours from ${from} to ${to}` });
  canvas.width = BAR_PX;
  canvas.height = 1;
  const context = canvas.getContext('2d');
  for (let x = 0; x < BAR_PX && context !== null; x++) {
    context.fillStyle = colorAt(legend, min + ((x + 0.5) / BAR_PX) * (max - min)) ?? 'transparent';
    context.fillRect(x, 0, 1, 1);
  }
  const ends = [from, middle, to].map((text) => el('span', {}, text));
  return [canvas, el('p', { class: 'legend-values' }, ...ends)];
};

const makeClasses = ({ entries }: Extract<Legend, { kind: 'classes' }>): readonly Node[] => [
  el(
    'ul',
    {},
    ...entries.map(({ color, text }) => {
      const swatch = el('span', { class: 'swatch' });
      // As a property: an attribute would be refused by the page's content policy.
      swatch.style.backgroundColor = color;
      return el('li', {}, swatch, text);
    }),
  ),
];

const makeContent = (legend: Legend | string): readonly Node[] => {
  if (typeof legend === 'string') return [el('p', { class: 'muted' }, legend)];
  return legend.kind === 'bar' ? makeBar(legend) : makeClasses(legend);
};

/** More lines than a phone has room for above a map. */
const isLong = (legend: Legend | string): boolean =>
  typeof legend !== 'string' && legend.kind === 'classes' && legend.entries.length > 5;

/** The box inside `host`, which stays hidden until there is something to say. */
export const makeLegendBox = (host: HTMLElement): LegendBox => {
  const summary = el('summary');
  const content = el('div', { class: 'legend-content' });
  const details = el('details', { open: true }, summary, content);
  const narrow = matchMedia('(width <= 760px)');
  host.replaceChildren(details);
  /** Once a person has folded or unfolded it, it stays as it is; keys click too. */
  let isTouched = false;
  summary.addEventListener('click', () => {
    isTouched = true;
  });
  return {
    show(title, legend) {
      summary.textContent = title;
      content.replaceChildren(...makeContent(legend));
      if (!isTouched) details.open = !(narrow.matches && isLong(legend));
      host.hidden = false;
    },
    hide() {
      host.hidden = true;
    },
  };
};
