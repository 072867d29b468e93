/** What the colours mean, in a strip below the map, so that it covers no picture. */
import { useComputed, useSignal, useSignalEffect } from '@preact/signals';
import type { FunctionComponent } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { Failure, isBandMissing, isKeyRefused } from '../api/failure.ts';
import type { Legend } from '../api/legend.ts';
import { colorAt } from '../api/legend.ts';
import { isComposite } from '../scenes/bands.ts';
import { bandsOfPicture } from '../scenes/picture.ts';
import { toTemplate } from '../scenes/scene-template.ts';
import { titleOfShown } from '../scenes/titles.ts';
import type { Side } from '../state/comparison.ts';
import { clearLayerOnMap, sideOfLegend } from '../state/on-map.ts';
import type { ViewerState } from '../state/viewer-state.ts';
import { zonesOnMap } from '../state/zones-state.ts';
import { formatDate, formatNumber } from '../texts/format.ts';
import { formatArea } from './area/zones/format-area.ts';
import { usePanel, usePart } from './kit/panel.tsx';

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

const templateOfLegend = (state: ViewerState, { scene, picture }: Side): string =>
  clearLayerOnMap(state)?.template ?? toTemplate(scene, picture);

/** A title with a legend, or with the reason why there is none. */
interface Explained {
  readonly title: string;
  readonly legend: Legend | string;
}

/** What the server says about the picture; `null` where there is nothing to say. */
const PictureLegend: FunctionComponent = () => {
  const { api, state, texts } = usePanel();
  const explained = useSignal<Explained | null>(null);
  const wanted = useComputed(() => {
    const side = sideOfLegend(state.value);
    return side && `${side.scene.viewId} ${templateOfLegend(state.value, side)} ${state.value.redraws}`;
  });
  useSignalEffect(() => {
    const side = wanted.value === null ? null : sideOfLegend(state.peek());
    const bands = side === null ? '' : bandsOfPicture(side.scene.sensor, side.picture);
    // Three channels mix their colours, so only one has a legend.
    if (side === null || isComposite(side.scene.sensor, bands)) {
      explained.value = null;
      return;
    }
    const title = titleOfShown(side.scene.sensor, bands, texts);
    const controller = new AbortController();
    const explain = (legend: Legend | string | null): void => {
      if (!controller.signal.aborted) explained.value = legend === null ? null : { title, legend };
    };
    api
      .readLegend(templateOfLegend(state.peek(), side), controller.signal)
      .then(explain, (error: unknown) => {
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
  const { texts, preferences } = usePanel();
  const phase = usePart((state) => state.phase);
  const zones = usePart(zonesOnMap);
  if (phase.kind === 'shared')
    return phase.legend === null ? null : (
      <>
        <h2>{phase.map.name}</h2>
        <LegendContent legend={phase.legend} />
      </>
    );
  if (zones === null) return <PictureLegend />;
  const entries = zones.zones.map(({ number, color, areaM2 }) => ({
    color,
    text: `${texts.zones.zone(number)}: ${formatArea(areaM2, preferences.units, texts.locale)}`,
  }));
  return (
    <>
      <h2>{texts.zones.caption(zones.choice.index, formatDate(zones.date, texts.locale))}</h2>
      <LegendContent legend={{ kind: 'classes', entries }} />
    </>
  );
};
