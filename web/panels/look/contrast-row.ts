/** The contrast of one channel: its histogram, two handles over it, and both values as numbers. */
import type { Histogram } from '../../scenes/histogram.ts';
import { toHeights, valueAt } from '../../scenes/histogram.ts';
import type { Contrast } from '../../scenes/picture.ts';
import type { Texts } from '../../texts/en.ts';
import { formatNumber } from '../../texts/format.ts';
import { el } from '../dom.ts';
import { HANDLE_STEPS, partOf, toContrast } from './handle-values.ts';

/** What a channel is called and coloured. */
export type ChannelName = 'all' | 'red' | 'green' | 'blue';

/** What a row shows. */
export interface RowValues {
  /** The values at the ends of the track. */
  readonly axis: Contrast;
  readonly contrast: Contrast;
  /** `null` until it is counted. */
  readonly histogram: Histogram | null;
}

/** A row; it is disabled until it has something to show. */
export interface ContrastRow {
  readonly element: HTMLElement;
  /** `null` disables it. */
  show(values: RowValues | null): void;
}

interface RowParts {
  readonly channel: ChannelName;
  readonly texts: Texts;
  /** A handle came to rest, or a number was typed. */
  onChoose(contrast: Contrast): void;
}

const SVG = 'http://www.w3.org/2000/svg';

const toSvg = (tag: string, attributes: Readonly<Record<string, string>>): SVGElement => {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
};

/** Bars without gaps from the bottom of a unit square, as a path. */
const toPath = (heights: readonly number[]): string => {
  const width = 1 / Math.max(1, heights.length);
  const bars = heights.map((height, i) => `V${(1 - height).toFixed(3)}H${((i + 1) * width).toFixed(4)}`);
  return `M0,1${bars.join('')}V1Z`;
};

const makeHistogram = (texts: Texts, name: string) => {
  const [all, chosen] = ['histogram-all', 'histogram-chosen'].map((name) =>
    toSvg('path', { class: name }),
  ) as [SVGPathElement, SVGPathElement];
  const element = toSvg('svg', { class: 'histogram', viewBox: '0 0 1 1', preserveAspectRatio: 'none' });
  element.append(all, chosen);
  return {
    element,
    draw(histogram: Histogram | null): void {
      const path = histogram === null ? '' : toPath(toHeights(histogram));
      for (const one of [all, chosen]) one.setAttribute('d', path);
      const quarters = histogram === null ? [] : [valueAt(histogram, 0.25), valueAt(histogram, 0.75)];
      const [from, to] = quarters.map((value) => (value === null ? '' : formatNumber(value, texts.locale)));
      const label = texts.contrast.histogram(name, from ?? '', to ?? '');
      if (path === '') element.setAttribute('aria-hidden', 'true');
      else element.removeAttribute('aria-hidden');
      element.setAttribute('role', 'img');
      element.setAttribute('aria-label', label);
    },
    choose(left: number, right: number): void {
      chosen.style.clipPath = `inset(0 ${(1 - right) * 100}% 0 ${left * 100}%)`;
    },
  };
};

/** Builds a row. */
export const makeContrastRow = ({ channel, texts, onChoose }: RowParts): ContrastRow => {
  const words = texts.contrast;
  const name = words.channels[channel];
  const labels = [texts.look.min, texts.look.max].map((end) => (channel === 'all' ? end : `${name}: ${end}`));
  const [low, high] = labels.map((label) =>
    el('input', { type: 'range', min: '0', max: String(HANDLE_STEPS), step: '1', 'aria-label': label }),
  ) as [HTMLInputElement, HTMLInputElement];
  const [from, to] = labels.map((label) =>
    el('input', { type: 'number', step: 'any', 'aria-label': words.typed(label) }),
  ) as [HTMLInputElement, HTMLInputElement];
  const span = el('span', { class: 'span' });
  const histogram = makeHistogram(texts, name);
  const element = el(
    'div',
    { class: `contrast-row channel-${channel}`, role: 'group', 'aria-label': name },
    histogram.element as unknown as HTMLElement,
    el('div', { class: 'two-handles' }, el('span', { class: 'track' }, span), low, high),
    el(
      'div',
      { class: 'ends' },
      from,
      el('span', { class: 'muted small' }, channel === 'all' ? '' : name),
      to,
    ),
  );
  let shown: RowValues | null = null;
  let typed: HTMLInputElement | null = null;

  const paint = (left: number, right: number): void => {
    span.style.left = `${left * 100}%`;
    span.style.right = `${(1 - right) * 100}%`;
    histogram.choose(left, right);
  };
  const write = ({ min, max }: Contrast): void => {
    // A number that is being typed is not written over, for example when the histogram comes.
    if (typed !== from) from.value = String(min);
    if (typed !== to) to.value = String(max);
    for (const input of [from, to]) input.setAttribute('aria-invalid', 'false');
    low.setAttribute('aria-valuetext', formatNumber(min, texts.locale));
    high.setAttribute('aria-valuetext', formatNumber(max, texts.locale));
  };
  const readHandles = (): Contrast | null =>
    shown && toContrast(shown.axis, Number(low.value), Number(high.value));

  for (const input of [low, high]) {
    input.addEventListener('input', () => {
      // Handles stop at each other.
      if (Number(low.value) >= Number(high.value)) {
        if (input === low) low.value = String(Number(high.value) - 1);
        else high.value = String(Number(low.value) + 1);
      }
      const contrast = readHandles();
      if (contrast === null) return;
      write(contrast);
      paint(Number(low.value) / HANDLE_STEPS, Number(high.value) / HANDLE_STEPS);
    });
    // Tiles are requested when a handle comes to rest.
    input.addEventListener('change', () => {
      const moved = readHandles();
      if (moved === null || shown === null) return;
      // The other end stays as exact as it was.
      onChoose(input === low ? { ...shown.contrast, min: moved.min } : { ...shown.contrast, max: moved.max });
    });
  }
  for (const input of [from, to]) {
    input.addEventListener('input', () => {
      typed = input;
    });
    input.addEventListener('change', () => {
      typed = null;
      const [min, max] = [from.valueAsNumber, to.valueAsNumber];
      if (Number.isFinite(min) && Number.isFinite(max) && min < max) onChoose({ min, max });
      else input.setAttribute('aria-invalid', 'true');
    });
  }
  return {
    element,
    show(values) {
      shown = values;
      for (const input of [low, high, from, to]) input.disabled = values === null;
      if (values === null) return;
      const { axis, contrast } = values;
      const [left, right] = [partOf(contrast.min, axis), partOf(contrast.max, axis)];
      low.value = String(Math.round(left * HANDLE_STEPS));
      high.value = String(Math.round(right * HANDLE_STEPS));
      write({ min: Number(contrast.min.toPrecision(5)), max: Number(contrast.max.toPrecision(5)) });
      histogram.draw(values.histogram);
      paint(left, right);
    },
  };
};
