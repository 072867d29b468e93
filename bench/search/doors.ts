/** What the same search costs through our own door and through that of STAC. */
import type { SceneQuery, SceneStore } from '../../src/catalog/index.ts';
import { makePostJson } from './ask-app.ts';
import { toOwnSearch, toStacBody } from './bodies.ts';
import { queryKinds } from './queries.ts';
import { makeRandom } from './synthetic-scenes.ts';

/** Searches before those that are measured: they compile what the others run. */
const WARM = 20;
const LIMIT = 250;
const PAGE = 10;

const FIRST_DAY = Date.UTC(2016, 0, 1);
const DAY_MS = 86_400_000;
/** Enough days of 300,000 scenes to fill a page. */
const DAYS_OF_A_PAGE = 8;

/** Makes pages that share no scene, some 470 of them: no item of theirs was written before. */
function makeNewPages(): () => SceneQuery {
  let next = 0;
  const toDay = (day: number): string => new Date(FIRST_DAY + day * DAY_MS).toISOString().slice(0, 10);
  return () => {
    const from = next++ * DAYS_OF_A_PAGE;
    const days = {
      field: 'date',
      kind: 'range',
      from: toDay(from),
      to: toDay(from + DAYS_OF_A_PAGE - 1),
    } as const;
    return {
      datasets: [{ id: 'sentinel2', filters: [days] }],
      sort: { field: 'date', descending: true },
      offset: 0,
      limit: LIMIT,
    };
  };
}

const readCpuMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

/** Processor time of all threads, time on the clock, and bytes of a search. */
interface Cost {
  readonly cpuMs: number;
  readonly ms: number;
  readonly bytes: number;
}

/**
 * Compares the five searches of the bench through both doors, in this process and without a network; then pages that nobody
 * has listed, and pages that were listed before. STAC items have the files of their scenes, and eight times the bytes of a hit.
 */
export async function compareDoors(
  name: string,
  scenes: SceneStore,
  { total, searches }: { readonly total: number; readonly searches: number },
): Promise<void> {
  const post = makePostJson(scenes);
  const askOwn = async (query: SceneQuery): Promise<Uint8Array> => {
    const { path, body } = toOwnSearch(query, LIMIT);
    return post(path, query.offset === 0 ? body : { ...body, page: PAGE });
  };
  const askStac = (more: object) => async (query: SceneQuery, token?: string) => {
    const body = toStacBody(query, LIMIT, (sceneId) => ({ query: { 'swath:scene_id': { eq: sceneId } } }));
    return post('/stac/search', { ...body, ...more, ...(token === undefined ? {} : { token }) });
  };
  /** Walks to the page before the one that is measured. */
  const findToken = async (query: SceneQuery): Promise<string | undefined> => {
    let token: string | undefined;
    for (let page = 1; query.offset > 0 && page < PAGE; page += 1) {
      const text = Buffer.from(await askStac({ fields: { exclude: ['assets'] } })(query, token)).toString();
      const { links } = JSON.parse(text) as { links: { rel: string; body?: { token?: string } }[] };
      token = links.find(({ rel }) => rel === 'next')?.body?.token ?? token;
    }
    return token;
  };
  const measure = async (
    make: () => SceneQuery,
    ask: (query: SceneQuery, token?: string) => Promise<Uint8Array>,
    isStac: boolean,
  ): Promise<Cost> => {
    let [cpuMs, ms, bytes] = [0, 0, 0];
    for (let i = -WARM; i < searches; i += 1) {
      const query = make();
      const token = isStac ? await findToken(query) : undefined;
      const [cpuAt, at] = [readCpuMs(), performance.now()];
      const answer = await ask(query, token);
      if (i < 0) continue;
      cpuMs += readCpuMs() - cpuAt;
      ms += performance.now() - at;
      bytes += answer.byteLength;
    }
    return { cpuMs: cpuMs / searches, ms: ms / searches, bytes: bytes / searches };
  };
  const bare = { fields: { exclude: ['assets'] } };
  async function compare(what: string, makeAll: () => () => SceneQuery): Promise<void> {
    const own = await measure(makeAll(), askOwn, false);
    const sides = [
      ['STAC without assets', await measure(makeAll(), askStac(bare), true)],
      ['STAC', await measure(makeAll(), askStac({}), true)],
    ] as const;
    const show = ({ cpuMs, ms, bytes }: Cost): string =>
      `CPU ${cpuMs.toFixed(2)} ms, ${ms.toFixed(2)} ms, ${(bytes / 1000).toFixed(0)} kB`;
    const others = sides.map(
      ([side, cost]) =>
        `${side} ${show(cost)} (${(cost.cpuMs / own.cpuMs).toFixed(1)} ×, ${(cost.ms / own.ms).toFixed(1)} ×)`,
    );
    console.log(`        ${name}: ${what}: own search ${show(own)}; ${others.join('; ')}`);
  }
  for (const kind of queryKinds.filter(({ targetMs }) => targetMs !== null))
    await compare(kind.name.replace('500', String(LIMIT)).replace('page 100', `page ${PAGE}`), () => {
      const random = makeRandom(7);
      return () => kind.make(random, total);
    });
  // A third of them for each side.
  const newPage = makeNewPages();
  await compare('new scenes', () => newPage);
  const oldPage = makeNewPages()();
  await compare('scenes that were listed before', () => () => oldPage);
}
