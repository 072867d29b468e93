/** `tileInfo.json` of a tile of 160 m at 600000, 5500000 in zone 31. */
export function toTileInfo({ path, productName }: { path: string; productName: string }): string {
  const crs = { type: 'name', properties: { name: 'urn:ogc:def:crs:EPSG:8.8.1:32631' } };
  const box = (west: number, south: number, east: number, north: number) => ({
    type: 'Polygon',
    crs,
    coordinates: [
      [
        [west, north],
        [east, north],
        [east, south],
        [west, south],
        [west, north],
      ],
    ],
  });
  return JSON.stringify({
    path,
    timestamp: '2018-06-17T10:50:31.458Z',
    datastrip: { id: 'S2B_OPER_MSI_L1C_DS_EPAE_20180617T120000_S20180617T105031_N02.06' },
    tileGeometry: box(600_000, 5_490_000, 610_000, 5_500_000),
    tileDataGeometry: box(600_000, 5_490_000, 605_000, 5_500_000),
    dataCoveragePercentage: 50,
    cloudyPixelPercentage: 41.2,
    productName,
    productPath: `products/2018/6/17/${productName}`,
  });
}

/** Facts of a tile's XML. */
interface GranuleText {
  readonly level: '1C' | '2A';
  readonly tileId: string;
  readonly sensingTime: string;
  readonly cloud?: number;
  /** Start of its datastrip, `20180617T105031`; by default that of the tile. */
  readonly strip?: string;
}

/** `metadata.xml` or `MTD_TL.xml`. */
export const toGranuleXml = ({
  level,
  tileId,
  sensingTime,
  cloud = 41.1953,
  strip = sensingTime.slice(0, 19).replace(/[-:]/g, ''),
}: GranuleText): string => `<?xml version="1.0"?>
<n1:Level-${level}_Tile_ID xmlns:n1="https://psd-14.sentinel2.eo.esa.int/PSD/Tile.xsd">
  <n1:General_Info>
    <TILE_ID metadataLevel="Brief">${tileId}</TILE_ID>
    <DATASTRIP_ID>S2B_OPER_MSI_L1C_DS_EPAE_20180617T120000_S${strip}_N02.06</DATASTRIP_ID>
    <SENSING_TIME metadataLevel="Standard">${sensingTime}</SENSING_TIME>
    <Archiving_Info><ARCHIVING_TIME>2018-06-17T12:06:21.973943Z</ARCHIVING_TIME></Archiving_Info>
  </n1:General_Info>
  <n1:Geometric_Info>
    <Tile_Geocoding><HORIZONTAL_CS_CODE>EPSG:32631</HORIZONTAL_CS_CODE></Tile_Geocoding>
    <Tile_Angles><Mean_Sun_Angle>
      <ZENITH_ANGLE unit="deg">60.25</ZENITH_ANGLE><AZIMUTH_ANGLE unit="deg">28.5</AZIMUTH_ANGLE>
    </Mean_Sun_Angle></Tile_Angles>
  </n1:Geometric_Info>
  <n1:Quality_Indicators_Info><Image_Content_QI>
    <CLOUDY_PIXEL_PERCENTAGE>${cloud}</CLOUDY_PIXEL_PERCENTAGE>
    ${level === '2A' ? '<NODATA_PIXEL_PERCENTAGE>25</NODATA_PIXEL_PERCENTAGE>' : ''}
  </Image_Content_QI></n1:Quality_Indicators_Info>
</n1:Level-${level}_Tile_ID>`;

/** The metadata of a product: `MTD_MSIL1C.xml`, `MTD_MSIL2A.xml` or a longer name; with `offset` null there is no list of offsets, as in older baselines. */
export function toProductXml(facts: {
  readonly level: '1C' | '2A';
  readonly productName: string;
  readonly baseline: string;
  readonly offset: number | null;
  /** The text at the position of the product's name. */
  readonly uri?: string;
}): string {
  const { level, productName, baseline, offset, uri = `${productName}.SAFE` } = facts;
  const [list, item] =
    level === '1C'
      ? ['Radiometric_Offset_List', 'RADIO_ADD_OFFSET']
      : ['BOA_ADD_OFFSET_VALUES_LIST', 'BOA_ADD_OFFSET'];
  const offsets = [0, 1, 2, 3].map((id) => `<${item} band_id="${id}">${offset}</${item}>`).join('');
  const quantification =
    level === '1C'
      ? '<QUANTIFICATION_VALUE unit="none">10000</QUANTIFICATION_VALUE>'
      : '<QUANTIFICATION_VALUES_LIST><BOA_QUANTIFICATION_VALUE>10000</BOA_QUANTIFICATION_VALUE></QUANTIFICATION_VALUES_LIST>';
  const spectra = ['B1', 'B2', 'B3', 'B4'].map(
    (band, id) => `<Spectral_Information bandId="${id}" physicalBand="${band}"/>`,
  );
  return `<?xml version="1.0"?>
<n1:Level-${level}_User_Product xmlns:n1="https://psd-14.sentinel2.eo.esa.int/PSD/User_Product.xsd">
  <n1:General_Info>
    <Product_Info>
      <PRODUCT_URI>${uri}</PRODUCT_URI>
      <PROCESSING_BASELINE>${baseline}</PROCESSING_BASELINE>
      <GENERATION_TIME>2022-04-01T11:00:10.000000Z</GENERATION_TIME>
      <Datatake datatakeIdentifier="X"><SPACECRAFT_NAME>Sentinel-2A</SPACECRAFT_NAME></Datatake>
    </Product_Info>
    <Product_Image_Characteristics>
      ${quantification}
      ${offset === null ? '' : `<${list}>${offsets}</${list}>`}
      <Spectral_Information_List>${spectra.join('')}</Spectral_Information_List>
    </Product_Image_Characteristics>
  </n1:General_Info>
  <n1:Geometric_Info><Product_Footprint><Product_Footprint><Global_Footprint>
    <EXT_POS_LIST>49.6 4.4 49.5 4.4 49.5 4.5 49.6 4.5 49.6 4.4</EXT_POS_LIST>
  </Global_Footprint></Product_Footprint></Product_Footprint></n1:Geometric_Info>
  <n1:Quality_Indicators_Info><Cloud_Coverage_Assessment>33.25</Cloud_Coverage_Assessment></n1:Quality_Indicators_Info>
</n1:Level-${level}_User_Product>`;
}

/** `MSK_CLOUDS_B00.gml` with an opaque cloud that has a hole, and a cirrus. */
export const cloudGml = `<?xml version="1.0" encoding="UTF-8"?>
<eop:Mask xmlns:eop="http://www.opengis.net/eop/2.0" xmlns:gml="http://www.opengis.net/gml/3.2" gml:id="M">
  <gml:boundedBy><gml:Envelope srsName="urn:ogc:def:crs:EPSG:8.7:32631">
    <gml:lowerCorner>0 0</gml:lowerCorner><gml:upperCorner>1 1</gml:upperCorner>
  </gml:Envelope></gml:boundedBy>
  <eop:maskMembers>
    <eop:MaskFeature gml:id="OPAQUE.0">
      <eop:maskType codeSpace="x">OPAQUE</eop:maskType>
      <eop:extentOf><gml:Polygon><gml:exterior><gml:LinearRing>
        <gml:posList srsDimension="2">0 0 60 0 60 60 0 60 0 0</gml:posList>
      </gml:LinearRing></gml:exterior><gml:interior><gml:LinearRing>
        <gml:posList srsDimension="2">20 20 40 20 40 40 20 20</gml:posList>
      </gml:LinearRing></gml:interior></gml:Polygon></eop:extentOf>
    </eop:MaskFeature>
    <eop:MaskFeature gml:id="CIRRUS.0">
      <eop:maskType codeSpace="x">CIRRUS</eop:maskType>
      <eop:extentOf><gml:Polygon><gml:exterior><gml:LinearRing>
        <gml:posList srsDimension="2">100 0 160 0 160 60 100 0</gml:posList>
      </gml:LinearRing></gml:exterior></gml:Polygon></eop:extentOf>
    </eop:MaskFeature>
  </eop:maskMembers>
</eop:Mask>`;

const HEADER = (polarisation: string) => `<adsHeader>
    <missionId>S1A</missionId><productType>GRD</productType><polarisation>${polarisation}</polarisation>
    <mode>IW</mode><swath>IW</swath>
    <startTime>2021-08-09T17:39:53.153776</startTime><stopTime>2021-08-09T17:40:18.152800</stopTime>
    <absoluteOrbitNumber>39156</absoluteOrbitNumber>
  </adsHeader>`;

/** `manifest.safe` of Sentinel-1. */
export const sentinel1Manifest = `<?xml version="1.0"?>
<xfdu:XFDU xmlns:xfdu="urn:ccsds:schema:xfdu:1" xmlns:safe="http://www.esa.int/safe/sentinel-1.0" xmlns:gml="http://www.opengis.net/gml" xmlns:s1="http://www.esa.int/s1">
  <metadataSection>
    <safe:processing name="GRD Post Processing" start="2021-08-09T20:08:52.914621" stop="2021-08-09T20:19:58.000000"/>
    <safe:acquisitionPeriod><safe:startTime>2021-08-09T17:39:53.153776</safe:startTime><safe:stopTime>2021-08-09T17:40:18.152800</safe:stopTime></safe:acquisitionPeriod>
    <s1:mode>IW</s1:mode><safe:orbitNumber type="start">39156</safe:orbitNumber><s1:pass>ASCENDING</s1:pass>
    <safe:footPrint><gml:coordinates>46.03,1.51 46.43,4.85 44.93,5.18 44.53,1.93</gml:coordinates></safe:footPrint>
  </metadataSection>
</xfdu:XFDU>`;

/** An annotation whose grid of two by two points covers an image of two by two pixels. */
export const toAnnotationXml = (polarisation: string): string => {
  const points = [
    [0, 0, 2, 46],
    [0, 1, 3, 46.1],
    [1, 0, 2.1, 45],
    [1, 1, 3.1, 45.1],
  ].map(
    ([line, pixel, lon, lat]) =>
      `<geolocationGridPoint><line>${line}</line><pixel>${pixel}</pixel><latitude>${lat}</latitude><longitude>${lon}</longitude><height>3.3e+02</height></geolocationGridPoint>`,
  );
  return `<?xml version="1.0"?>
<product>${HEADER(polarisation)}
  <generalAnnotation><productInformation><pass>Ascending</pass></productInformation></generalAnnotation>
  <imageAnnotation><imageInformation><numberOfSamples>2</numberOfSamples><numberOfLines>2</numberOfLines></imageInformation></imageAnnotation>
  <geolocationGrid><geolocationGridPointList count="4">${points.join('')}</geolocationGridPointList></geolocationGrid>
</product>`;
};

/** A calibration whose table is `value(line, pixel)`. */
export function toCalibrationXml(
  polarisation: string,
  table: {
    readonly lines: readonly number[];
    readonly pixels: readonly number[];
    readonly value: (line: number, pixel: number) => number;
  },
): string {
  const vectors = table.lines.map(
    (line) => `<calibrationVector><line>${line}</line>
      <pixel count="${table.pixels.length}">${table.pixels.join(' ')}</pixel>
      <sigmaNought count="${table.pixels.length}">${table.pixels.map((pixel) => table.value(line, pixel).toExponential(6)).join(' ')}</sigmaNought>
    </calibrationVector>`,
  );
  return `<?xml version="1.0"?>
<calibration>${HEADER(polarisation)}
  <calibrationVectorList count="${vectors.length}">${vectors.join('\n')}</calibrationVectorList>
</calibration>`;
}

/** A line of noise and its pixels. */
interface NoiseLine {
  readonly line: number;
  readonly pixels: readonly number[];
  readonly values: readonly number[];
}

/** The noise of a polarisation, with blocks of factors as processors since 2.9 write them, or without as before. */
export function toNoiseXml(
  polarisation: string,
  { range, azimuth }: { readonly range: readonly NoiseLine[]; readonly azimuth: readonly NoiseLine[] | null },
): string {
  const list = (name: string, numbers: readonly number[]) =>
    `<${name} count="${numbers.length}">${numbers.join(' ')}</${name}>`;
  const [vector, lut] =
    azimuth === null ? ['noiseVector', 'noiseLut'] : ['noiseRangeVector', 'noiseRangeLut'];
  const lines = range.map(
    ({ line, pixels, values }) =>
      `<${vector}><line>${line}</line>${list('pixel', pixels)}${list(lut, values)}</${vector}>`,
  );
  // Each block has a hundred lines, from its first to its last pixel.
  const blocks = azimuth?.map(
    ({ line, pixels, values }) => `<noiseAzimuthVector><swath>IW1</swath>
      <firstAzimuthLine>${line}</firstAzimuthLine><lastAzimuthLine>${line + 99}</lastAzimuthLine>
      <firstRangeSample>${pixels[0]}</firstRangeSample><lastRangeSample>${pixels.at(-1)}</lastRangeSample>
      ${list(
        'line',
        values.map((_, i) => line + 10 * i),
      )}${list('noiseAzimuthLut', values)}
    </noiseAzimuthVector>`,
  );
  return `<?xml version="1.0"?>
<noise>${HEADER(polarisation)}
  <${vector}List count="${lines.length}">${lines.join('')}</${vector}List>
  ${blocks === undefined ? '' : `<noiseAzimuthVectorList count="${blocks.length}">${blocks.join('')}</noiseAzimuthVectorList>`}
</noise>`;
}

/** Facts of a Landsat product for the texts below. */
export interface LandsatText {
  readonly sceneId: string;
  /** Null before the collections. */
  readonly productId: string | null;
  readonly collection: 0 | 1 | 2;
  readonly level?: string;
  readonly spacecraft?: number;
  readonly sensor?: string;
  readonly cloud?: number;
  readonly processed?: string;
}

type Groups = Record<string, Record<string, string | number>>;

/** The fields of an MTL file in the groups of its collection; of two bands, one of them thermal. */
function toLandsatGroups(facts: LandsatText): Groups {
  const { sceneId, productId, collection, level = 'L1TP', spacecraft = 8, sensor = 'OLI_TIRS' } = facts;
  const { cloud = 12.5, processed = '2020-09-08T01:33:50Z' } = facts;
  const ids =
    productId === null ? {} : { LANDSAT_PRODUCT_ID: productId, COLLECTION_NUMBER: `0${collection}` };
  const scene = {
    SPACECRAFT_ID: `LANDSAT_${spacecraft}`,
    SENSOR_ID: sensor,
    WRS_PATH: '016',
    WRS_ROW: '037',
    DATE_ACQUIRED: '2017-08-13',
    SCENE_CENTER_TIME: '15:54:15.7884640Z',
  };
  const sky = { CLOUD_COVER: cloud, SUN_AZIMUTH: 126.8, SUN_ELEVATION: 62.25, EARTH_SUN_DISTANCE: 1.013 };
  const files = { FILE_NAME_BAND_4: `${productId ?? sceneId}_B4.TIF` };
  const rescaling = {
    RADIANCE_MULT_BAND_4: '9.7350E-03',
    RADIANCE_ADD_BAND_4: -48.67504,
    REFLECTANCE_MULT_BAND_4: '2.0000E-05',
    REFLECTANCE_ADD_BAND_4: -0.1,
    RADIANCE_MULT_BAND_10: '3.3420E-04',
    RADIANCE_ADD_BAND_10: 0.1,
  };
  const thermal = { K1_CONSTANT_BAND_10: 774.8853, K2_CONSTANT_BAND_10: 1321.0789 };
  if (collection < 2) {
    return {
      METADATA_FILE_INFO: { LANDSAT_SCENE_ID: sceneId, ...ids, FILE_DATE: processed },
      PRODUCT_METADATA: { DATA_TYPE: level, ...scene, ...files },
      IMAGE_ATTRIBUTES: sky,
      RADIOMETRIC_RESCALING: rescaling,
      TIRS_THERMAL_CONSTANTS: thermal,
    };
  }
  const surface: Groups = level.startsWith('L2')
    ? {
        LEVEL2_SURFACE_REFLECTANCE_PARAMETERS: {
          REFLECTANCE_MULT_BAND_4: 2.75e-5,
          REFLECTANCE_ADD_BAND_4: -0.2,
        },
        LEVEL2_SURFACE_TEMPERATURE_PARAMETERS: {
          TEMPERATURE_MULT_BAND_ST_B10: 0.00341802,
          TEMPERATURE_ADD_BAND_ST_B10: 149,
        },
      }
    : {};
  return {
    PRODUCT_CONTENTS: { ...ids, PROCESSING_LEVEL: level, ...files },
    IMAGE_ATTRIBUTES: { ...scene, ...sky },
    ...surface,
    LEVEL1_PROCESSING_RECORD: {
      LANDSAT_SCENE_ID: sceneId,
      LANDSAT_PRODUCT_ID: 'ANOTHER_ID_OF_LEVEL_1',
      PROCESSING_LEVEL: 'L1TP',
      DATE_PRODUCT_GENERATED: processed,
    },
    LEVEL1_RADIOMETRIC_RESCALING: rescaling,
    LEVEL1_THERMAL_CONSTANTS: thermal,
  };
}

const rootOf = ({ collection }: LandsatText) =>
  collection < 2 ? 'L1_METADATA_FILE' : 'LANDSAT_METADATA_FILE';

/** The MTL file as ODL. */
export function toLandsatOdl(facts: LandsatText): string {
  const lines = Object.entries(toLandsatGroups(facts)).flatMap(([group, fields]) => [
    `  GROUP = ${group}`,
    ...Object.entries(fields).map(
      ([key, value]) => `    ${key} = ${/^[\d.+-]/.test(String(value)) ? value : `"${value}"`}`,
    ),
    `  END_GROUP = ${group}`,
  ]);
  const root = rootOf(facts);
  return [`GROUP = ${root}`, ...lines, `END_GROUP = ${root}`, 'END', ''].join('\n');
}

/** The MTL file as JSON: all values are text there. */
export function toLandsatJson(facts: LandsatText): string {
  const groups = Object.entries(toLandsatGroups(facts)).map(([group, fields]) => [
    group,
    Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, String(value)])),
  ]);
  return JSON.stringify({ [rootOf(facts)]: Object.fromEntries(groups) });
}

/** The MTL file as XML. */
export function toLandsatXml(facts: LandsatText): string {
  const groups = Object.entries(toLandsatGroups(facts)).map(([group, fields]) => {
    const inside = Object.entries(fields).map(([key, value]) => `<${key}>${value}</${key}>`);
    return `<${group}>${inside.join('')}</${group}>`;
  });
  const root = rootOf(facts);
  return `<?xml version="1.0" encoding="UTF-8"?>\n<${root}>${groups.join('\n')}</${root}>\n`;
}

const corner = (name: string, lat: number, lon: number) =>
  `<${name}><latitude>${lat}</latitude><longitude>${lon}</longitude></${name}>`;

/** Metadata of a band file of CBERS-4 MUX, path 90, row 84. */
export const cbersXml = `<?xml version="1.0" encoding="UTF-8" standalone="no" ?>
<prdf xmlns="http://www.gisplan.com.br/xmlsat">
  <satellite><name>CBERS</name><number>4</number><instrument channel="1">MUX</instrument></satellite>
  <viewing><center>2017-05-28T09:01:17.927</center></viewing>
  <image>
    <processingTime>2017-06-10T12:55:41.980461</processingTime>
    <level>2</level>
    <timeStamp><center>2017-05-28T09:01:17.925443</center></timeStamp>
    <path>90</path>
    <row>84</row>
    <sunPosition><elevation>70.3079</elevation><sunAzimuth>66.2923</sunAzimuth></sunPosition>
    <imageData>
      ${corner('UL', 14.9, 23.6)}${corner('UR', 14.8, 24.7)}${corner('LR', 13.8, 24.6)}${corner('LL', 13.9, 23.5)}
    </imageData>
    <absoluteCalibrationCoefficient><band name="5">1.51123</band><band name="6">1.5762</band></absoluteCalibrationCoefficient>
  </image>
</prdf>`;
