/** The capabilities of WMS 1.3.0 and 1.1.1. */
import { projectBounds } from '../../proj/index.ts';
import { MAX_SIDE_PX } from '../../render/index.ts';
import { xmlText } from '../../xml/index.ts';
import { FORMATS } from './layer-request.ts';
import type { LayerStyle } from './layer-styles.ts';
import type { Layer } from './layers.ts';
import type { WmsVersion } from './wms-crs.ts';
import { listedSystems } from './wms-crs.ts';
import type { DoorAddress } from './wmts-capabilities.ts';
import { LEGEND_PX, toLegendUrl } from './wmts-capabilities.ts';

/** Writes the document of a version. */
export function writeWmsCapabilities(
  layers: readonly Layer[],
  address: DoorAddress,
  version: WmsVersion,
): string {
  return version === '1.3.0' ? write130(layers, address) : write111(layers, address);
}

const INFO_FORMATS = ['application/json', 'text/plain'];

/** What both versions say alike; only the names of some elements differ. */
function writeCapability(layers: readonly Layer[], address: DoorAddress, version: WmsVersion): string {
  const isNew = version === '1.3.0';
  const root = xmlText(`${address.publicUrl}/ogc/wms?${address.key === '' ? '' : `${address.key}&`}`);
  const online = `<OnlineResource xmlns:xlink="http://www.w3.org/1999/xlink" xlink:type="simple" xlink:href="${root}"/>`;
  const request = (name: string, formats: readonly string[]): string =>
    `      <${name}>${formats.map((format) => `<Format>${format}</Format>`).join('')}<DCPType><HTTP><Get>${online}</Get></HTTP></DCPType></${name}>`;
  const isTerrain = ({ source }: Layer): boolean => source.kind === 'terrain';
  const crs = isNew ? 'CRS' : 'SRS';
  const systems = [...(isNew ? ['CRS:84'] : []), ...listedSystems.map((epsg) => `EPSG:${epsg}`)];
  const group = (title: string, inside: readonly Layer[], codes: readonly string[]): string =>
    inside.length === 0
      ? ''
      : `      <Layer>
        <Title>${title}</Title>
${codes.map((code) => `        <${crs}>${code}</${crs}>`).join('\n')}
${inside.map((layer) => writeLayer(layer, address, isNew)).join('\n')}
      </Layer>
`;
  return `  <Capability>
    <Request>
${[
  request('GetCapabilities', [isNew ? 'text/xml' : 'application/vnd.ogc.wms_xml']),
  request('GetMap', Object.keys(FORMATS)),
  request('GetFeatureInfo', INFO_FORMATS),
].join('\n')}
    </Request>
    <Exception><Format>${isNew ? 'XML' : 'application/vnd.ogc.se_xml'}</Format></Exception>
    <Layer>
      <Title>Swath</Title>
      <${crs}>EPSG:3857</${crs}>
${isNew ? writeBounds(WORLD) : writeOldBounds(WORLD)}
${group(
  'Scenes, mosaics and recipes',
  layers.filter((layer) => !isTerrain(layer)),
  systems,
)}${group('Terrain', layers.filter(isTerrain), [])}    </Layer>
  </Capability>`;
}

const WORLD = { west: -180, south: -85.05, east: 180, north: 85.05 };

function write130(layers: readonly Layer[], address: DoorAddress): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<WMS_Capabilities version="1.3.0" xmlns="http://www.opengis.net/wms" xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="http://www.opengis.net/wms http://schemas.opengis.net/wms/1.3.0/capabilities_1_3_0.xsd">
  <Service>
    <Name>WMS</Name>
    <Title>Swath</Title>
    <Abstract>${ABSTRACT}</Abstract>
    <OnlineResource xlink:type="simple" xlink:href="${xmlText(`${address.publicUrl}/ogc/wms`)}"/>
    <LayerLimit>1</LayerLimit>
    <MaxWidth>${MAX_SIDE_PX}</MaxWidth>
    <MaxHeight>${MAX_SIDE_PX}</MaxHeight>
  </Service>
${writeCapability(layers, address, '1.3.0')}
</WMS_Capabilities>
`;
}

function write111(layers: readonly Layer[], address: DoorAddress): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE WMT_MS_Capabilities SYSTEM "http://schemas.opengis.net/wms/1.1.1/WMS_MS_Capabilities.dtd">
<WMT_MS_Capabilities version="1.1.1">
  <Service>
    <Name>OGC:WMS</Name>
    <Title>Swath</Title>
    <Abstract>${ABSTRACT}</Abstract>
    <OnlineResource xmlns:xlink="http://www.w3.org/1999/xlink" xlink:type="simple" xlink:href="${xmlText(`${address.publicUrl}/ogc/wms`)}"/>
  </Service>
${writeCapability(layers, address, '1.1.1')}
</WMT_MS_Capabilities>
`;
}

const ABSTRACT = 'Satellite scenes, mosaics, recipes and terrain of a Swath service.';

type Box = Layer['bounds'];

const toDegrees = ({ west, south, east, north }: Box) => ({
  minX: east > 180 ? -180 : west,
  minY: south,
  maxX: Math.min(180, east),
  maxY: north,
});

function writeBounds(bounds: Box): string {
  const { minX, minY, maxX, maxY } = toDegrees(bounds);
  const metres = projectBounds({ minX, minY, maxX, maxY }, 4326, 3857);
  const mercator =
    metres === null
      ? ''
      : `<BoundingBox CRS="EPSG:3857" minx="${metres.minX}" miny="${metres.minY}" maxx="${metres.maxX}" maxy="${metres.maxY}"/>`;
  return `          <EX_GeographicBoundingBox><westBoundLongitude>${minX}</westBoundLongitude><eastBoundLongitude>${maxX}</eastBoundLongitude><southBoundLatitude>${minY}</southBoundLatitude><northBoundLatitude>${maxY}</northBoundLatitude></EX_GeographicBoundingBox>
          <BoundingBox CRS="CRS:84" minx="${minX}" miny="${minY}" maxx="${maxX}" maxy="${maxY}"/><BoundingBox CRS="EPSG:4326" minx="${minY}" miny="${minX}" maxx="${maxY}" maxy="${maxX}"/>${mercator}`;
}

function writeOldBounds(bounds: Box): string {
  const { minX, minY, maxX, maxY } = toDegrees(bounds);
  return `          <LatLonBoundingBox minx="${minX}" miny="${minY}" maxx="${maxX}" maxy="${maxY}"/>`;
}

function writeLayer(layer: Layer, address: DoorAddress, isNew: boolean): string {
  const { name, title, abstract, attribution, bounds, styles, time } = layer;
  const days = time === null ? '' : `${time.from}/${time.to}/P1D`;
  const named =
    attribution === '' ? '' : `\n          <Attribution><Title>${xmlText(attribution)}</Title></Attribution>`;
  const dimension =
    time === null
      ? ''
      : isNew
        ? `\n          <Dimension name="time" units="ISO8601" default="${time.to}" current="1">${days}</Dimension>`
        : `\n          <Dimension name="time" units="ISO8601"/><Extent name="time" default="${time.to}">${days}</Extent>`;
  return `        <Layer queryable="1">
          <Name>${xmlText(name)}</Name>
          <Title>${xmlText(title)}</Title>
          <Abstract>${xmlText(abstract)}</Abstract>
${isNew ? writeBounds(bounds) : writeOldBounds(bounds)}${dimension}${named}
${styles.map((style) => writeStyle(style, name, address)).join('\n')}
        </Layer>`;
}

function writeStyle({ name, title, hasLegend }: LayerStyle, layer: string, address: DoorAddress): string {
  const legend = hasLegend
    ? `<LegendURL width="${LEGEND_PX.width}" height="${LEGEND_PX.height}"><Format>image/png</Format><OnlineResource xmlns:xlink="http://www.w3.org/1999/xlink" xlink:type="simple" xlink:href="${xmlText(toLegendUrl(address, layer, name))}"/></LegendURL>`
    : '';
  return `          <Style><Name>${xmlText(name)}</Name><Title>${xmlText(title)}</Title>${legend}</Style>`;
}
