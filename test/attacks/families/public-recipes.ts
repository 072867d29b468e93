import { randomBytes } from 'node:crypto';
import { DEMO_SCENE } from '../../support/demo-data.ts';
import type { AttackContext, Family, Sight } from '../attack.ts';
import { judge } from '../attack.ts';
import { SEARCH, TILE } from '../demo-tiles.ts';
import type { PoliteAnswer } from '../polite.ts';
import { ask, countStatuses } from '../polite.ts';
import type { Target } from '../target.ts';
import { readCode } from '../wire.ts';

/** Readers of a public map who want more than the map. */
export const publicRecipes: Family = {
  name: 'public recipes',
  attacks: [
    {
      name: 'token for more than its map',
      severity: 'high',
      does: 'the token of a public recipe is sent as a key, in other addresses, with other methods, and with parameters that would show more',
      limit: '4xx, or the pixels of the map and no others; no line of the log contains the token',
      isQuick: true,
      run: runWider,
    },
    {
      name: 'guessed tokens',
      severity: 'high',
      does: 'random and altered tokens of public recipes from one address, then keys, then the right token',
      limit: '404, after 30 a minute 429 as for wrong keys; the right token works',
      isQuick: true,
      run: runGuesses,
    },
    {
      name: 'flood of a public map',
      severity: 'medium',
      does: 'fifty times the rate of a public recipe from 20 addresses, while another key requests a tile',
      limit: '429 with Retry-After beyond the rate of the recipe, whoever asks; the key is answered',
      isQuick: true,
      run: runFlood,
    },
  ],
};

const POSITION = TILE.split('/').slice(-3).join('/');

interface PublicMap {
  readonly id: string;
  readonly token: string;
}

async function publish(server: Target, key: string, rate: number, max: number): Promise<PublicMap> {
  const body = JSON.stringify({
    name: 'map',
    scenes: { view_id: DEMO_SCENE.viewId },
    bands: 'B04,B03,B02',
    style: { MIN_MAX: `0,${max}` },
    public: { rate_per_minute: rate },
  });
  const answer = await ask(server, '/api/recipes', { method: 'POST', key, body });
  const { id, public: terms } = JSON.parse(answer.body.toString()) as {
    id: string;
    public: { token: string };
  };
  return { id, token: terms.token };
}

const LAST = '/last-of-the-tokens';

async function runWider({ server, keys, addresses }: AttackContext): Promise<Sight> {
  const printed = server.output().length;
  const [localAddress] = addresses(1);
  const { id, token } = await publish(server, keys.alice, 60_000, 3_111);
  const map = `/api/public/${token}`;
  const plain = await ask(server, `${map}/${POSITION}`, { localAddress });
  const queries = [
    'MIN_MAX=0,1',
    'CALIBRATE=1&STRETCH=natural',
    'bands=B08&view_id=x',
    'COLORMAP=viridis',
    'cropper_ref=&crs=EPSG:4326',
    'selection=median&within=x',
    'explain=1',
    'EXPLAIN=drawn',
    `style={"MIN_MAX":"0,1"}`,
  ];
  const widened: PoliteAnswer[] = [];
  for (const query of queries)
    widened.push(await ask(server, encodeURI(`${map}/${POSITION}?${query}`), { localAddress }));
  const elsewhere: PoliteAnswer[] = [];
  const paths = [
    map,
    `${map}/statistics`,
    `${map}/download`,
    `${map}/${DEMO_SCENE.viewId}/B08/${POSITION}`,
    `${map}/..%2Frecipes`,
    `/api/recipes/${id}/${POSITION}`,
    `/api/recipes/${id}`,
    '/api/recipes',
    '/api/tasks',
    TILE,
    SEARCH,
  ];
  for (const path of paths) {
    for (const method of ['GET', 'POST', 'DELETE'] as const) {
      for (const key of [undefined, token]) {
        elsewhere.push(
          await ask(server, path, {
            method,
            localAddress,
            ...(key === undefined ? {} : { key }),
            ...(method === 'GET' ? {} : { body: '{}' }),
          }),
        );
      }
    }
  }
  const own = await ask(server, `/api/recipes/${id}`, { key: keys.alice });
  await ask(server, LAST);
  await server.printed(new RegExp(LAST));
  const log = server.output().slice(printed);
  const saw = `the map ${plain.status}; with parameters ${countStatuses(widened.map(({ status }) => status))}; elsewhere ${countStatuses(elsewhere.map(({ status }) => status))}`;
  return judge(saw, {
    'the map is shown': plain.status === 200,
    'the same pixels, or a refusal': widened.every(
      ({ status, body }) => (status === 200 && body.equals(plain.body)) || (status >= 400 && status < 500),
    ),
    'nothing elsewhere': elsewhere.every(({ status }) => status >= 400 && status < 500),
    'the recipe is still there': own.status === 200,
    'no line with the token': !log.includes(token.slice(0, 32)),
  });
}

const GUESSES = 40;

async function runGuesses({ server, keys, addresses }: AttackContext): Promise<Sight> {
  const [localAddress] = addresses(1);
  const { token } = await publish(server, keys.alice, 60_000, 3_222);
  const guesses = Array.from({ length: GUESSES }, (_, i) => {
    if (i % 3 === 0) return `${token.slice(0, 32)}${randomBytes(32).toString('base64url')}`;
    if (i % 3 === 1) return `${randomBytes(16).toString('hex')}${token.slice(32)}`;
    return randomBytes(20 + i).toString('base64url');
  });
  const answers: PoliteAnswer[] = [];
  for (const guess of guesses)
    answers.push(await ask(server, `/api/public/${guess}/${POSITION}`, { localAddress }));
  const wrongKey = await ask(server, '/api/recipes', { key: 'apk.wrong', localAddress });
  const right = await ask(server, `/api/public/${token}/${POSITION}`, { localAddress });
  const codes = countStatuses(answers.map(({ status, body }) => `${status} ${readCode(body)}`));
  return judge(`${codes}; a wrong key ${wrongKey.status}, the right token ${right.status}`, {
    'no guess is right': answers.every(({ status }) => status === 404 || status === 429),
    '429 in the end': answers.at(-1)?.status === 429,
    'counted with wrong keys': wrongKey.status === 429,
    'the right token works': right.status === 200,
  });
}

/** So low that the slowest machine exceeds it. */
const RATE = 2;
const MINUTE_MS = 60_000;

async function runFlood({ server, keys, addresses }: AttackContext): Promise<Sight> {
  const readers = addresses(20);
  const { token } = await publish(server, keys.alice, RATE, 3_333);
  const startedAt = performance.now();
  const answers: PoliteAnswer[] = [];
  for (let round = 0; round < 5; round += 1) {
    for (const localAddress of readers)
      answers.push(await ask(server, `/api/public/${token}/legend`, { localAddress }));
  }
  const minutes = 1 + Math.ceil((performance.now() - startedAt) / MINUTE_MS);
  const tile = await ask(server, TILE, { key: keys.bob });
  const shown = answers.filter(({ status }) => status === 200);
  const refused = answers.filter(({ status }) => status === 429);
  const codes = countStatuses(answers.map(({ status, body }) => `${status} ${readCode(body)}`));
  return judge(`${codes}; a tile of another key ${tile.status}`, {
    'no more than the rate in a minute': shown.length <= minutes * RATE,
    '429 with Retry-After':
      refused.length > 0 && refused.every(({ headers }) => headers['retry-after'] !== undefined),
    'nothing else': shown.length + refused.length === answers.length,
    'another key is answered': tile.status === 200,
  });
}
