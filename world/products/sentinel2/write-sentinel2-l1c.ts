import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { ProductDeps } from '../product-deps.ts';
import { listBands } from './band-groups.ts';
import { measureMasks, toCloudGml } from './cloud-masks.ts';
import { toDataRing } from './footprint.ts';
import { toGranuleXml } from './granule-xml.ts';
import { writeL1cImages } from './l1c-images.ts';
import type { ProductNames } from './names.ts';
import { nameProduct, toTilePath } from './names.ts';
import type { Sentinel2L1cPlan } from './plan.ts';
import { checkPlan, hasOffset } from './plan.ts';
import { toManifest, toProductXml } from './product-xml.ts';
import { toProductInfo, toTileInfo } from './tile-info.ts';

/** Where a product's files go. */
interface Layout {
  /** The product's folder, inside of `deps.directory`; the other paths count from it. */
  readonly root: string;
  toBandPath(name: string): string;
  readonly picturePath: string | null;
  readonly granulePath: string;
  readonly maskFolder: string;
}

/** Writes a Level-1C product: bands and masks as JPEG 2000, metadata as the provider's. */
export async function writeSentinel2L1c(plan: Sentinel2L1cPlan, deps: ProductDeps): Promise<void> {
  checkPlan(plan);
  toDataRing(plan);
  const names = nameProduct(plan, 'L1C');
  const { root, ...layout } = planLayout(plan, names);
  const folder = join(deps.directory, root);
  const write = async (path: string, content: string | Uint8Array) => {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  };
  const bands = listBands('sentinel2');
  const isMaskImage = hasOffset(plan.baseline);
  const maskPath = `${layout.maskFolder}/${isMaskImage ? 'MSK_CLASSI_B00.jp2' : 'MSK_CLOUDS_B00.gml'}`;
  const { masks, preview } = await writeL1cImages(deps, {
    plan,
    bands,
    folder,
    picturePath: layout.picturePath,
    maskPath: isMaskImage ? maskPath : null,
    toBandPath: layout.toBandPath,
  });
  if (!isMaskImage) await write(maskPath, toCloudGml(masks, plan.window, names.granule));
  const { coverage: coveragePercent, cloudy: cloudyPercent } = measureMasks(masks);
  await write(layout.granulePath, toGranuleXml({ plan, names, bands, cloudyPercent }));
  // what tells that there is a product comes last
  if (plan.layout === 'bucket') {
    const facts = { plan, names, coveragePercent, cloudyPercent };
    await write('preview.jpg', preview);
    await write('productInfo.json', toProductInfo(facts));
    await write('tileInfo.json', toTileInfo(facts));
  } else {
    const images = [...bands.map(({ name }) => layout.toBandPath(name)), layout.picturePath ?? []].flat();
    await write(`${names.product}-ql.jpg`, preview);
    await write(
      'manifest.safe',
      toManifest({ plan, names, paths: [...images, layout.granulePath, maskPath] }),
    );
    await write('MTD_MSIL1C.xml', toProductXml({ plan, names, bands, cloudyPercent }));
  }
}

function planLayout(plan: Sentinel2L1cPlan, names: ProductNames): Layout {
  if (plan.layout === 'bucket') {
    return {
      root: toTilePath(plan),
      toBandPath: (name) => `${name}.jp2`,
      picturePath: null,
      granulePath: 'metadata.xml',
      maskFolder: 'qi',
    };
  }
  const granule = `GRANULE/${names.granuleFolder}`;
  const toBandPath = (name: string) => `${granule}/IMG_DATA/${names.image}_${name}.jp2`;
  return {
    root: `${names.product}.SAFE`,
    toBandPath,
    picturePath: toBandPath('TCI'),
    granulePath: `${granule}/MTD_TL.xml`,
    maskFolder: `${granule}/QI_DATA`,
  };
}
