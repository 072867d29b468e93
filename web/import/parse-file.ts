/** A file that a user brought, recognised by what it holds rather than by its name. */
import { unzipSync } from 'fflate';
import type { Shape } from '../shapes/shape.ts';
import { hasEncryptedFile } from './find-encrypted.ts';
import { parseGeoJson } from './parse-geojson.ts';
import { parseShapefile } from './parse-shapefile.ts';
import { SHP_CODE } from './parse-shp.ts';
import { MAX_FILE_BYTES, Refusal } from './refusal.ts';

/** Of all files of an archive together. */
const MAX_UNZIPPED_BYTES = 100_000_000;
/** Of an archive, wanted or not: a directory that is made up may say billions. */
const MAX_FILES = 100_000;
const WANTED = /\.(shp|prj|dbf|cpg|kml|geojson|json)$/i;
/** Copies of file attributes that Macs put into archives. */
const NOT_WANTED = /(^|\/)(__MACOSX\/|\._)/;

/** Reads one kind of text. */
type ParseText = (text: string) => readonly Shape[];

const unzip = (bytes: Uint8Array): Readonly<Record<string, Uint8Array>> => {
  let [total, count] = [0, 0];
  const isWanted = (name: string): boolean => WANTED.test(name) && !NOT_WANTED.test(name);
  if (hasEncryptedFile(bytes, isWanted)) throw new Refusal('encrypted-zip');
  try {
    return unzipSync(bytes, {
      filter({ name, originalSize }) {
        if (++count > MAX_FILES) throw new Refusal('too-large');
        if (!isWanted(name)) return false;
        total += originalSize;
        if (total > MAX_UNZIPPED_BYTES) throw new Refusal('too-large');
        return true;
      },
    });
  } catch (error) {
    throw error instanceof Refusal ? error : new Refusal('bad-zip');
  }
};

const parseZip = (bytes: Uint8Array, parseKml: ParseText): readonly Shape[] => {
  const files = Object.entries(unzip(bytes));
  const partOf = (stem: string, extension: string): Uint8Array | null =>
    files.find(([name]) => name.toLowerCase() === `${stem}.${extension}`.toLowerCase())?.[1] ?? null;
  if (!files.some(([name]) => /\.(shp|kml|geojson|json)$/i.test(name))) throw new Refusal('empty-zip');
  return files.flatMap(([name, content]) => {
    const stem = name.replace(/\.[^.]*$/, '');
    if (/\.shp$/i.test(name)) {
      const [prj, dbf, cpg] = [partOf(stem, 'prj'), partOf(stem, 'dbf'), partOf(stem, 'cpg')];
      return parseShapefile({ shp: content, prj, dbf, cpg });
    }
    return /\.(kml|geojson|json)$/i.test(name) ? parseText(content, parseKml) : [];
  });
};

const parseText = (bytes: Uint8Array, parseKml: ParseText): readonly Shape[] => {
  const text = new TextDecoder().decode(bytes).trimStart();
  if (text.startsWith('{')) return parseGeoJson(text);
  if (text.startsWith('<')) return parseKml(text);
  throw new Refusal('unknown-format');
};

const parseBytes = (bytes: Uint8Array, parseKml: ParseText): readonly Shape[] => {
  const [first, second, third, fourth] = bytes;
  if (first === 0x50 && second === 0x4b) return parseZip(bytes, parseKml);
  const code = ((first ?? 0) << 24) | ((second ?? 0) << 16) | ((third ?? 0) << 8) | (fourth ?? 0);
  if (code === SHP_CODE) throw new Refusal('lone-shp');
  return parseText(bytes, parseKml);
};

/** The shapes of a file; throws a `Refusal`. KML is read by the page, so its reader is handed in. */
export const readFile = (bytes: Uint8Array, parseKml: ParseText): readonly Shape[] => {
  if (bytes.length > MAX_FILE_BYTES) throw new Refusal('too-large');
  return parseBytes(bytes, parseKml);
};
