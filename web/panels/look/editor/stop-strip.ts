/** The colours as a strip with a handle for each: moved by pointer or keys, added by a click. */
import type { ColormapDraft } from '../../../scenes/own-colormap.ts';
import { toColorGradient } from '../../../scenes/own-colormap.ts';
import type { Contrast } from '../../../scenes/picture.ts';
import type { Texts } from '../../../texts/en.ts';
import { formatNumber } from '../../../texts/format.ts';
import { el } from '../../dom.ts';

interface StripParts {
  readonly texts: Texts;
  onSelect(index: number): void;
  onMove(index: number, position: number): void;
  onAdd(position: number): void;
  onRemove(index: number): void;
}

/** The strip. */
interface StopStrip {
  readonly element: HTMLElement;
  /** Shows a draft over a span of values, with one handle selected. */
  show(draft: ColormapDraft, span: Contrast, selected: number): void;
  focus(index: number): void;
}

/** Steps of the arrow keys in shares of the strip, alone and with shift. */
const [FINE, COARSE] = [0.01, 0.1];

/** Builds it. */
export const makeStopStrip = ({ texts, onSelect, onMove, onAdd, onRemove }: StripParts): StopStrip => {
  const ramp = el('div', { class: 'strip-ramp', title: texts.look.addStopHint });
  const handles = el('div', { class: 'strip-handles' });
  const element = el('div', { class: 'strip' }, ramp, handles);
  let span: Contrast = { min: 0, max: 1 };
  let positions: readonly number[] = [];
  const toPosition = (clientX: number): number => {
    const { left, width } = element.getBoundingClientRect();
    const share = Math.min(1, Math.max(0, (clientX - left) / (width || 1)));
    return span.min + share * (span.max - span.min);
  };
  ramp.addEventListener('click', ({ clientX }) => onAdd(toPosition(clientX)));

  const makeHandle = (index: number): HTMLElement => {
    const handle = el('div', { class: 'stop', role: 'slider', tabindex: '0' });
    handle.addEventListener('pointerdown', (event) => {
      handle.setPointerCapture(event.pointerId);
      handle.focus();
      onSelect(index);
      event.preventDefault();
    });
    handle.addEventListener('pointermove', (event) => {
      if (handle.hasPointerCapture(event.pointerId)) onMove(index, toPosition(event.clientX));
    });
    handle.addEventListener('focus', () => onSelect(index));
    handle.addEventListener('keydown', (event) => {
      const step = (event.shiftKey ? COARSE : FINE) * (span.max - span.min);
      const position = positions[index] ?? 0;
      const moves: Readonly<Record<string, number>> = {
        ArrowLeft: position - step,
        ArrowDown: position - step,
        ArrowRight: position + step,
        ArrowUp: position + step,
        Home: span.min,
        End: span.max,
      };
      const moved = moves[event.key];
      if (moved !== undefined) onMove(index, moved);
      else if (event.key === 'Delete' || event.key === 'Backspace') onRemove(index);
      else return;
      event.preventDefault();
      event.stopPropagation();
    });
    return handle;
  };

  return {
    element,
    show(draft, shown, selected) {
      span = shown;
      positions = draft.stops.map(({ position }) => position);
      ramp.style.backgroundImage = toColorGradient(draft, shown);
      while (handles.children.length < positions.length) handles.append(makeHandle(handles.children.length));
      while (handles.children.length > positions.length) handles.lastElementChild?.remove();
      for (const [i, { position, color }] of draft.stops.entries()) {
        const handle = handles.children[i] as HTMLElement;
        const share = (position - shown.min) / (shown.max - shown.min || 1);
        handle.style.left = `${Math.min(1, Math.max(0, share)) * 100}%`;
        handle.style.backgroundColor = color;
        handle.classList.toggle('is-selected', i === selected);
        handle.setAttribute('aria-label', texts.look.stopName(i + 1, positions.length));
        handle.setAttribute('aria-valuemin', String(shown.min));
        handle.setAttribute('aria-valuemax', String(shown.max));
        handle.setAttribute('aria-valuenow', String(position));
        handle.setAttribute('aria-valuetext', `${formatNumber(position, texts.locale)}, ${color}`);
      }
    },
    focus: (index) => (handles.children[index] as HTMLElement | undefined)?.focus(),
  };
};
