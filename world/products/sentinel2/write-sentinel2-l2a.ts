import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CogOptions } from '../../../src/formats/cog/index.ts';
import { createCog } from '../../../src/formats/cog/index.ts';
import { sunAt } from '../../light/sun.ts';
import { epsg, frame } from '../../setting.ts';
import type { ProductDeps } from '../product-deps.ts';
import type { BandGroup } from './band-groups.ts';
import { ADDED, listBands, planGroups, TRUE_COLOUR } from './band-groups.ts';
import { toDataRing } from './footprint.ts';
import { nameProduct } from './names.ts';
import type { Sentinel2L2aPlan, Sentinel2Plan } from './plan.ts';
import { checkPlan, hasOffset } from './plan.ts';
import { makePreview } from './preview.ts';
import { classifyScene, countClasses, sceneClasses, toPercentages } from './scene-classes.ts';
import { toItemId, toStacItem } from './stac-item.ts';
import { makeProgress, writeGroup } from './write-group.ts';

/** Bands whose brightness helps to classify; the classes have their pixels. */
const RED_EDGE = 'B05';
const NEAR_INFRARED = 'B8A';

/** Writes a Level-2A product: bands and scene classification as COGs, with the STAC item of Earth Search's collection. */
export async function writeSentinel2L2a(plan: Sentinel2L2aPlan, deps: ProductDeps): Promise<void> {
  checkPlan(plan);
  toDataRing(plan);
  const id = toItemId(plan);
  const folder = join(deps.directory, id);
  await mkdir(folder, { recursive: true });
  const isOffsetApplied = hasOffset(plan.baseline) && plan.isOffsetApplied !== false;
  const added = hasOffset(plan.baseline) && !isOffsetApplied ? ADDED : 0;
  const groups = planGroups(plan, listBands('sentinel2l2a'));
  const groupOf = (band: string) => groups.find(({ bands }) => bands.some(({ name }) => name === band))!;
  const [classified, pictured] = [groupOf(RED_EDGE), groupOf(TRUE_COLOUR[0])];
  const preview = makePreview(pictured, added);
  const counts = new Uint32Array(sceneClasses.length);
  const onPixels = makeProgress(deps, groups);
  for (const group of groups) {
    const planeOf = (band: string) => group.bands.findIndex(({ name }) => name === band);
    const classes = group === classified ? await createClasses(join(folder, 'SCL.tif'), plan, group) : null;
    try {
      await writeGroup(deps, {
        plan,
        group,
        level: 'surface',
        added,
        onPixels,
        createFile: ({ name }) => createCog(join(folder, `${name}.tif`), toOptions(plan, group)),
        async onStrip(strip, stored) {
          if (classes !== null) {
            const { planes } = strip.exposure;
            const numbers = classifyScene(strip, {
              redEdge: planes[planeOf(RED_EDGE)]!,
              nearInfrared: planes[planeOf(NEAR_INFRARED)]!,
            });
            countClasses(numbers, counts);
            await classes.writeRows([numbers], strip.rowCount);
          }
          if (group === pictured) {
            preview.addRows(
              TRUE_COLOUR.map((name) => stored.get(name)!),
              strip.rowCount,
            );
          }
        },
      });
      await classes?.finish();
    } catch (error) {
      await classes?.abort();
      throw error;
    }
  }
  await writeFile(join(folder, 'thumbnail.jpg'), preview.encode());
  const item = toStacItem({
    plan,
    groups,
    isOffsetApplied,
    names: nameProduct(plan, 'L2A'),
    classPixelM: classified.pixelM,
    percentages: toPercentages(counts),
    sun: sunAt(plan.atMs),
  });
  // last, because it is what tells that there is a product
  await writeFile(join(folder, `${id}.json`), item);
}

/** The files of the real collection have blocks of 1024; these hold small windows. */
const BLOCK_SIZE = 256;

const toOptions = ({ window }: Sentinel2Plan, { width, height, pixelM }: BandGroup): CogOptions => ({
  width,
  height,
  bandCount: 1,
  type: 'uint16',
  epsg,
  nodata: 0,
  transform: [frame.west + window.x, pixelM, 0, frame.north - window.y, 0, -pixelM],
  compression: 'steady-deflate',
  isDurable: false,
  predictor: 2,
  blockSize: BLOCK_SIZE,
});

/** Classes are not mixed in smaller copies. */
const createClasses = (path: string, plan: Sentinel2Plan, group: BandGroup) =>
  createCog(path, { ...toOptions(plan, group), type: 'uint8', predictor: 1, overviewMethod: 'nearest' });
