import type { XmlElement } from '../../../xml/index.ts';
import {
  checkXml,
  cutElements,
  descendantsOf,
  localName,
  notWellFormed,
  parseChecked,
  textAt,
} from '../../../xml/index.ts';
import { sourceBroken } from '../../errors.ts';
import { required, toNumberArray } from '../../metadata-values.ts';

/** A closed line: x and y of its vertices alternate. */
export type FlatRing = Float64Array;

/** A polygon of one kind of cloud, in the coordinates of the tile: first the outline, then holes. */
export interface CloudPolygon {
  readonly kind: 'opaque' | 'cirrus';
  readonly rings: readonly FlatRing[];
}

/**
 * Parses `MSK_CLOUDS_B00.gml`, the cloud mask of products before baseline 04.00, and passes on its polygons one by one:
 * features are parsed one at a time, so that a large mask takes little more memory than its text. Returns the code of
 * the reference system, or null if the file has neither polygons nor envelope, which means no clouds. Polygons passed on
 * before an error are invalid.
 */
export function readCloudPolygons(
  text: string,
  what: string,
  onPolygon: (polygon: CloudPolygon) => void,
): number | null {
  checkXml(text, what);
  const cut = cutElements(text, 'MaskFeature', ['Envelope']);
  if (cut === null) throw notWellFormed(what);
  const root = parseChecked(cut.rest, what);
  // Malformed XML is reported before the wrong kind of document, so the whole text is parsed first.
  const faults: unknown[] = [];
  if (localName(root) !== 'Mask')
    faults.push(sourceBroken('metadata-wrong-kind', `The file ${what} is not a mask in GML.`));
  const envelopeIn = cut.firstIn('Envelope');
  let envelope = envelopeIn === null ? descendantsOf(root, 'Envelope')[0] : undefined;
  let polygonCount = 0;
  for (const [index, part] of cut.parts.entries()) {
    const feature = parseChecked(part, what);
    if (index === envelopeIn) envelope = descendantsOf(feature, 'Envelope')[0];
    if (faults.length > 0) continue;
    try {
      polygonCount += showPolygons(feature, what, onPolygon);
    } catch (error) {
      faults.push(error);
    }
  }
  if (faults.length > 0) throw faults[0];
  const epsg = /EPSG:[\d.]*:(\d{4,5})$/.exec(envelope?.attributes.srsName ?? '')?.[1];
  if (polygonCount > 0) required(epsg, 'reference system', what);
  return epsg === undefined ? null : Number(epsg);
}

/** Ignores other kinds of features, which other masks have. */
function showPolygons(feature: XmlElement, what: string, onPolygon: (polygon: CloudPolygon) => void): number {
  const type = textAt(feature, 'maskType');
  const kind = type === 'OPAQUE' ? 'opaque' : type === 'CIRRUS' ? 'cirrus' : null;
  if (kind === null) return 0;
  const polygons = descendantsOf(feature, 'Polygon');
  for (const polygon of polygons) {
    const lists = ['exterior', 'interior'].flatMap((side) =>
      descendantsOf(polygon, side).flatMap((element) => descendantsOf(element, 'posList')),
    );
    onPolygon({ kind, rings: lists.map((list) => toRing(list, what)) });
  }
  return polygons.length;
}

function toRing(list: XmlElement, what: string): FlatRing {
  const step = list.attributes.srsDimension === '3' ? 3 : 2;
  const numbers = required(toNumberArray(list.text), 'list of positions', what);
  if (numbers.length % step !== 0 || numbers.length < 4 * step) {
    throw sourceBroken('metadata-incomplete', `A polygon of the file ${what} has too few numbers.`);
  }
  if (step === 2) return numbers;
  return Float64Array.from(
    { length: (numbers.length / step) * 2 },
    (_, i) => numbers[(i >> 1) * step + (i & 1)]!,
  );
}
