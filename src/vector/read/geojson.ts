import { isUtf8 } from 'node:buffer';
import { isObject } from '../../json.ts';
import { badInput, unsupported } from '../errors.ts';
import type { GeometryRules } from '../geometry/clean-geometry.ts';
import { cleanGeometry, RowFault } from '../geometry/clean-geometry.ts';
import { parseCrsName, toLonLatFrom } from '../geometry/reference-system.ts';
import type { FoundRow } from '../shapes.ts';
import { toFault, toProperties } from '../shapes.ts';
import { FeatureCutter } from './cut-features.ts';
import { readChunks } from './file-chunks.ts';
import { readLines } from './lines.ts';
import type { Reading } from './reading.ts';

const notGeoJson = (why: string) => badInput('bad-shape-file', `The file is not GeoJSON: ${why}.`);

/** Reads a feature collection, a feature or a geometry; features one by one, while the file is read. */
export async function* readGeoJson({ path, limits, signal }: Reading): AsyncGenerator<FoundRow> {
  const { maxVertices, maxRowBytes } = limits;
  const cutter = new FeatureCutter(maxRowBytes);
  let rules: GeometryRules = { toLonLat: null, maxVertices };
  const members = new Map<string, Buffer | null>();
  let count = 0;
  for await (const chunk of readChunks(path, signal)) {
    for (const part of cutter.push(chunk)) {
      if (part === null) throw notGeoJson('it is not one JSON object');
      if (part.member === null) {
        count++;
        yield readFeatureText(part.text, rules, maxRowBytes);
      } else if (part.member === 'crs') {
        const toLonLat = readCrs(part.text);
        // Rows that were read as longitude and latitude cannot be taken back.
        if (toLonLat !== null && count > 0) throw notGeoJson("'crs' must come before 'features'");
        rules = { toLonLat, maxVertices };
      } else members.set(part.member, part.text);
    }
  }
  if (!cutter.isComplete) throw notGeoJson('it ends too early');
  if (count > 0 || readType(members) === 'FeatureCollection') return;
  yield readSingle(members, rules, maxRowBytes);
}

/** The `type` of the document. */
function readType(members: ReadonlyMap<string, Buffer | null>): string {
  const type = tryParse(members.get('type') ?? Buffer.alloc(0));
  if (typeof type === 'string') return type;
  throw notGeoJson("it has no 'type'");
}

/** A document that is one feature or one geometry. */
function readSingle(
  members: ReadonlyMap<string, Buffer | null>,
  rules: GeometryRules,
  maxRowBytes: number,
): FoundRow {
  const isFeature = readType(members) === 'Feature';
  const texts = [...members].map(([name, text]) => `${JSON.stringify(name)}:${text?.toString() ?? 'null'}`);
  const document = `{${texts.join(',')}}`;
  const feature = isFeature ? document : `{"type":"Feature","properties":null,"geometry":${document}}`;
  return readFeatureText(Buffer.from(feature), rules, maxRowBytes);
}

/** Reads newline-delimited GeoJSON (RFC 8142 too, with its record separators): a feature or geometry a line. */
export async function* readGeoJsonLines({ path, limits, signal }: Reading): AsyncGenerator<FoundRow> {
  const { maxVertices, maxRowBytes } = limits;
  const rules = { toLonLat: null, maxVertices };
  for await (const line of readLines(readChunks(path, signal), maxRowBytes)) {
    const text = line === null ? null : line[0] === RECORD_SEPARATOR ? line.subarray(1) : line;
    if (text !== null && isBlank(text)) continue;
    yield readFeatureText(text, rules, maxRowBytes);
  }
}

const RECORD_SEPARATOR = 0x1e;

const isBlank = (line: Buffer): boolean => line.every((byte) => byte <= 0x20);

function readFeatureText(text: Buffer | null, rules: GeometryRules, maxRowBytes: number): FoundRow {
  if (text === null) return toFault(`The row has more than ${maxRowBytes} bytes.`);
  if (!isUtf8(text)) return toFault('The row is not UTF-8 text.');
  const feature = tryParse(text);
  if (feature === undefined) return toFault('The row is not valid JSON.');
  if (!isObject(feature)) return toFault('The row is not a feature.');
  // Lines may hold bare geometries.
  return readFeature('coordinates' in feature ? { type: 'Feature', geometry: feature } : feature, rules);
}

function tryParse(text: Buffer): unknown {
  try {
    return JSON.parse(text.toString());
  } catch {
    return undefined;
  }
}

function readFeature(feature: Readonly<Record<string, unknown>>, rules: GeometryRules): FoundRow {
  if (feature.type !== 'Feature') return toFault("The row is not a feature: its 'type' is not 'Feature'.");
  const id = feature.id;
  const row = {
    id: typeof id === 'string' || typeof id === 'number' ? String(id) : null,
    properties: isObject(feature.properties) ? toProperties(Object.entries(feature.properties)) : {},
  };
  try {
    return { ...row, geometry: cleanGeometry(feature.geometry, rules), fault: null };
  } catch (error) {
    if (error instanceof RowFault) return toFault(error.message, row);
    throw error;
  }
}

/** The member `crs` of GeoJSON of 2008, which GDAL still writes for other systems. */
function readCrs(text: Buffer | null): GeometryRules['toLonLat'] {
  const crs = text === null ? undefined : tryParse(text);
  if (crs === null) return null;
  const properties = isObject(crs) ? crs.properties : null;
  const name = isObject(properties) ? properties.name : null;
  const code = typeof name === 'string' ? parseCrsName(name) : null;
  if (code === null)
    throw unsupported('shape-crs', "The member 'crs' of the file does not name an EPSG code.");
  return toLonLatFrom(code);
}
