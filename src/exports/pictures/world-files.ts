import type { Grid } from '../../geo/index.ts';

/** A world file: sides of a pixel, then the middle of the first one, a number a line. */
export function toWorldFile({ transform }: Grid): string {
  const [originX, pixelWidth, rowShear, originY, colShear, pixelHeight] = transform;
  const x = originX + (pixelWidth + rowShear) / 2;
  const y = originY + (colShear + pixelHeight) / 2;
  return [pixelWidth, colShear, rowShear, pixelHeight, x, y].map((number) => `${number}\n`).join('');
}

/** EPSG:3857 as programs write it next to images, in the older form of WKT that all of them read. */
export const WEB_MERCATOR_WKT = [
  'PROJCS["WGS_1984_Web_Mercator_Auxiliary_Sphere"',
  'GEOGCS["GCS_WGS_1984",DATUM["D_WGS_1984",SPHEROID["WGS_1984",6378137.0,298.257223563]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]]',
  'PROJECTION["Mercator_Auxiliary_Sphere"]',
  'PARAMETER["False_Easting",0.0]',
  'PARAMETER["False_Northing",0.0]',
  'PARAMETER["Central_Meridian",0.0]',
  'PARAMETER["Standard_Parallel_1",0.0]',
  'PARAMETER["Auxiliary_Sphere_Type",0.0]',
  'UNIT["Meter",1.0]]',
].join(',');
