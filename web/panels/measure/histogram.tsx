/** The histogram of the values, in the colours of the classes, with thresholds that can be dragged or typed. */
import { useSignal } from '@preact/signals';
import type { FunctionComponent } from 'preact';
import { useRef } from 'preact/hooks';
import type { Measured } from '../../state/measure-state.ts';
import { formatNumber } from '../../texts/format.ts';
import { Button } from '../kit/controls.tsx';
import { usePanel } from '../kit/panel.tsx';
import { addThreshold, moveThreshold, toStep } from './plan-order.ts';

const [WIDTH, HEIGHT] = [300, 96];
const MAX_THRESHOLDS = 19;

/** The colour of a value, by the thresholds as they are now. */
const colorOf = (value: number, thresholds: readonly number[], { classes }: Measured): string =>
  classes[thresholds.filter((one) => value >= one).length]?.color ?? 'currentColor';

interface HistogramProps {
  readonly measured: Measured;
  readonly onChoose: (thresholds: readonly number[]) => void;
}

/** The bars, the handles on them, and a field for each threshold. */
export const Histogram: FunctionComponent<HistogramProps> = ({ measured, onChoose }) => {
  const {
    texts: { measure: words, locale },
  } = usePanel();
  const { histogram, unit } = measured;
  const { min, max, counts } = histogram;
  const moved = useSignal<readonly number[] | null>(null);
  const dragged = useSignal<number | null>(null);
  const picture = useRef<SVGSVGElement>(null);
  const thresholds = moved.value ?? measured.thresholds;
  const step = toStep(histogram);
  const toX = (value: number): number => ((value - min) / (max - min)) * WIDTH;
  const most = Math.max(1, ...counts);
  const widthOfBar = WIDTH / counts.length;
  const move = (at: number, value: number): readonly number[] | null => {
    const next = moveThreshold(thresholds, at, value, step);
    return next === null || next === 'otsu' ? null : next;
  };
  const drag = (event: PointerEvent): void => {
    const box = picture.current?.getBoundingClientRect();
    if (dragged.value === null || box === undefined) return;
    const share = Math.min(1, Math.max(0, (event.clientX - box.left) / box.width));
    moved.value = move(dragged.value, min + share * (max - min));
  };
  const drop = (): void => {
    if (dragged.value !== null && moved.value !== null) onChoose(moved.value);
    dragged.value = null;
    moved.value = null;
  };
  return (
    <div class="measure-histogram">
      <svg
        ref={picture}
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={words.histogramOf(formatNumber(min, locale), formatNumber(max, locale))}
        onPointerMove={drag}
        onPointerUp={drop}
        onPointerCancel={drop}
      >
        {counts.map((count, i) => {
          // Of the root: what is looked for is often a small part of the ground.
          const height = Math.sqrt(count / most) * (HEIGHT - 4);
          const middle = min + ((i + 0.5) / counts.length) * (max - min);
          return (
            <rect
              key={i}
              x={i * widthOfBar}
              y={HEIGHT - height}
              width={widthOfBar}
              height={height}
              fill={colorOf(middle, thresholds, measured)}
            />
          );
        })}
        {thresholds.map((one, at) => (
          <g
            key={at}
            class="measure-handle"
            onPointerDown={(event) => {
              dragged.value = at;
              picture.current?.setPointerCapture(event.pointerId);
              event.preventDefault();
            }}
          >
            <rect x={toX(one) - 6} y={0} width={12} height={HEIGHT} fill="transparent" />
            <line x1={toX(one)} x2={toX(one)} y1={0} y2={HEIGHT} />
          </g>
        ))}
      </svg>
      <p class="legend-values">
        <span>{formatNumber(min, locale)}</span>
        <span>
          {measured.dates.before === null ? '' : 'Δ '}
          {measured.expression}
          {unit === null || measured.expression.endsWith('_DB') ? '' : ` ${unit}`}
        </span>
        <span>{formatNumber(max, locale)}</span>
      </p>
      <div class="measure-thresholds">
        {thresholds.map((one, at) => (
          <span key={at} class="measure-threshold">
            <input
              type="number"
              step={step}
              value={Number(one.toPrecision(4))}
              aria-label={words.thresholdOf(at + 1)}
              onChange={({ currentTarget }) => {
                const next = move(at, currentTarget.valueAsNumber);
                if (next === null) currentTarget.value = String(one);
                else onChoose(next);
              }}
            />
            {thresholds.length > 1 && (
              <Button
                look="plain"
                icon="close"
                label={words.removeThreshold(at + 1)}
                onClick={() => onChoose(thresholds.filter((_, i) => i !== at))}
              />
            )}
          </span>
        ))}
        {thresholds.length < MAX_THRESHOLDS && (
          <Button look="link" onClick={() => onChoose(addThreshold(thresholds, histogram))}>
            {words.addThreshold}
          </Button>
        )}
      </div>
    </div>
  );
};
