import { copyFileSync, mkdtempSync, renameSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DEMO_SCENE } from '../../support/demo-data.ts';
import { listLiveEntries } from '../../support/live-files.ts';
import type { AttackContext, Family, Sight } from '../attack.ts';
import { judge } from '../attack.ts';
import { SEARCH, TILE } from '../demo-tiles.ts';
import { ask, countStatuses } from '../polite.ts';
import { MARKED_KEY } from '../target.ts';
import { readCode, say } from '../wire.ts';

/** Fields in which a key ends up by mistake or on purpose. */
export const secrets: Family = {
  name: 'secrets',
  attacks: [
    {
      name: 'keys in unexpected fields',
      severity: 'high',
      does: 'the configured key in paths, queries, Referer, cookies, bodies, methods and x-request-id',
      limit: 'no line of the log contains it',
      isQuick: true,
      run: runUnexpectedFields,
    },
    {
      name: 'permissions of the data directory',
      severity: 'medium',
      does: 'checks the permissions of a data directory that the server has created, with umask 022',
      limit: 'files 0600, directories 0700',
      run: runRights,
    },
    {
      name: 'links out of the data directory',
      severity: 'medium',
      does: 'a file of a scene, then its folder, becomes a symbolic link to a path outside the data directory',
      limit: '502, links are not followed',
      run: runLinks,
    },
  ],
};

/** Asked for when all is done. */
const LAST = '/last-of-the-fields';
/** The key as it is, and as a client may encode it. */
const forms = [MARKED_KEY, encodeURIComponent(MARKED_KEY.replaceAll('-', '%2D')), MARKED_KEY.toUpperCase()];

/** How often any form of the key, or most of it, occurs in a text. */
export function countLeaks(text: string): number {
  const wanted = [...forms, MARKED_KEY.slice(11), Buffer.from(MARKED_KEY).toString('base64').slice(0, 20)];
  return text.split('\n').filter((line) => wanted.some((form) => line.includes(form))).length;
}

async function runUnexpectedFields({ server, addresses, isTimed }: AttackContext): Promise<Sight> {
  const printed = server.output().length;
  const [localAddress] = addresses(1);
  const key = MARKED_KEY;
  const head = `Host: x\r\nConnection: close\r\n`;
  const raw = [
    `GET /${key} HTTP/1.1\r\n${head}\r\n`,
    `GET /api/render/${key}/x HTTP/1.1\r\n${head}\r\n`,
    `GET /api/render/${key} HTTP/1.1\r\n${head}x-api-key: ${key}\r\n\r\n`,
    `GET /api_key=${key} HTTP/1.1\r\n${head}\r\n`,
    `GET /x%3Fapi_key%3D${key} HTTP/1.1\r\n${head}\r\n`,
    `GET ${TILE}%3fapi_key=${key} HTTP/1.1\r\n${head}\r\n`,
    `GET ${TILE}&api_key=${key} HTTP/1.1\r\n${head}\r\n`,
    `GET ${TILE}?api_key=${key} HTTP/1.1\r\n${head}\r\n`,
    `GET ${TILE}?api_key[]=${key} HTTP/1.1\r\n${head}\r\n`,
    `GET ${TILE}?api_key=${key}&api_key=${key} HTTP/1.1\r\n${head}\r\n`,
    `GET http://${key}@x${TILE} HTTP/1.1\r\n${head}\r\n`,
    `GET http://${key}/ HTTP/1.1\r\n${head}\r\n`,
    `GET /healthz HTTP/1.1\r\nHost: ${key}\r\nConnection: close\r\n\r\n`,
    `GET /healthz HTTP/1.1\r\n${head}x-request-id: ${key}\r\n\r\n`,
    `GET ${TILE} HTTP/1.1\r\n${head}x-api-key: ${key}\r\nx-request-id: ${key}\r\n\r\n`,
    `GET /healthz HTTP/1.1\r\n${head}Referer: http://x/?api_key=${key}\r\nCookie: k=${key}\r\nUser-Agent: ${key}\r\nAuthorization: Bearer ${key}\r\nX-Forwarded-For: ${key}\r\n\r\n`,
    `GET /api/render/S2L2A/parse_vb/${key} HTTP/1.1\r\n${head}x-api-key: ${key}\r\n\r\n`,
    `${key} / HTTP/1.1\r\n${head}\r\n`,
    `GET / ${key}\r\n${head}\r\n`,
  ];
  const statuses: number[] = [];
  let shown = 0;
  for (const text of raw) {
    const { answers, bytes } = await say({ port: server.port, isTimed, localAddress }, text, {
      silenceMs: 2_000,
    });
    statuses.push(answers[0]?.status ?? 0);
    // A caller's own x-request-id comes back to it; in any other answer the key has no business.
    if (!text.includes('x-request-id') && bytes.includes(key)) shown += 1;
  }
  for (const body of [
    `{"search":{"${key}":1}}`,
    `{"api_key":"${key}"`,
    key,
    `{"search":{"sceneID":["${key}"]}}`,
  ]) {
    statuses.push((await ask(server, SEARCH, { method: 'POST', key, body })).status);
    statuses.push((await ask(server, '/api/render/cropper', { method: 'POST', key, body })).status);
    statuses.push((await ask(server, '/api/render/colormap', { method: 'POST', key, body })).status);
  }
  // Lines come in order: the last one is behind those with the key.
  await ask(server, LAST);
  await server.printed(new RegExp(LAST));
  const leaks = countLeaks(server.output().slice(printed));
  return judge(`${countStatuses(statuses)}; ${leaks} lines of the log with the key, ${shown} answers`, {
    'no line with the key': leaks === 0,
  });
}

async function runRights({ start, defer }: AttackContext): Promise<Sight> {
  if (process.platform === 'win32') return { ok: true, saw: 'Windows has other rights' };
  const parent = mkdtempSync(join(tmpdir(), 'swath-rights-'));
  defer(() => rmSync(parent, { recursive: true, force: true }));
  const before = process.umask(0o022);
  const dataDir = join(parent, 'made', 'data');
  try {
    await start({ dataDir, env: { SWATH_TILE_CACHE: '10' } });
  } finally {
    process.umask(before);
  }
  // The service runs: what it removes meanwhile is open to no one.
  const rightsOf = (path: string): number => (statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & 0o777;
  const entries = listLiveEntries(dataDir);
  const open = [['data', rightsOf(dataDir), 0o700] as const]
    .concat(
      entries.map((entry) => {
        const path = join(entry.parentPath, entry.name);
        return [entry.name, rightsOf(path), entry.isDirectory() ? 0o700 : 0o600] as const;
      }) as never,
    )
    .filter(([, rights, allowed]) => (rights & ~allowed) !== 0)
    .map(([name, rights]) => `${name} ${rights.toString(8)}`);
  return judge(open.length === 0 ? `${entries.length} entries` : `open to others: ${open.join(', ')}`, {
    'nothing open to others': open.length === 0,
    'there is a database': entries.some(({ name }) => name === 'swath.db'),
  });
}

async function runLinks({ start, keys, defer }: AttackContext): Promise<Sight> {
  const server = await start();
  const outside = mkdtempSync(join(tmpdir(), 'swath-outside-'));
  defer(() => rmSync(outside, { recursive: true, force: true }));
  const folder = join(server.dataDir, DEMO_SCENE.folder);
  const tile = (band: string): string =>
    `/api/render/${DEMO_SCENE.viewId}/${band}/14/2621/5680?MIN_MAX=0,4000`;
  copyFileSync(join(folder, 'B04.tif'), join(outside, 'B04.tif'));
  rmSync(join(folder, 'B04.tif'));
  symlinkSync(join(outside, 'B04.tif'), join(folder, 'B04.tif'));
  const file = await ask(server, tile('B04'), { key: keys.marked });
  renameSync(folder, join(outside, 'folder'));
  symlinkSync(join(outside, 'folder'), folder);
  // Not a band that the warm-up of the server reads: its file would still be open, and is the one that was ingested.
  const whole = await ask(server, tile('B11'), { key: keys.marked });
  const saw = `a linked file ${file.status} ${readCode(file.body)}, a linked folder ${whole.status} ${readCode(whole.body)}`;
  return judge(saw, { '502 for both': file.status === 502 && whole.status === 502 });
}
