/** Files of live scenes that are not what their items and the other files of their kind say. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Ground } from '../../src/live/testing/ground.ts';
import { groundAt, reflectanceOf, SQUARE_M, toStored } from '../../src/live/testing/ground.ts';
import type { MadeItem } from '../../src/live/testing/made-item.ts';
import { makeItem } from '../../src/live/testing/make-item.ts';
import type { Sentinel2Scene } from '../../src/live/testing/sentinel2-scene.ts';
import { MSI_PLAIN, makeMsiCog, makeSentinel2Scene } from '../../src/live/testing/sentinel2-scene.ts';
import { makeVirtualCog } from '../../src/live/testing/virtual-cog.ts';
import type { VirtualFile } from '../../src/live/testing/virtual-file.ts';
import { aTicket } from '../../src/pool/testing/run-here.ts';
import { sensorByDataset } from '../../src/sensors/index.ts';
import type { LiveHere } from './live-here.ts';
import { openLiveHere } from './live-here.ts';
import { makeAhead, startFake, toEntry } from './live-service.ts';
import { CLEAR_CROP, positionOf } from './made-places.ts';

const TILE = '31TDH';
const [KNOWN_DAY, DAY] = ['2022-04-16', '2022-07-21'] as const;
const toName = (day: string): string => `31/T/DH/${day.split('-').map(Number).join('/')}/0`;

const sensor = sensorByDataset('sentinel2l2a') ?? assert.fail();

/** The number that is stored for the near infrared where a crop grows. */
async function readNear({ rendering }: LiveHere, day: string): Promise<number | null | undefined> {
  const { tile } = makeSentinel2Scene({ tile: TILE, day });
  const [lon, lat] = positionOf(tile, CLEAR_CROP);
  const sceneName = toName(day);
  const [value] = await rendering.readPoint(
    { viewId: `S2L2A/${sceneName}`, sceneName, sensor, bands: 'B08', calibrated: false, point: { lon, lat } },
    aTicket,
  );
  return value;
}

const nearOf = (ground: Ground, day: string): number =>
  toStored(reflectanceOf(ground, 'nir', day), MSI_PLAIN);

const near = { kind: 'reflectance', meaning: 'nir', stored: MSI_PLAIN } as const;
const toCog = (scene: Sentinel2Scene, pixelM: number): VirtualFile => makeMsiCog(scene, pixelM, near);

/** Files of the near infrared of a scene, and the number that is stored in them where a crop grows. */
const FILES: readonly {
  readonly name: string;
  readonly make: (scene: Sentinel2Scene) => VirtualFile;
  readonly expected: number | null;
}[] = [
  { name: 'as its item says', make: (scene) => toCog(scene, 10), expected: nearOf('crop', DAY) },
  { name: 'with larger pixels', make: (scene) => toCog(scene, 20), expected: nearOf('crop', DAY) },
  {
    name: 'in another place',
    make: (scene) => toCog({ ...scene, tile: { ...scene.tile, west: scene.tile.west + SQUARE_M } }, 10),
    expected: nearOf(groundAt(CLEAR_CROP.eastM - SQUARE_M, CLEAR_CROP.southM), DAY),
  },
  {
    name: 'with another number for missing pixels',
    make: ({ tile: { west, north, epsg } }) =>
      makeVirtualCog(
        {
          width: 10_980,
          height: 10_980,
          bandCount: 1,
          type: 'uint16',
          epsg,
          transform: [west, 10, 0, north, 0, -10],
          nodata: 77,
          compression: 'deflate',
          predictor: 2,
        },
        { valueAt: () => 77, rowKey: () => '', blockKey: () => '' },
      ),
    expected: null,
  },
];

/** The item of a day whose file of the near infrared is another one. */
async function withNear(item: MadeItem, file: VirtualFile): Promise<MadeItem> {
  const files = new Map(item.files());
  const path = [...files.keys()].find((one) => one.endsWith('/B08.tif')) ?? assert.fail();
  files.set(path, () => file);
  return makeAhead({ ...item, files: () => files });
}

for (const { name, make, expected } of FILES) {
  test(`a file that was never opened, ${name}, gives its own pixels`, async () => {
    const scene = makeSentinel2Scene({ tile: TILE, day: DAY, cloud: 0 });
    await using fake = await startFake('earth-search');
    const toItem = (day: string) =>
      makeItem('earth-search/sentinel-2-l2a', { tile: TILE, day, cloud: 0 }, fake.place);
    fake.add(await makeAhead(toItem(KNOWN_DAY)), await withNear(toItem(DAY), make(scene)));
    await using live = openLiveHere([toEntry('earth-search', fake)]);
    assert.equal(await readNear(live, KNOWN_DAY), nearOf('crop', KNOWN_DAY));
    fake.calls.length = 0;

    assert.equal(await readNear(live, DAY), expected);
    const read = new Set(fake.calls.filter(({ kind }) => kind === 'file').map(({ path }) => path));
    const isLike = name === 'as its item says';
    assert.equal(read.size === 1, isLike, [...read].join(' '));
    const record = await live.scenes.findByViewId(`S2L2A/${toName(DAY)}`);
    assert.equal(record?.assets.B08?.stamps === undefined, isLike, 'a record that was wrong is made anew');
    assert.equal(await readNear(live, DAY), expected);
  });
}
