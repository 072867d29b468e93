import { makeProjection } from '../../../src/proj/index.ts';
import type { SunPosition } from '../../light/exposure.ts';
import { sunAbove, sunAt } from '../../light/sun.ts';
import { epsg, frame } from '../../setting.ts';
import type { MsiBand } from './band-groups.ts';
import type { ProductNames } from './names.ts';
import type { Sentinel2Plan } from './plan.ts';
import { hasOffset, toPixelM } from './plan.ts';

/** What the metadata of a tile say in addition to its names. */
export interface GranuleFacts {
  readonly plan: Sentinel2Plan;
  readonly names: ProductNames;
  readonly bands: readonly MsiBand[];
  readonly cloudyPercent: number;
}

const SCHEMA = 'https://psd-14.sentinel2.eo.esa.int/PSD/S2_PDI_Level-1C_Tile_Metadata.xsd';
/** Angles are listed at nodes this far apart. */
const ANGLE_STEP_M = 5_000;
/** The instrument looks down from west of the tile; bands differ by a tenth of a degree. */
const VIEW = { zenithDeg: 6.1, azimuthDeg: 104.3, zenithStepDeg: 0.012, azimuthStepDeg: 0.11 } as const;

/** `metadata.xml` of the bucket, `MTD_TL.xml` of a SAFE. */
export function toGranuleXml({ plan, names, bands, cloudyPercent }: GranuleFacts): string {
  const { window, atMs } = plan;
  const sizes = [10, 20, 60].map((resolution) => {
    const pixelM = toPixelM(plan, resolution);
    return `      <Size resolution="${resolution}">
        <NROWS>${window.height / pixelM}</NROWS>
        <NCOLS>${window.width / pixelM}</NCOLS>
      </Size>
`;
  });
  const positions = [10, 20, 60].map((resolution) => {
    const pixelM = toPixelM(plan, resolution);
    return `      <Geoposition resolution="${resolution}">
        <ULX>${frame.west + window.x}</ULX>
        <ULY>${frame.north - window.y}</ULY>
        <XDIM>${pixelM}</XDIM>
        <YDIM>-${pixelM}</YDIM>
      </Geoposition>
`;
  });
  const views = bands.map(
    ({ id }) => `        <Mean_Viewing_Incidence_Angle bandId="${id}">
          <ZENITH_ANGLE unit="deg">${(VIEW.zenithDeg + id * VIEW.zenithStepDeg).toFixed(3)}</ZENITH_ANGLE>
          <AZIMUTH_ANGLE unit="deg">${(VIEW.azimuthDeg + id * VIEW.azimuthStepDeg).toFixed(2)}</AZIMUTH_ANGLE>
        </Mean_Viewing_Incidence_Angle>
`,
  );
  const sun = sunAt(atMs);
  const mask = hasOffset(plan.baseline)
    ? `<MASK_FILENAME type="MSK_CLASSI">GRANULE/${names.granuleFolder}/QI_DATA/MSK_CLASSI_B00.jp2</MASK_FILENAME>`
    : `<MASK_FILENAME type="MSK_CLOUDS">GRANULE/${names.granuleFolder}/QI_DATA/MSK_CLOUDS_B00.gml</MASK_FILENAME>`;
  return `<?xml version="1.0" encoding="UTF-8" standalone="no"?>
<n1:Level-1C_Tile_ID xmlns:n1="${SCHEMA}" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="${SCHEMA}">
  <n1:General_Info>
    <TILE_ID metadataLevel="Brief">${names.granule}</TILE_ID>
    <DATASTRIP_ID metadataLevel="Standard">${names.datastrip}</DATASTRIP_ID>
    <DOWNLINK_PRIORITY metadataLevel="Standard">NOMINAL</DOWNLINK_PRIORITY>
    <SENSING_TIME metadataLevel="Standard">${new Date(atMs).toISOString()}</SENSING_TIME>
    <Archiving_Info metadataLevel="Expertise">
      <ARCHIVING_CENTRE>VGS1</ARCHIVING_CENTRE>
      <ARCHIVING_TIME>${new Date(names.madeAtMs).toISOString()}</ARCHIVING_TIME>
    </Archiving_Info>
  </n1:General_Info>
  <n1:Geometric_Info>
    <Tile_Geocoding metadataLevel="Brief">
      <HORIZONTAL_CS_NAME>WGS84 / UTM zone 10N</HORIZONTAL_CS_NAME>
      <HORIZONTAL_CS_CODE>EPSG:${epsg}</HORIZONTAL_CS_CODE>
${sizes.join('')}${positions.join('')}    </Tile_Geocoding>
    <Tile_Angles metadataLevel="Standard">
      <Sun_Angles_Grid>
${toAngleGrids(plan)}      </Sun_Angles_Grid>
      <Mean_Sun_Angle>
        <ZENITH_ANGLE unit="deg">${90 - sun.elevationDeg}</ZENITH_ANGLE>
        <AZIMUTH_ANGLE unit="deg">${sun.azimuthDeg}</AZIMUTH_ANGLE>
      </Mean_Sun_Angle>
      <Mean_Viewing_Incidence_Angle_List>
${views.join('')}      </Mean_Viewing_Incidence_Angle_List>
    </Tile_Angles>
  </n1:Geometric_Info>
  <n1:Quality_Indicators_Info metadataLevel="Standard">
    <Image_Content_QI>
      <CLOUDY_PIXEL_PERCENTAGE>${Number(cloudyPercent.toFixed(6))}</CLOUDY_PIXEL_PERCENTAGE>
      <DEGRADED_MSI_DATA_PERCENTAGE>0</DEGRADED_MSI_DATA_PERCENTAGE>
    </Image_Content_QI>
    <Pixel_Level_QI geometry="FULL_RESOLUTION">
      ${mask}
    </Pixel_Level_QI>
  </n1:Quality_Indicators_Info>
</n1:Level-1C_Tile_ID>
`;
}

/** Where the sun stands above nodes of the window. */
function toAngleGrids({ window, atMs }: Sentinel2Plan): string {
  const { forward } = makeProjection(epsg, 4326);
  const suns = range(window.height).map((y) =>
    range(window.width).map((x) => {
      const [lon, lat] = forward(frame.west + window.x + x, frame.north - window.y - y);
      return sunAbove(atMs, lat, lon);
    }),
  );
  const toGrid = (name: string, toAngle: (sun: SunPosition) => number) => {
    const rows = suns.map(
      (row) => `            <VALUES>${row.map((sun) => toAngle(sun).toFixed(4)).join(' ')}</VALUES>\n`,
    );
    return `        <${name}>
          <COL_STEP unit="m">${ANGLE_STEP_M}</COL_STEP>
          <ROW_STEP unit="m">${ANGLE_STEP_M}</ROW_STEP>
          <Values_List>
${rows.join('')}          </Values_List>
        </${name}>
`;
  };
  return (
    toGrid('Zenith', ({ elevationDeg }) => 90 - elevationDeg) + toGrid('Azimuth', (sun) => sun.azimuthDeg)
  );
}

/** Nodes from one side to beyond the other. */
const range = (sideM: number): number[] =>
  Array.from({ length: Math.ceil(sideM / ANGLE_STEP_M) + 1 }, (_, i) => i * ANGLE_STEP_M);
