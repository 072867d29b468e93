/**
 * Addresses as logs, reports and messages may show them. All code that prints an address uses this file: credentials
 * before the host and the query after `?` may give a reader of the log access to a file.
 */

/** The longest address that is shown. */
const MAX_LENGTH = 300;

/** The credentials in our own messages that explain the form of an address. */
const PLACEHOLDER = 'user:password';

/** An address, or the path of a file, without its secrets. */
export function toShownAddress(address: string): string {
  const [, scheme = '', authority = '', rest = ''] =
    /^([a-z][a-z0-9+.-]*:\/\/)?([^/?#]*)(.*)$/is.exec(address) ?? [];
  // A slash or a question mark in a password ends the apparent host early: such an address is not shown at all.
  if (scheme !== '' && /^[^@[]*:[^@]*[^@\d]/.test(authority) && !authority.includes('@')) return `${scheme}…`;
  const at = authority.lastIndexOf('@');
  const isSecret = scheme !== '' && at >= 0 && authority.slice(0, at) !== PLACEHOLDER;
  const host = isSecret ? `…@${authority.slice(at + 1)}` : authority;
  const path = rest.replace(/[?#].*$/s, (query) => (query.startsWith('?') ? '?…' : ''));
  return `${scheme}${host}${path}`.slice(0, MAX_LENGTH);
}

/** A file as answers to callers may show it. */
interface ShownFile {
  readonly store: 'folder' | 'http' | 's3';
  /** Its own name, without any folder; null if that does not look like the name of a data file. */
  readonly name: string | null;
}

/** Names of data files: other ends of an address may be a token, as in `https://host/download/4f2a…`. */
const DATA_FILE = /^\w[\w.+-]{0,99}\.(?:tiff?|jp2|j2k|img|gml|xml|json)$/i;

/**
 * What a caller with a key may know of a file: not its host, its folders, its query or its credentials. Those are the
 * operator's, who finds them in the log.
 */
export function toShownFile(address: string): ShownFile {
  const [, scheme = ''] = /^([a-z][a-z0-9+.-]*):\/\//i.exec(address) ?? [];
  const [path = ''] = address.split(/[?#;]/, 1);
  const name = path.slice(path.lastIndexOf('/') + 1);
  const store = scheme === '' ? 'folder' : scheme.toLowerCase() === 's3' ? 's3' : 'http';
  return { store, name: DATA_FILE.test(name) ? name : null };
}

/** Scheme and host, by which settings allow sources; null for a string that is not an address. */
export function toAddressOrigin(address: string): string | null {
  const [, scheme, host] = /^([a-z][a-z0-9+.-]*:\/\/)(?:[^/?#]*@)?([^/?#@]+)/i.exec(address) ?? [];
  return scheme === undefined || host === undefined ? null : `${scheme}${host}`;
}

const ADDRESS = /\b[a-z][a-z0-9+.-]{0,20}:\/\/[^\s"'<>\\^`{|}]+/gi;

/** Removes the secrets from every address in a text. */
export const redactAddresses = (text: string): string =>
  text.includes('://') ? text.replace(ADDRESS, toShownInText) : text;

/** The end of a sentence is not part of its address: `http://host:80.` has no valid port. */
function toShownInText(found: string): string {
  let end = found.length;
  // A loop, because a regular expression would take quadratic time on a string of dots.
  while ('.,;:!?)'.includes(found.charAt(end - 1))) end -= 1;
  return toShownAddress(found.slice(0, end)) + found.slice(end);
}
