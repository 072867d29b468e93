/** What joins and describes the files of a mosaic: a VRT of GDAL and a STAC item. */
import type { PartedCog } from '../../formats/cog/index.ts';
import type { Grid } from '../../geo/index.ts';
import { gridBounds } from '../../geo/index.ts';
import { projectBounds } from '../../proj/index.ts';
import { sensorByDataset } from '../../sensors/index.ts';
import { escapeXml } from '../../xml/index.ts';
import type { MosaicOrder } from './mosaic-order.ts';
import type { UsedScene } from './mosaic-scenes.ts';
import type { MosaicTile } from './plan-mosaic-grid.ts';

/** A file of a mosaic in its archive. */
export interface PackedTile extends MosaicTile {
  readonly name: string;
}

type BandPlan = Pick<PartedCog['plan'], 'type' | 'nodata' | 'bands' | 'photometric' | 'metadata'>;

/** Types of pixels as GDAL names them. */
const GDAL_TYPES = { uint8: 'Byte', uint16: 'UInt16', int16: 'Int16', float32: 'Float32' } as const;
const COLORS = ['Red', 'Green', 'Blue', 'Alpha'];

/** A VRT that joins files next to it. */
export function toVrt(
  { epsg, transform, width, height }: Grid,
  tiles: readonly PackedTile[],
  { type, nodata, bands, photometric, metadata }: BandPlan,
): string {
  const items = Object.entries(metadata).map(
    ([key, value]) => `    <MDI key="${escapeXml(key)}">${escapeXml(value)}</MDI>\n`,
  );
  const toSource = ({ name, window }: PackedTile, band: number): string => {
    const size = `xSize="${window.width}" ySize="${window.height}"`;
    return `    <SimpleSource>
      <SourceFilename relativeToVRT="1">${escapeXml(name)}</SourceFilename>
      <SourceBand>${band}</SourceBand>
      <SrcRect xOff="0" yOff="0" ${size}/>
      <DstRect xOff="${window.x}" yOff="${window.y}" ${size}/>
    </SimpleSource>
`;
  };
  const toBand = ({ description }: BandPlan['bands'][number], i: number): string =>
    `  <VRTRasterBand dataType="${GDAL_TYPES[type]}" band="${i + 1}">
${description === null ? '' : `    <Description>${escapeXml(description)}</Description>\n`}${
  nodata === null ? '' : `    <NoDataValue>${nodata}</NoDataValue>\n`
}    <ColorInterp>${photometric === 'rgb' ? COLORS[i] : i === 0 ? 'Gray' : 'Undefined'}</ColorInterp>
${tiles.map((tile) => toSource(tile, i + 1)).join('')}  </VRTRasterBand>
`;
  return `<VRTDataset rasterXSize="${width}" rasterYSize="${height}">
  <SRS>EPSG:${epsg}</SRS>
  <GeoTransform>${transform.join(', ')}</GeoTransform>
  <Metadata>
${items.join('')}  </Metadata>
${bands.map(toBand).join('')}</VRTDataset>
`;
}

interface DescribedMosaic {
  readonly name: string;
  readonly order: MosaicOrder;
  readonly grid: Grid;
  readonly bands: BandPlan['bands'];
  readonly tiles: readonly PackedTile[];
  readonly vrtName: string;
  readonly scenes: readonly UsedScene[];
}

const COG_TYPE = 'image/tiff; application=geotiff; profile=cloud-optimized';

/** The STAC item of a mosaic: where and when it is, what it is made of, and its files. */
export function toStacItem(mosaic: DescribedMosaic): object {
  const { name, order, grid, bands, tiles, vrtName, scenes } = mosaic;
  const { minX, minY, maxX, maxY } = projectBounds(gridBounds(grid), grid.epsg, 4326) ?? WORLD;
  const { period, datasets } = order.mosaic.search;
  const dates = scenes.map(({ hit }) => hit.acquiredAt).toSorted();
  return {
    type: 'Feature',
    stac_version: '1.1.0',
    stac_extensions: ['https://stac-extensions.github.io/projection/v2.0.0/schema.json'],
    id: name,
    bbox: [minX, minY, maxX, maxY],
    geometry: {
      type: 'Polygon',
      coordinates: [
        [
          [minX, minY],
          [maxX, minY],
          [maxX, maxY],
          [minX, maxY],
          [minX, minY],
        ],
      ],
    },
    properties: {
      datetime: null,
      start_datetime: dates[0] ?? `${period.from}T00:00:00Z`,
      end_datetime: dates.at(-1) ?? `${period.to}T23:59:59Z`,
      'proj:code': `EPSG:${grid.epsg}`,
      'proj:shape': [grid.height, grid.width],
      'proj:transform': toStacTransform(grid),
      'swath:sensors': datasets.map((id) => sensorByDataset(id)?.abbreviation ?? id),
      'swath:selection': order.mosaic.composition.selection,
      'swath:scenes': scenes.map(({ number, hit }) => ({
        number,
        view_id: hit.viewId,
        date: hit.acquiredAt,
      })),
    },
    links: scenes.map(({ hit }) => ({
      rel: 'derived_from',
      href: `urn:swath:scene:${hit.viewId}`,
      title: hit.viewId,
    })),
    assets: {
      vrt: { href: `./${vrtName}`, type: 'application/xml', title: 'All files as one', roles: ['data'] },
      ...Object.fromEntries(
        tiles.map(({ name: file, column, row, window }) => [
          `data_${column}_${row}`,
          {
            href: `./${file}`,
            type: COG_TYPE,
            roles: ['data'],
            bands: bands.map(({ description }, i) => ({ name: description ?? `band ${i + 1}` })),
            'proj:shape': [window.height, window.width],
            'proj:transform': toStacTransform({
              ...grid,
              transform: [
                grid.transform[0] + window.x * grid.transform[1],
                grid.transform[1],
                0,
                grid.transform[3] + window.y * grid.transform[5],
                0,
                grid.transform[5],
              ],
            }),
          },
        ]),
      ),
    },
  };
}

const WORLD = { minX: -180, minY: -90, maxX: 180, maxY: 90 };

/** STAC orders the six numbers as rasterio does. */
function toStacTransform({ transform: [x, width, rowShear, y, colShear, height] }: Grid): readonly number[] {
  return [width, rowShear, x, colShear, height, y];
}
