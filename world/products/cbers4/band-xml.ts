import { makeProjection } from '../../../src/proj/index.ts';
import type { SunPosition } from '../../light/exposure.ts';
import { DAY_MS, epsg, frame } from '../../setting.ts';
import { toCorners } from '../tilted-box.ts';
import type { Cbers4Scene } from './plan.ts';

type LocalPoint = readonly [x: number, y: number];

/** INPE's description of one band's file. */
export function toBandXml(scene: Cbers4Scene, band: string, sun: SunPosition): string {
  const { plan, traits, grid, box, path, row, name } = scene;
  const { x, y, pixelM, width, height } = grid;
  const [right, bottom] = [x + width * pixelM, y + height * pixelM];
  // the satellite flies south: the first line lies in the north, and its right in the west
  const [upperRight, upperLeft, lowerLeft, lowerRight] = toCorners(box) as readonly LocalPoint[] as readonly [
    LocalPoint,
    LocalPoint,
    LocalPoint,
    LocalPoint,
  ];
  const middle: LocalPoint = [box.middleX, box.middleY];
  const each = (tag: (band: (typeof traits.bands)[number]) => string) =>
    traits.bands.map(tag).join('\n      ');
  return `<?xml version="1.0" encoding="UTF-8" standalone="no" ?>
<prdf xmlns="http://www.gisplan.com.br/xmlsat" generator="Swath demo">
  <satellite>
    <name>CBERS</name>
    <number>4</number>
    <instrument channel="1">${traits.camera}</instrument>
  </satellite>
  <imageMode>VIEW</imageMode>
  <availableBands>
      ${each(({ number }) => `<band>${number}</band>`)}
  </availableBands>
  <sunIncidenceAngle>${toDegreeParts(90 - sun.elevationDeg)}</sunIncidenceAngle>
  <viewing>${toTimes(plan.atMs, 3)}</viewing>
  <image>
    <receivingStation>CBA</receivingStation>
    <processingStation>"Cachoeira Paulista"</processingStation>
    <processingTime>${toTime(plan.atMs + DAY_MS, 6)}</processingTime>
    <level>4</level>
    <columns>${width}</columns>
    <lines>${height}</lines>
    <verticalPixelSize>${pixelM.toFixed(6)}</verticalPixelSize>
    <horizontalPixelSize>${pixelM.toFixed(6)}</horizontalPixelSize>
    <orbitDirection>Descending</orbitDirection>
    <timeStamp>${toTimes(plan.atMs, 6)}</timeStamp>
    <path>${path}</path>
    <row>${row}</row>
    <shiftFromNominal>0</shiftFromNominal>
    <sunPosition>
      <elevation>${sun.elevationDeg.toFixed(4)}</elevation>
      <sunAzimuth>${sun.azimuthDeg.toFixed(4)}</sunAzimuth>
    </sunPosition>
    <boundingBox>
      ${toCorner('UL', [x, y])}
      ${toCorner('UR', [right, y])}
      ${toCorner('LR', [right, bottom])}
      ${toCorner('LL', [x, bottom])}
      ${toCorner('CT', middle)}
    </boundingBox>
    <imageData>
      ${toCorner('UL', upperLeft)}
      ${toCorner('UR', upperRight)}
      ${toCorner('LR', lowerRight)}
      ${toCorner('LL', lowerLeft)}
      ${toCorner('CT', middle)}
    </imageData>
    <interpolation>CC</interpolation>
    <datumName>WGS84</datumName>
    <semiMajorAxis>6378137.000000</semiMajorAxis>
    <flattening>0.003353</flattening>
    <projectionName>UTM</projectionName>
    <originLongitude>-123</originLongitude>
    <originLatitude>0</originLatitude>
    <scaleFactor>0.999600</scaleFactor>
    <falseEasting>500000.000000</falseEasting>
    <falseNorthing>0.000000</falseNorthing>
    <band${band}>${name}_BAND${band}.tif</band${band}>
    <absoluteCalibrationCoefficient>
      ${each(({ number, statedGain }) => `<band name="${number}">${statedGain}</band>`)}
    </absoluteCalibrationCoefficient>
  </image>
</prdf>
`;
}

function toCorner(tag: string, [x, y]: LocalPoint): string {
  const [easting, northing] = [frame.west + x, frame.north - y];
  const [lon, lat] = makeProjection(epsg, 4326).forward(easting, northing);
  return (
    `<${tag}><latitude>${lat.toFixed(6)}</latitude><longitude>${lon.toFixed(6)}</longitude>` +
    `<northing>${Math.round(northing)}</northing><easting>${Math.round(easting)}</easting></${tag}>`
  );
}

const toTime = (atMs: number, digits: 3 | 6): string =>
  new Date(atMs)
    .toISOString()
    .slice(0, -1)
    .padEnd(20 + digits, '0');

/** A scene takes 18 seconds. */
const toTimes = (atMs: number, digits: 3 | 6): string =>
  `<begin>${toTime(atMs - 9_000, digits)}</begin><center>${toTime(atMs, digits)}</center><end>${toTime(atMs + 9_000, digits)}</end>`;

function toDegreeParts(degrees: number): string {
  const whole = Math.round(degrees * 3_600_000);
  const [degree, minute] = [Math.floor(whole / 3_600_000), Math.floor(whole / 60_000) % 60];
  return `<degree>${degree}</degree><minute>${minute}</minute><second>${Math.floor(whole / 1_000) % 60}</second><millisecond>${whole % 1_000}</millisecond>`;
}
