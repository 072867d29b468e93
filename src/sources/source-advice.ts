import { isIP } from 'node:net';
import { isPublicAddress, portOf, toAddressOrigin } from '../net/index.ts';

/**
 * How an operator allows an address, to follow "… is not allowed; ". The short form of SWATH_SOURCES takes public hosts by
 * https on the default port; for anything else the words of the JSON form are given.
 */
export function toSourceAdvice(address: string): string {
  const origin = toAddressOrigin(address) ?? address;
  const url = /^https?:\/\//i.test(origin) ? URL.parse(origin) : null;
  if (url === null) return `add ${origin} to SWATH_SOURCES`;
  const words = listWords(url);
  if (words.length === 0) return `add ${origin} to SWATH_SOURCES`;
  return `let SWATH_SOURCES name a .json file with ${[`"hosts": ["${url.hostname}"]`, ...words].join(', ')}, because its short form takes only public hosts by https on port 443`;
}

/** What the JSON form needs in addition to the host. */
function listWords(url: URL): readonly string[] {
  const [isPlain, port, name] = [url.protocol === 'http:', portOf(url), url.hostname.replace(/^\[|\]$/g, '')];
  const version = isIP(name);
  return [
    ...(isPlain ? ['"allowHttp": true'] : []),
    ...(url.port === '' ? [] : [`"ports": [${port}]`]),
    ...(version === 0 || isPublicAddress(name)
      ? []
      : [`"privateNetworks": ["${name}/${version === 4 ? 32 : 128}"]`]),
  ];
}
