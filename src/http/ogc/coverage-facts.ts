/** What the description of a layer says of its coverage. */
import { finestM } from '../../mosaic/index.ts';
import type { Band, Sensor } from '../../sensors/index.ts';
import { findBand } from '../../sensors/index.ts';
import { measuresOf } from './layer-styles.ts';
import type { Layer } from './layers.ts';
import { DEGREE_M } from './tile-matrix-sets.ts';

/** Fields and axes of a coverage, by which GDAL reads it. */
export function toCoverageFacts({ source, bounds }: Layer) {
  if (source.kind !== 'dataset' && source.kind !== 'scene') return {};
  const { sensor } = source;
  const resolution = finestM([sensor.dataset]) / DEGREE_M;
  const { west, south, east, north } = bounds;
  const toAxis = (axisLabel: string, lowerBound: number, upperBound: number) => ({
    type: 'RegularAxis',
    axisLabel,
    lowerBound,
    upperBound,
    resolution,
    uomLabel: 'deg',
  });
  return {
    domainSet: {
      type: 'DomainSet',
      generalGrid: {
        type: 'GeneralGridCoverage',
        srsName: 'http://www.opengis.net/def/crs/OGC/1.3/CRS84',
        axisLabels: ['Lon', 'Lat'],
        axis: [toAxis('Lon', west, Math.min(180, east)), toAxis('Lat', south, north)],
      },
    },
    rangeType: {
      type: 'DataRecord',
      field: measuresOf(sensor).map((name) => ({
        type: 'Quantity',
        name,
        description: describeBand(sensor, name),
        definition: 'ogcType:float32',
      })),
    },
  };
}

/** A band in words: `near infrared, 842 nm, 10 m`. */
function describeBand(sensor: Sensor, name: string): string {
  const band = findBand(sensor, name);
  if (band === null) return name;
  const role = band.role === null ? band.kind : BAND_WORDS[band.role];
  return [role, ...(band.centreNm === null ? [] : [`${band.centreNm} nm`]), `${band.resolutionM} m`].join(
    ', ',
  );
}

const BAND_WORDS: Readonly<Record<NonNullable<Band['role']>, string>> = {
  COASTAL: 'coastal aerosol',
  BLUE: 'blue',
  GREEN: 'green',
  RED: 'red',
  REDEDGE1: 'red edge 1',
  REDEDGE2: 'red edge 2',
  REDEDGE3: 'red edge 3',
  NIR: 'near infrared',
  NIR2: 'narrow near infrared',
  WATERVAPOUR: 'water vapour',
  CIRRUS: 'cirrus',
  SWIR1: 'short-wave infrared 1',
  SWIR2: 'short-wave infrared 2',
  PAN: 'panchromatic',
  THERMAL1: 'thermal infrared 1',
  THERMAL2: 'thermal infrared 2',
};
