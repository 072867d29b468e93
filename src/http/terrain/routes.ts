import type { Admission, Route } from '../kit/endpoint.ts';
import type { ElevationDeps } from './elevation.ts';
import { elevation } from './elevation.ts';
import { terrainLegend } from './legend.ts';
import type { ProfileDeps } from './profile.ts';
import { elevationProfile } from './profile.ts';
import type { TerrainStatisticsDeps } from './statistics.ts';
import { terrainStatistics } from './statistics.ts';
import type { TerrainTileDeps } from './tile.ts';
import { terrainTile } from './tile.ts';
import type { TerrainTilejsonDeps } from './tilejson.ts';
import { terrainTilejson } from './tilejson.ts';

/** What terrain is answered with. */
export type TerrainRouteDeps = TerrainTileDeps &
  ElevationDeps &
  ProfileDeps &
  TerrainStatisticsDeps &
  TerrainTilejsonDeps;

const drawn: Admission = { access: 'read', door: 'render', lane: 'tile', answersWhileDraining: false };
/** Routes that read a body take no slot: they would hold it while the body comes. */
const posted: Admission = { ...drawn, door: 'free' };

/** Tiles of the terrain, their legends, and elevations of points, lines and areas. */
export const terrainRoutes = (deps: TerrainRouteDeps): readonly Route[] => [
  { ...drawn, method: 'GET', path: '/api/render/terrain/:z/:x/:y', endpoint: terrainTile(deps) },
  {
    ...drawn,
    method: 'GET',
    path: '/api/render/legend/terrain/:z/:x/:y',
    endpoint: terrainLegend(deps),
  },
  { ...drawn, method: 'GET', path: '/api/render/terrain/point/:lat/:lon', endpoint: elevation(deps) },
  {
    ...drawn,
    method: 'GET',
    path: '/api/render/terrain/profile',
    cost: 20,
    endpoint: elevationProfile(deps),
  },
  { ...drawn, method: 'GET', path: '/api/render/terrain/tilejson.json', endpoint: terrainTilejson(deps) },
  {
    ...posted,
    method: 'POST',
    path: '/api/render/terrain/statistics',
    cost: 10,
    endpoint: terrainStatistics(deps),
  },
];
