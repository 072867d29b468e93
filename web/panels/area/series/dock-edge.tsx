/** The upper edge of the dock, which is dragged, or moved by arrow keys, to change its height. */
import { useSignal } from '@preact/signals';
import type { FunctionComponent } from 'preact';
import { usePanel } from '../../kit/panel.tsx';

const MIN_PX = 180;
const STEP_PX = 32;
/** So much of the window stays with the map. */
const MAX_SHARE = 0.7;

/** The edge; `host` gets its height as a property. */
export const DockEdge: FunctionComponent<{ readonly host: HTMLElement }> = ({ host }) => {
  const { texts } = usePanel();
  const size = useSignal<{ readonly heightPx: number; readonly maxPx?: number }>({
    heightPx: host.offsetHeight || MIN_PX,
  });
  const setHeight = (px: number): void => {
    const maxPx = Math.max(MIN_PX, Math.round(innerHeight * MAX_SHARE));
    const heightPx = Math.round(Math.min(maxPx, Math.max(MIN_PX, px)));
    host.style.setProperty('--dock-height', `${heightPx}px`);
    size.value = { heightPx, maxPx };
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a rule has a border and margins of its own.
    <div
      class="dock-edge"
      role="separator"
      tabIndex={0}
      aria-orientation="horizontal"
      aria-label={texts.series.resize}
      aria-valuemin={MIN_PX}
      aria-valuemax={size.value.maxPx}
      aria-valuenow={size.value.heightPx}
      onKeyDown={(event) => {
        const step = event.key === 'ArrowUp' ? STEP_PX : event.key === 'ArrowDown' ? -STEP_PX : 0;
        if (step === 0) return;
        event.preventDefault();
        setHeight(host.offsetHeight + step);
      }}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={(event) => {
        if (event.currentTarget.hasPointerCapture(event.pointerId))
          setHeight(host.getBoundingClientRect().bottom - event.clientY);
      }}
    />
  );
};
