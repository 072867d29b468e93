/**
 * What a tile costs through the doors of standards, compared with our own: `npm run bench -- standards [--requests 2000]`.
 *
 * Warm tiles of the small demo, the same picture through each door, asked for in turns; the answers must be equal byte for
 * byte. Each round divides a door's CPU time by that of our own tile in the same round, and the median of the rounds counts.
 * Our own door is asked twice: the second says how large the noise is. Documents (landing pages, capabilities, TileJSON)
 * are asked for one by one. Fails when a door costs a tenth more than our own, or a warm document takes over 5 ms. Needs Linux.
 */
import { parseArgs } from 'node:util';
import { Agent } from 'undici';
import { DEMO_SCENE, makeDemoData } from '../../test/support/demo-data.ts';
import { listDemoTiles, readDemoGrid } from '../../test/support/demo-grid.ts';
import { SERVICE_KEY, startSwath, waitUntilReady } from '../../test/support/start-swath.ts';
import { askInTurns } from '../all/requests.ts';
import { demand } from '../exports/report.ts';
import { median, readTreeCpuS } from '../exports/spent.ts';
import { makeAsk, toPercentile, withStatus } from '../overload/ask.ts';

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '2000' },
    rounds: { type: 'string', default: '7' },
    clients: { type: 'string', default: '8' },
  },
});
const [count, rounds, clients] = [values.requests, values.rounds, values.clients].map(Number) as [
  number,
  number,
  number,
];
/** A door may cost as much more: its address is longer, and its layer is looked up. */
const TILE_TARGET = 1.1;
const DOCUMENT_TARGET_MS = 5;
/** How often a document is asked for. */
const DOCUMENT_REQUESTS = 60;

const ITEM = DEMO_SCENE.viewId.replaceAll('/', '_');
const LAYER = `scene.${ITEM}`;

/** The address of a tile `z/x/y` through each door. Through all of them it is the layer's style `ndvi` as PNG. */
const toDoors = (token: string): Readonly<Record<string, (tile: string) => string>> => {
  const own = (tile: string): string =>
    `/api/render/${DEMO_SCENE.viewId}/NDVI/${tile}?COLORMAP=RdYlGn&MIN_MAX=-1,1&mimetype=image/png`;
  const turned = (tile: string): string => {
    const [z, x, y] = tile.split('/');
    return `${z}/${y}/${x}`;
  };
  const toQuery = (tile: string): string => {
    const [z, x, y] = tile.split('/');
    return `TILEMATRIX=${z}&TILEROW=${y}&TILECOL=${x}`;
  };
  return {
    'our own': own,
    'our own again': own,
    'WMTS, address': (tile) => `/ogc/wmts/1.0.0/${LAYER}/ndvi/current/WebMercatorQuad/${turned(tile)}.png`,
    'WMTS, query': (tile) =>
      `/ogc/wmts?SERVICE=WMTS&REQUEST=GetTile&VERSION=1.0.0&LAYER=${LAYER}&STYLE=ndvi&FORMAT=image/png&TILEMATRIXSET=WebMercatorQuad&${toQuery(tile)}`,
    'OGC API - Tiles': (tile) =>
      `/ogc/collections/${LAYER}/map/tiles/WebMercatorQuad/${turned(tile)}?style=ndvi&f=png`,
    'XYZ with a token': (tile) => `/ogc/xyz/${token}/${LAYER}/ndvi/${tile}.png`,
  };
};

const DOCUMENTS = [
  '/stac',
  '/stac/collections',
  '/stac/conformance',
  '/ogc',
  '/ogc/collections',
  `/ogc/collections/${LAYER}/tilejson.json`,
  '/ogc/wmts?SERVICE=WMTS&REQUEST=GetCapabilities',
  '/ogc/wms?SERVICE=WMS&VERSION=1.3.0&REQUEST=GetCapabilities',
];

/** The token in the path of addresses for programs that cannot send a key. */
async function readToken(url: string): Promise<string> {
  const answer = await fetch(`${url}/ogc/xyz`, { headers: { 'x-api-key': SERVICE_KEY } });
  const token = /\/ogc\/xyz\/([^/"]+)\//.exec(await answer.text())?.[1];
  if (token === undefined) throw new Error(`/ogc/xyz answered ${answer.status} without a token`);
  return token;
}

async function readBytes(url: string, path: string): Promise<Buffer> {
  const answer = await fetch(url + path, { headers: { 'x-api-key': SERVICE_KEY } });
  const bytes = Buffer.from(await answer.arrayBuffer());
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${bytes.toString().slice(0, 300)}`);
  return bytes;
}

await using swath = await startSwath({ dataDir: await makeDemoData(), env: { SWATH_LOG: 'error' } });
await waitUntilReady(swath.url);
const tiles = listDemoTiles(await readDemoGrid(swath.dataDir), 15).inside;
const doors = Object.entries(toDoors(await readToken(swath.url)));
const [first] = tiles as [string];
const expected = await readBytes(swath.url, (doors[0] as (typeof doors)[number])[1](first));
for (const [name, toPath] of doors)
  if (!(await readBytes(swath.url, toPath(first))).equals(expected))
    throw new Error(`${name} answers another picture than our own door`);

const pid = swath.process.pid as number;
const runs = doors.map((): number[] => []);
// The first round compiles and decodes.
for (let round = -1; round < rounds; round += 1)
  for (const [i, [, toPath]] of doors.entries()) {
    const before = readTreeCpuS(pid);
    await askInTurns(swath.url, tiles.map(toPath), { count, clients });
    if (round >= 0) runs[i]?.push(((readTreeCpuS(pid) - before) * 1000) / count);
  }
console.log(`CPU ms of a warm tile, NDVI as PNG, ${clients} clients, ${rounds} rounds in turns`);
for (const [i, [name]] of doors.entries()) {
  const ratio = median((runs[i] ?? []).map((cpuMs, round) => cpuMs / (runs[0]?.[round] ?? Number.NaN)));
  console.log(
    `  ${name.padEnd(24)}${median(runs[i] ?? [])
      .toFixed(2)
      .padStart(7)}   ${ratio.toFixed(2)} ×`,
  );
  if (i > 1) demand(`${name}: at most ${TILE_TARGET} × our own`, ratio <= TILE_TARGET);
}

const agent = new Agent({ connections: 1 });
const ask = makeAsk(agent, swath.url, SERVICE_KEY);
for (const path of DOCUMENTS) {
  const answers = [];
  for (let i = 0; i < DOCUMENT_REQUESTS; i += 1) answers.push(await ask(path));
  if (withStatus(answers, 200).length < answers.length) throw new Error(`${path} was refused`);
  const ms = toPercentile(answers.slice(1), 0.5);
  demand(`${path}: ${ms.toFixed(1)} ms warm, at most ${DOCUMENT_TARGET_MS}`, ms <= DOCUMENT_TARGET_MS);
}
await agent.close();
