import type { FieldsOf } from '../../../sensors/index.ts';
import type { FindScene } from '../family.ts';
import type { BandScale, SceneFacts } from '../scene-facts.ts';
import { DEFAULT_FACTS, toFields, toHundredths } from '../scene-facts.ts';
import type { Recording } from './name-recording.ts';
import { nameRecording } from './name-recording.ts';

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
