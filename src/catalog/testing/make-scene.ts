import type { PolygonGeometry } from '../../geo/index.ts';
import { boundsRing } from '../../geo/index.ts';
import type { Asset, NewScene } from '../index.ts';

/** A box in degrees as a polygon. */
export const box = (west: number, south: number, east: number, north: number): PolygonGeometry => ({
  type: 'Polygon',
  coordinates: [boundsRing({ west, south, east, north })],
});

const ASSET: Asset = {
  href: 'scenes/test/B04.tif',
  bandIndex: 0,
  epsg: 32631,
  transform: [500000, 10, 0, 4700000, 0, -10],
  width: 1024,
  height: 1024,
  type: 'uint16',
  nodata: 0,
  scale: 0.0001,
  offset: -0.1,
  overviews: [{ width: 512, height: 512 }],
};

/** A small, valid Sentinel-2 record; everything can be overridden. */
export function makeScene(day: number, more: Partial<NewScene> = {}): NewScene {
  const date = `2026-06-${String(day).padStart(2, '0')}`;
  const cloudPercent = more.cloudPercent ?? day;
  return {
    viewId: `S2/31/T/DH/2026/6/${day}/0`,
    sceneId: `S2A_tile_202606${String(day).padStart(2, '0')}_31TDH_0`,
    dataset: 'sentinel2',
    acquiredAt: `${date}T10:50:31.000Z`,
    footprint: box(2, 42, 3, 43),
    cloudPercent,
    sunElevationDeg: 65,
    sunAzimuthDeg: 135,
    coveragePercent: 100,
    fields: {
      cloudCoverage: cloudPercent,
      sunElevation: 65,
      satelliteName: 'Sentinel-2A',
      processedL2A: day % 2 === 0,
    },
    assets: { B02: ASSET, B03: ASSET, B04: ASSET },
    provenance: 'test',
    ...more,
  };
}
