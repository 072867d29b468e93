import { isSwathError } from '../../errors.ts';
import { toWholeMib } from '../../units.ts';
import type { XmlElement } from '../../xml/index.ts';
import {
  childrenOf,
  descendantsOf,
  localName,
  makeElementCutter,
  parseXml,
  textAt,
} from '../../xml/index.ts';
import { badInput, tooLarge } from '../errors.ts';
import type { GeometryRules } from '../geometry/clean-geometry.ts';
import { cleanGeometry, RowFault } from '../geometry/clean-geometry.ts';
import type { FoundRow } from '../shapes.ts';
import { toFault, toProperties } from '../shapes.ts';
import { listArchive, readEntry } from './archive.ts';
import { readChunks, readHead } from './file-chunks.ts';
import { parseKmlGeometry } from './kml-geometry.ts';
import type { Reading } from './reading.ts';
import { decodeText } from './text-encoding.ts';

/** A document without its placemarks: styles, folders and schemas. Memory is bounded by it. */
const MAX_REST_BYTES = 32 * 2 ** 20;

/** Elements of a placemark that hold its shape. */
const SHAPES: ReadonlySet<string> = new Set([
  ...['Point', 'LineString', 'LinearRing', 'Polygon', 'MultiGeometry', 'Model', 'Track', 'MultiTrack'],
]);

/**
 * Reads the placemarks of KML, or of the first KML file of a KMZ archive, while its bytes arrive. Links in it are not
 * followed.
 */
export async function* readKml(reading: Reading): AsyncGenerator<FoundRow> {
  const { limits } = reading;
  const cutter = makeElementCutter({ name: 'Placemark', maxPart: limits.maxRowBytes });
  const rules = { toLonLat: null, maxVertices: limits.maxVertices };
  for await (const chunk of await openDocument(reading)) {
    // Markup has the same bytes in every encoding that is read: a character a byte, until a part is whole.
    for (const part of cutter.push(chunk.toString('latin1')))
      yield part === null
        ? toFault(`The row has more than ${limits.maxRowBytes} bytes.`)
        : readPlacemark(decode(part), rules);
    if (cutter.heldLength > MAX_REST_BYTES)
      throw tooLarge(
        'shape-file-too-large',
        `A KML file may have ${toWholeMib(MAX_REST_BYTES)} MiB outside of its placemarks. Use GeoPackage or GeoParquet for more.`,
      );
  }
  const cut = cutter.end();
  if (cut === null) throw notKml('an element does not end');
  checkRest(decode(cut.rest));
}

const decode = (latin: string): string => decodeText(Buffer.from(latin, 'latin1'));

const notKml = (why: string) => badInput('bad-shape-file', `The file is not KML: ${why}.`);

async function openDocument({ path, limits, signal }: Reading): Promise<AsyncIterable<Buffer>> {
  const { head } = await readHead(path, 4, limits.maxBytes);
  if (head.toString('latin1') !== 'PK\x03\x04') return readChunks(path, signal);
  const entry = (await listArchive(path)).find(({ name }) => /\.kml$/i.test(name));
  if (entry === undefined) throw notKml('the archive has no .kml file');
  return readEntry(path, entry, limits, signal);
}

/** The document without its placemarks: declarations of document types are refused there. */
function checkRest(rest: string): void {
  const root = tryParse(rest);
  if (typeof root === 'string') throw notKml(root);
  if (localName(root) !== 'kml') throw notKml('its root element is not <kml>');
}

/** An element, or why its text is not one. */
function tryParse(text: string): XmlElement | string {
  try {
    return parseXml(text, 'kml');
  } catch (error) {
    if (isSwathError(error)) return error.message.replace(/^The file kml /, 'it ').replace(/\.$/, '');
    throw error;
  }
}

function readPlacemark(text: string, rules: GeometryRules): FoundRow {
  const placemark = tryParse(text);
  if (typeof placemark === 'string') return toFault(`The placemark cannot be read: ${placemark}.`);
  const row = { id: placemark.attributes.id ?? null, properties: readProperties(placemark) };
  try {
    const shapes = placemark.children.filter(
      (child): child is XmlElement => 'attributes' in child && SHAPES.has(localName(child as XmlElement)),
    );
    const [shape] = shapes;
    const geometry = shape === undefined ? null : parseKmlGeometry(shape);
    return { ...row, geometry: cleanGeometry(geometry, rules), fault: null };
  } catch (error) {
    if (error instanceof RowFault) return toFault(error.message, row);
    throw error;
  }
}

/** Name, description and times, and the data that other programs have added; theirs win over ours. */
function readProperties(placemark: XmlElement): FoundRow['properties'] {
  const own = [
    ['name', textAt(placemark, 'name')],
    ['description', textAt(placemark, 'description')],
    ['when', textAt(placemark, 'TimeStamp/when')],
    ['begin', textAt(placemark, 'TimeSpan/begin')],
    ['end', textAt(placemark, 'TimeSpan/end')],
  ] as const;
  const data = childrenOf(placemark, 'ExtendedData').flatMap((extended) => [
    ...descendantsOf(extended, 'Data').map((item) => [item.attributes.name, textAt(item, 'value')] as const),
    ...descendantsOf(extended, 'SimpleData').map(
      (item) => [item.attributes.name, item.text.trim() || null] as const,
    ),
  ]);
  const entries = [...own.filter(([, value]) => value !== null), ...data];
  return toProperties(
    entries.flatMap(([name, value]) => (name === undefined ? [] : [[name, value] as const])),
  );
}
