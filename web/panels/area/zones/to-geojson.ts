/** Zones as GeoJSON, for the map and for a file. */
import type { Zones } from '../../../state/zones-state.ts';

/** A feature for each zone, with all its patches; the names of properties are those of other programs' files. */
export const toZonesGeoJson = ({ viewId, date, choice, zones }: Zones) => ({
  type: 'FeatureCollection' as const,
  features: zones.map(({ number, color, areaM2, mean, polygons }) => ({
    type: 'Feature' as const,
    id: number,
    properties: {
      zone: number,
      index: choice.index,
      mean: mean === null ? null : Number(mean.toFixed(4)),
      area_ha: areaM2 / 10_000,
      color,
      view_id: viewId,
      date,
    },
    geometry: { type: 'MultiPolygon' as const, coordinates: polygons },
  })),
});
