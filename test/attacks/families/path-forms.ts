import { DEMO_SCENE } from '../../support/demo-data.ts';
import type { AttackContext, Family, Sight } from '../attack.ts';
import { judge } from '../attack.ts';
import { TILE } from '../demo-tiles.ts';
import { readLog } from '../target.ts';
import { isErrorBody, readCode, say } from '../wire.ts';

const SCENE = DEMO_SCENE.viewId;

/** Ways to write the path of a tile that mean the same to every server (RFC 3986 6.2.2.2, RFC 9112 3.2.2). */
const SAME_FORMS: readonly string[] = [
  TILE.replace('/api/', '/%61pi/'),
  TILE.replace('/render/', '/%72ender/'),
  `http://elsewhere.example${TILE}`,
];

/** Other ways to write the path of a tile; none of them is the tile. */
const OTHER_FORMS: readonly string[] = [
  `/x/..${TILE}`,
  `/api/./render/${SCENE}/B04/14/2621/5680`,
  `/api/render/../render/${SCENE}/B04/14/2621/5680`,
  `/api/render/${SCENE}/x/../B04/14/2621/5680`,
  `/${TILE}`,
  `/api//render/${SCENE}/B04/14/2621/5680`,
  `/%2e%2e${TILE}`,
  `/x/%2e%2e${TILE}`,
  `/x/%2E%2E${TILE}`,
  `/x/.%2e${TILE}`,
  `/api/%2e/render/${SCENE}/B04/14/2621/5680`,
  `/x/%252e%252e${TILE}`,
  `/x\\..${TILE}`,
  TILE.replaceAll('/', '\\'),
  `\\${TILE}`,
  `/api/render\\${SCENE}/B04/14/2621/5680`,
  `/api%5crender/${SCENE}/B04/14/2621/5680`,
  `/api%2frender/${SCENE}/B04/14/2621/5680`,
  `/api/render;a=b/${SCENE}/B04/14/2621/5680`,
  `/api;/render/${SCENE}/B04/14/2621/5680`,
  `${TILE}%00`,
  `/api/render/%00/${SCENE}/B04/14/2621/5680`,
  `/api/render/${SCENE}%00.png/B04/14/2621/5680`,
  `http://127.0.0.1@elsewhere.example${TILE}`,
  `ftp://x${TILE}`,
  `${TILE}#fragment`,
  '/../../../../etc/passwd',
  '/assets/../../package.json',
  '/assets/%2e%2e/%2e%2e/package.json',
  '/assets/..%2f..%2fpackage.json',
  '/assets/..\\..\\package.json',
];

/** Those that have one reading already, in which nothing is found: 404 says so. */
const MAY_BE_UNKNOWN = /^\/(api;|api\/render;|api\/\/|api%2f|api%5c|x\/%252e|assets\/\.\.%2f)|%00/;

/** Paths written in another form than the one that limits and keys are decided by. */
export const pathForms: Family = {
  name: 'path forms',
  attacks: [
    {
      name: 'other forms of a path',
      severity: 'high',
      does: `${OTHER_FORMS.length + SAME_FORMS.length} other ways to write the path of a tile or a file: dots, double slashes, back-slashes, NUL, encoded ones, other hosts`,
      limit: 'one normal form for front door, router and log; paths without one are 400',
      isQuick: true,
      run: runForms,
    },
    {
      name: 'other forms without a key',
      severity: 'high',
      does: 'the same paths without a key',
      limit: '400, 401 or 404; never a picture',
      isQuick: true,
      run: runWithoutKey,
    },
  ],
};

const toRequest = (target: string, key: string | null): string =>
  `GET ${target} HTTP/1.1\r\nHost: x\r\n${key === null ? '' : `x-api-key: ${key}\r\n`}Connection: close\r\n\r\n`;

async function runForms({ server, keys }: AttackContext): Promise<Sight> {
  const wrong: string[] = [];
  const printed = server.output().length;
  const normal = await say(server, toRequest(TILE, keys.bob), { silenceMs: 5_000 });
  const tile = normal.answers[0]?.body ?? Buffer.alloc(0);
  for (const form of SAME_FORMS) {
    const { answers } = await say(server, toRequest(form, keys.bob), { silenceMs: 5_000 });
    if (answers[0]?.body.equals(tile) !== true) wrong.push(`${form.slice(0, 40)} is not the same picture`);
  }
  for (const form of OTHER_FORMS) {
    const { answers } = await say(server, toRequest(form, keys.bob), { silenceMs: 5_000 });
    const { status = 0, body = Buffer.alloc(0) } = answers[0] ?? {};
    const isFine = (status === 400 || (status === 404 && MAY_BE_UNKNOWN.test(form))) && isErrorBody(body);
    if (!isFine || answers.length !== 1) wrong.push(`${form.slice(0, 40)}: ${status} ${readCode(body)}`);
  }
  const crashes = readLog(server.output().slice(printed)).filter(
    ({ msg }) => msg === 'request failed',
  ).length;
  return judge(
    `${OTHER_FORMS.length - wrong.length} refused, ${wrong.length} not${wrong.length > 0 ? ` (${wrong.join('; ')})` : ''}`,
    {
      'the normal form is a picture': normal.answers[0]?.status === 200,
      '400, 404 or the same picture': wrong.length === 0,
      'no request failed inside': crashes === 0,
    },
  );
}

async function runWithoutKey({ server }: AttackContext): Promise<Sight> {
  const statuses: string[] = [];
  for (const form of OTHER_FORMS) {
    const { answers } = await say(server, toRequest(form, null), { silenceMs: 5_000 });
    for (const { status, body } of answers) {
      if (![400, 401, 403, 404].includes(status) || !isErrorBody(body)) statuses.push(`${form}: ${status}`);
    }
  }
  return judge(statuses.length === 0 ? 'all refused' : statuses.join('; '), {
    'no picture': statuses.length === 0,
  });
}
