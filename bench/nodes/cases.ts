import { Agent, request } from 'undici';
import { DEMO_SCENE } from '../../test/support/demo-data.ts';
import type { DemoGrid } from '../../test/support/demo-grid.ts';
import { SERVICE_KEY } from '../../test/support/start-swath.ts';
import { listCases } from '../all/requests.ts';

/** A request of a case: a path, and the body of a POST. */
export interface Asked {
  readonly path: string;
  readonly body?: object;
}

/** A kind of requests. */
interface Case {
  readonly name: string;
  /** `serial` counts requests, so that no area is asked for twice. */
  readonly toAsked: (serial: number) => Asked;
  /** Requests under way for each node. */
  readonly clients: number;
  /** Its share of the requests of a run: less where one takes long. */
  readonly share: number;
}

/** The kinds of requests that are measured. */
export function listNodeCases(grid: DemoGrid): readonly Case[] {
  const { png = [], ndvi = [], point = [] } = listCases(grid);
  const pick = (paths: readonly string[]) => (serial: number) => ({
    path: paths[serial % paths.length] as string,
  });
  const toField = (serial: number): object => {
    const [column, row] = [(serial * 7) % 400, (serial * 13) % 397];
    const corners = [
      [0, 0],
      [40, 0],
      [40, 40],
      [0, 40],
      [0, 0],
    ] as const;
    const ring = corners.map(([x, y]) => grid.toDegrees([60 + column + x, 60 + row + y]));
    return { type: 'Polygon', coordinates: [ring] };
  };
  const toStatistics = (serial: number): Asked => ({
    path: '/api/statistics',
    body: {
      geometry: toField(serial),
      expressions: ['NDVI'],
      sensors: [DEMO_SCENE.dataset],
      date_start: '2000-01-01',
      date_end: '2030-01-01',
      limit: 1,
      exclude_cover_pixels: false,
    },
  });
  const toSearch = (): Asked => ({ path: `/api/lms/search/v2/${DEMO_SCENE.dataset}`, body: { search: {} } });
  return [
    { name: 'tile, PNG of three bands', toAsked: pick(png), clients: 6, share: 1 },
    { name: 'tile, NDVI', toAsked: pick(ndvi), clients: 6, share: 1 },
    { name: 'point', toAsked: pick(point), clients: 6, share: 1 },
    { name: 'statistics of a field', toAsked: toStatistics, clients: 2, share: 0.2 },
    { name: 'search', toAsked: toSearch, clients: 6, share: 1 },
  ];
}

/** Sends requests, each client to a node of its own choice; throws if one is not answered. */
export async function askNodes(
  urls: readonly string[],
  toAsked: (serial: number) => Asked,
  { from, count, clients }: { readonly from: number; readonly count: number; readonly clients: number },
): Promise<void> {
  const agent = new Agent({ connections: clients });
  let next = 0;
  const client = async (_: unknown, n: number): Promise<void> => {
    while (next < count) {
      const serial = next++;
      const { path, body } = toAsked(from + serial);
      const url = urls[n % urls.length] as string;
      const headers = { 'x-api-key': SERVICE_KEY, 'content-type': 'application/json' };
      let answer = await request(`${url}${path}`, {
        dispatcher: agent,
        headers,
        ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
      });
      // Where a task took longer than ten seconds, its answer is polled.
      while (answer.statusCode === 202) {
        await answer.body.dump();
        answer = await request(new URL(String(answer.headers.location), url), { dispatcher: agent, headers });
      }
      if (answer.statusCode !== 200)
        throw new Error(`${path}: ${answer.statusCode} ${(await answer.body.text()).slice(0, 300)}`);
      await answer.body.dump({ limit: 2 ** 22 });
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  await agent.close();
}
