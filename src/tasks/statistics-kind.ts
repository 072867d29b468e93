import { SwathError } from '../errors.ts';
import type { AreaGeometry, MultiPolygonGeometry, PointGeometry } from '../geo/index.ts';
import { summarize } from '../numbers/index.ts';
import type { PhenologyOptions } from '../seasons/index.ts';
import type {
  SoilMoisture,
  SoilMoistureDay,
  SoilMoistureRequest,
  SoilMoistureSeries,
} from '../soil-moisture/index.ts';
import type { SceneStatistics, StatisticsOrder, StatisticsResult, ZonalStatistics } from '../zonal/index.ts';
import type { OrderedTask, TaskError, TaskKind } from './task.ts';
import { toTaskTicket } from './task.ts';

/** An order of statistics. */
type StatisticsTaskOrder =
  /** Programs learn from the poll, and not from the answer to the order, what is wrong with it. */
  | { readonly kind: 'refused'; readonly error: TaskError }
  | {
      readonly kind: 'scenes';
      readonly order: StatisticsOrder;
      readonly isList: boolean;
      readonly seasons?: PhenologyOptions;
    }
  | {
      readonly kind: 'soil-moisture';
      readonly order: SoilMoistureRequest & { readonly limit: number };
      readonly isList: boolean;
    };

/** An order of statistics as its task stores it, without its area. */
export type StoredStatistics =
  | Extract<StatisticsTaskOrder, { kind: 'refused' }>
  | {
      readonly kind: 'scenes';
      readonly order: Omit<StatisticsOrder, 'area'>;
      readonly isList: boolean;
      /** For a curve with its seasons: how they are made. */
      readonly seasons?: PhenologyOptions;
    }
  | {
      readonly kind: 'soil-moisture';
      readonly order: Omit<SoilMoistureRequest, 'where'> & { readonly limit: number };
      readonly isList: boolean;
    };

/** The order of a task; those from before areas were stored apart have theirs inside. */
function fromStoredStatistics({ order, area }: Pick<OrderedTask, 'order' | 'area'>): StatisticsTaskOrder {
  const stored = order as StoredStatistics;
  if (area === null || stored.kind === 'refused') return order as StatisticsTaskOrder;
  return stored.kind === 'scenes'
    ? { ...stored, order: { ...stored.order, area: area as MultiPolygonGeometry } }
    : { ...stored, order: { ...stored.order, where: area as AreaGeometry | PointGeometry } };
}

/** What a finished task of statistics answers. */
export interface StatisticsDocument extends StatisticsResult {
  readonly expressions: readonly string[];
  /** The expressions were ordered as a list, be it of one. */
  readonly isList: boolean;
  /** Of soil moisture: the root zone, by scene; absent for scenes. */
  readonly rootZones?: readonly (number | null)[];
  /** How seasons are made of it; absent if none were ordered. */
  readonly seasons?: PhenologyOptions;
}

/** What computes the statistics of scenes, and of soil moisture. */
interface StatisticsKindDeps {
  readonly statistics: ZonalStatistics;
  readonly soilMoisture: SoilMoisture;
}

/** What soil moisture is called among expressions. */
const SOIL_MOISTURE = 'soilmoisture';

/** Tasks that compute statistics. They store nothing but their document. */
export const makeStatisticsKind = ({ statistics, soilMoisture }: StatisticsKindDeps): TaskKind => ({
  async run(task, { signal, reportProgress }) {
    const { owner } = task;
    const wanted = fromStoredStatistics(task);
    if (wanted.kind === 'refused') throw new SwathError('bad-input', wanted.error.code, wanted.error.message);
    if (wanted.kind === 'soil-moisture') {
      const result = toSoilMoistureStatistics(await soilMoisture.read(wanted.order), wanted.order);
      const document: StatisticsDocument = { expressions: [SOIL_MOISTURE], isList: wanted.isList, ...result };
      return { kind: 'document', document };
    }
    const { order, isList, seasons } = wanted;
    const result = await statistics.run(order, {
      ticket: toTaskTicket(owner, signal),
      onProgress: reportProgress,
    });
    const document: StatisticsDocument = {
      expressions: order.expressions,
      isList,
      ...(seasons === undefined ? {} : { seasons }),
      ...result,
    };
    return { kind: 'document', document };
  },
  async discard() {},
});

/** The statistics of soil moisture, and of the root zone for each of their days. */
interface SoilMoistureStatistics extends StatisticsResult {
  readonly rootZones: readonly (number | null)[];
}

const NO_CUBE = {
  viewId: 'soilmoisture',
  sceneId: 'soilmoisture',
  code: 'no-data',
  message: 'There is no soil moisture of this area.',
  notes: [],
};

/** The cells of a day: mean and spread weigh them by how much of the area they cover, percentiles do not. */
function toDayStatistics({ surface, cells }: SoilMoistureDay): SceneStatistics['values'][number] {
  if (surface === null) return null;
  const found = summarize(
    Float32Array.from(cells, ({ value }) => value),
    null,
  );
  if (found === null) return null;
  const weight = cells.reduce((sum, cell) => sum + cell.weight, 0);
  const variance = cells.reduce((sum, cell) => sum + cell.weight * (cell.value - surface) ** 2, 0) / weight;
  return { ...found, average: surface, variance, std: Math.sqrt(variance) };
}

/** The newest days with a value, up to a number of them. */
function toSoilMoistureStatistics(
  series: SoilMoistureSeries | null,
  { from, limit }: { readonly from: string; readonly limit: number },
): SoilMoistureStatistics {
  if (series === null) return { scenes: [], rootZones: [], failures: [{ ...NO_CUBE, date: from }] };
  const days = series.days
    .filter(({ surface }) => surface !== null)
    .toReversed()
    .slice(0, limit);
  const notes = series.isInterpolated ? ['interpolated: the area is smaller than a cell'] : [];
  return {
    scenes: days.map((day) => ({
      viewId: `soilmoisture/${series.cube}/${day.date}`,
      sceneId: `${series.cube}_${day.date.replaceAll('-', '')}`,
      date: day.date,
      cloudPercent: 0,
      notes,
      values: [toDayStatistics(day)],
      histograms: null,
    })),
    rootZones: days.map(({ rootZone }) => rootZone),
    failures: [],
  };
}
