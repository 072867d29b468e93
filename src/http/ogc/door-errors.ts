/** Errors in the shape of the standard that an address belongs to, also where nothing answers at it. */
import type { WriteError } from '../kit/endpoint.ts';
import { writeOwsException } from './ows-exceptions.ts';
import { writeWmsException } from './wms-exceptions.ts';

/** Errors as OGC API wants them: a problem by RFC 7807, with our code. */
export const writeProblem: WriteError = ({ status, code, sentence }) => ({
  type: 'application/problem+json',
  body: JSON.stringify({ type: 'about:blank', title: code, status, detail: sentence, code, error: sentence }),
});

/** Writes an error of an address of WMS that is none: only wrong values of its one address are 400 whatever they are. */
const writeWmsPathException: WriteError = (error, query) => ({
  ...writeWmsException(error, query),
  status: error.status,
});

/** Doors by what their addresses begin with, the narrower ones first. */
const DOORS: readonly (readonly [path: RegExp, write: WriteError])[] = [
  [/^\/ogc\/wmts(?:\/|$)/, writeOwsException],
  [/^\/ogc\/wms(?:\/|$)/, writeWmsPathException],
  // Tiles with tokens and legends follow no standard.
  [/^\/ogc(?!\/(?:xyz|legends)(?:\/|$))(?:\/|$)/, writeProblem],
];

/** How the standard of an address writes errors; undefined where there is none. */
export const findDoorError = (path: string): WriteError | undefined =>
  DOORS.find(([begin]) => begin.test(path))?.[1];
