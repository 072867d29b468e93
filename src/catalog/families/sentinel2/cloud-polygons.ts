import { sourceBroken } from '../../../errors.ts';
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
import { required, toNumberArray } from '../../metadata/values.ts';

/** A closed line: x and y of its corners in turn. */
export type FlatRing = Float64Array;

/** Clouds of one kind, as a polygon in the coordinates of the tile: first the outline, then holes. */
export interface CloudPolygon {
  readonly kind: 'opaque' | 'cirrus';
  readonly rings: readonly FlatRing[];
}

/**
 * Reads `MSK_CLOUDS_B00.gml`, the cloud mask of products before baseline 04.00, and shows one polygon after the other: a
 * feature is read at a time, so that a mask of many takes little more memory than its text. Answers the code of the
 * reference system; null when the file has neither polygons nor envelope: then there are no clouds. What was shown before
 * an error is worth nothing.
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
  // A text that is no document says more than one that is the wrong document, so all of it is read first.
  const faults: unknown[] = [];
  if (localName(root) !== 'Mask')
    faults.push(sourceBroken('metadata-wrong-kind', `The file ${what} is no mask in GML.`));
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

/** Other kinds of features, which masks of other things have, are passed over. */
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
