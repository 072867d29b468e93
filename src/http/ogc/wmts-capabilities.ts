/** The capabilities of WMTS 1.0.0. */

import { xmlText } from '../../xml/index.ts';
import { FORMATS } from './layer-request.ts';
import type { LayerStyle } from './layer-styles.ts';
import type { Layer } from './layers.ts';
import { listLimits } from './matrix-tiles.ts';
import type { TileMatrixSet, TileMatrixSets } from './tile-matrix-sets.ts';
import { toAxes } from './tile-matrix-sets.ts';

/** Where the door is reached, and the key that addresses carry: `api_key=…` or nothing. */
export interface DoorAddress {
  /** Without a slash at its end. */
  readonly publicUrl: string;
  readonly key: string;
}

/** The size of a legend. */
export const LEGEND_PX = { width: 256, height: 24 } as const;

/** The address of a legend. */
export const toLegendUrl = ({ publicUrl, key }: DoorAddress, layer: string, style: string): string =>
  `${publicUrl}/ogc/legends/${layer}/${encodeURIComponent(style)}.png${key === '' ? '' : `?${key}`}`;

/** Writes the document. */
export function writeWmtsCapabilities(
  layers: readonly Layer[],
  address: DoorAddress,
  tileSets: TileMatrixSets,
): string {
  const sets = new Map(layers.map((layer) => [layer, tileSets.of(layer)]));
  const used = new Set([...sets.values()].flat());
  const { publicUrl, key } = address;
  const root = `${publicUrl}/ogc/wmts`;
  const withKey = key === '' ? '?' : `?${key}&`;
  const rest = key === '' ? '' : `?${key}`;
  const operation = (name: string): string =>
    `    <ows:Operation name="${name}"><ows:DCP><ows:HTTP><ows:Get xlink:href="${xmlText(root + withKey)}"><ows:Constraint name="GetEncoding"><ows:AllowedValues><ows:Value>KVP</ows:Value></ows:AllowedValues></ows:Constraint></ows:Get></ows:HTTP></ows:DCP></ows:Operation>`;
  return `<?xml version="1.0" encoding="UTF-8"?>
<Capabilities xmlns="http://www.opengis.net/wmts/1.0" xmlns:ows="http://www.opengis.net/ows/1.1" xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="http://www.opengis.net/wmts/1.0 http://schemas.opengis.net/wmts/1.0/wmtsGetCapabilities_response.xsd" version="1.0.0">
  <ows:ServiceIdentification>
    <ows:Title>Swath</ows:Title>
    <ows:Abstract>Satellite scenes, mosaics, recipes and terrain of a Swath service.</ows:Abstract>
    <ows:ServiceType>OGC WMTS</ows:ServiceType>
    <ows:ServiceTypeVersion>1.0.0</ows:ServiceTypeVersion>
  </ows:ServiceIdentification>
  <ows:OperationsMetadata>
${['GetCapabilities', 'GetTile', 'GetFeatureInfo'].map(operation).join('\n')}
  </ows:OperationsMetadata>
  <Contents>
${layers.map((layer) => writeLayer(layer, sets.get(layer) ?? [], address, rest)).join('\n')}
${[...used].map(writeSet).join('\n')}
  </Contents>
  <ServiceMetadataURL xlink:href="${xmlText(`${root}/1.0.0/WMTSCapabilities.xml${rest}`)}"/>
</Capabilities>
`;
}

/** The address of tiles as a template, with the names of WMTS. */
const toTileTemplate = (
  { name, time }: Pick<Layer, 'name' | 'time'>,
  publicUrl: string,
  ending: string,
): string =>
  `${publicUrl}/ogc/wmts/1.0.0/${name}/{Style}/${time === null ? '' : '{Time}/'}{TileMatrixSet}/{TileMatrix}/{TileRow}/{TileCol}${ending}`;

function writeLayer(
  layer: Layer,
  sets: readonly TileMatrixSet[],
  address: DoorAddress,
  rest: string,
): string {
  const { name, title, abstract, attribution, bounds, styles, time } = layer;
  const { west, south, east, north } = bounds;
  const about = attribution === '' ? abstract : `${abstract} ${attribution}`;
  const templates = Object.entries(FORMATS).map(([type, ending]) => {
    const template = `${toTileTemplate(layer, address.publicUrl, `.${ending}`)}${rest}`;
    return `      <ResourceURL format="${type}" resourceType="tile" template="${xmlText(template)}"/>`;
  });
  return `    <Layer>
      <ows:Title>${xmlText(title)}</ows:Title>
      <ows:Abstract>${xmlText(about)}</ows:Abstract>
      <ows:WGS84BoundingBox><ows:LowerCorner>${west} ${south}</ows:LowerCorner><ows:UpperCorner>${Math.min(180, east)} ${north}</ows:UpperCorner></ows:WGS84BoundingBox>
      <ows:Identifier>${xmlText(name)}</ows:Identifier>
${styles.map((style, i) => writeStyle(style, i === 0, layer.name, address)).join('\n')}
${Object.keys(FORMATS)
  .map((type) => `      <Format>${type}</Format>`)
  .join('\n')}
      <InfoFormat>application/json</InfoFormat>
      <InfoFormat>text/plain</InfoFormat>
${
  time === null
    ? ''
    : `      <Dimension><ows:Identifier>Time</ows:Identifier><ows:UOM>ISO8601</ows:UOM><Default>${time.to}</Default><Current>true</Current><Value>${time.from}/${time.to}/P1D</Value></Dimension>
`
}${sets.map((set) => writeLink(set, layer)).join('\n')}
${templates.join('\n')}
    </Layer>`;
}

const writeStyle = (
  { name, title, hasLegend }: LayerStyle,
  isDefault: boolean,
  layer: string,
  address: DoorAddress,
): string => {
  const legend = hasLegend
    ? `<LegendURL format="image/png" xlink:href="${xmlText(toLegendUrl(address, layer, name))}"/>`
    : '';
  return `      <Style${isDefault ? ' isDefault="true"' : ''}><ows:Title>${xmlText(title)}</ows:Title><ows:Identifier>${xmlText(name)}</ows:Identifier>${legend}</Style>`;
};

/** The tiles of the layer in a set. */
function writeLink(set: TileMatrixSet, layer: Layer): string {
  const limits = listLimits(set, layer).map(
    ({ matrix, minRow, maxRow, minColumn, maxColumn }) =>
      `<TileMatrixLimits><TileMatrix>${matrix}</TileMatrix><MinTileRow>${minRow}</MinTileRow><MaxTileRow>${maxRow}</MaxTileRow><MinTileCol>${minColumn}</MinTileCol><MaxTileCol>${maxColumn}</MaxTileCol></TileMatrixLimits>`,
  );
  return `      <TileMatrixSetLink><TileMatrixSet>${set.id}</TileMatrixSet><TileMatrixSetLimits>${limits.join('')}</TileMatrixSetLimits></TileMatrixSetLink>`;
}

/** Sets are the same in every document. */
const written = new WeakMap<TileMatrixSet, string>();

function writeSet(set: TileMatrixSet): string {
  const before = written.get(set);
  if (before !== undefined) return before;
  const matrices = set.matrices.map(
    ({ id, scaleDenominator, origin, tileWidth, tileHeight, columns, rows }) => {
      const corner = toAxes(origin, set).join(' ');
      return `      <TileMatrix><ows:Identifier>${id}</ows:Identifier><ScaleDenominator>${scaleDenominator}</ScaleDenominator><TopLeftCorner>${corner}</TopLeftCorner><TileWidth>${tileWidth}</TileWidth><TileHeight>${tileHeight}</TileHeight><MatrixWidth>${columns}</MatrixWidth><MatrixHeight>${rows}</MatrixHeight></TileMatrix>`;
    },
  );
  const scales = SCALE_SETS[set.id];
  const made = `    <TileMatrixSet>
      <ows:Title>${xmlText(set.title)}</ows:Title>
      <ows:Identifier>${set.id}</ows:Identifier>
      <ows:SupportedCRS>${set.crsUrn}</ows:SupportedCRS>
${scales === undefined ? '' : `      <WellKnownScaleSet>${scales}</WellKnownScaleSet>\n`}${matrices.join('\n')}
    </TileMatrixSet>`;
  written.set(set, made);
  return made;
}

/** Names of the sets in WMTS 1.0.0. */
const SCALE_SETS: Readonly<Record<string, string>> = {
  WebMercatorQuad: 'urn:ogc:def:wkss:OGC:1.0:GoogleMapsCompatible',
  WorldCRS84Quad: 'urn:ogc:def:wkss:OGC:1.0:GoogleCRS84Quad',
};
