/** Statistics of an area over time: one request, or a task that is polled when it takes longer. */
import type { FailedScene, Measured, MeasuredScene } from '../../clients/typescript/src/statistics.ts';
import { makeStatisticsCalls, parseMeasured } from '../../clients/typescript/src/statistics.ts';
import type { Outline } from '../scenes/footprint.ts';
import { asNumber, asRecord, asText } from '../scenes/read-json.ts';
import type { SoilDay } from '../state/series-state.ts';
import type { PatientParts } from './client-transport.ts';
import { toTransport } from './client-transport.ts';
import { addDays } from './days.ts';
import { unknownForm } from './failure.ts';

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
/** Codes of scenes that say nothing of this area, rather than scenes that could not be read. */
const EMPTY_CODES: ReadonlySet<string> = new Set(['no-data', 'clouds']);

/** True for a scene that merely has nothing here. */
export const isEmptyScene = ({ code }: FailedScene): boolean => EMPTY_CODES.has(code);

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
  const order = (body: object, following: Following): Promise<unknown> =>
    makeStatisticsCalls(toTransport(parts, following.signal)).orderStatistics(body, following);

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
