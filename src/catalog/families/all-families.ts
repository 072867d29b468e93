import { unsupported } from '../../errors.ts';
import type { Product } from '../files/product.ts';
import type { ProductDoors, ReadText } from '../files/product-files.ts';
import { describeCbers, describeModis, describeNaip } from './cbers4/cbers4.ts';
import { describeLandsat } from './landsat/landsat.ts';
import type { CountBands, FindScene, SceneFacts } from './scene-facts.ts';
import { describeSentinel1 } from './sentinel1/sentinel1.ts';
import { describeSentinel2 } from './sentinel2/sentinel2.ts';

interface DescribeTools {
  readonly readText: ReadText;
  readonly findScene: FindScene;
  readonly toHref: ProductDoors['toHref'];
  readonly countBands: CountBands;
}

/** Reads the metadata of a product and says which scene it is. */
export async function describeProduct(product: Product, tools: DescribeTools): Promise<SceneFacts> {
  const { dataset } = product.sensor;
  if (dataset.startsWith('landsat')) return describeLandsat(product, tools.readText);
  if (dataset.startsWith('sentinel2')) return describeSentinel2(product, tools);
  if (dataset.startsWith('cbers4')) return describeCbers(product, tools.readText);
  if (dataset === 'sentinel1') return describeSentinel1(product, tools.readText);
  if (dataset === 'naip') return describeNaip(product, tools);
  if (dataset === 'modis') return describeModis(product);
  throw unsupported('no-description', `Products of ${product.sensor.title} cannot be read from folders.`);
}
