/** The upper edge of the dock, which is dragged, or moved by arrow keys, to change its height. */
import { el } from '../../dom.ts';

const MIN_PX = 180;
const STEP_PX = 32;
/** So much of the window stays with the map. */
const MAX_SHARE = 0.7;

/** Builds the edge; `host` gets its height as a property. */
export const makeDockEdge = (host: HTMLElement, label: string): HTMLElement => {
  const edge = el('div', {
    class: 'dock-edge',
    role: 'separator',
    tabindex: '0',
    'aria-orientation': 'horizontal',
    'aria-label': label,
    'aria-valuemin': String(MIN_PX),
  });
  const setHeight = (px: number): void => {
    const maxPx = Math.max(MIN_PX, Math.round(innerHeight * MAX_SHARE));
    const height = Math.round(Math.min(maxPx, Math.max(MIN_PX, px)));
    host.style.setProperty('--dock-height', `${height}px`);
    edge.setAttribute('aria-valuemax', String(maxPx));
    edge.setAttribute('aria-valuenow', String(height));
  };
  edge.addEventListener('keydown', (event) => {
    const step = event.key === 'ArrowUp' ? STEP_PX : event.key === 'ArrowDown' ? -STEP_PX : 0;
    if (step === 0) return;
    event.preventDefault();
    setHeight(host.offsetHeight + step);
  });
  edge.addEventListener('pointerdown', (event) => {
    edge.setPointerCapture(event.pointerId);
    const bottom = host.getBoundingClientRect().bottom;
    const move = ({ clientY }: PointerEvent): void => setHeight(bottom - clientY);
    edge.addEventListener('pointermove', move);
    edge.addEventListener('lostpointercapture', () => edge.removeEventListener('pointermove', move), {
      once: true,
    });
  });
  edge.setAttribute('aria-valuenow', String(host.offsetHeight || MIN_PX));
  return edge;
};
