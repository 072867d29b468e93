import type { Affine } from '../../geo/index.ts';
import { internal } from '../errors.ts';
import { toOnePixelTiff } from '../tiff/small-tiff.ts';
import { MARKER } from './headers/main-header.ts';
import { SOT_BYTES } from './headers/tile-parts.ts';

/** An image to be written as a codestream of equal tiles. */
export interface WrittenImage {
  readonly width: number;
  readonly height: number;
  readonly bandCount: number;
  readonly bitsPerSample: number;
  readonly tileSize: number;
}

/** A tile's own codestream, taken apart: plain data. */
export interface EncodedTile {
  /** COD and QCD, which are the same for all tiles of an image. */
  readonly style: Uint8Array;
  /** Packets, without any marker. */
  readonly packets: Uint8Array;
}

/** Takes the codestream of one tile apart; it comes from our own encoder, so anything unexpected is a fault of ours. */
export function splitTile(codestream: Uint8Array): EncodedTile {
  const view = new DataView(codestream.buffer, codestream.byteOffset, codestream.byteLength);
  const style: Uint8Array[] = [];
  let at = 2;
  for (; view.getUint16(at) !== MARKER.sot; at += 2 + view.getUint16(at + 2)) {
    const marker = view.getUint16(at);
    if (marker === MARKER.cod || marker === MARKER.qcd) {
      style.push(codestream.subarray(at, at + 2 + view.getUint16(at + 2)));
    }
  }
  const data = at + SOT_BYTES + 2;
  const end = at + view.getUint32(at + 6);
  if (
    view.getUint16(data - 2) !== MARKER.sod ||
    end !== codestream.length - 2 ||
    view.getUint16(end) !== MARKER.eoc
  ) {
    throw internal('jp2-encode', 'The encoder made a tile of more than one part.');
  }
  return { style: Buffer.concat(style), packets: codestream.subarray(data, end) };
}

/** SOT and SOD of a tile that is one part; its packets follow. */
export function toTileHead(tile: number, packetBytes: number): Uint8Array {
  const head = new Uint8Array(SOT_BYTES + 2);
  const view = new DataView(head.buffer);
  view.setUint16(0, MARKER.sot);
  view.setUint16(2, SOT_BYTES - 2);
  view.setUint16(4, tile);
  view.setUint32(6, head.length + packetBytes);
  view.setUint8(11, 1);
  view.setUint16(SOT_BYTES, MARKER.sod);
  return head;
}

/** Entries of six bytes that fit after the four of a segment's head. */
const TLM_ENTRIES = Math.floor((65_535 - 4) / 6);
/** Tile numbers of 16 bits and lengths of 32 (ISO/IEC 15444-1, A.7.1). */
const TLM_SIZES = 0x60;

/** TLM: where the tiles are, so that a reader of one needs to look at no other. */
export function toTlm(tileBytes: ArrayLike<number>): Uint8Array {
  const segments: Uint8Array[] = [];
  for (let first = 0; first < tileBytes.length; first += TLM_ENTRIES) {
    const count = Math.min(TLM_ENTRIES, tileBytes.length - first);
    const bytes = new Uint8Array(6 + 6 * count);
    const view = new DataView(bytes.buffer);
    view.setUint16(0, MARKER.tlm);
    view.setUint16(2, bytes.length - 2);
    bytes.set([segments.length, TLM_SIZES], 4);
    for (let i = 0; i < count; i++) {
      view.setUint16(6 + 6 * i, first + i);
      view.setUint32(8 + 6 * i, tileBytes[first + i]!);
    }
    segments.push(bytes);
  }
  return Buffer.concat(segments);
}

/** Times that tiles are halved: six resolutions as the provider of Sentinel-2 has them, fewer for narrow edge tiles. */
export function planDecompositions({ width, height, tileSize }: WrittenImage): number {
  const sides = [width, height].flatMap((side) => [Math.min(side, tileSize), side % tileSize || tileSize]);
  return Math.min(5, Math.floor(Math.log2(Math.min(...sides))));
}

/** Where a written image lies. */
export interface WrittenGeoreference {
  readonly epsg: number;
  readonly transform: Affine;
}

/**
 * The GMLJP2 root instance of a projected image (OGC 05-047r3): its box, and its grid from the centre of the first
 * pixel. The numbers are shortest decimals, so they are read back exactly.
 */
function toGmlText({ width, height }: WrittenImage, { epsg, transform }: WrittenGeoreference): string {
  const [west, right, downX, north, rightY, down] = transform;
  const srs = `srsName="urn:ogc:def:crs:EPSG::${epsg}"`;
  const corners = [
    [0, 0],
    [width, 0],
    [0, height],
    [width, height],
  ].map(([x, y]) => [west + right * x! + downX * y!, north + rightY * x! + down * y!] as const);
  const [xs, ys] = [corners.map(([x]) => x), corners.map(([, y]) => y)];
  return `<?xml version="1.0" encoding="UTF-8"?>
<gml:FeatureCollection xmlns:gml="http://www.opengis.net/gml" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="http://www.opengis.net/gml http://schemas.opengis.net/gml/3.1.1/profiles/gmlJP2Profile/1.0.0/gmlJP2Profile.xsd">
  <gml:boundedBy>
    <gml:Envelope ${srs}>
      <gml:lowerCorner>${Math.min(...xs)} ${Math.min(...ys)}</gml:lowerCorner>
      <gml:upperCorner>${Math.max(...xs)} ${Math.max(...ys)}</gml:upperCorner>
    </gml:Envelope>
  </gml:boundedBy>
  <gml:featureMember>
    <gml:FeatureCollection>
      <gml:featureMember>
        <gml:RectifiedGridCoverage dimension="2" gml:id="RGC0001">
          <gml:rectifiedGridDomain>
            <gml:RectifiedGrid dimension="2">
              <gml:limits>
                <gml:GridEnvelope>
                  <gml:low>0 0</gml:low>
                  <gml:high>${width - 1} ${height - 1}</gml:high>
                </gml:GridEnvelope>
              </gml:limits>
              <gml:axisName>x</gml:axisName>
              <gml:axisName>y</gml:axisName>
              <gml:origin>
                <gml:Point gml:id="P0001" ${srs}>
                  <gml:pos>${west + (right + downX) / 2} ${north + (rightY + down) / 2}</gml:pos>
                </gml:Point>
              </gml:origin>
              <gml:offsetVector ${srs}>${right} ${rightY}</gml:offsetVector>
              <gml:offsetVector ${srs}>${downX} ${down}</gml:offsetVector>
            </gml:RectifiedGrid>
          </gml:rectifiedGridDomain>
          <gml:rangeSet>
            <gml:File>
              <gml:rangeParameters/>
              <gml:fileName>gmljp2://codestream/0</gml:fileName>
              <gml:fileStructure>Record Interleaved</gml:fileStructure>
            </gml:File>
          </gml:rangeSet>
        </gml:RectifiedGridCoverage>
      </gml:featureMember>
    </gml:FeatureCollection>
  </gml:featureMember>
</gml:FeatureCollection>
`;
}

/** GeoJP2: the box that holds a degenerate GeoTIFF. */
const GEOJP2 = Buffer.from('b14bf8bd083d4b43a5ae8cd7d5a6ce03', 'hex');
const SIGNATURE = Uint8Array.of(0x0d, 0x0a, 0x87, 0x0a);
/** Enumerated colour spaces of the colour box (ISO/IEC 15444-1, I.5.3.3). */
const SRGB = 16;
const GREY = 17;
const BOX_HEAD = 8;

function toBox(type: string, ...contents: readonly Uint8Array[]): Uint8Array {
  const head = Buffer.alloc(BOX_HEAD);
  head.writeUInt32BE(BOX_HEAD + contents.reduce((sum, { length }) => sum + length, 0));
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, ...contents]);
}

/** Everything of a JP2 file that comes before the codestream's first byte. */
export function toFileHead(
  image: WrittenImage,
  georeference: WrittenGeoreference,
  codestreamBytes: number,
): Uint8Array {
  const { width, height, bandCount, bitsPerSample } = image;
  const size = Buffer.alloc(14);
  size.writeUInt32BE(height, 0);
  size.writeUInt32BE(width, 4);
  size.writeUInt16BE(bandCount, 8);
  // compression 7 is JPEG 2000
  size.set([bitsPerSample - 1, 7, 0, 0], 10);
  const colours = Uint8Array.of(1, 0, 0, 0, 0, 0, bandCount === 1 ? GREY : SRGB);
  const gml = toBox(
    'asoc',
    toBox('lbl ', Buffer.from('gml.data')),
    toBox(
      'asoc',
      toBox('lbl ', Buffer.from('gml.root-instance')),
      toBox('xml ', Buffer.from(toGmlText(image, georeference))),
    ),
  );
  const codestreamHead = Buffer.alloc(BOX_HEAD);
  codestreamHead.writeUInt32BE(BOX_HEAD + codestreamBytes);
  codestreamHead.write('jp2c', 4, 'latin1');
  return Buffer.concat([
    toBox('jP  ', SIGNATURE),
    toBox('ftyp', Buffer.from('jp2 \0\0\0\0jp2 ', 'latin1')),
    toBox('jp2h', toBox('ihdr', size), toBox('colr', colours)),
    toBox('uuid', GEOJP2, toOnePixelTiff(georeference)),
    gml,
    codestreamHead,
  ]);
}
