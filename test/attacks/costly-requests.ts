/** Requests that cost more than they look: computing, parsing, or storing. */
import { DEMO_SCENE } from '../support/demo-data.ts';
import { SEARCH } from './demo-tiles.ts';
import { ask, countStatuses, makeAgent } from './polite.ts';
import type { Keyring, Target } from './target.ts';

/** The most positions that an area may have, minus the closing one and a spare. */
const POSITIONS = 9_998;
/** Inside of the demo scene. */
const [LAT, LON] = [48.2174, -122.3987];

/** A valid area inside of the demo scene with as many positions as an area may have; `n` makes it a new one. */
function makeRing(n: number): object {
  const radius = 0.004 + n * 1e-7;
  const ring = Array.from({ length: POSITIONS - 1 }, (_, i) => {
    const angle = (2 * Math.PI * i) / (POSITIONS - 1);
    return [LON + radius * Math.cos(angle), LAT + radius * Math.sin(angle)];
  });
  return { type: 'Polygon', coordinates: [[...ring, ring[0]]] };
}

/** A request that costs more than it looks. */
export interface Costly {
  readonly key: string;
  readonly path: string;
  readonly method: 'GET' | 'POST';
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A server of the attack's own, and who asks it. */
export interface Scenery {
  readonly server: Target;
  readonly keys: Keyring;
  /** Fewer of everything in `npm test`. */
  readonly isTimed: boolean;
}

/** A kind of costly request; what it needs is stored before anything is measured. */
export interface Flood {
  readonly env?: Readonly<Record<string, string>>;
  readonly copies?: number;
  plan(scenery: Scenery): Promise<readonly Costly[]>;
}

/** A request with a JSON body. */
export const post = (path: string, key: string, body: object, headers = {}): Costly => ({
  key,
  path,
  method: 'POST',
  body: JSON.stringify(body),
  headers,
});

/** Stores one of the largest areas and returns its reference. */
export async function storeArea({ server, keys }: Scenery, n = 0): Promise<string> {
  const body = JSON.stringify({ type: 'Feature', properties: {}, geometry: makeRing(n) });
  const answer = await ask(server, '/api/render/cropper', { method: 'POST', key: keys.alice, body });
  return (JSON.parse(answer.body.toString()) as { cropper_ref: string }).cropper_ref;
}

/** An order of statistics without its area. */
export const STATISTICS = {
  expressions: ['NDVI'],
  sensors: ['sentinel2l2a'],
  date_start: '2020-01-01',
  date_end: '2026-12-31',
};
/** A profile with as many corners and samples as there may be. */
const LINE = Array.from({ length: 100 }, (_, i) => `${LON + i * 1e-4},${LAT + (i % 2) * 1e-3}`).join(';');
const DAY_FIELDS = 'growing_degree_days,reference_evapotranspiration,water_balance';

/** Kinds of costly requests. */
export const floods: Readonly<Record<string, Flood>> = {
  list: {
    // Orders wait, so that the list has many of them.
    env: { SWATH_ROLES: 'api', SWATH_TASKS_PER_KEY: '0', SWATH_OPEN_TASKS: '0' },
    async plan({ server, keys, isTimed }) {
      const agent = makeAgent(undefined, 1);
      const order = (n: number) =>
        ask(server, '/api', {
          method: 'POST',
          key: keys.alice,
          agent,
          timeoutMs: 60_000,
          body: JSON.stringify({
            type: 'bandmath',
            params: { view_id: DEMO_SCENE.viewId, bm_type: 'NDVI', geometry: makeRing(n) },
          }),
        });
      const answers = await Promise.all(Array.from({ length: isTimed ? 100 : 20 }, (_, n) => order(n)));
      agent.destroy();
      if (!answers.every(({ status }) => status === 202))
        throw new Error(`orders were answered ${countStatuses(answers.map(({ status }) => status))}`);
      return [{ key: keys.alice, path: '/api/tasks?limit=100', method: 'GET' }];
    },
  },
  estimates: {
    async plan(scenery) {
      const params = { view_id: DEMO_SCENE.viewId, bm_type: 'NDVI', cropper_ref: await storeArea(scenery) };
      return [post('/api/tasks/estimate', scenery.keys.reader, { type: 'bandmath', params })];
    },
  },
  geometries: {
    async plan({ keys }) {
      return Array.from({ length: 8 }, (_, n) => {
        const params = { view_id: DEMO_SCENE.viewId, bm_type: 'NDVI', geometry: makeRing(n) };
        return post('/api/tasks/estimate', keys.reader, { type: 'bandmath', params });
      });
    },
  },
  geojson: {
    copies: 100,
    env: { SWATH_STATISTICS_PER_MINUTE: '0' },
    async plan(scenery) {
      const body = { ...STATISTICS, cropper_ref: await storeArea(scenery) };
      const accept = { accept: 'application/geo+json' };
      return [post('/api/statistics', scenery.keys.alice, body, accept)];
    },
  },
  weather: {
    async plan({ keys }) {
      const where = { geometry: { type: 'Point', coordinates: [LON, LAT] }, fields: DAY_FIELDS };
      return Array.from({ length: 28 }, (_, day) =>
        post('/api/cz/backend/forecast-history', keys.reader, {
          ...where,
          start_date: `2016-02-${String(day + 1).padStart(2, '0')}`,
          end_date: `2026-02-${String(day + 1).padStart(2, '0')}`,
        }),
      );
    },
  },
  profiles: {
    plan: async ({ keys }) => [
      { key: keys.reader, path: `/api/render/terrain/profile?LINE=${LINE}&SAMPLES=2000`, method: 'GET' },
    ],
  },
  terrain: {
    plan: async ({ keys }) =>
      Array.from({ length: 8 }, (_, n) =>
        post('/api/render/terrain/statistics', keys.reader, { geometry: makeRing(n) }),
      ),
  },
  shapes: {
    plan: async ({ keys }) =>
      Array.from({ length: 8 }, (_, n) => post(SEARCH, keys.reader, { search: { shape: makeRing(n) } })),
  },
};
