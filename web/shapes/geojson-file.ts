/** The area or the line as a GeoJSON file. */
import type { ShapeGeometry } from './shape.ts';

/** The text of the file: one feature, which this page and every GIS read. */
export const toGeoJson = (geometry: ShapeGeometry, name: string | null): string =>
  `${JSON.stringify({ type: 'Feature', properties: name === null ? {} : { name }, geometry }, null, 1)}\n`;

/** A name for the file, from that of the shape: letters, digits and dashes of any language. */
export const toFileName = (name: string | null, fallback: string, ending = 'geojson'): string => {
  const plain = (name ?? '').replaceAll(/[^\p{L}\p{N}_-]+/gu, '-').replaceAll(/^-+|-+$/g, '');
  return `${plain.slice(0, 60) || fallback}.${ending}`;
};
