import { makeProjection } from '../../../src/proj/index.ts';
import type { World } from '../../ground/world.ts';
import { epsg, frame } from '../../setting.ts';
import type { RadarPass } from './plan.ts';
import type { ProductFacts } from './product-facts.ts';
import { toFloatText, toTimeText } from './product-facts.ts';

/** What the annotation of one polarisation tells. */
interface Annotated {
  readonly facts: ProductFacts;
  readonly pass: RadarPass;
  readonly grid: readonly GridPoint[];
  readonly polarisation: 'VV' | 'VH';
  readonly direction: 'ascending' | 'descending';
  /** Of the stored amplitudes. */
  readonly mean: number;
  readonly deviation: number;
}

const LIGHT_M_PER_S = 299_792_458;
const number = (value: number): string => toFloatText(value, 15);

/** The header that all annotations of a polarisation begin with. */
export const toHeaderXml = (facts: ProductFacts, polarisation: 'VV' | 'VH'): string => `<adsHeader>
    <missionId>S1A</missionId>
    <productType>GRD</productType>
    <polarisation>${polarisation}</polarisation>
    <mode>IW</mode>
    <swath>IW</swath>
    <startTime>${toTimeText(facts.startMs)}</startTime>
    <stopTime>${toTimeText(facts.stopMs)}</stopTime>
    <absoluteOrbitNumber>${facts.absoluteOrbit}</absoluteOrbitNumber>
    <missionDataTakeId>${facts.dataTake}</missionDataTakeId>
    <imageNumber>${polarisation === 'VV' ? '001' : '002'}</imageNumber>
  </adsHeader>`;

/** `annotation/s1a-iw-grd-vv-….xml`. */
export function toAnnotationXml(annotated: Annotated): string {
  const { facts, pass, grid, polarisation, direction, mean, deviation } = annotated;
  // two ways
  const slantTimeAt = (pixel: number) => (2 * pass.slantRangeMAt(pixel)) / LIGHT_M_PER_S;
  const statistics = (tag: string, value: number) =>
    `<${tag}><re>${toFloatText(value)}</re><im>${toFloatText(0)}</im></${tag}>`;
  // like the real ones: from -180 to 180
  const heading = pass.headingDeg > 180 ? pass.headingDeg - 360 : pass.headingDeg;
  const points = grid.map(
    ({ line, pixel, lon, lat, heightM }) => `      <geolocationGridPoint>
        <azimuthTime>${toTimeText(facts.startMs + line * facts.lineMs)}</azimuthTime>
        <slantRangeTime>${number(slantTimeAt(pixel))}</slantRangeTime>
        <line>${line}</line>
        <pixel>${pixel}</pixel>
        <latitude>${number(lat)}</latitude>
        <longitude>${number(lon)}</longitude>
        <height>${number(heightM)}</height>
        <incidenceAngle>${number(pass.incidenceDegAt(pixel))}</incidenceAngle>
      </geolocationGridPoint>`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>
<product>
  ${toHeaderXml(facts, polarisation)}
  <generalAnnotation>
    <productInformation>
      <pass>${direction === 'ascending' ? 'Ascending' : 'Descending'}</pass>
      <timelinessCategory>Fast-24h</timelinessCategory>
      <platformHeading>${number(heading)}</platformHeading>
      <projection>Ground Range</projection>
      <rangeSamplingRate>${number(64_345_238.125)}</rangeSamplingRate>
      <radarFrequency>${number(5_405_000_454.33435)}</radarFrequency>
      <azimuthSteeringRate>${number(1.590368784)}</azimuthSteeringRate>
    </productInformation>
  </generalAnnotation>
  <imageAnnotation>
    <imageInformation>
      <productFirstLineUtcTime>${toTimeText(facts.startMs)}</productFirstLineUtcTime>
      <productLastLineUtcTime>${toTimeText(facts.stopMs)}</productLastLineUtcTime>
      <ascendingNodeTime>${toTimeText(facts.ascendingNodeMs)}</ascendingNodeTime>
      <anchorTime>${toTimeText(facts.startMs)}</anchorTime>
      <productComposition>Individual</productComposition>
      <sliceNumber>0</sliceNumber>
      <sliceList count="0"/>
      <slantRangeTime>${number(slantTimeAt(0))}</slantRangeTime>
      <pixelValue>Detected</pixelValue>
      <outputPixels>16 bit Unsigned Integer</outputPixels>
      <rangePixelSpacing>${toFloatText(pass.spacingM)}</rangePixelSpacing>
      <azimuthPixelSpacing>${toFloatText(pass.spacingM)}</azimuthPixelSpacing>
      <azimuthTimeInterval>${number(facts.lineMs / 1_000)}</azimuthTimeInterval>
      <azimuthFrequency>${number(1_000 / facts.lineMs)}</azimuthFrequency>
      <numberOfSamples>${pass.width}</numberOfSamples>
      <numberOfLines>${pass.height}</numberOfLines>
      <zeroDopMinusAcqTime>${number(0)}</zeroDopMinusAcqTime>
      <incidenceAngleMidSwath>${number(pass.incidenceDegAt((pass.width - 1) / 2))}</incidenceAngleMidSwath>
      <imageStatistics>${statistics('outputDataMean', mean)}${statistics('outputDataStdDev', deviation)}</imageStatistics>
    </imageInformation>
    <processingInformation>
      <thermalNoiseCorrectionPerformed>false</thermalNoiseCorrectionPerformed>
      <detectionPerformed>true</detectionPerformed>
      <ellipsoidName>WGS84</ellipsoidName>
      <ellipsoidSemiMajorAxis>${number(6_378_137)}</ellipsoidSemiMajorAxis>
      <ellipsoidSemiMinorAxis>${number(6_356_752.314245)}</ellipsoidSemiMinorAxis>
    </processingInformation>
  </imageAnnotation>
  <geolocationGrid>
    <geolocationGridPointList count="${grid.length}">
${points.join('\n')}
    </geolocationGridPointList>
  </geolocationGrid>
</product>
`;
}

/** A location whose line and pixel are known, counted from the middle of the first pixel. */
interface GridPoint {
  readonly line: number;
  readonly pixel: number;
  readonly lon: number;
  readonly lat: number;
  readonly heightM: number;
}

/** As in real products. */
const ACROSS = 21;
const DOWN = 10;
/** A nanodegree is a tenth of a millimetre, and hides how machines round sines. */
const DIGITS = 9;

/** Longitude and latitude of local metres. */
export function toDegrees(x: number, y: number): readonly [lon: number, lat: number] {
  const [lon, lat] = makeProjection(epsg, 4326).forward(frame.west + x, frame.north - y);
  return [Number(lon.toFixed(DIGITS)), Number(lat.toFixed(DIGITS))];
}

/** The geolocation grid of an image, line after line. */
export function toGeolocationGrid(pass: RadarPass, { ground }: World): readonly GridPoint[] {
  return Array.from({ length: ACROSS * DOWN }, (_, i) => {
    const pixel = Math.round(((i % ACROSS) * (pass.width - 1)) / (ACROSS - 1));
    const line = Math.round((Math.floor(i / ACROSS) * (pass.height - 1)) / (DOWN - 1));
    const [x, y] = pass.toLocal(line, pixel);
    const [lon, lat] = toDegrees(x, y);
    const isInWorld = x >= 0 && y >= 0 && x <= frame.sizeM && y <= frame.sizeM;
    return { line, pixel, lon, lat, heightM: isInWorld ? ground.heightAt(x, y) : 0 };
  });
}
