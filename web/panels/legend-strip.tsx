/** What the colours mean, in a strip below the map, so that it covers no picture. */
import { useComputed, useSignal, useSignalEffect } from '@preact/signals';
import type { FunctionComponent } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { Failure, isBandMissing, isKeyRefused } from '../api/failure.ts';
import type { Legend } from '../api/legend.ts';
import { colorAt } from '../api/legend.ts';
import { formatNumber } from '../texts/format.ts';
import { usePanel, usePart } from './kit/panel.tsx';
import { planLegend } from './plan-legend.ts';

/** A column a colour when there are 256. */
const BAR_PX = 256;

interface BarProps {
  readonly legend: Extract<Legend, { kind: 'bar' }>;
  /** Follows each value. */
  readonly unit?: string;
}

/** A bar of colours with its values. */
export const LegendBar: FunctionComponent<BarProps> = ({ legend, unit = '' }) => {
  const { texts } = usePanel();
  const { min, max } = legend;
  const values = [min, (min + max) / 2, max].map((value) => formatNumber(value, texts.locale) + unit);
  const [from = '', middle = '', to = ''] = values;
  const canvas = useRef<HTMLCanvasElement>(null);
  useLayoutEffect(() => {
    const context = canvas.current?.getContext('2d') ?? null;
    context?.clearRect(0, 0, BAR_PX, 1);
    for (let x = 0; x < BAR_PX && context !== null; x++) {
      context.fillStyle = colorAt(legend, min + ((x + 0.5) / BAR_PX) * (max - min)) ?? 'transparent';
      context.fillRect(x, 0, 1, 1);
    }
  }, [legend]);
  return (
    <div class="legend-bar">
      <canvas ref={canvas} role="img" aria-label={texts.legend.colours(from, to)} width={BAR_PX} height={1} />
      <p class="legend-values">
        <span>{from}</span>
        <span>{middle}</span>
        <span>{to}</span>
      </p>
    </div>
  );
};

/** A bar or a list of classes. */
export const LegendContent: FunctionComponent<{ readonly legend: Legend }> = ({ legend }) =>
  legend.kind === 'bar' ? (
    <LegendBar legend={legend} />
  ) : (
    <ul>
      {legend.entries.map(({ color, text }, i) => (
        <li key={i}>
          <span class="swatch" style={{ backgroundColor: color }} />
          {text}
        </li>
      ))}
    </ul>
  );

/** A title with a legend, or with the reason why there is none. */
interface Explained {
  readonly title: string;
  readonly legend: Legend | string;
}

/** What the colours of the map mean; empty where there is nothing to say. */
const MapLegend: FunctionComponent = () => {
  const context = usePanel();
  const { api, state, texts } = context;
  const explained = useSignal<Explained | null>(null);
  const wanted = useComputed(() => {
    const plan = planLegend(state.value, context);
    return plan && `${state.value.shown?.viewId} ${state.value.redraws} ${JSON.stringify(plan)}`;
  });
  useSignalEffect(() => {
    const plan = wanted.value === null ? null : planLegend(state.peek(), context);
    if (plan === null || 'legend' in plan) {
      explained.value = plan;
      return;
    }
    const { title, template } = plan;
    const controller = new AbortController();
    const explain = (legend: Legend | string | null): void => {
      if (!controller.signal.aborted) explained.value = legend === null ? null : { title, legend };
    };
    api.readLegend(template, controller.signal).then(explain, (error: unknown) => {
      // Without a picture there is nothing to explain: the tiles report that.
      const isOfPicture = error instanceof Failure && (isBandMissing(error) || isKeyRefused(error));
      const reason = error instanceof Error ? error.message : String(error);
      explain(isOfPicture ? null : texts.look.noLegend(reason));
    });
    return () => controller.abort();
  });
  if (explained.value === null) return null;
  const { title, legend } = explained.value;
  return (
    <>
      <h2>{title}</h2>
      {typeof legend === 'string' ? <p class="muted">{legend}</p> : <LegendContent legend={legend} />}
    </>
  );
};

/** The strip; what it is mounted in is not seen while it is empty. */
export const LegendStrip: FunctionComponent = () => {
  const phase = usePart((state) => state.phase);
  if (phase.kind !== 'shared') return <MapLegend />;
  return phase.legend === null ? null : (
    <>
      <h2>{phase.map.name}</h2>
      <LegendContent legend={phase.legend} />
    </>
  );
};
