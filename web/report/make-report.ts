/** Makes the files: asks for what is still to be known, draws the map, and puts it on a page. */
import type { RasterSourceSpecification } from 'maplibre-gl';
import { toClearSource, toImagerySource } from '../map/imagery.ts';
import { readToday } from '../panels/area/series/today.ts';
import type { PanelContext } from '../panels/panel-context.ts';
import { planClearLayer } from '../scenes/clear-layer.ts';
import type { Box, Outline } from '../scenes/footprint.ts';
import { toBox } from '../scenes/footprint.ts';
import { toTemplate } from '../scenes/scene-template.ts';
import { PLAIN_CLEAR_VIEW } from '../state/clear-view.ts';
import type { Comparison } from '../state/comparison.ts';
import { clearLayerOnMap } from '../state/on-map.ts';
import type { ViewerState } from '../state/viewer-state.ts';
import { formatPercent } from '../texts/format.ts';
import { makeCanvas, makeCanvasSheet, makeMeasure } from './canvas-sheet.ts';
import { describeMap, listSources } from './describe-map.ts';
import type { MapPicture, MapPictureOptions } from './draw-map.ts';
import { drawMap } from './draw-map.ts';
import {
  drawFieldPage,
  FIELD_MAP_HEIGHT_PX,
  FIELD_MAP_WIDTH_PX,
  PAGE_HEIGHT_PX,
  PAGE_WIDTH_PX,
} from './field-page.ts';
import type { PageSheet } from './page-sheet.ts';
import { makePdfSheet } from './pdf/pdf-sheet.ts';
import { drawPicturePage } from './picture-page.ts';
import { readField } from './read-field.ts';
import { loadFonts } from './report-fonts.ts';

/** What can be saved. */
export const REPORT_FORMATS = ['png', 'pdf'] as const;
export type ReportFormat = (typeof REPORT_FORMATS)[number];

/** A file that is wanted. */
export interface ReportOrder {
  readonly title: string;
  readonly format: ReportFormat;
  /** Pixels of the map for each of the screen. */
  readonly scale: number;
  readonly signal: AbortSignal;
  /** Says what is done now. */
  onStep(text: string): void;
}

/** A field to report on. */
export interface ReportedField {
  readonly outline: Outline;
  readonly name: string | null;
}

/** Between two maps next to each other. */
const GAP_PX = 4;

const makeSheetOf = async ({ format, scale }: ReportOrder) => {
  const fonts = await loadFonts();
  return (widthPx: number, heightPx: number): PageSheet =>
    format === 'pdf' ? makePdfSheet(widthPx, heightPx, fonts) : makeCanvasSheet(widthPx, heightPx, scale);
};

/** The right scene over the left one from the divider on, or next to it. */
const joinMaps = (
  left: MapPicture,
  right: MapPicture,
  { mode, split }: Comparison,
  scale: number,
): MapPicture => {
  const { width, height } = left.canvas;
  const isSwipe = mode === 'swipe';
  const { canvas, context } = makeCanvas(isSwipe ? width : 2 * width + GAP_PX * scale, height);
  context.fillStyle = '#ffffff';
  context.fillRect(0, 0, canvas.width, height);
  context.drawImage(left.canvas, 0, 0);
  const x = isSwipe ? Math.round(split * width) : width + GAP_PX * scale;
  if (isSwipe && x < width) context.drawImage(right.canvas, x, 0, width - x, height, x, 0, width - x, height);
  else if (!isSwipe) context.drawImage(right.canvas, x, 0);
  context.fillRect(x - scale, 0, isSwipe ? 2 * scale : 0, height);
  return { ...left, canvas };
};

const drawWholeMap = async (
  { map }: PanelContext,
  { comparison }: ViewerState,
  { scale, signal }: ReportOrder,
): Promise<MapPicture> => {
  const { gl } = await map;
  const { clientWidth: widthPx, clientHeight: heightPx } = gl.getCanvas();
  const options: MapPictureOptions = { widthPx, heightPx, scale, signal };
  const picture = await drawMap(gl, options);
  if (comparison === null || comparison.mode === 'difference') return picture;
  const { scene, picture: look } = comparison.right;
  const imagery = toImagerySource(scene, toTemplate(scene, look));
  return joinMaps(picture, await drawMap(gl, { ...options, imagery }), comparison, scale);
};

/** A picture of the map. */
export const makePicture = async (context: PanelContext, order: ReportOrder): Promise<Blob> => {
  const { texts, preferences, store } = context;
  const { title, signal, scale } = order;
  const state = store.read();
  order.onStep(texts.report.drawing);
  const [facts, map, makeSheet] = await Promise.all([
    describeMap(state, context, signal),
    drawWholeMap(context, state, order),
    makeSheetOf(order),
  ]);
  const page = {
    title,
    facts,
    map,
    mapWidthPx: map.canvas.width / scale,
    mapHeightPx: map.canvas.height / scale,
    sources: listSources(state, context, map.attributions),
    today: readToday(),
    units: preferences.units,
    texts,
  };
  return drawPicturePage(page, makeSheet, makeMeasure()).finish(title);
};

const overlaps = (one: Box, other: Box): boolean =>
  one[0] < other[2] && other[0] < one[2] && one[1] < other[3] && other[1] < one[3];

/** The clear view, for a field that the scene on the map does not show; `null` where the map shows it. */
const planImagery = (state: ViewerState, box: Box): RasterSourceSpecification | null => {
  const { shown, picture, newestDay } = state;
  if (shown === null || clearLayerOnMap(state) !== null || overlaps(toBox(shown.outline), box)) return null;
  const layer = planClearLayer({
    shown,
    picture,
    day: newestDay ?? shown.date,
    days: PLAIN_CLEAR_VIEW.days,
    sensors: [],
  });
  return layer && toClearSource(layer, null);
};

/** The report of a field; `null` where no sensor has the index. */
export const makeFieldReport = async (
  context: PanelContext,
  field: ReportedField,
  order: ReportOrder & { readonly index: string },
): Promise<Blob | null> => {
  const { texts, preferences, store } = context;
  const { title, signal, scale, index, onStep } = order;
  const { outline } = field;
  const today = readToday();
  onStep(texts.series.measuring);
  const measured = await readField(context, outline, {
    index,
    today,
    signal,
    onProgress: (progress) => onStep(texts.series.progress(formatPercent(progress * 100, texts.locale))),
  });
  if (measured === null) return null;
  onStep(texts.report.drawing);
  // Of two scenes that are compared, the map of the report shows the left one.
  const { comparison, ...rest } = store.read();
  const state: ViewerState = {
    ...rest,
    comparison: null,
    ...(comparison === null ? {} : { shown: comparison.left.scene, picture: comparison.left.picture }),
  };
  const box = toBox(outline);
  const imagery = planImagery(state, box);
  const { gl } = await context.map;
  const [facts, map, makeSheet] = await Promise.all([
    describeMap({ ...state, bounds: box }, context, signal),
    drawMap(gl, {
      widthPx: FIELD_MAP_WIDTH_PX,
      heightPx: FIELD_MAP_HEIGHT_PX,
      scale,
      box,
      outline,
      signal,
      ...(imagery === null ? {} : { imagery }),
    }),
    makeSheetOf(order),
  ]);
  const sheet = makeSheet(PAGE_WIDTH_PX, PAGE_HEIGHT_PX);
  drawFieldPage(sheet, {
    title,
    facts,
    map,
    field: measured,
    outline,
    sources: listSources(state, context, map.attributions),
    today,
    units: preferences.units,
    texts,
  });
  return sheet.finish(title);
};
