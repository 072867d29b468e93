import { badInput } from '../errors.ts';
import type { AreaGeometry, MultiPolygonGeometry, PointGeometry } from '../geo/index.ts';
import type { SoilMoisture, SoilMoistureRequest } from '../soil-moisture/index.ts';
import type { StatisticsOrder, StatisticsResult, ZonalStatistics } from '../zonal/index.ts';
import { toSoilMoistureStatistics } from './soil-moisture-statistics.ts';
import type { OrderedTask, TaskError } from './task.ts';
import type { TaskKind } from './task-kind.ts';

/** An order of statistics. */
type StatisticsTaskOrder =
  /** Programs learn from the poll, and not from the answer to the order, what is wrong with it. */
  | { readonly kind: 'refused'; readonly error: TaskError }
  | { readonly kind: 'scenes'; readonly order: StatisticsOrder; readonly isList: boolean }
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
}

/** The longest time of one job on a pixel thread: one scene. */
const JOB_TIMEOUT_MS = 120_000;

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
    if (wanted.kind === 'refused') throw badInput(wanted.error.code, wanted.error.message);
    if (wanted.kind === 'soil-moisture') {
      const result = toSoilMoistureStatistics(await soilMoisture.read(wanted.order), wanted.order);
      const document: StatisticsDocument = { expressions: [SOIL_MOISTURE], isList: wanted.isList, ...result };
      return { kind: 'document', document };
    }
    const { order, isList } = wanted;
    const result = await statistics.run(order, {
      ticket: { owner, lane: 'task', timeoutMs: JOB_TIMEOUT_MS, signal },
      onProgress: reportProgress,
    });
    const document: StatisticsDocument = {
      expressions: order.expressions,
      isList,
      ...result,
    };
    return { kind: 'document', document };
  },
  async discard() {},
});
