import { Agent } from 'undici';
import { DEMO_SCENE } from '../../test/support/demo-data.ts';
import type { DemoGrid } from '../../test/support/demo-grid.ts';
import { listDemoTiles } from '../../test/support/demo-grid.ts';
import { SERVICE_KEY } from '../../test/support/start-swath.ts';
import type { Answer } from '../overload/ask.ts';
import { makeAsk, withStatus } from '../overload/ask.ts';

/** Requests for the small demo that are measured, by the name of the case: the paths of each are asked for in turns. */
export type Cases = Readonly<Record<string, readonly string[]>>;

const NDVI = '(B08-B04)%2F(B08%2BB04)';
const toTilePath = (bands: string, query: string) => (tile: string) =>
  `/api/render/${DEMO_SCENE.viewId}/${bands}/${tile}?${query}`;

/** Points of a square grid over the scene, a side of which has as many. */
const POINTS_A_SIDE = 20;

/** The requests of all cases: warm tiles, points and terrain, each of what stays in the block cache. */
export function listCases(grid: DemoGrid): Cases {
  const tiles = listDemoTiles(grid, 15).inside;
  const near = 'RESAMPLE=near&MIN_MAX=0,3000';
  const [sensor, ...scene] = DEMO_SCENE.viewId.split('/');
  const points = Array.from({ length: POINTS_A_SIDE ** 2 }, (_, i) => {
    const [column, row] = [i % POINTS_A_SIDE, Math.floor(i / POINTS_A_SIDE)];
    return grid.toDegrees([
      (grid.width * (column + 0.5)) / POINTS_A_SIDE,
      (grid.height * (row + 0.5)) / POINTS_A_SIDE,
    ]);
  });
  return {
    png: tiles.map(toTilePath('B04,B03,B02', `${near}&mimetype=image/png`)),
    jpeg: tiles.map(toTilePath('B04,B03,B02', `${near}&mimetype=image/jpeg`)),
    smooth: tiles.map(toTilePath('B04,B03,B02', 'MIN_MAX=0,3000&mimetype=image/jpeg')),
    ndvi: tiles.map(toTilePath(NDVI, 'RESAMPLE=near&COLORMAP=RdYlGn&MIN_MAX=-1,1&mimetype=image/png')),
    point: points.map(([lon, lat]) => `/api/render/${sensor}/point/${scene.join('/')}/B04/${lat}/${lon}`),
    hillshade: tiles.map((tile) => `/api/render/terrain/${tile}?format=hillshade`),
  };
}

/** Asks a service for the paths, one after the other for each of the clients; throws if one of them is not answered. */
export async function askInTurns(
  url: string,
  paths: readonly string[],
  { count, clients }: { readonly count: number; readonly clients: number },
): Promise<readonly Answer[]> {
  const agent = new Agent({ connections: clients });
  const ask = makeAsk(agent, url, SERVICE_KEY);
  let next = 0;
  const client = async (): Promise<readonly Answer[]> => {
    const answers: Answer[] = [];
    while (next < count) answers.push(await ask(paths[next++ % paths.length] as string));
    return answers;
  };
  const answers = (await Promise.all(Array.from({ length: clients }, client))).flat();
  await agent.close();
  const failed = answers.length - withStatus(answers, 200).length;
  if (failed > 0) throw new Error(`${failed} of ${count} requests failed, such as ${paths[0]}`);
  return answers;
}
