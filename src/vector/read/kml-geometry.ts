import type { XmlElement } from '../../xml/index.ts';
import { childrenOf, elementAt, localName } from '../../xml/index.ts';
import { RowFault } from '../geometry/clean-geometry.ts';

type Raw = { readonly type: string; readonly coordinates?: unknown; readonly geometries?: unknown };

const PARTS = ['Point', 'LineString', 'LinearRing', 'Polygon', 'MultiGeometry'];
/** Multi-geometries in multi-geometries. */
const MAX_DEPTH = 4;

/** The geometry of an element of KML; models and tracks throw `RowFault`. */
export function parseKmlGeometry(element: XmlElement, depth = 0): Raw {
  const name = localName(element);
  switch (name) {
    case 'Point':
      return { type: 'Point', coordinates: readPositions(element)[0] ?? [] };
    case 'LineString':
    case 'LinearRing':
      return { type: 'LineString', coordinates: readPositions(element) };
    case 'Polygon':
      return { type: 'Polygon', coordinates: readRings(element) };
    case 'MultiGeometry':
      if (depth >= MAX_DEPTH) throw new RowFault('Geometries are nested too deeply.');
      return join(
        PARTS.flatMap((part) => childrenOf(element, part)).map((part) => parseKmlGeometry(part, depth + 1)),
      );
    default:
      throw new RowFault(`A <${name}> of KML is not read.`);
  }
}

function readRings(polygon: XmlElement): number[][][] {
  const boundaries = ['outerBoundaryIs', 'innerBoundaryIs'].flatMap((side) => childrenOf(polygon, side));
  return boundaries.flatMap((boundary) => childrenOf(boundary, 'LinearRing')).map(readPositions);
}

/** Parts of one kind are one multi-geometry, as other formats have it. */
function join(parts: readonly Raw[]): Raw {
  const [first] = parts;
  const isOneKind = first !== undefined && parts.every(({ type }) => type === first.type);
  if (isOneKind && /^(?:Point|LineString|Polygon)$/.test(first.type))
    return { type: `Multi${first.type}`, coordinates: parts.map(({ coordinates }) => coordinates) };
  return { type: 'GeometryCollection', geometries: parts };
}

/** `11,48,500 12,48,500`: positions with white space between them. */
function readPositions(element: XmlElement): number[][] {
  const text = elementAt(element, 'coordinates')?.text.trim() ?? '';
  if (text === '') return [];
  // Some programs write a space after the comma. White space before it would make the search cost its square.
  return text
    .replaceAll(/,\s+/g, ',')
    .split(/\s+/)
    .map((position) => position.split(',').map((part) => (part === '' ? Number.NaN : Number(part))));
}
