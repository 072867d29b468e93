import { sourceBroken } from '../../../errors.ts';
import type { Affine } from '../../../geo/index.ts';
import type { ControlPoint } from '../georeference/georeference.ts';
import { isUsableTransform } from '../georeference/georeference.ts';
import type { BandInfo } from '../samples/gdal-metadata.ts';
import { PLAIN_BAND } from '../samples/gdal-metadata.ts';
import { parseNodataText } from '../samples/nodata.ts';
import { readAttribute, unescapeXml } from '../samples/xml-text.ts';

/** Histograms of many bands make these files long; georeference alone takes a few kB. */
const MAX_AUX_XML_CHARACTERS = 4 * 1024 * 1024;
const MAX_BANDS = 64;
const MAX_CONTROL_POINTS = 65_536;

/** What a `.aux.xml` file says about one band. */
export interface AuxBand extends BandInfo {
  readonly nodata: number | null;
}

/** What GDAL stores in a sidecar of an image (PAM): each part null or empty when it is not there. */
export interface AuxXml {
  /** The reference system as well-known text. */
  readonly wkt: string | null;
  readonly transform: Affine | null;
  readonly gcps: readonly ControlPoint[];
  /** By band number, from 0; bands it says nothing about are missing. */
  readonly bands: ReadonlyMap<number, AuxBand>;
}

/** An element without its tags. */
interface Element {
  readonly head: string;
  readonly body: string;
}

/**
 * The elements of a name, one after the other, those inside another of the same name as part of it. No entity is
 * expanded and each step goes on behind the last, so that the time is linear whatever the text.
 */
function* elementsOf(xml: string, name: string): Generator<Element> {
  const [open, close] = [`<${name}`, `</${name}>`];
  for (let at = xml.indexOf(open), next = 0; at >= 0; at = xml.indexOf(open, next)) {
    const headEnd = xml.indexOf('>', at);
    if (headEnd < 0) return;
    next = headEnd + 1;
    // a longer name that begins alike
    if (!/[\s/>]/.test(xml[at + open.length]!)) continue;
    if (xml[headEnd - 1] === '/') {
      yield { head: xml.slice(at, headEnd), body: '' };
      continue;
    }
    const end = xml.indexOf(close, headEnd);
    if (end < 0) return;
    next = end + close.length;
    yield { head: xml.slice(at, headEnd), body: xml.slice(headEnd + 1, end) };
  }
}

const firstOf = (xml: string, name: string): Element | null => elementsOf(xml, name).next().value ?? null;

const toNumber = (text: string | null): number =>
  text === null || text.trim() === '' ? Number.NaN : Number(text);

function toTransform(text: string): Affine | null {
  const numbers = text.split(',', 7).map(toNumber);
  if (numbers.length !== 6) return null;
  const transform = numbers as unknown as Affine;
  return isUsableTransform(transform) ? transform : null;
}

function toControlPoints(list: string): ControlPoint[] {
  const points: ControlPoint[] = [];
  for (const { head } of elementsOf(list, 'GCP')) {
    const value = (name: string) => toNumber(readAttribute(head, name));
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

function toBand(body: string): AuxBand {
  const text = (name: string) => {
    const element = firstOf(body, name);
    return element === null ? null : unescapeXml(element.body).trim();
  };
  const number = (name: string, fallback: number) => {
    const value = toNumber(text(name));
    return Number.isFinite(value) ? value : fallback;
  };
  return {
    description: text('Description') || PLAIN_BAND.description,
    scale: number('Scale', PLAIN_BAND.scale),
    offset: number('Offset', PLAIN_BAND.offset),
    nodata: parseNodataText(text('NoDataValue') ?? ''),
  };
}

/** Reads the georeference and the facts of the bands from GDAL's sidecar of an image. */
export function parseAuxXml(xml: string): AuxXml {
  if (xml.length > MAX_AUX_XML_CHARACTERS) {
    throw sourceBroken(
      'aux-xml-too-long',
      `An .aux.xml file has at most ${MAX_AUX_XML_CHARACTERS} characters.`,
    );
  }
  if (!xml.includes('<PAMDataset'))
    throw sourceBroken('bad-aux-xml', 'The .aux.xml file is not one of GDAL.');
  const gcpList = firstOf(xml, 'GCPList');
  const projection = gcpList === null ? null : readAttribute(gcpList.head, 'Projection');
  const srs = firstOf(xml, 'SRS')?.body ?? projection ?? '';
  const bands = new Map<number, AuxBand>();
  for (const { head, body } of elementsOf(xml, 'PAMRasterBand')) {
    const band = toNumber(readAttribute(head, 'band'));
    if (Number.isInteger(band) && band >= 1 && band <= MAX_BANDS) bands.set(band - 1, toBand(body));
  }
  return {
    wkt: unescapeXml(srs).trim() || null,
    transform: toTransform(firstOf(xml, 'GeoTransform')?.body ?? ''),
    gcps: gcpList === null ? [] : toControlPoints(gcpList.body),
    bands,
  };
}
