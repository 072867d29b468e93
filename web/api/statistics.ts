/** Statistics of an area over time: one request, or a task that is polled when it takes longer. */
import type { Outline } from '../scenes/footprint.ts';
import { asNumber, asRecord, asText, isTexts } from '../scenes/read-json.ts';
import type { FailedScene, Measured, MeasuredScene, Metrics, SoilDay } from '../state/series-state.ts';
import { endedTask, unfinished, unknownForm } from './failure.ts';
import type { PatientParts } from './send-patiently.ts';
import { sendPatiently } from './send-patiently.ts';

/** What to measure. */
export interface StatisticsRequest {
  readonly outline: Outline;
  readonly dataset: string;
  readonly indices: readonly string[];
  readonly from: string;
  readonly to: string;
}

/** How a long request is followed. */
export interface Following {
  readonly signal: AbortSignal;
  /** 0 to 1, of a request that takes longer. */
  onProgress(progress: number): void;
}

/** The calls. */
export interface StatisticsApi {
  /** Every scene of the period, oldest first. */
  measure(request: StatisticsRequest, following: Following): Promise<Measured>;
  /** Soil moisture by day, oldest first; none where the server has none. */
  readSoil(
    request: Pick<StatisticsRequest, 'outline' | 'from' | 'to'>,
    signal: AbortSignal,
  ): Promise<readonly SoilDay[]>;
}

/** The most scenes, or days, that one order may have. */
const ORDER_LIMIT = 500;
/** Milliseconds of a day. */
export const DAY_MS = 86_400_000;
/** Polls answer at once; the first come quickly, because most orders need a moment longer than a request may. */
const POLL_MS = [500, 1000, 2000] as const;
/** An order that is finished is asked for again, which costs little: everything is measured. More rounds than this never end. */
const MAX_ROUNDS = 5;
/** Codes of scenes that say nothing of this area, rather than scenes that could not be read. */
const EMPTY_CODES: ReadonlySet<string> = new Set(['no-data', 'clouds']);

/** True for a scene that merely has nothing here. */
export const isEmptyScene = ({ code }: FailedScene): boolean => EMPTY_CODES.has(code);

const parseMetrics = (value: unknown): Metrics => {
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
};

const parseScene = (value: unknown, indices: readonly string[]): MeasuredScene | null => {
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
    values: Object.fromEntries(indices.map((name) => [name, parseMetrics(values[name])])),
  };
};

const parseFailure = (value: unknown): FailedScene => {
  const { date, scene_id: sceneId, code, error } = asRecord(value);
  return {
    date: asText(date) ?? '',
    sceneId: asText(sceneId) ?? '',
    code: asText(code) ?? '',
    text: asText(error) ?? '',
  };
};

/** Reads `{results: […], errors: […]}`, newest first; an answer of another form is `null`. */
export const parseMeasured = (body: unknown, indices: readonly string[]): Measured | null => {
  const { results, errors } = asRecord(body);
  if (!Array.isArray(results)) return null;
  return {
    scenes: results
      .map((one: unknown) => parseScene(one, indices))
      .filter((scene) => scene !== null)
      .toReversed(),
    failures: (Array.isArray(errors) ? errors : []).map(parseFailure),
  };
};

const parseSoil = (body: unknown): readonly SoilDay[] => {
  const { results } = asRecord(body);
  const days = (Array.isArray(results) ? results : []).flatMap((one: unknown) => {
    const { date, values } = asRecord(one);
    const { average, root_zone: rootZone } = asRecord(asRecord(values).soilmoisture);
    const [day, surface] = [asText(date), asNumber(average)];
    return day === null || surface === null ? [] : [{ day, surface, rootZone: asNumber(rootZone) }];
  });
  return days.toReversed();
};

/** The day `count` days after another. */
export const addDays = (day: string, count: number): string =>
  new Date(Date.parse(day) + count * DAY_MS).toISOString().slice(0, 10);

/** A period in pieces of at most so many days, oldest first. */
export const splitPeriod = (
  from: string,
  to: string,
  maxDays: number,
): readonly { readonly from: string; readonly to: string }[] => {
  const pieces: { from: string; to: string }[] = [];
  for (let first = from; first <= to; first = addDays(first, maxDays)) {
    const last = addDays(first, maxDays - 1);
    pieces.push({ from: first, to: last < to ? last : to });
  }
  return pieces;
};

/** Builds the calls. */
export const makeStatisticsApi = (parts: PatientParts): StatisticsApi => {
  const { send, wait } = parts;

  /** Waits until a task is over; one that is given up is cancelled on the server, too. */
  const follow = async (taskId: string, { signal, onProgress }: Following): Promise<void> => {
    const path = `api/${encodeURIComponent(taskId)}`;
    try {
      for (let polls = 0; ; polls++) {
        await wait(POLL_MS[polls] ?? POLL_MS[2], signal);
        const response = await sendPatiently(parts, { path, signal });
        const body = asRecord(JSON.parse(await response.text()));
        if (body.task_type === 'finish') return;
        if (body.task_type === 'error') throw endedTask(asText(body.error_message));
        onProgress(asNumber(body.progress) ?? 0);
      }
    } catch (error) {
      // Not waited for, and allowed to fail: the task is of no use to anyone, and ends by itself.
      if (signal.aborted) void send(path, { method: 'DELETE' }).catch(() => undefined);
      throw error;
    }
  };

  const order = async (body: object, following: Following): Promise<unknown> => {
    const { signal } = following;
    const init = {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    };
    for (let round = 0; round < MAX_ROUNDS; round++) {
      const response = await sendPatiently(parts, { path: 'api/statistics', init, signal });
      const answer: unknown = JSON.parse(await response.text());
      if (response.status !== 202) return answer;
      const { task_id: taskId, progress } = asRecord(answer);
      following.onProgress(asNumber(progress) ?? 0);
      await follow(asText(taskId) ?? '', following);
    }
    throw unfinished();
  };

  return {
    async measure({ outline, dataset, indices, from, to }, following) {
      const scenes = new Map<string, MeasuredScene>();
      const failures = new Map<string, FailedScene>();
      // Newest first: a full order is followed by one of the days before its oldest.
      for (let last = to; ; ) {
        const body = {
          geometry: outline,
          expressions: indices,
          sensors: [dataset],
          date_start: from,
          date_end: last,
          limit: ORDER_LIMIT,
        };
        const measured = parseMeasured(await order(body, following), indices);
        if (measured === null) throw unknownForm();
        for (const scene of measured.scenes) scenes.set(scene.viewId, scene);
        for (const failure of measured.failures) failures.set(failure.sceneId, failure);
        const oldest = measured.scenes[0]?.date;
        if (measured.scenes.length < ORDER_LIMIT || oldest === undefined || oldest >= last) break;
        last = oldest;
      }
      const byDate = (a: { date: string }, b: { date: string }): number => (a.date < b.date ? -1 : 1);
      return { scenes: [...scenes.values()].sort(byDate), failures: [...failures.values()].sort(byDate) };
    },
    async readSoil({ outline, from, to }, signal) {
      const days: SoilDay[] = [];
      for (const piece of splitPeriod(from, to, ORDER_LIMIT)) {
        const body = {
          geometry: outline,
          expressions: 'soilmoisture',
          date_start: piece.from,
          date_end: piece.to,
          limit: ORDER_LIMIT,
        };
        days.push(...parseSoil(await order(body, { signal, onProgress: () => undefined })));
      }
      return days;
    },
  };
};
