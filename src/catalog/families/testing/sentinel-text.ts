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
export interface GranuleText {
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
export interface NoiseLine {
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
