/** Errors as WMTS writes them: an ExceptionReport of OWS Common 1.1. */

import { xmlText } from '../../xml/index.ts';
import type { ShownError, WriteError } from '../kit/endpoint.ts';

/** Exception codes of OWS Common and WMTS, by our codes; a parameter that may be named comes along. */
const EXCEPTIONS: Readonly<Record<string, readonly [exception: string, locator?: string]>> = {
  'missing-parameter': ['MissingParameterValue'],
  'unknown-request': ['OperationNotSupported', 'request'],
  'no-post': ['OperationNotSupported', 'request'],
  'no-such-tile': ['TileOutOfRange', 'TileRow'],
  'unknown-layer': ['InvalidParameterValue', 'layer'],
  'unknown-style': ['InvalidParameterValue', 'style'],
  'unknown-tile-matrix-set': ['InvalidParameterValue', 'TileMatrixSet'],
  'bad-time': ['InvalidParameterValue', 'time'],
  'bad-format': ['InvalidParameterValue', 'format'],
  'bad-version': ['VersionNegotiationFailed', 'AcceptVersions'],
  'outside-picture': ['PointIJOutOfRange', 'I'],
};

const toException = ({ status, code }: ShownError): readonly [exception: string, locator?: string] =>
  EXCEPTIONS[code] ?? ([400, 404, 422].includes(status) ? ['InvalidParameterValue'] : ['NoApplicableCode']);

/**
 * The status of an error of key-value pairs: OWS Common answers wrong values with 400, and clients such as OWSLib read the
 * report of no other.
 */
export const toKvpStatus = (status: number): number => ([404, 422].includes(status) ? 400 : status);

/** Writes an error of key-value pairs. */
export const writeKvpException: WriteError = (error, query) => ({
  ...writeOwsException(error, query),
  status: toKvpStatus(error.status),
});

/** Writes an error with the code and the sentence of the first door. */
export const writeOwsException: WriteError = (error) => {
  const [exception, locator] = toException(error);
  const at = locator === undefined ? '' : ` locator="${locator}"`;
  return {
    type: 'text/xml; charset=utf-8',
    body: `<?xml version="1.0" encoding="UTF-8"?>
<ExceptionReport xmlns="http://www.opengis.net/ows/1.1" version="1.1.0" xml:lang="en">
  <Exception exceptionCode="${exception}"${at}>
    <ExceptionText>${xmlText(`${error.code}: ${error.sentence}`)}</ExceptionText>
  </Exception>
</ExceptionReport>
`,
  };
};
