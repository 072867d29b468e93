import type { SwathError } from '../../../errors.ts';
import { badInput, isSwathError, notAllowed } from '../../../errors.ts';
import { toShownAddress } from '../../../storage/index.ts';

/** The scheme of an address, in lower case; null for a path. */
export const schemeOf = (from: string): string | null =>
  /^([a-z][a-z0-9+.-]+):\/\//i.exec(from)?.[1]?.toLowerCase() ?? null;

/** The refusal of an address that no catalog is read by. */
export const wrongScheme = (from: string, scheme: string): SwathError =>
  badInput(
    'stac-bad-address',
    `${toShownAddress(from)} cannot be read: catalogs are read by https and http, not by ${scheme}.`,
  );

/**
 * The guarded door refuses everything in the same words, because others may be listening. The person who typed the address
 * of a catalog learns which one it was, why, and what to do; other errors stay as they are.
 */
export function toNamedRefusal(from: string, error: unknown): unknown {
  if (!isSwathError(error) || error.code !== 'address-not-allowed') return error;
  const reason = reasonOf(error);
  const isPrivate = /leads to|the address is/.test(reason);
  const sentence = isPrivate
    ? `It lies in a private network (${reason}); name that network in "privateNetworks" of the JSON form of SWATH_SOURCES to allow it.`
    : `The reason: ${reason}.`;
  return notAllowed(error.code, `${toShownAddress(from)} is not allowed. ${sentence}`, { cause: error });
}

/** The innermost cause, which the door gives to the log only. */
function reasonOf(error: Error): string {
  let inner = error;
  while (inner.cause instanceof Error) inner = inner.cause;
  return inner.message;
}
