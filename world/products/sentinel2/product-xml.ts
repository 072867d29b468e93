import { earthSunDistanceAu } from '../../light/sun.ts';
import type { MsiBand } from './band-groups.ts';
import { ADDED, QUANTIFICATION } from './band-groups.ts';
import { toDataRing, toLonLatRing } from './footprint.ts';
import type { ProductNames } from './names.ts';
import type { Sentinel2Plan } from './plan.ts';
import { hasOffset } from './plan.ts';

/** What the metadata of a product say in addition to its names. */
interface ProductFacts {
  readonly plan: Sentinel2Plan;
  readonly names: ProductNames;
  readonly bands: readonly MsiBand[];
  readonly cloudyPercent: number;
}

const SCHEMA = 'https://psd-14.sentinel2.eo.esa.int/PSD/User_Product_Level-1C.xsd';

/** Sunlight outside of the atmosphere in W/m²/µm, as Sentinel-2A's metadata list it, by number of the band. */
const SOLAR_IRRADIANCE = [
  1884.69, 1959.66, 1823.24, 1512.06, 1424.64, 1287.61, 1162.08, 1041.63, 955.32, 812.92, 367.15, 245.59,
  85.25,
] as const;

/** `MTD_MSIL1C.xml` of a SAFE. */
export function toProductXml({ plan, names, bands, cloudyPercent }: ProductFacts): string {
  const iso = (atMs: number) => new Date(atMs).toISOString();
  const images = [...bands.map(({ name }) => name), 'TCI'].map(
    (name) =>
      `            <IMAGE_FILE>GRANULE/${names.granuleFolder}/IMG_DATA/${names.image}_${name}</IMAGE_FILE>\n`,
  );
  const offsets = bands.map(
    ({ id }) => `        <RADIO_ADD_OFFSET band_id="${id}">-${ADDED}</RADIO_ADD_OFFSET>\n`,
  );
  const offsetList = `      <Radiometric_Offset_List>
${offsets.join('')}      </Radiometric_Offset_List>
`;
  const irradiances = bands.map(
    ({ id }) =>
      `          <SOLAR_IRRADIANCE bandId="${id}" unit="W/m²/µm">${SOLAR_IRRADIANCE[id]}</SOLAR_IRRADIANCE>\n`,
  );
  const spectra = bands.map(
    (
      band,
    ) => `        <Spectral_Information bandId="${band.id}" physicalBand="${band.name.replace('B0', 'B')}">
          <RESOLUTION>${band.resolutionM}</RESOLUTION>
          <Wavelength>
            <MIN unit="nm">${Math.floor(band.centreNm - band.widthNm / 2)}</MIN>
            <MAX unit="nm">${Math.ceil(band.centreNm + band.widthNm / 2)}</MAX>
            <CENTRAL unit="nm">${band.centreNm}</CENTRAL>
          </Wavelength>
        </Spectral_Information>
`,
  );
  // latitudes before longitudes
  const positions = toLonLatRing(toDataRing(plan)).map(([lon, lat]) => `${lat} ${lon}`);
  return `<?xml version="1.0" encoding="UTF-8" standalone="no"?>
<n1:Level-1C_User_Product xmlns:n1="${SCHEMA}" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="${SCHEMA}">
  <n1:General_Info>
    <Product_Info>
      <PRODUCT_START_TIME>${iso(names.datatakeAtMs)}</PRODUCT_START_TIME>
      <PRODUCT_STOP_TIME>${iso(names.datatakeAtMs)}</PRODUCT_STOP_TIME>
      <PRODUCT_URI>${names.product}.SAFE</PRODUCT_URI>
      <PROCESSING_LEVEL>Level-1C</PROCESSING_LEVEL>
      <PRODUCT_TYPE>S2MSI1C</PRODUCT_TYPE>
      <PROCESSING_BASELINE>${plan.baseline}</PROCESSING_BASELINE>
      <GENERATION_TIME>${iso(names.madeAtMs)}</GENERATION_TIME>
      <PREVIEW_IMAGE_URL>Not applicable</PREVIEW_IMAGE_URL>
      <PREVIEW_GEO_INFO>BrowseImageFootprint</PREVIEW_GEO_INFO>
      <Datatake datatakeIdentifier="${names.datatake}">
        <SPACECRAFT_NAME>${plan.satellite.replace('S2', 'Sentinel-2')}</SPACECRAFT_NAME>
        <DATATAKE_TYPE>INS-NOBS</DATATAKE_TYPE>
        <DATATAKE_SENSING_START>${iso(names.datatakeAtMs)}</DATATAKE_SENSING_START>
        <SENSING_ORBIT_NUMBER>${names.relativeOrbit}</SENSING_ORBIT_NUMBER>
        <SENSING_ORBIT_DIRECTION>DESCENDING</SENSING_ORBIT_DIRECTION>
      </Datatake>
      <Query_Options completeSingleTile="true">
        <PRODUCT_FORMAT>SAFE_COMPACT</PRODUCT_FORMAT>
      </Query_Options>
      <Product_Organisation>
        <Granule_List>
          <Granule datastripIdentifier="${names.datastrip}" granuleIdentifier="${names.granule}" imageFormat="JPEG2000">
${images.join('')}          </Granule>
        </Granule_List>
      </Product_Organisation>
    </Product_Info>
    <Product_Image_Characteristics>
      <Special_Values>
        <SPECIAL_VALUE_TEXT>NODATA</SPECIAL_VALUE_TEXT>
        <SPECIAL_VALUE_INDEX>0</SPECIAL_VALUE_INDEX>
      </Special_Values>
      <Image_Display_Order>
        <RED_CHANNEL>3</RED_CHANNEL>
        <GREEN_CHANNEL>2</GREEN_CHANNEL>
        <BLUE_CHANNEL>1</BLUE_CHANNEL>
      </Image_Display_Order>
      <QUANTIFICATION_VALUE unit="none">${QUANTIFICATION}</QUANTIFICATION_VALUE>
${hasOffset(plan.baseline) ? offsetList : ''}      <Reflectance_Conversion>
        <U>${(1 / earthSunDistanceAu(plan.atMs) ** 2).toFixed(9)}</U>
        <Solar_Irradiance_List>
${irradiances.join('')}        </Solar_Irradiance_List>
      </Reflectance_Conversion>
      <Spectral_Information_List>
${spectra.join('')}      </Spectral_Information_List>
    </Product_Image_Characteristics>
  </n1:General_Info>
  <n1:Geometric_Info>
    <Product_Footprint>
      <Product_Footprint>
        <Global_Footprint>
          <EXT_POS_LIST>${positions.join(' ')}</EXT_POS_LIST>
        </Global_Footprint>
      </Product_Footprint>
      <RASTER_CS_TYPE>POINT</RASTER_CS_TYPE>
      <PIXEL_ORIGIN>1</PIXEL_ORIGIN>
    </Product_Footprint>
    <Coordinate_Reference_System>
      <GEO_TABLES version="1">EPSG</GEO_TABLES>
      <HORIZONTAL_CS_TYPE>GEOGRAPHIC</HORIZONTAL_CS_TYPE>
    </Coordinate_Reference_System>
  </n1:Geometric_Info>
  <n1:Quality_Indicators_Info>
    <Cloud_Coverage_Assessment>${Number(cloudyPercent.toFixed(6))}</Cloud_Coverage_Assessment>
    <Technical_Quality_Assessment>
      <DEGRADED_ANC_DATA_PERCENTAGE>0.0</DEGRADED_ANC_DATA_PERCENTAGE>
      <DEGRADED_MSI_DATA_PERCENTAGE>0</DEGRADED_MSI_DATA_PERCENTAGE>
    </Technical_Quality_Assessment>
  </n1:Quality_Indicators_Info>
</n1:Level-1C_User_Product>
`;
}

/** `manifest.safe`: which files belong to the product. */
export function toManifest(facts: {
  readonly plan: Sentinel2Plan;
  readonly names: ProductNames;
  /** Of all files except `MTD_MSIL1C.xml`. */
  readonly paths: readonly string[];
}): string {
  const { plan, names, paths } = facts;
  const objects = ['MTD_MSIL1C.xml', ...paths].map(
    (path) => `    <dataObject ID="${toId(path)}">
      <byteStream mimeType="${path.endsWith('.xml') ? 'text/xml' : 'application/octet-stream'}">
        <fileLocation locatorType="URL" href="./${path}"/>
      </byteStream>
    </dataObject>
`,
  );
  const footprint = toLonLatRing(toDataRing(plan)).map(([lon, lat]) => `${lat} ${lon}`);
  return `<?xml version="1.0" encoding="UTF-8"?>
<xfdu:XFDU xmlns:xfdu="urn:ccsds:schema:xfdu:1" xmlns:safe="http://www.esa.int/safe/sentinel/1.1" xmlns:gml="http://www.opengis.net/gml" version="esa/safe/sentinel/1.1/sentinel-2/msi/archive_l1c_user_product">
  <informationPackageMap>
    <xfdu:contentUnit unitType="Product_Level-1C" textInfo="SENTINEL-2 MSI Level-1C User Product" ID="S2_Level-1C_Product"/>
  </informationPackageMap>
  <metadataSection>
    <metadataObject ID="acquisitionPeriod" classification="DESCRIPTION" category="DMD">
      <metadataWrap mimeType="text/xml" vocabularyName="SAFE" textInfo="Acquisition Period">
        <xmlData>
          <safe:acquisitionPeriod>
            <safe:startTime>${new Date(names.datatakeAtMs).toISOString()}</safe:startTime>
          </safe:acquisitionPeriod>
        </xmlData>
      </metadataWrap>
    </metadataObject>
    <metadataObject ID="measurementFrameSet" classification="DESCRIPTION" category="DMD">
      <metadataWrap mimeType="text/xml" vocabularyName="SAFE" textInfo="Frame Set">
        <xmlData>
          <safe:frameSet>
            <safe:footPrint srsName="http://www.opengis.net/gml/srs/epsg.xml#4326">
              <gml:coordinates>${footprint.join(' ')}</gml:coordinates>
            </safe:footPrint>
          </safe:frameSet>
        </xmlData>
      </metadataWrap>
    </metadataObject>
  </metadataSection>
  <dataObjectSection>
${objects.join('')}  </dataObjectSection>
</xfdu:XFDU>
`;
}

/** An XML name out of a path. */
const toId = (path: string): string => path.replace(/[^A-Za-z0-9]+/g, '_');
