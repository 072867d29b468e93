/** Statistics of an area over time: one request, or a task that is followed when it takes longer. */
import { asNumber, asRecord, asText, isTexts } from './read-json.ts';
import type { Geometry } from './scenes.ts';
import type { Following } from './tasks.ts';
import { followTask } from './tasks.ts';
import type { Transport } from './transport.ts';
import { ask, SwathError, toPost } from './transport.ts';

/** Statistics of one expression in one scene; null where no pixel counts. */
export interface Metrics {
  readonly average: number | null;
  readonly min: number | null;
  readonly max: number | null;
  readonly std: number | null;
  readonly median: number | null;
  readonly p10: number | null;
  readonly p90: number | null;
}

/** A scene in which the area was measured. */
export interface MeasuredScene {
  /** `YYYY-MM-DD`. */
  readonly date: string;
  readonly sceneId: string;
  readonly viewId: string;
  /** Percent of the area; null where it is not known. */
  readonly cloudPercent: number | null;
  readonly notes: readonly string[];
  /** By expression. */
  readonly values: Readonly<Record<string, Metrics>>;
}

/** A scene of the area that has no numbers, and why. */
export interface FailedScene {
  readonly date: string;
  readonly sceneId: string;
  readonly code: string;
  readonly text: string;
}

/** All scenes of a period, oldest first. */
export interface Measured {
  readonly scenes: readonly MeasuredScene[];
  readonly failures: readonly FailedScene[];
}

/** What to measure; days are `YYYY-MM-DD` and included. */
export interface StatisticsQuery {
  readonly area: Geometry;
  readonly expressions: readonly string[];
  readonly sensors: readonly string[];
  readonly from: string;
  readonly to: string;
  /** Scenes with more clouds over the area are left out. */
  readonly maxCloudPercent?: number;
  /** Further params, in the words of the interface. */
  readonly params?: Readonly<Record<string, unknown>>;
}

/** The calls. */
export interface StatisticsCalls {
  measureArea(query: StatisticsQuery, following?: Following): Promise<Measured>;
  /** The answer to the body of `POST /api/statistics`, whatever it measures. */
  orderStatistics(body: object, following?: Following): Promise<unknown>;
}

/** An order that is finished is asked for again, which costs little: everything is measured. More rounds than this never end. */
const MAX_ROUNDS = 5;

/** Builds the calls. */
export function makeStatisticsCalls(
  transport: Pick<Transport, 'send' | 'toError' | 'wait'>,
): StatisticsCalls {
  const orderStatistics = async (body: object, following: Following = {}): Promise<unknown> => {
    for (let round = 0; round < MAX_ROUNDS; round++) {
      const asked = { path: 'api/statistics', init: toPost(body), signal: following.signal };
      const response = await ask(transport, asked);
      const answer: unknown = JSON.parse(await response.text());
      if (response.status !== 202) return answer;
      const { task_id: taskId, progress } = asRecord(answer);
      following.onProgress?.(asNumber(progress) ?? 0);
      await followTask(transport, asText(taskId) ?? '', following);
    }
    throw transport.toError(202, '');
  };
  return {
    orderStatistics,
    async measureArea({ area, expressions, sensors, from, to, maxCloudPercent, params }, following) {
      const body = {
        geometry: area,
        expressions,
        sensors,
        date_start: from,
        date_end: to,
        max_cloud_cover_in_aoi: maxCloudPercent,
        ...params,
      };
      const measured = parseMeasured(await orderStatistics(body, following), expressions);
      if (measured === null) throw new SwathError(200, 'unknown-form', 'The statistics have no results.');
      return measured;
    },
  };
}

/** Reads `{results: […], errors: […]}`, newest first; an answer of another form is null. */
export function parseMeasured(body: unknown, expressions: readonly string[]): Measured | null {
  const { results, errors } = asRecord(body);
  if (!Array.isArray(results)) return null;
  return {
    scenes: results
      .map((one: unknown) => parseScene(one, expressions))
      .filter((scene) => scene !== null)
      .toReversed(),
    failures: (Array.isArray(errors) ? errors : []).map(parseFailure),
  };
}

function parseScene(value: unknown, expressions: readonly string[]): MeasuredScene | null {
  const fields = asRecord(value);
  const [date, sceneId, viewId] = [asText(fields.date), asText(fields.scene_id), asText(fields.view_id)];
  if (date === null || sceneId === null || viewId === null) return null;
  const values = asRecord(fields.values);
  return {
    date,
    sceneId,
    viewId,
    cloudPercent: asNumber(fields.cloud),
    notes: isTexts(fields.notes) ? fields.notes : [],
    values: Object.fromEntries(expressions.map((name) => [name, parseMetrics(values[name])])),
  };
}

function parseMetrics(value: unknown): Metrics {
  const { average, min, max, std, median, p10, p90 } = asRecord(value);
  return {
    average: asNumber(average),
    min: asNumber(min),
    max: asNumber(max),
    std: asNumber(std),
    median: asNumber(median),
    p10: asNumber(p10),
    p90: asNumber(p90),
  };
}

function parseFailure(value: unknown): FailedScene {
  const { date, scene_id: sceneId, code, error } = asRecord(value);
  return {
    date: asText(date) ?? '',
    sceneId: asText(sceneId) ?? '',
    code: asText(code) ?? '',
    text: asText(error) ?? '',
  };
}
