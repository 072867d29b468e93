import type { FieldsOf, Sensor } from '../../../sensors/index.ts';
import { formatViewId } from '../../../sensors/index.ts';
import type { BandScale, FindScene, SceneFacts } from '../family.ts';
import { DEFAULT_FACTS, toFields, toHundredths } from '../family.ts';

/** What a folder or an item knows of a recording. */
interface KnownRecording
  extends Recording,
    Pick<SceneFacts, 'processed' | 'cloudPercent' | 'sunElevationDeg' | 'sunAzimuthDeg' | 'coveragePercent'> {
  readonly productName: string | null;
  /** The tile's path in the provider's bucket: `tiles/31/T/DH/2026/6/21/0`. */
  readonly awsPath: string | undefined;
  /** Fields that only one source knows. */
  readonly more: FieldsOf<'sentinel2'>;
}

/** The facts of a recording, whatever source it is known from. */
export async function toRecordingFacts(known: KnownRecording, findScene: FindScene): Promise<SceneFacts> {
  const { sensor, mission, tile, acquiredAt, datastripId, productName, awsPath } = known;
  const { cloudPercent, coveragePercent, sunElevationDeg, sunAzimuthDeg } = known;
  const { viewId, sceneId } = await nameRecording(known, findScene);
  const isL2A = sensor.dataset === 'sentinel2l2a';
  return {
    ...DEFAULT_FACTS,
    sensor,
    viewId,
    sceneId,
    productId: productName,
    acquiredAt,
    processed: known.processed,
    cloudPercent,
    sunElevationDeg,
    sunAzimuthDeg,
    coveragePercent,
    fields: toFields<'sentinel2'>({
      timestamp: acquiredAt,
      cloudCoverage: toHundredths(cloudPercent),
      sunElevation: sunElevationDeg,
      zenithAngle: sunElevationDeg === null ? null : 90 - sunElevationDeg,
      azimuthAngle: sunAzimuthDeg,
      utmZone: Number(tile[0]),
      latitudeBand: tile[1],
      gridSquare: tile[2],
      satelliteName: mission.replace('S2', 'Sentinel-2'),
      productName,
      originalSceneID: datastripId,
      awsPath,
      awsPathL2A: isL2A ? (awsPath ?? toTilePath(viewId)) : null,
      processedL2A: isL2A,
      onAmazon: true,
      ...known.more,
    }),
    cloudMask: sensor.cloud.kind === 'classes' ? { kind: 'classes', band: sensor.cloud.band } : null,
  };
}

/**
 * The path of a tile in the provider's buckets of either level: view ids follow the buckets, even if the files come from
 * elsewhere.
 */
const toTilePath = (viewId: string): string => viewId.replace(/^[^/]+/, 'tiles');

/** `N0400` of a product's name as `04.00`; names without it are the oldest. */
export function baselineInName(name: string): string {
  const [, major, minor] = /_N(\d{2})(\d{2})_/.exec(name) ?? [];
  return major === undefined ? '00.00' : `${major}.${minor}`;
}

/** Reflectance = stored * scale + offset, both from integers of the metadata. */
export const toBandScale = (quantification: number, offset: number): BandScale => ({
  scale: 1 / quantification,
  offset: offset / quantification,
});

/** What tells one recording of a tile from another. */
export interface Recording {
  readonly sensor: Sensor;
  /** `S2A`; `S2` if the satellite is unknown. */
  readonly mission: string;
  readonly tile: readonly [zone: string, latitudeBand: string, square: string];
  readonly acquiredAt: string;
  /** `S2A_OPER_MSI_L1C_DS_SGS__20160318T152524_S20160318T101009_N02.01`; null if unknown. */
  readonly datastripId: string | null;
  /** The day and the number within it, if the provider numbers recordings. */
  readonly given: { readonly day: readonly (number | string)[]; readonly sequence: number } | null;
}

interface SceneNames {
  readonly viewId: string;
  readonly sceneId: string;
}

/**
 * Names a recording. If the provider does not number the recordings of a day, it gets the number it already has, or the
 * first free one.
 */
async function nameRecording(recording: Recording, findScene: FindScene): Promise<SceneNames> {
  const { given } = recording;
  if (given !== null) return toNames(recording, given.sequence);
  for (let sequence = 0; ; sequence++) {
    const names = toNames(recording, sequence);
    const known = await findScene(names.viewId);
    if (known === null || isSame(recording, known)) return names;
  }
}

function toNames({ sensor, mission, tile, acquiredAt, given }: Recording, sequence: number): SceneNames {
  const taken = acquiredAt.slice(0, 10).split('-');
  // The day of the bucket's path is that of the start of the recording, which may be the day before.
  const [year, month, day] = (given?.day ?? taken).map(Number);
  const viewId = formatViewId(sensor, {
    utmZone: tile[0],
    latitudeBand: tile[1],
    square: tile[2],
    year: String(year),
    month: String(month),
    day: String(day),
    sequence: String(sequence),
  });
  return { viewId, sceneId: `${mission}_tile_${taken.join('')}_${tile.join('')}_${sequence}` };
}

/**
 * Max distance of two times of one recording. Two recordings of a tile on one day are an orbit (100 minutes) apart, or
 * by two satellites. Catalogs give either the time of the tile or the start of the recording, up to 38 minutes earlier.
 */
export const SAME_RECORDING_MS = 45 * 60_000;

/** Datastrips that meet within a tile begin at least ten seconds apart; a reprocessed one begins at the same second. */
const SAME_STRIP_MS = 5_000;

/**
 * A tile in which one datastrip ends and the next begins is delivered as two products of nearly the same time, each with
 * a part of it, so datastrips are compared before times.
 */
function isSame(
  { mission, acquiredAt, datastripId }: Recording,
  known: NonNullable<Awaited<ReturnType<FindScene>>>,
): boolean {
  if (/^S2[A-D]_/.test(known.sceneId) && !known.sceneId.startsWith(mission)) return false;
  const [strip, knownStrip] = [toStripStart(datastripId), toStripStart(known.fields.originalSceneID)];
  if (strip !== null && knownStrip !== null) return Math.abs(strip - knownStrip) < SAME_STRIP_MS;
  return Math.abs(Date.parse(known.acquiredAt) - Date.parse(acquiredAt)) < SAME_RECORDING_MS;
}

/** Start of a datastrip in milliseconds: the `S20160318T101009` of its name. */
function toStripStart(datastripId: unknown): number | null {
  if (typeof datastripId !== 'string') return null;
  const [, day, time] = /_S(\d{8})T(\d{6})_/.exec(datastripId) ?? [];
  if (day === undefined || time === undefined) return null;
  const start = Date.parse(`${day.replace(/(....)(..)/, '$1-$2-')}T${time.replace(/(..)(..)/, '$1:$2:')}Z`);
  return Number.isNaN(start) ? null : start;
}
