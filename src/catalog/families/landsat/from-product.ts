import { sourceBroken } from '../../../errors.ts';
import { parseViewId } from '../../../sensors/index.ts';
import type { Product } from '../../files/product.ts';
import type { ProductTools } from '../family.ts';
import type { SceneFacts } from '../scene-facts.ts';
import { isSurfaceLevel, mtlKeyOf, surfaceScaleOf, toLandsatFacts } from './landsat-facts.ts';
import type { LandsatMetadata } from './mtl.ts';
import { parseLandsatMtl } from './mtl.ts';

/** Describes a product by its MTL file, or by its name if it has none. */
export async function describeProduct(product: Product, { readText }: ProductTools): Promise<SceneFacts> {
  const [file] = product.files.get('metadata') ?? [];
  if (file === undefined) return describeByName(product);
  const metadata = parseLandsatMtl(await readText(file), file.parts.at(-1) ?? '');
  if (product.id !== (metadata.productId ?? metadata.sceneId)) {
    throw sourceBroken(
      'metadata-of-another',
      `The metadata belong to ${metadata.productId ?? metadata.sceneId}, but the files to ${product.id}.`,
    );
  }
  return describeByMetadata(product, metadata);
}

/** A level-1 scene is named by its scene id, a level-2 scene by its product id: both can be in the catalog. */
const nameOf = ({ level, sceneId, productId }: LandsatMetadata): string =>
  isSurfaceLevel(level) ? (productId ?? sceneId) : sceneId;

function describeByMetadata({ sensor }: Product, metadata: LandsatMetadata): SceneFacts {
  const { sceneId, productId, collection, processedAt, surface } = metadata;
  const facts = toLandsatFacts({
    view: parseViewId(`${sensor.abbreviation}/${nameOf(metadata)}`),
    sceneId,
    productId,
    acquiredAt: metadata.acquiredAt,
    processed: [collection.replace('pre-collection', '-'), processedAt ?? ''].join(' '),
    cloudPercent: metadata.cloudPercent,
    sunElevationDeg: metadata.sunElevationDeg,
    sunAzimuthDeg: metadata.sunAzimuthDeg,
    collection,
    instrument: metadata.sensor,
    pathRow: metadata,
    metadata,
  });
  return {
    ...facts,
    isTilted: true,
    scaleOf: ({ band }) => {
      // Level 2 names thermal bands `ST_B10`, others by number.
      const scale = surface[`ST_${band.name}`] ?? surface[mtlKeyOf(band) ?? ''];
      return scale === undefined ? { scale: 1, offset: 0 } : { scale: scale.mult, offset: scale.add };
    },
  };
}

/** Path, row, day and processing from the name of a product, which has neither time nor clouds nor the sun. */
function describeByName({ sensor, layout, id }: Product): SceneFacts {
  const view = parseViewId(`${sensor.abbreviation}/${id}`);
  const facts = toLandsatFacts({
    view,
    sceneId: view.sceneName,
    productId: view.form === 'product-id' ? view.sceneName : null,
    acquiredAt: null,
    processed: view.parts.processed ?? '',
    cloudPercent: null,
    sunElevationDeg: null,
    sunAzimuthDeg: null,
    collection: layout.quality,
    instrument: null,
    metadata: null,
  });
  return { ...facts, isTilted: true, scaleOf: ({ band }) => surfaceScaleOf(band, view) };
}
