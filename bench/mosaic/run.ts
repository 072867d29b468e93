/**
 * Tiles of mosaics, compared with those of one scene and with titiler-pgstac: `npm run bench -- mosaic`.
 *
 * Makes eleven scenes in the shape of Sentinel-2 in a folder for this run. CPU time is that of all processes of a service,
 * its database included; cases take turns, and the median of the rounds counts. titiler-pgstac is installed once below
 * node_modules/.cache; it has no masks, so that it is compared where none are needed. `--only tiles,peer,pyramid`;
 * `--rounds 5`; `--data FOLDER` keeps the scenes. Fails when a demand is not met. Needs Linux.
 */
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { demand, printRow } from '../exports/report.ts';
import { BANDS, makeScenes, PERIODS, toViewId } from './make-scenes.ts';
import { measurePyramid } from './measure-pyramid.ts';
import type { TileCase, TileCost } from './measure-tiles.ts';
import { measureCases, printCosts } from './measure-tiles.ts';
import type { Measured } from './services.ts';
import { endConnections, ingest, startMeasuredSwath, toPosition } from './services.ts';
import { startTitilerPgstac } from './titiler-pgstac.ts';

const { values } = parseArgs({
  options: {
    data: { type: 'string' },
    only: { type: 'string', default: 'tiles,peer,pyramid' },
    rounds: { type: 'string', default: '5' },
  },
});
const wanted = values.only.split(',');
const rounds = Number(values.rounds);
const work = mkdtempSync(join(tmpdir(), 'swath-bench-mosaic-'));

/** The same contrast everywhere, so that nobody measures one. */
const STYLE = 'MIN_MAX=300,3500&mimetype=image/png';

const toScene = (service: Measured): TileCase => ({
  name: 'one scene',
  service,
  toUrl: (tile) =>
    `${service.url}/api/render/${toViewId('2026-06-01')}/${BANDS.join()}/${toPosition(tile)}?${STYLE}`,
});

const toMosaic = (service: Measured, name: string, period: string, query: string): TileCase => ({
  name,
  service,
  toUrl: (tile) =>
    `${service.url}/api/mosaic/S2L2A/${period}/${BANDS.join()}/${toPosition(tile)}?${STYLE}&${query}`,
});

/** Mosaics that need no masks, which both services make. */
const listPlain = (service: Measured): readonly TileCase[] => [
  toMosaic(service, 'mosaic that one scene fills, no masks', PERIODS.clear, 'mask=none'),
  toMosaic(service, 'newest of five that show a fifth each, no masks', PERIODS.part, 'mask=none'),
  toMosaic(service, 'median of five, no masks', PERIODS.cloudy, 'mask=none&selection=median'),
];

const listMasked = (service: Measured): readonly TileCase[] => [
  toMosaic(service, 'mosaic that one scene fills, with masks', PERIODS.clear, ''),
  toMosaic(service, 'newest of five with holes, with masks', PERIODS.cloudy, ''),
  toMosaic(service, 'median of five, with masks', PERIODS.cloudy, 'selection=median'),
];

const toRatio = (costs: ReadonlyMap<string, TileCost>, { name }: TileCase, base: TileCost): number =>
  (costs.get(name) as TileCost).cpuMs / base.cpuMs;

async function compareWithScene(service: Measured): Promise<void> {
  const scene = toScene(service);
  const cases = [...listPlain(service), ...listMasked(service)];
  for (const clients of [1, 4]) {
    const costs = await measureCases([scene, ...cases], { rounds, passes: 8, clients });
    const base = costs.get(scene.name) as TileCost;
    printRow(`ms per tile of 256², ${clients} at a time`, 'CPU', 'wall', 'CPU');
    printCosts(costs, base);
    for (const one of cases) {
      const most = one.name.includes('one scene fills') ? 1.2 : 3;
      demand(`${one.name}: at most ${most} × one scene`, toRatio(costs, one, base) <= most);
    }
  }
}

async function compareWithPeer(service: Measured, scenes: string): Promise<void> {
  const folder = join(work, 'peer');
  mkdirSync(folder, { recursive: true });
  await using peer = await startTitilerPgstac(scenes, folder);
  if (peer === null) return;
  const assets = BANDS.map((band) => `assets=${band}`).join('&');
  const toPeer = async (name: string, period: string, selection: string): Promise<TileCase> => {
    const [from = '', to = from] = period.split('..');
    const id = await peer.register(from, to);
    // By default its database leaves out scenes whose footprints others cover: then there would be one of the five.
    const all = 'exitwhenfull=false&skipcovered=false';
    const query = `${assets}&${all}&rescale=300,3500&resampling=nearest&reproject=bilinear&pixel_selection=${selection}`;
    return {
      name: `  titiler-pgstac: ${name}`,
      service: peer,
      toUrl: (tile) => `${peer.url}/searches/${id}/tiles/WebMercatorQuad/${toPosition(tile)}.png?${query}`,
    };
  };
  const own = listPlain(service);
  const theirs = [
    await toPeer('one scene fills', PERIODS.clear, 'first'),
    await toPeer('first of five', PERIODS.part, 'first'),
    await toPeer('median of five', PERIODS.cloudy, 'median'),
  ];
  const ours = await measureCases(own, { rounds, passes: 8, clients: 1 });
  const peers = await measureCases(theirs, { rounds: Math.min(rounds, 3), passes: 1, clients: 1 });
  printRow('ms per tile of 256², 1 at a time', 'CPU', 'wall');
  for (const [i, one] of own.entries()) {
    const [mine, other] = [ours.get(one.name), peers.get(theirs[i]?.name ?? '')] as [TileCost, TileCost];
    printRow(one.name, mine.cpuMs.toFixed(2), mine.wallMs.toFixed(2));
    printRow(theirs[i]?.name ?? '', other.cpuMs.toFixed(2), other.wallMs.toFixed(2));
    const ratio = other.cpuMs / mine.cpuMs;
    demand(`at least 30 times less CPU: ${ratio.toFixed(1)} ×`, ratio >= 30);
  }
}

try {
  console.log(
    `load of the machine: ${loadavg()
      .map((load) => load.toFixed(1))
      .join(', ')}`,
  );
  if (wanted.includes('tiles') || wanted.includes('peer')) {
    const scenes = resolve(values.data ?? join(work, 'scenes'));
    if (!existsSync(scenes)) {
      console.log('making scenes');
      await makeScenes(scenes);
    }
    const options = { dataDir: join(work, 'data'), scenes };
    await ingest(options);
    await using service = await startMeasuredSwath(options);
    if (wanted.includes('tiles')) await compareWithScene(service);
    if (wanted.includes('peer')) await compareWithPeer(service, scenes);
  }
  if (wanted.includes('pyramid')) await measurePyramid(work);
} finally {
  await endConnections();
  rmSync(work, { recursive: true, force: true });
}
