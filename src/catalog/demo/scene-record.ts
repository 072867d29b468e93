import type { Asset, NewScene } from '../scene.ts';
import { toFootprint } from './footprint.ts';
import type { CellWindow } from './frame.ts';
import { acquiredAt, sun } from './frame.ts';

/** What was counted while the pixels were made, in pixels of 10 m. */
export interface SceneCounts {
  readonly pixels: number;
  readonly measured: number;
  /** Of the measured ones. */
  readonly cloudy: number;
}

const productName = 'S2A_MSIL1C_20260621T105031_N0512_R051_T31TDH_20260621T125501';

/** Two digits, as the provider gives percentages. */
const toPercent = (part: number, whole: number): number =>
  whole === 0 ? 0 : Math.round((part / whole) * 1e4) / 100;

/** The catalog's record of the demo scene, with the fields a Sentinel-2 search hit has. */
export function toSceneRecord(made: {
  readonly window: CellWindow;
  readonly assets: Readonly<Record<string, Asset>>;
  readonly counts: SceneCounts;
}): NewScene {
  const { pixels, measured, cloudy } = made.counts;
  const cloudPercent = toPercent(cloudy, measured);
  const coveragePercent = toPercent(measured, pixels);
  return {
    viewId: 'S2/31/T/DH/2026/6/21/0',
    sceneId: 'S2A_tile_20260621_31TDH_0',
    dataset: 'sentinel2',
    acquiredAt,
    footprint: toFootprint(made.window),
    frame: toFootprint(made.window),
    cloudPercent,
    sunElevationDeg: sun.elevationDeg,
    sunAzimuthDeg: sun.azimuthDeg,
    coveragePercent,
    // No links: the product does not exist at the provider, so a link would lead nowhere.
    fields: {
      sceneID: 'S2A_tile_20260621_31TDH_0',
      date: acquiredAt.slice(0, 10),
      timestamp: acquiredAt,
      cloudCoverage: cloudPercent,
      dataCoveragePercentage: coveragePercent,
      sunElevation: sun.elevationDeg,
      zenithAngle: Math.round((90 - sun.elevationDeg) * 100) / 100,
      azimuthAngle: sun.azimuthDeg,
      utmZone: 31,
      latitudeBand: 'T',
      gridSquare: 'DH',
      satelliteName: 'Sentinel-2A',
      productName,
      productPath: `products/2026/6/21/${productName}`,
      originalSceneID: 'S2A_OPER_MSI_L1C_DS_2APS_20260621T125501_S20260621T105031_N05.12',
      awsPath: 'tiles/31/T/DH/2026/6/21/0',
      processedL2A: false,
      onAmazon: false,
      offsetXmlKey: '',
      archivingTime: '2026-06-21',
      IndexingTime: '2026-06-21T13:20:00.000000',
    },
    assets: made.assets,
    provenance: 'demo',
  };
}
