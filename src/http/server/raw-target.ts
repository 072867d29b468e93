/**
 * Path and query as they came on the wire, still encoded: a URL object would already have resolved `..` in them.
 * Proxies may send the whole address (RFC 9112 3.2.2); scheme and host are then left out.
 */
export function splitTarget(target: string): { readonly path: string; readonly query: string } {
  const local = target.startsWith('/') ? target : target.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '');
  const mark = local.indexOf('?');
  return mark < 0 ? { path: local, query: '' } : { path: local.slice(0, mark), query: local.slice(mark + 1) };
}

/** A path for the log: keys that clients encode into it by mistake are blotted out (hardening K3). */
export const redactKeys = (path: string): string =>
  path.replace(/(api[_-]?key(?:=|%3d|%253d))[^&/]*/gi, '$1…').replace(/apk\.[0-9a-f]+/gi, 'apk.…');
