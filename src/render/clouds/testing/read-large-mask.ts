/** A thread that makes a cloud mask of about 15 MiB and tells how many edges are read of it. */
import { parentPort } from 'node:worker_threads';
import { makeReadOutlines } from '../read-clouds.ts';

const CORNERS = 600;
const FEATURES = 1_600;
const list = Array.from(
  { length: CORNERS },
  (_, i) => `${500_000 + ((i * 60) % 9000)} ${4_900_000 - 20 * i}`,
);
const feature = Buffer.from(
  `<MaskFeature><maskType>OPAQUE</maskType><extentOf><Polygon><exterior><LinearRing><posList srsDimension="2">${list.join(' ')}</posList></LinearRing></exterior></Polygon></extentOf></MaskFeature>\n`,
);
const head = Buffer.from('<Mask><boundedBy><Envelope srsName="urn:ogc:def:crs:EPSG:8.7:32631"/></boundedBy>');
const size = head.length + FEATURES * feature.length + '</Mask>'.length;
const read = makeReadOutlines(async () => ({
  id: 'mask.gml',
  version: '1',
  size,
  read: async () => {
    // Outside of the heap, as what is read of a file.
    const bytes = new Uint8Array(size);
    bytes.set(head);
    for (let i = 0; i < FEATURES; i++) bytes.set(feature, head.length + i * feature.length);
    bytes.set(Buffer.from('</Mask>'), size - '</Mask>'.length);
    return bytes;
  },
  close: async () => {},
}));
const source = { kind: 'polygons', href: 'mask.gml', epsg: 32_631, warp: null, sceneVersion: '1' } as const;
const { opaque } = await read(source, new AbortController().signal);
const edges = opaque.reduce((sum, outline) => sum + outline.edges.length / 4, 0);
parentPort?.postMessage({ size, edges, wanted: FEATURES * CORNERS });
