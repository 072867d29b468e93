import type { Affine } from '../../geo/index.ts';
import type { XmlElement } from '../../xml/index.ts';
import { descendantsOf, localName, tryParseXml } from '../../xml/index.ts';
import { sourceBroken } from '../errors.ts';
import type { ControlPoint } from './georeference/georeference.ts';
import { isUsableTransform } from './georeference/georeference.ts';
import type { BandInfo } from './samples/gdal-metadata.ts';
import { PLAIN_BAND, parseNodataText } from './samples/gdal-metadata.ts';

/** What a `.aux.xml` file says about one band. */
interface AuxBand extends BandInfo {
  readonly nodata: number | null;
}

/** What GDAL stores in a sidecar of an image (PAM): each part null or empty when it is not there. */
interface AuxXml {
  /** The reference system as well-known text. */
  readonly wkt: string | null;
  readonly transform: Affine | null;
  readonly gcps: readonly ControlPoint[];
  /** By band number, from 0; bands it says nothing about are missing. */
  readonly bands: ReadonlyMap<number, AuxBand>;
}

/** Reads the georeference and the facts of the bands from GDAL's sidecar of an image. */
export function parseAuxXml(xml: string): AuxXml {
  if (xml.length > MAX_AUX_XML_CHARACTERS) {
    throw sourceBroken(
      'aux-xml-too-long',
      `An .aux.xml file has at most ${MAX_AUX_XML_CHARACTERS} characters.`,
    );
  }
  const root = tryParseXml(xml, '.aux.xml', MAX_AUX_XML_CHARACTERS);
  if (root === null || localName(root) !== 'PAMDataset')
    throw sourceBroken('bad-aux-xml', 'The .aux.xml file is damaged or not one of GDAL.');
  const gcpList = firstOf(root, 'GCPList');
  const srs = firstOf(root, 'SRS')?.text ?? gcpList?.attributes.Projection ?? '';
  const bands = new Map<number, AuxBand>();
  for (const element of descendantsOf(root, 'PAMRasterBand')) {
    const band = toNumber(element.attributes.band);
    if (Number.isInteger(band) && band >= 1 && band <= MAX_BANDS) bands.set(band - 1, toBand(element));
  }
  return {
    wkt: srs.trim() || null,
    transform: toTransform(firstOf(root, 'GeoTransform')?.text ?? ''),
    gcps: gcpList === null ? [] : toControlPoints(gcpList),
    bands,
  };
}

/** Histograms of many bands make these files long; georeference alone takes a few kB. */
const MAX_AUX_XML_CHARACTERS = 4 * 1024 * 1024;
const MAX_BANDS = 64;
const MAX_CONTROL_POINTS = 65_536;

const firstOf = (element: XmlElement, name: string): XmlElement | null =>
  descendantsOf(element, name)[0] ?? null;

const toNumber = (text: string | null | undefined): number =>
  text === null || text === undefined || text.trim() === '' ? Number.NaN : Number(text);

function toTransform(text: string): Affine | null {
  const numbers = text.split(',', 7).map(toNumber);
  if (numbers.length !== 6) return null;
  const transform = numbers as unknown as Affine;
  return isUsableTransform(transform) ? transform : null;
}

function toControlPoints(list: XmlElement): ControlPoint[] {
  const points: ControlPoint[] = [];
  for (const { attributes } of descendantsOf(list, 'GCP')) {
    const value = (name: string) => toNumber(attributes[name]);
    const point = { column: value('Pixel'), row: value('Line'), x: value('X'), y: value('Y') };
    if (points.length === MAX_CONTROL_POINTS || Object.values(point).some((part) => !Number.isFinite(part))) {
      throw sourceBroken(
        'bad-aux-xml',
        'The list of control points in the .aux.xml file is damaged or too long.',
      );
    }
    points.push({ ...point, z: value('Z') || 0 });
  }
  return points;
}

function toBand(element: XmlElement): AuxBand {
  const text = (name: string) => firstOf(element, name)?.text.trim() ?? null;
  const number = (name: string, fallback: number) => {
    const value = toNumber(text(name));
    return Number.isFinite(value) ? value : fallback;
  };
  return {
    description: text('Description') || PLAIN_BAND.description,
    scale: number('Scale', PLAIN_BAND.scale),
    offset: number('Offset', PLAIN_BAND.offset),
    unit: text('UnitType') || PLAIN_BAND.unit,
    nodata: parseNodataText(text('NoDataValue') ?? ''),
  };
}

/** Six numbers of any length that a double needs. */
const MAX_WORLD_FILE_CHARACTERS = 4_096;

const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eEdD][+-]?\d+)?$/;

/**
 * A world file (`.tfw`, `.wld`): pixel width, column shear, row shear, pixel height, and the centre of the upper left
 * pixel, one a line. Decimal commas are accepted, as by GDAL.
 */
export function parseWorldFile(text: string): Affine {
  if (text.length > MAX_WORLD_FILE_CHARACTERS) {
    throw sourceBroken(
      'world-file-too-long',
      `A world file has at most ${MAX_WORLD_FILE_CHARACTERS} characters.`,
    );
  }
  const words = text.trim().split(/\s+/, 7);
  const numbers = words.map((word) => {
    const plain = word.replace(',', '.');
    return NUMBER.test(plain) ? Number(plain.replace(/[dD]/, 'e')) : Number.NaN;
  });
  if (numbers.length < 6 || numbers.slice(0, 6).some((value) => !Number.isFinite(value))) {
    throw sourceBroken('bad-world-file', 'The world file does not hold six numbers.');
  }
  const [pixelWidth, colShear, rowShear, pixelHeight, centreX, centreY] = numbers as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const transform: Affine = [
    centreX - (pixelWidth + rowShear) / 2,
    pixelWidth,
    rowShear,
    centreY - (colShear + pixelHeight) / 2,
    colShear,
    pixelHeight,
  ];
  if (!isUsableTransform(transform)) {
    throw sourceBroken('bad-world-file', 'The world file maps all pixels onto a line or a point.');
  }
  return transform;
}
