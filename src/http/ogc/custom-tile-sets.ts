/**
 * Tile matrix sets of the operator: files of the data directory in the JSON of the standard 2D Tile Matrix Set 2.0, as the
 * OGC register has them.
 */
import { isObject } from '../../json.ts';
import { badInput } from '../errors.ts';
import type { TileMatrix, TileMatrixSet } from './tile-matrix-sets.ts';
import { DEGREE_M, registeredSets, toScale } from './tile-matrix-sets.ts';
import type { WmsCrs } from './wms-crs.ts';
import { readCrsUri } from './wms-crs.ts';

/** A file of the operator. */
export interface TileSetFile {
  /** Its name, for refusals. */
  readonly name: string;
  readonly text: string;
}

/** Capabilities list every level of every set. */
const MAX_MATRICES = 32;

/** A tile of twice the size is still a picture. */
const MAX_TILE_PX = 1_024;

/** Tiles of a row or column: more are finer than a millimetre on Earth. */
const MAX_TILES = 2 ** 32;

/** Reads all files; throws what is wrong with the first that cannot be used. */
export function parseTileSets(files: readonly TileSetFile[]): readonly TileMatrixSet[] {
  const taken = new Set(registeredSets.map(({ id }) => id));
  return files.map(({ name, text }) => {
    const refuse = (why: string): Error => badInput('bad-tile-set', `The tile matrix set ${name} ${why}.`);
    const set = parseTileSet(text, refuse);
    if (taken.has(set.id)) throw refuse(`has the id ${set.id}, which another set has`);
    taken.add(set.id);
    return set;
  });
}

type Refuse = (why: string) => Error;

function parseTileSet(text: string, refuse: Refuse): TileMatrixSet {
  const json = parseJson(text, refuse);
  const { id, title, crs, tileMatrices } = json;
  if (typeof id !== 'string' || !/^[A-Za-z]\w{0,63}$/.test(id))
    throw refuse('needs an id of letters, digits and _, which starts with a letter');
  if (!Array.isArray(tileMatrices) || tileMatrices.length === 0 || tileMatrices.length > MAX_MATRICES)
    throw refuse(`needs tileMatrices: a list of 1 to ${MAX_MATRICES}`);
  const system = parseSystem(crs, refuse);
  const { epsg, isNorthFirst } = system;
  const unitM = GEOGRAPHIC.has(epsg) ? DEGREE_M : 1;
  const read = tileMatrices.map((one: unknown) => parseMatrix(one, { isNorthFirst, unitM }, refuse));
  const matrices = read.sort((a, b) => b.cellSize - a.cellSize);
  if (new Set(matrices.map((matrix) => matrix.id)).size < matrices.length)
    throw refuse('has two tileMatrices with the same id');
  return {
    id,
    title: typeof title === 'string' && title.length <= 200 ? title : id,
    uri: null,
    ...toCrsNames(system),
    epsg,
    isNorthFirst,
    unitM,
    matrices,
  };
}

/** Systems in degrees. */
const GEOGRAPHIC: ReadonlySet<number> = new Set([4326, 4258, 4269]);

function parseJson(text: string, refuse: Refuse): Readonly<Record<string, unknown>> {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw refuse(`is not JSON: ${(error as Error).message}`);
  }
  if (!isObject(json)) throw refuse('is not a JSON object');
  return json;
}

function parseSystem(crs: unknown, refuse: Refuse): WmsCrs {
  const uri = isObject(crs) ? crs.uri : crs;
  if (typeof uri !== 'string') throw refuse('needs a crs: the address of a reference system');
  try {
    return readCrsUri(uri);
  } catch (error) {
    throw refuse(`has a crs that cannot be used: ${(error as Error).message}`);
  }
}

/** CRS84 is EPSG:4326 with the longitude first. */
function toCrsNames({ epsg, isNorthFirst }: WmsCrs): Pick<TileMatrixSet, 'crsUri' | 'crsUrn'> {
  const root = 'http://www.opengis.net/def/crs';
  return epsg === 4326 && !isNorthFirst
    ? { crsUri: `${root}/OGC/1.3/CRS84`, crsUrn: 'urn:ogc:def:crs:OGC:1.3:CRS84' }
    : { crsUri: `${root}/EPSG/0/${epsg}`, crsUrn: `urn:ogc:def:crs:EPSG::${epsg}` };
}

function parseMatrix(
  json: unknown,
  { isNorthFirst, unitM }: { readonly isNorthFirst: boolean; readonly unitM: number },
  refuse: Refuse,
): TileMatrix {
  if (!isObject(json)) throw refuse('has a tile matrix that is not a JSON object');
  const { id, cornerOfOrigin = 'topLeft', pointOfOrigin, variableMatrixWidths } = json;
  if (typeof id !== 'string' || !/^[\w-]{1,40}$/.test(id))
    throw refuse('has a tile matrix without an id of letters, digits, _ and -');
  if (cornerOfOrigin !== 'topLeft') throw refuse(`has tiles that do not start at topLeft (matrix ${id})`);
  if (variableMatrixWidths !== undefined) throw refuse(`has rows of different widths (matrix ${id})`);
  const read = (name: string, max: number): number => {
    const value = json[name];
    if (typeof value === 'number' && value > 0 && value <= max) return value;
    throw refuse(`needs ${name} of matrix ${id}: a number above 0, at most ${max}`);
  };
  const readWhole = (name: string, max: number): number => {
    const value = read(name, max);
    if (Number.isInteger(value)) return value;
    throw refuse(`needs ${name} of matrix ${id}: a whole number`);
  };
  const [a, b] = Array.isArray(pointOfOrigin) ? (pointOfOrigin as readonly unknown[]) : [];
  if (typeof a !== 'number' || typeof b !== 'number')
    throw refuse(`needs pointOfOrigin of matrix ${id}: two numbers`);
  const cellSize = read('cellSize', 1e6);
  return {
    id,
    scaleDenominator: toScale(cellSize, unitM),
    cellSize,
    origin: isNorthFirst ? [b, a] : [a, b],
    tileWidth: readWhole('tileWidth', MAX_TILE_PX),
    tileHeight: readWhole('tileHeight', MAX_TILE_PX),
    columns: readWhole('matrixWidth', MAX_TILES),
    rows: readWhole('matrixHeight', MAX_TILES),
  };
}
