/** What a picture of the map has to say about itself: its title, its days and sensors, its legend, and whom to name. */
import { comparisonLegends } from '../comparison/comparison-legend.tsx';
import type { PanelContext } from '../panels/panel-context.ts';
import { planLegend } from '../panels/plan-legend.ts';
import { bandsOfPicture } from '../scenes/picture.ts';
import { titleOfShown } from '../scenes/titles.ts';
import { dayOfClearView } from '../state/clear-view.ts';
import type { Side } from '../state/comparison.ts';
import { classesOnMap } from '../state/measure-state.ts';
import { clearLayerOnMap } from '../state/on-map.ts';
import type { ViewerState } from '../state/viewer-state.ts';
import { formatDate, formatPercent } from '../texts/format.ts';
import type { TitledLegend } from './draw-legend.ts';

/** The facts, in words. */
export interface MapFacts {
  readonly title: string;
  /** Days and sensors, in one line. */
  readonly subtitle: string;
  readonly legends: readonly TitledLegend[];
  /** Scenes that the map is made of, where it is made of several. */
  readonly scenes: readonly string[];
}

/** More scenes than this are counted, not named. */
const MAX_NAMED = 4;
/** A view this wide has more scenes than the server counts. */
const MAX_WIDTH_DEG = 20;

/** `21 Jun 2026 · Sentinel-2 L2A`. */
const titleOfSide = ({ scene }: Side, { texts }: PanelContext): string =>
  `${formatDate(scene.date, texts.locale)} · ${scene.sensor.title}`;

const pictureOf = ({ scene, picture }: Side, { texts }: PanelContext): string =>
  titleOfShown(scene.sensor, bandsOfPicture(scene.sensor, picture), texts);

const toSubtitle = (state: ViewerState, context: PanelContext): string => {
  const { clear, locale } = context.texts;
  const { comparison, clearView, shown, animation } = state;
  if (comparison !== null)
    return `${titleOfSide(comparison.left, context)}  |  ${titleOfSide(comparison.right, context)}`;
  const layer = clearLayerOnMap(state);
  const day = dayOfClearView(state);
  if (layer !== null && day !== null && clearView !== null) {
    const sensors = layer.sensors.map(({ title }) => title).join(', ');
    return `${clear.around(formatDate(day, locale))} ${clear.days(clearView.days)} · ${sensors}`;
  }
  if (shown === null) return '';
  const date = animation?.date ?? shown.date;
  return `${formatDate(date, locale)} · ${shown.sensor.title}`;
};

/** The legends that are below two compared scenes. */
const legendsOfComparison = (): readonly TitledLegend[] => {
  const shown = comparisonLegends.value;
  return ('title' in shown ? [shown] : shown).flatMap(({ title, content }) =>
    typeof content === 'string' ? [] : [{ title, legend: content }],
  );
};

const toTitle = (state: ViewerState, context: PanelContext): string => {
  const { comparison, shown, picture } = state;
  if (comparison?.mode === 'difference')
    return legendsOfComparison()[0]?.title ?? context.texts.compare.difference;
  if (comparison !== null)
    return [...new Set([comparison.left, comparison.right].map((side) => pictureOf(side, context)))].join(
      ' | ',
    );
  return shown === null ? 'Swath' : pictureOf({ scene: shown, picture }, context);
};

const readScenes = async (
  state: ViewerState,
  { api, texts }: PanelContext,
  signal: AbortSignal,
): Promise<readonly string[]> => {
  const layer = clearLayerOnMap(state);
  const { bounds } = state;
  if (layer === null || bounds === null || bounds[2] - bounds[0] > MAX_WIDTH_DEG) return [];
  // Without the list the picture is as true as before.
  const sources = await api.readClearSources(layer, bounds, signal).catch(() => []);
  const named = sources.slice(0, MAX_NAMED).map(({ date, sensor, part }) => {
    const share = part === null ? '' : ` (${formatPercent(part * 100, texts.locale)})`;
    return `${formatDate(date, texts.locale)} ${sensor.title}${share}`;
  });
  return sources.length > MAX_NAMED ? [...named, '…'] : named;
};

const readLegends = async (
  state: ViewerState,
  context: PanelContext,
  signal: AbortSignal,
): Promise<readonly TitledLegend[]> => {
  if (state.comparison !== null) return legendsOfComparison();
  const plan = planLegend(state, context);
  if (plan === null) return [];
  const legend = 'legend' in plan ? plan.legend : await context.api.readLegend(plan.template, signal);
  return legend === null ? [] : [{ title: plan.title, legend }];
};

const classesLegend = (state: ViewerState, { texts }: PanelContext): readonly TitledLegend[] => {
  const measured = classesOnMap(state);
  if (measured === null) return [];
  const format = new Intl.NumberFormat(texts.locale, { maximumFractionDigits: 1 });
  const entries = measured.classes
    .filter(({ isSought }) => isSought)
    .map(({ color, label, number, hectares }) => ({
      color,
      text: `${label ?? number}: ${format.format(hectares)} ha`,
    }));
  return [{ title: texts.panels.measure, legend: { kind: 'classes', entries } }];
};

/** Describes what the map shows; the legend is asked of the server. */
export const describeMap = async (
  state: ViewerState,
  context: PanelContext,
  signal: AbortSignal,
): Promise<MapFacts> => {
  const [legends, scenes] = await Promise.all([
    readLegends(state, context, signal),
    readScenes(state, context, signal),
  ]);
  return {
    title: toTitle(state, context),
    subtitle: toSubtitle(state, context),
    legends: [...legends, ...classesLegend(state, context)],
    scenes,
  };
};

/** Texts of attributions, which MapLibre has as HTML. */
const toPlainText = (html: string): string =>
  new DOMParser().parseFromString(html, 'text/html').body.textContent?.trim() ?? '';

/** Whom to name: where scenes come from, and whose the base map is. */
export const listSources = (
  { knowledge }: ViewerState,
  { texts }: PanelContext,
  attributions: readonly string[],
): readonly string[] => {
  const { catalogs, hasDemo } = knowledge?.origins ?? { catalogs: [], hasDemo: false };
  return [
    ...(hasDemo ? [texts.find.fromDemo] : []),
    ...catalogs.map(({ title }) => title),
    ...attributions.map(toPlainText),
  ].filter((text, i, all) => text !== '' && all.indexOf(text) === i);
};
