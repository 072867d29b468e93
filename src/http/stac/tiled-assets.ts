/** Map tiles of a scene as an asset of its item, by the tiled assets extension: GDAL's driver STACTA reads them as one raster. */
import type { Scene } from '../../catalog/index.ts';
import { areaBounds } from '../../geo/index.ts';
import { toZooms } from '../../mosaic/index.ts';
import { listLimits } from '../ogc/matrix-tiles.ts';
import { webMercatorQuad } from '../ogc/tile-matrix-sets.ts';
import { toItemId } from './item-properties.ts';

const TILED_ASSETS = 'https://stac-extensions.github.io/tiled-assets/v1.0.0/schema.json';

/** The limit of Web Mercator. */
const MAX_LAT = 85.05;

/** What an item document is, as far as this extension touches it. */
interface ItemDocument {
  readonly properties: Readonly<Record<string, unknown>>;
  readonly stac_extensions: readonly string[];
}

/** The document of an item with the tiles of its default composition. */
export function withTiledAssets(
  item: ItemDocument,
  { viewId, dataset, footprint }: Pick<Scene, 'viewId' | 'dataset' | 'footprint'>,
  publicUrl: string,
): object {
  const { west, south, east, north } = areaBounds(footprint);
  const bounds = { west, south: Math.max(-MAX_LAT, south), east, north: Math.min(MAX_LAT, north) };
  const limits = listLimits(webMercatorQuad, { bounds, ...toZooms([dataset]) });
  const { id, crsUri, matrices } = webMercatorQuad;
  const layer = encodeURIComponent(`scene.${toItemId(viewId)}`);
  return {
    ...item,
    stac_extensions: [...item.stac_extensions, TILED_ASSETS],
    properties: {
      ...item.properties,
      'tiles:tile_matrix_links': {
        [id]: {
          url: `#${id}`,
          limits: Object.fromEntries(
            limits.map(({ matrix, minColumn, maxColumn, minRow, maxRow }) => [
              matrix,
              {
                min_tile_col: minColumn,
                max_tile_col: maxColumn,
                min_tile_row: minRow,
                max_tile_row: maxRow,
              },
            ]),
          ),
        },
      },
      // As version 1.0 of the standard writes a set, which the extension follows. Only the levels that are worth drawing.
      'tiles:tile_matrix_sets': {
        [id]: {
          type: 'TileMatrixSetType',
          identifier: id,
          supportedCRS: crsUri,
          tileMatrix: matrices
            .filter((matrix) => limits.some((limit) => limit.matrix === matrix.id))
            .map((matrix) => ({
              type: 'TileMatrixType',
              identifier: matrix.id,
              scaleDenominator: matrix.scaleDenominator,
              topLeftCorner: matrix.origin,
              tileWidth: matrix.tileWidth,
              tileHeight: matrix.tileHeight,
              matrixWidth: matrix.columns,
              matrixHeight: matrix.rows,
            })),
        },
      },
    },
    // JPEG, because every tile has the same bands: PNG has an alpha band only where a tile has holes.
    asset_templates: {
      visual: {
        title: 'Map tiles of the default composition; they need a key',
        type: 'image/jpeg',
        roles: ['visual'],
        href: `${publicUrl}/ogc/collections/${layer}/map/tiles/${id}/{TileMatrix}/{TileRow}/{TileCol}?f=jpeg`,
      },
    },
  };
}
