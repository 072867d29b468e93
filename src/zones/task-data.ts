/** A prescription as a task of ISO 11783-10 (ISOXML, version 4): a partfield, and treatment zones with polygons. */
import type { MultiPolygonGeometry } from '../geo/index.ts';
import { areaKm2 } from '../geo/index.ts';
import { escapeXml } from '../xml/index.ts';
import type { Zone } from './draw-zones.ts';
import type { Prescription } from './prescription.ts';
import { RATE_UNITS, toMachineRate } from './prescription.ts';

/** What a task is about. */
export interface TaskDataRequest {
  readonly zones: readonly Zone[];
  /** The field itself. */
  readonly boundary: MultiPolygonGeometry;
  readonly fieldName: string;
  readonly taskName: string;
  readonly prescription: Prescription;
  readonly softwareVersion: string;
}

/** The longest designator that the standard allows. */
const MAX_NAME = 32;

/** Zone codes are bytes, and 0 is left for what lies outside of all zones. */
const OUTSIDE = 0;

/** Characters that XML 1.0 cannot hold, in any form. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones to remove
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

/** A string in an attribute, with entities. */
const escapeText = (text: string): string =>
  escapeXml(
    text
      .replaceAll(/\p{Cs}/gu, '')
      .replaceAll(FORBIDDEN, '')
      .replaceAll(/[\t\n\r]/g, ' '),
  );

/** A designator: cut by characters, not in the middle of one. */
const toName = (text: string): string => escapeText([...text].slice(0, MAX_NAME).join(''));

/** Writes an element; attributes without a value are left out. */
function element(
  tag: string,
  attributes: Readonly<Record<string, string | number | null>>,
  children: readonly string[] = [],
): string {
  const written = Object.entries(attributes)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => ` ${name}="${value}"`)
    .join('');
  return children.length === 0 ? `<${tag}${written}/>` : `<${tag}${written}>${children.join('')}</${tag}>`;
}

/** Polygon types: 1 is the boundary of a partfield, 2 a treatment zone. Line string types: 1 outer, 2 inner ring. */
const BOUNDARY = 1;
const TREATMENT_ZONE = 2;
const OTHER_POINT = 2;

const toM2 = (geometry: MultiPolygonGeometry): number => Math.round(1e6 * areaKm2(geometry));

const toPolygons = (geometry: MultiPolygonGeometry, type: number): readonly string[] =>
  geometry.coordinates.map((rings) =>
    element(
      'PLN',
      { A: type, C: toM2({ type: 'MultiPolygon', coordinates: [rings] }) },
      rings.map((ring, i) =>
        element(
          'LSG',
          { A: i === 0 ? 1 : 2 },
          ring.map(([lon, lat]) => element('PNT', { A: OTHER_POINT, C: lat.toFixed(9), D: lon.toFixed(9) })),
        ),
      ),
    ),
  );

/** The text of TASKDATA.XML. Where the position is lost or outside of all zones, nothing is applied. */
export function toTaskData(request: TaskDataRequest): string {
  const { zones, boundary, fieldName, taskName, prescription, softwareVersion } = request;
  const { product, unit, rates } = prescription;
  const { ddi, factor, decimals } = RATE_UNITS[unit];
  const rateOf = (rate: number): string =>
    element('PDV', { A: ddi, B: toMachineRate(rate, unit), C: 'PDT1', E: 'VPN1' });
  const children = [
    element('PDT', { A: 'PDT1', B: toName(product) }),
    element('PFD', { A: 'PFD1', C: toName(fieldName), D: toM2(boundary) }, toPolygons(boundary, BOUNDARY)),
    element('TSK', { A: 'TSK1', B: toName(taskName), E: 'PFD1', G: 1, H: OUTSIDE, I: OUTSIDE, J: OUTSIDE }, [
      element('TZN', { A: OUTSIDE, B: 'Outside' }, [rateOf(0)]),
      ...zones.map((zone) =>
        element('TZN', { A: zone.number, B: `Zone ${zone.number}` }, [
          ...toPolygons(zone.geometry, TREATMENT_ZONE),
          rateOf(rates[zone.number - 1] ?? 0),
        ]),
      ),
    ]),
    element('VPN', {
      A: 'VPN1',
      B: 0,
      C: (1 / factor).toFixed(9),
      D: decimals,
      E: unit,
    }),
  ];
  const root = element(
    'ISO11783_TaskData',
    {
      VersionMajor: 4,
      VersionMinor: 3,
      ManagementSoftwareManufacturer: 'Swath',
      ManagementSoftwareVersion: escapeText(softwareVersion),
      DataTransferOrigin: 1,
    },
    children,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>\n${root}\n`;
}
