import type { LonLat } from '../../geo/index.ts';
import { DAY_MS } from '../../units.ts';
import type { HourlyVariable, OpenMeteoApi } from './hourly-variables.ts';

/** Hours to be read in one request. */
export interface HoursRequest {
  readonly api: OpenMeteoApi;
  /** Null for the server's own choice. */
  readonly model: string | null;
  readonly locations: readonly LonLat[];
  readonly variables: readonly HourlyVariable[];
  /** Midnights of UTC; the end is not included. */
  readonly startMs: number;
  readonly endMs: number;
}

/** The path of each kind of data, below the address of the server. */
const PATHS = { forecast: '/v1/forecast', archive: '/v1/archive' } as const;

/** A day as 2026-05-02. */
const toDate = (timeMs: number): string => new Date(timeMs).toISOString().slice(0, 10);

/** Path and query of a request, without the key: equal requests have equal ones. */
export function toPath({ api, model, locations, variables, startMs, endMs }: HoursRequest): string {
  const query = [
    `latitude=${locations.map(([, lat]) => lat).join()}`,
    `longitude=${locations.map(([lon]) => lon).join()}`,
    `hourly=${variables.map(({ name }) => name).join()}`,
    `start_date=${toDate(startMs)}`,
    `end_date=${toDate(endMs - DAY_MS)}`,
    'timezone=GMT',
    'timeformat=unixtime',
    'wind_speed_unit=ms',
  ];
  if (model !== null) query.push(`models=${model}`);
  return `${PATHS[api]}?${query.join('&')}`;
}
