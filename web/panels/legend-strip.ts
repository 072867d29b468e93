/** What the colours mean, in a strip below the map, so that it covers no picture. */
import { makeLatest } from '../actions/latest.ts';
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
import type { Zones } from '../state/zones-state.ts';
import { toZonesText, zonesOnMap } from '../state/zones-state.ts';
import type { Texts } from '../texts/en.ts';
import { formatDate, formatNumber } from '../texts/format.ts';
import { formatArea } from './area/zones/format-area.ts';
import { el } from './dom.ts';
import type { PanelContext } from './panel-context.ts';

/** A column a colour when there are 256. */
const BAR_PX = 256;

/** A bar of colours with its values; `unit` follows each of them. */
export const makeLegendBar = (
  legend: Extract<Legend, { kind: 'bar' }>,
  texts: Texts,
  unit = '',
): HTMLElement => {
  const { min, max } = legend;
  const [from, middle, to] = [min, (min + max) / 2, max].map(
    (value) => formatNumber(value, texts.locale) + unit,
  ) as [string, string, string];
  const canvas = el('canvas', { role: 'img', 'aria-label': texts.legend.colours(from, to) });
  canvas.width = BAR_PX;
  canvas.height = 1;
  const context = canvas.getContext('2d');
  for (let x = 0; x < BAR_PX && context !== null; x++) {
    context.fillStyle = colorAt(legend, min + ((x + 0.5) / BAR_PX) * (max - min)) ?? 'transparent';
    context.fillRect(x, 0, 1, 1);
  }
  const ends = [from, middle, to].map((text) => el('span', {}, text));
  return el('div', { class: 'legend-bar' }, canvas, el('p', { class: 'legend-values' }, ...ends));
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

/** A bar or a list of classes. */
export const makeLegendContent = (legend: Legend, context: PanelContext): readonly Node[] =>
  legend.kind === 'bar' ? [makeLegendBar(legend, context.texts)] : makeClasses(legend);
const makeZones = ({ zones }: Zones, { texts, preferences }: PanelContext): readonly Node[] =>
  makeClasses({
    kind: 'classes',
    entries: zones.map(({ number, color, areaM2 }) => ({
      color,
      text: `${texts.zones.zone(number)}: ${formatArea(areaM2, preferences.units, texts.locale)}`,
    })),
  });

const templateOfLegend = (state: ViewerState, { scene, picture }: Side): string =>
  clearLayerOnMap(state)?.template ?? toTemplate(scene, picture);

/** What to say instead of a legend; nothing if there is no picture either: the tiles report that. */
const toExcuse = (error: unknown, { texts }: PanelContext): string | null => {
  const isOfPicture = error instanceof Failure && (isBandMissing(error) || isKeyRefused(error));
  if (isOfPicture) return null;
  return texts.look.noLegend(error instanceof Error ? error.message : String(error));
};

/** Fills `host`, which stays hidden until there is something to say. */
export const makeLegendStrip = (host: HTMLElement, context: PanelContext): void => {
  const { store, api, texts } = context;
  const latest = makeLatest();
  const show = (title: string, content: readonly Node[]): void => {
    host.replaceChildren(el('h2', {}, title), ...content);
    host.hidden = false;
  };
  const explain = async (title: string, template: string): Promise<void> => {
    const signal = latest.start();
    try {
      const legend = await api.readLegend(template, signal);
      if (signal.aborted) return;
      if (legend === null) host.hidden = true;
      else show(title, makeLegendContent(legend, context));
    } catch (error) {
      if (signal.aborted) return;
      const excuse = toExcuse(error, context);
      if (excuse === null) host.hidden = true;
      else show(title, [el('p', { class: 'muted' }, excuse)]);
    }
  };
  store.watch(
    ({ phase }) => (phase.kind === 'shared' ? phase.legend : null),
    (legend, { phase }) => {
      if (legend !== null && phase.kind === 'shared')
        show(phase.map.name, makeLegendContent(legend, context));
    },
  );
  store.watch(
    (state) => {
      const zones = zonesOnMap(state);
      if (zones !== null) return `${zones.viewId} ${toZonesText(zones.choice)}`;
      const side = sideOfLegend(state);
      return side && `${side.scene.viewId} ${templateOfLegend(state, side)} ${state.redraws}`;
    },
    (_, state) => {
      const zones = zonesOnMap(state);
      if (zones !== null) {
        latest.cancel();
        return show(texts.zones.caption(zones.choice.index, formatDate(zones.date, texts.locale)), [
          ...makeZones(zones, context),
        ]);
      }
      const side = sideOfLegend(state);
      const bands = side === null ? '' : bandsOfPicture(side.scene.sensor, side.picture);
      // Three channels mix their colours, so only one has a legend.
      if (side === null || isComposite(side.scene.sensor, bands)) {
        latest.cancel();
        host.hidden = true;
        return;
      }
      void explain(titleOfShown(side.scene.sensor, bands, texts), templateOfLegend(state, side));
    },
  );
};
