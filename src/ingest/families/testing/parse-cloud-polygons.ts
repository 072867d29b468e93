import { sourceBroken } from '../../../errors.ts';
import type { LonLat, Ring } from '../../../geo/index.ts';
import type { XmlElement } from '../../../xml/index.ts';
import { descendantsOf, localName, parseXml, textAt } from '../../../xml/index.ts';
import { required, toNumbers } from '../../metadata-values.ts';

/** A polygon of one kind of cloud, in the coordinates of the tile: first the outline, then holes. */
interface CloudPolygon {
  readonly kind: 'opaque' | 'cirrus';
  readonly rings: readonly Ring[];
}

/** A cloud mask in GML, of products before baseline 04.00. */
interface CloudPolygons {
  /** Null if the file has no polygons and therefore no envelope, which means no clouds. */
  readonly epsg: number | null;
  readonly polygons: readonly CloudPolygon[];
}

/** Parses a whole cloud mask at once, which is simple and takes ten times its size: the reference for `readCloudPolygons`. */
export function parseCloudPolygons(text: string, what: string): CloudPolygons {
  const root = parseXml(text, what);
  if (localName(root) !== 'Mask') {
    throw sourceBroken('metadata-wrong-kind', `The file ${what} is not a mask in GML.`);
  }
  const srs = descendantsOf(root, 'Envelope')[0]?.attributes.srsName ?? '';
  const epsg = /EPSG:[\d.]*:(\d{4,5})$/.exec(srs)?.[1];
  const polygons = descendantsOf(root, 'MaskFeature').flatMap((feature) => toPolygons(feature, what));
  if (polygons.length > 0) required(epsg, 'reference system', what);
  return { epsg: epsg === undefined ? null : Number(epsg), polygons };
}

/** Ignores other kinds of features, which other masks have. */
function toPolygons(feature: XmlElement, what: string): CloudPolygon[] {
  const type = textAt(feature, 'maskType');
  const kind = type === 'OPAQUE' ? 'opaque' : type === 'CIRRUS' ? 'cirrus' : null;
  if (kind === null) return [];
  return descendantsOf(feature, 'Polygon').map((polygon) => {
    const lists = ['exterior', 'interior'].flatMap((side) =>
      descendantsOf(polygon, side).flatMap((element) => descendantsOf(element, 'posList')),
    );
    return { kind, rings: lists.map((list) => toRing(list, what)) };
  });
}

function toRing(list: XmlElement, what: string): Ring {
  const step = list.attributes.srsDimension === '3' ? 3 : 2;
  const numbers = required(toNumbers(list.text), 'list of positions', what);
  if (numbers.length % step !== 0 || numbers.length < 4 * step) {
    throw sourceBroken('metadata-incomplete', `A polygon of the file ${what} has too few numbers.`);
  }
  return Array.from(
    { length: numbers.length / step },
    (_, i): LonLat => [numbers[i * step]!, numbers[i * step + 1]!],
  );
}
