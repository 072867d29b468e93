/** Areas and lines of a KML document. */
import type { Position, Shape } from '../shapes/shape.ts';
import { makeArea, makeLine } from './make-shapes.ts';
import { Refusal } from './refusal.ts';

/** KML of all versions, with or without a namespace. */
const all = (parent: Document | Element, name: string): readonly Element[] => [
  ...parent.getElementsByTagNameNS('*', name),
];

/** `lon,lat,height lon,lat,height …`; anything but a number makes a position that later checks refuse. */
const parseTuples = (text: string): readonly Position[] =>
  text
    .trim()
    .split(/\s+/)
    .map((tuple) => {
      const [lon, lat] = tuple.split(',');
      return [Number.parseFloat(lon ?? ''), Number.parseFloat(lat ?? '')];
    });

const ringsOf = (parent: Element, boundary: string): readonly (readonly Position[])[] =>
  all(parent, boundary)
    .flatMap((element) => all(element, 'coordinates'))
    .map((element) => parseTuples(element.textContent ?? ''));

const shapesOfPlacemark = (placemark: Element): readonly Shape[] => {
  const name = all(placemark, 'name')[0]?.textContent?.trim() || null;
  const polygons = all(placemark, 'Polygon').map((polygon) => [
    ...ringsOf(polygon, 'outerBoundaryIs'),
    ...ringsOf(polygon, 'innerBoundaryIs'),
  ]);
  const lines = all(placemark, 'LineString').map((line) =>
    parseTuples(all(line, 'coordinates')[0]?.textContent ?? ''),
  );
  // Tracks of receivers write `lon lat height` in an element each.
  const tracks = all(placemark, 'Track').map((track) =>
    all(track, 'coord').flatMap((coord) =>
      parseTuples((coord.textContent ?? '').trim().replaceAll(/\s+/g, ',')),
    ),
  );
  return [
    ...(polygons.length === 0 ? [] : makeArea(polygons, name)),
    ...[...lines, ...tracks].flatMap((line) => makeLine(line, name)),
  ];
};

/** Reads the text; throws a `Refusal`. */
export const parseKml = (text: string): readonly Shape[] => {
  const document = new DOMParser().parseFromString(text, 'application/xml');
  // Chromium writes the error into the document with a style, and notes in the console that the page's policy forbids it.
  if (all(document, 'parsererror').length > 0) throw new Refusal('bad-kml');
  if (document.documentElement.localName !== 'kml') throw new Refusal('unknown-format');
  return all(document, 'Placemark').flatMap(shapesOfPlacemark);
};
