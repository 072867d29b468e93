import { terrainExplanation } from '../explain/explain-schema.ts';
import { explainable } from '../explain/explainable.ts';
import type { Route } from '../kit/endpoint.ts';
import { drawn, read, signed, write } from '../kit/endpoint.ts';
import { mosaicLegend, mosaicPicture, mosaicSources, mosaicSourcesLegend } from '../mosaic/mosaic-picture.ts';
import { mosaicIntensity, mosaicPoint, mosaicStatistics } from '../mosaic/mosaic-values.ts';
import { deletePyramid, orderPyramid } from '../mosaic/pyramid.ts';
import { mosaicTilejson } from '../mosaic/tilejson.ts';
import { pictureLegend } from '../pictures/legend.ts';
import { picture } from '../pictures/picture.ts';
import { preview } from '../pictures/preview.ts';
import { signedThumbnail, thumb } from '../pictures/thumbnails.ts';
import { searchDataset, searchDatasets } from '../search/search.ts';
import { elevation, elevationProfile } from '../terrain/elevations.ts';
import { terrainStatistics } from '../terrain/statistics.ts';
import { terrainLegend, terrainTile, terrainTilejson } from '../terrain/tile.ts';
import { intensityRange } from '../values/intensity-range.ts';
import { parseVb } from '../values/parse-vb.ts';
import { pointValue } from '../values/point.ts';
import type { Services } from './services.ts';

const PICTURE = '{view_id}/{bands}/{z}/{x}/{y}';
const SCENE = '{scene_id}/{bands}';
const MOSAIC = '{sensors}/{period}/{bands}';
const MOSAIC_PICTURE = `${MOSAIC}/{z}/{x}/{y}`;

/** Scenes and what is drawn and measured of them: searches, pictures, mosaics, values, terrain. */
export const imageryRoutes = ({
  pages,
  shared,
  search,
  pictures,
  thumbnails,
  mosaics,
  pyramids,
  terrain,
  isThumbnailSigned,
}: Services): readonly Route[] => [
  read.post('/api/lms/search/v2', 'searchAcrossDatasets', searchDatasets(search), { cost: 5 }),
  read.post('/api/lms/search/v2/:dataset_id', 'searchDataset', searchDataset(search), { cost: 5 }),

  drawn.get('/api/render/*', 'getTile', explainable(picture(pictures)), {
    shownPath: `/api/render/${PICTURE}`,
  }),
  drawn.get('/api/render/legend/:sensor/*', 'getTileLegend', explainable(pictureLegend(pictures)), {
    shownPath: `/api/render/legend/${PICTURE}`,
  }),
  drawn.get(
    '/api/render/:sensor/preview/*',
    'getPreview',
    explainable(preview({ ...pictures, watermark: pages.watermark })),
    {
      shownPath: `/api/render/{sensor}/preview/${SCENE}/{zoom}/{lat}/{lon}`,
    },
  ),
  drawn.get('/api/render/:sensor/thumb/*', 'getThumbnail', explainable(thumb(thumbnails)), {
    shownPath: '/api/render/{sensor}/thumb/{scene_id}',
  }),
  ...(!isThumbnailSigned
    ? []
    : [
        signed.get('/api/render/thumbnails/:signature/*', 'getSignedThumbnail', signedThumbnail(thumbnails), {
          shownPath: '/api/render/thumbnails/{signature}/{view_id}.png',
        }),
      ]),

  drawn.get('/api/mosaic/*', 'getMosaicTile', explainable(mosaicPicture(mosaics)), {
    shownPath: `/api/mosaic/${MOSAIC_PICTURE}`,
  }),
  drawn.get('/api/mosaic/legend/*', 'getMosaicLegend', explainable(mosaicLegend(mosaics)), {
    shownPath: `/api/mosaic/legend/${MOSAIC_PICTURE}`,
  }),
  drawn.get('/api/mosaic/sources/*', 'getMosaicSources', explainable(mosaicSources(mosaics)), {
    shownPath: `/api/mosaic/sources/${MOSAIC_PICTURE}`,
  }),
  drawn.get(
    '/api/mosaic/sources/legend/*',
    'getMosaicSourcesLegend',
    explainable(mosaicSourcesLegend({ ...mosaics, origins: pages.origins })),
    {
      shownPath: `/api/mosaic/sources/legend/${MOSAIC_PICTURE}`,
    },
  ),
  drawn.get('/api/mosaic/point/*', 'getMosaicPoint', explainable(mosaicPoint(mosaics)), {
    shownPath: `/api/mosaic/point/${MOSAIC}/{lat}/{lon}`,
  }),
  drawn.get('/api/mosaic/ir/*', 'getMosaicIntensityRange', explainable(mosaicIntensity(mosaics)), {
    shownPath: `/api/mosaic/ir/${MOSAIC}`,
  }),
  read.get(
    '/api/mosaic/tilejson/*',
    'getMosaicTilejson',
    mosaicTilejson({ ...mosaics, origins: pages.origins }),
    {
      shownPath: `/api/mosaic/tilejson/${MOSAIC}`,
    },
  ),
  write.post('/api/mosaic/pyramid/*', 'orderMosaicPyramid', orderPyramid(pyramids), {
    shownPath: `/api/mosaic/pyramid/${MOSAIC}`,
  }),
  write.remove('/api/mosaic/pyramid/*', 'deleteMosaicPyramid', deletePyramid(pyramids), {
    shownPath: `/api/mosaic/pyramid/${MOSAIC}`,
  }),
  read.post('/api/mosaic/statistics/*', 'getMosaicStatistics', explainable(mosaicStatistics(mosaics)), {
    shownPath: `/api/mosaic/statistics/${MOSAIC}`,
  }),

  drawn.get('/api/render/:sensor/point/*', 'getPointValue', explainable(pointValue(pictures)), {
    shownPath: `/api/render/{sensor}/point/${SCENE}/{lat}/{lon}`,
  }),
  drawn.get('/api/render/:sensor/ir/*', 'getIntensityRange', explainable(intensityRange(pictures)), {
    shownPath: `/api/render/{sensor}/ir/${SCENE}`,
  }),
  drawn.get('/api/render/:sensor/parse_vb/*', 'parseBands', parseVb(shared), {
    shownPath: '/api/render/{sensor}/parse_vb/{bands}',
  }),

  drawn.get(
    '/api/render/terrain/:z/:x/:y',
    'getTerrainTile',
    explainable(terrainTile(terrain), terrainExplanation),
  ),
  drawn.get('/api/render/legend/terrain/:z/:x/:y', 'getTerrainLegend', terrainLegend(terrain)),
  drawn.get(
    '/api/render/terrain/point/:lat/:lon',
    'getElevation',
    explainable(elevation(terrain), terrainExplanation),
  ),
  drawn.get(
    '/api/render/terrain/profile',
    'getElevationProfile',
    explainable(elevationProfile(terrain), terrainExplanation),
    { cost: 20 },
  ),
  drawn.get('/api/render/terrain/tilejson.json', 'getTerrainTilejson', terrainTilejson(terrain)),
  read.post(
    '/api/render/terrain/statistics',
    'measureTerrain',
    explainable(terrainStatistics(terrain), terrainExplanation),
    { cost: 10 },
  ),
];
