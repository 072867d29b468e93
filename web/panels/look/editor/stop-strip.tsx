/** The colours as a strip with a handle for each: moved by pointer or keys, added by a click. */
import type { FunctionComponent, Ref } from 'preact';
import { useRef } from 'preact/hooks';
import type { ColormapDraft } from '../../../scenes/own-colormap.ts';
import { toColorGradient } from '../../../scenes/own-colormap.ts';
import type { Contrast } from '../../../scenes/picture.ts';
import { formatNumber } from '../../../texts/format.ts';
import { usePanel } from '../../kit/panel.tsx';

interface StripProps {
  readonly draft: ColormapDraft;
  /** The values at the ends of the strip. */
  readonly span: Contrast;
  readonly selected: number;
  /** Holds the handles, in the order of the stops. */
  readonly handles: Ref<HTMLDivElement>;
  readonly onSelect: (index: number) => void;
  readonly onMove: (index: number, position: number) => void;
  readonly onAdd: (position: number) => void;
  readonly onRemove: (index: number) => void;
}

/** Steps of the arrow keys in shares of the strip, alone and with shift. */
const [FINE, COARSE] = [0.01, 0.1];

/** The strip. */
export const StopStrip: FunctionComponent<StripProps> = ({
  draft,
  span,
  selected,
  handles,
  onSelect,
  onMove,
  onAdd,
  onRemove,
}) => {
  const { texts } = usePanel();
  const strip = useRef<HTMLDivElement>(null);
  const widthOfSpan = span.max - span.min;
  const toPosition = (clientX: number): number => {
    const { left, width } = strip.current?.getBoundingClientRect() ?? { left: 0, width: 1 };
    const share = Math.min(1, Math.max(0, (clientX - left) / (width || 1)));
    return span.min + share * widthOfSpan;
  };
  const press = (event: KeyboardEvent, index: number, position: number): void => {
    const step = (event.shiftKey ? COARSE : FINE) * widthOfSpan;
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
  };
  return (
    <div ref={strip} class="strip">
      {/* biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/noStaticElementInteractions: a button below adds by keys. */}
      <div
        class="strip-ramp"
        title={texts.look.addStopHint}
        style={{ backgroundImage: toColorGradient(draft, span) }}
        onClick={({ clientX }) => onAdd(toPosition(clientX))}
      />
      <div ref={handles} class="strip-handles">
        {draft.stops.map(({ position, color }, i) => {
          const share = (position - span.min) / (widthOfSpan || 1);
          return (
            <div
              key={i}
              class={i === selected ? 'stop is-selected' : 'stop'}
              role="slider"
              tabIndex={0}
              aria-label={texts.look.stopName(i + 1, draft.stops.length)}
              aria-valuemin={span.min}
              aria-valuemax={span.max}
              aria-valuenow={position}
              aria-valuetext={`${formatNumber(position, texts.locale)}, ${color}`}
              style={{ left: `${Math.min(1, Math.max(0, share)) * 100}%`, backgroundColor: color }}
              onPointerDown={(event) => {
                event.currentTarget.setPointerCapture(event.pointerId);
                event.currentTarget.focus();
                onSelect(i);
                event.preventDefault();
              }}
              onPointerMove={(event) => {
                if (event.currentTarget.hasPointerCapture(event.pointerId))
                  onMove(i, toPosition(event.clientX));
              }}
              onFocus={() => onSelect(i)}
              onKeyDown={(event) => press(event, i, position)}
            />
          );
        })}
      </div>
    </div>
  );
};
