import type { SwathError } from '../../../errors.ts';
import { badInput, isSwathError, notAllowed } from '../../../errors.ts';
import { toShownAddress } from '../../../net/index.ts';

/** The scheme of an address, in lower case; null for a path. */
export const schemeOf = (from: string): string | null =>
  /^([a-z][a-z0-9+.-]+):\/\//i.exec(from)?.[1]?.toLowerCase() ?? null;

/** The error for an address with an unsupported scheme. */
export const wrongScheme = (from: string, scheme: string): SwathError =>
  badInput(
    'stac-bad-address',
    `${toShownAddress(from)} cannot be read: catalogs are read by https and http, not by ${scheme}.`,
  );

/**
 * The guarded fetch refuses every address with the same message, so that it tells remote clients nothing. The operator
 * who typed the address of a catalog gets the address, the reason and the remedy; other errors stay as they are.
 */
export function toNamedRefusal(from: string, error: unknown): unknown {
  if (!isSwathError(error) || error.code !== 'address-not-allowed') return error;
  const reason = reasonOf(error);
  const isPrivate = /leads to|the address is/.test(reason);
  const sentence = isPrivate
    ? `It is in a private network (${reason}); to allow it, add the network to "privateNetworks" in the JSON form of SWATH_SOURCES.`
    : `The reason: ${reason}.`;
  return notAllowed(error.code, `${toShownAddress(from)} is not allowed. ${sentence}`, { cause: error });
}

/** The innermost cause, which the guarded fetch attaches for the log. */
function reasonOf(error: Error): string {
  let inner = error;
  while (inner.cause instanceof Error) inner = inner.cause;
  return inner.message;
}
