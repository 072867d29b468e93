/** The time series of an area: what the user wants to see of it, and what has come. */
import type { Measured } from '../../clients/typescript/src/statistics.ts';
import type { Weather } from '../../clients/typescript/src/weather.ts';
import type { Area } from './drawing.ts';

/** Something that is asked of the server. */
export type Loading<Value> =
  | { readonly kind: 'idle' }
  /** `progress` is 0 to 1; `null` while the server does not say. */
  | { readonly kind: 'loading'; readonly progress: number | null }
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'failed'; readonly text: string }
  | { readonly kind: 'ready'; readonly value: Value };

export type {
  FailedScene,
  Measured,
  MeasuredScene,
  Metrics,
} from '../../clients/typescript/src/statistics.ts';
export type { Weather, WeatherDay } from '../../clients/typescript/src/weather.ts';

/** Soil moisture of a day in m³/m³. */
export interface SoilDay {
  readonly day: string;
  readonly surface: number;
  readonly rootZone: number | null;
}

/** What can be shown below the indices, on the same time axis. */
export const SERIES_LAYERS = ['temperature', 'rain', 'growth', 'evaporation', 'balance', 'soil'] as const;

/** One of them. */
export type SeriesLayer = (typeof SERIES_LAYERS)[number];

/** How the lines are drawn: years over each other, and with the spread within the area. */
const SERIES_VIEWS = ['years', 'spread'] as const;

/** One of them. */
export type SeriesView = (typeof SERIES_VIEWS)[number];

/** The forms in which a series is shown. */
export const SERIES_FORMS = ['chart', 'scenes', 'days'] as const;

/** One of them. */
export type SeriesForm = (typeof SERIES_FORMS)[number];

/** What is to be shown. */
export interface SeriesChoice {
  /** `null` for that of the shown scene. */
  readonly dataset: string | null;
  /** One to three names of indices. */
  readonly indices: readonly string[];
  /** Days `YYYY-MM-DD`; `null` for a year ago, and for today. */
  readonly from: string | null;
  readonly to: string | null;
  /** Scenes with more clouds in the area are not drawn. */
  readonly maxCloudPercent: number;
  readonly layers: readonly SeriesLayer[];
  readonly views: readonly SeriesView[];
}

/** What a field adds to the series of its outline. */
export interface SeriesField {
  /** What its line is called next to another one. */
  readonly name: string | null;
  /** From this day on degrees and water are added up; `null` for the first of January. */
  readonly sownOn: string | null;
  /** Another area that is drawn in the same chart. */
  readonly other: Area | null;
}

/** The state of the series. */
export interface SeriesState {
  readonly isOpen: boolean;
  readonly choice: SeriesChoice;
  readonly form: SeriesForm;
  readonly field: SeriesField;
  readonly measured: Loading<Measured>;
  /** The other area. */
  readonly compared: Loading<Measured>;
  readonly weather: Loading<Weather>;
  readonly soil: Loading<readonly SoilDay[]>;
}

/** More lines than this cannot be told apart. */
export const MAX_INDICES = 3;

/** A choice before the user made one. */
export const PLAIN_CHOICE: SeriesChoice = {
  dataset: null,
  indices: ['NDVI'],
  from: null,
  to: null,
  maxCloudPercent: 30,
  layers: ['temperature', 'rain'],
  views: [],
};

/** An area that is not a field. */
export const NO_FIELD: SeriesField = { name: null, sownOn: null, other: null };

/** Nothing is shown and nothing was asked for. */
export const NO_SERIES: SeriesState = {
  isOpen: false,
  choice: PLAIN_CHOICE,
  form: 'chart',
  field: NO_FIELD,
  measured: { kind: 'idle' },
  compared: { kind: 'idle' },
  weather: { kind: 'idle' },
  soil: { kind: 'idle' },
};

const NAME = /^\w{1,32}$/;

/** True for a day of the calendar: the thirtieth of February is none. */
const isDay = (text: string): boolean => {
  const ms = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(text) : Number.NaN;
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text);
};

/**
 * Reads `sentinel2l2a;NDVI,NDMI;2025-01-01;2026-01-01;30;rain;years`, where any part may be empty, and the last one may be
 * left out. Anyone can write an address: a text with a bad part is `null`.
 */
export const parseSeriesChoice = (text: string | null): SeriesChoice | null => {
  const parts = (text ?? '').split(';');
  if (parts.length !== 6 && parts.length !== 7) return null;
  const [dataset = '', names = '', from = '', to = '', clouds = '', layerNames = '', viewNames = ''] = parts;
  const indices = names.split(',');
  const layers = SERIES_LAYERS.filter((layer) => layerNames.split(',').includes(layer));
  const views = SERIES_VIEWS.filter((view) => viewNames.split(',').includes(view));
  const isGood =
    (dataset === '' || NAME.test(dataset)) &&
    indices.length <= MAX_INDICES &&
    indices.every((name) => NAME.test(name)) &&
    [from, to].every((day) => day === '' || isDay(day)) &&
    /^\d{1,3}$/.test(clouds) &&
    Number(clouds) <= 100 &&
    layers.join() === layerNames &&
    views.join() === viewNames;
  if (!isGood) return null;
  return {
    dataset: dataset || null,
    indices,
    from: from || null,
    to: to || null,
    maxCloudPercent: Number(clouds),
    layers,
    views,
  };
};

/** Writes what `parseSeriesChoice` reads. */
export const toSeriesText = (choice: SeriesChoice): string => {
  const { dataset, indices, from, to, maxCloudPercent, layers, views } = choice;
  const parts = [dataset ?? '', indices.join(), from ?? '', to ?? '', maxCloudPercent, layers.join()];
  return [...parts, ...(views.length === 0 ? [] : [views.join()])].join(';');
};
