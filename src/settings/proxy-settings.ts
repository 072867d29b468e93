import type { ProxySettings } from '../net/index.ts';
import { toShownAddress } from '../net/index.ts';
import type { SettingsOf } from './setting.ts';
import { parseText, SettingError } from './setting.ts';

/** The way out of the operator's network, by the variables that other programs read too. */
export interface ProxyConfig {
  readonly httpsProxy: string | null;
  readonly httpProxy: string | null;
  readonly noProxy: string | null;
}

/** The proxies of the settings; undefined if there are none. */
export function toProxy({ httpsProxy, httpProxy, noProxy }: ProxyConfig): ProxySettings | undefined {
  if (httpsProxy === null && httpProxy === null) return undefined;
  return {
    ...(httpsProxy === null ? {} : { https: httpsProxy }),
    ...(httpProxy === null ? {} : { http: httpProxy }),
    ...(noProxy === null ? {} : { noProxy }),
  };
}

/** Reads the address of a proxy, with or without a scheme. It may hold a password: no message repeats it. */
function parseProxy(text: string): string {
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`);
  const isPlain = url !== null && url.pathname.length <= 1 && url.search === '' && url.hash === '';
  if (!isPlain || !/^https?:$/.test(url.protocol) || url.hostname === '' || !isDecodable(url)) {
    throw new SettingError(
      'must be the http or https address of a proxy, such as http://proxy.example.org:3128 (SOCKS is not supported)',
      null,
    );
  }
  return url.href;
}

function isDecodable({ username, password }: URL): boolean {
  try {
    decodeURIComponent(`${username}${password}`);
    return true;
  } catch {
    return false;
  }
}

const showProxy = (value: string | null): string => (value === null ? '(not set)' : toShownAddress(value));

/** The table of these settings. */
export const proxySettings: SettingsOf<ProxyConfig> = {
  httpsProxy: {
    variable: 'HTTPS_PROXY',
    summary:
      'Proxy for https requests to other servers, such as `http://user:password@proxy.example.org:3128`; also as `https_proxy`.',
    fallbackText: '(none)',
    fallback: () => null,
    parse: parseProxy,
    show: showProxy,
  },
  httpProxy: {
    variable: 'HTTP_PROXY',
    summary: 'The same for http requests; also as `http_proxy`.',
    fallbackText: '(none)',
    fallback: () => null,
    parse: parseProxy,
    show: showProxy,
  },
  noProxy: {
    variable: 'NO_PROXY',
    summary:
      'Servers that are reached without the proxy, separated by commas: names, which include all names below them, with `:port` if only that port is meant, and addresses or networks such as `10.0.0.0/8`; `*` for all. Also as `no_proxy`.',
    fallbackText: '(this machine)',
    fallback: () => null,
    parse: parseText,
  },
};
