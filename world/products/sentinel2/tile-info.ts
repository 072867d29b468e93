import { createHash } from 'node:crypto';
import { epsg, frame } from '../../setting.ts';
import type { PointRing } from './footprint.ts';
import { toDataRing } from './footprint.ts';
import type { ProductNames } from './names.ts';
import { tile, toProductPath, toTilePath } from './names.ts';
import type { Sentinel2Plan } from './plan.ts';

/** What the bucket's files say of a tile. */
export interface TileFacts {
  readonly plan: Sentinel2Plan;
  readonly names: ProductNames;
  readonly coveragePercent: number;
  readonly cloudyPercent: number;
}

const crs = { type: 'name', properties: { name: `urn:ogc:def:crs:EPSG:8.8.1:${epsg}` } } as const;
const toPolygon = (ring: PointRing) => ({ type: 'Polygon', crs, coordinates: [ring] });
const toHundredths = (percent: number): number => Number(percent.toFixed(2));

function toTile({ plan, names }: TileFacts) {
  return {
    path: toTilePath(plan),
    timestamp: new Date(plan.atMs).toISOString(),
    utmZone: tile.zone,
    latitudeBand: tile.latitudeBand,
    gridSquare: tile.square,
    datastrip: { id: names.datastrip, path: `${toProductPath(plan, names)}/datastrip/0` },
  };
}

/** `tileInfo.json`; its frame is that of the images, which hold a part of the tile only. */
export function toTileInfo(facts: TileFacts): string {
  const { plan, names, coveragePercent, cloudyPercent } = facts;
  const { swathEdge: _, ...whole } = plan;
  return toJson({
    ...toTile(facts),
    tileGeometry: toPolygon(toDataRing(whole)),
    tileDataGeometry: toPolygon(toDataRing(plan)),
    tileOrigin: {
      type: 'Point',
      crs,
      coordinates: [frame.west + plan.window.x, frame.north - plan.window.y],
    },
    dataCoveragePercentage: toHundredths(coveragePercent),
    cloudyPixelPercentage: toHundredths(cloudyPercent),
    productName: names.product,
    productPath: toProductPath(plan, names),
  });
}

/** `productInfo.json`. */
export function toProductInfo(facts: TileFacts): string {
  const { plan, names } = facts;
  const { datastrip, ...rest } = toTile(facts);
  const ingested = new Date(names.madeAtMs + 3_600_000).toISOString();
  return toJson({
    name: names.product,
    id: toUuid(names.product),
    path: toProductPath(plan, names),
    timestamp: new Date(names.datatakeAtMs).toISOString(),
    datatakeIdentifier: names.datatake,
    sciHubIngestion: ingested,
    s3Ingestion: ingested,
    tiles: [{ ...rest, datastrip }],
    datastrips: [datastrip],
  });
}

/** The provider gives each product a random number; here it follows from the name. */
const toUuid = (name: string): string =>
  createHash('sha256')
    .update(name)
    .digest('hex')
    .replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-4$3-8$4-$5');

const toJson = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;
