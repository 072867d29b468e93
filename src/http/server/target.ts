import { badInput } from '../../errors.ts';
import { toRenderPath } from '../kit/paths.ts';

/** The target of a request. Path and query are still percent-encoded. */
export interface Target {
  readonly path: string;
  readonly query: string;
}

/** A target as it stood in the request line; proxies may name a host there. */
interface ParsedTarget extends Target {
  /** The host of an absolute target, which wins over the Host header (RFC 9112 3.2.2); null for a plain path. */
  readonly host: string | null;
}

/** Splits a target that `parseTarget` has already brought into its normal form. */
export function splitTarget(target: string): Target {
  const mark = target.indexOf('?');
  return mark < 0
    ? { path: target, query: '' }
    : { path: target.slice(0, mark), query: target.slice(mark + 1) };
}

const refuseTarget = (rule: string): Error =>
  badInput('bad-target', `The address of the request is malformed: ${rule}.`);

/**
 * Reads the target of a request line into its one normal form, before the front door, the router or the log look at it.
 * They must not read one address in two ways: a URL object resolves `..` and turns `\` into `/`, the router decodes
 * `%72`, and a comparison of raw text does neither. Encoded letters, digits and `-._~` are decoded here (RFC 3986
 * 6.2.2.2); what no normal form exists for is refused. Addresses of pictures get the root that programs of the render
 * host leave out.
 */
export function parseTarget(raw: string): ParsedTarget {
  const absolute = /^https?:\/\/([^/?#]*)/i.exec(raw);
  const local = absolute === null ? raw : raw.slice(absolute[0].length) || '/';
  if (!local.startsWith('/') && !(absolute !== null && local.startsWith('?'))) {
    throw refuseTarget('it must begin with /');
  }
  const { path, query } = splitTarget(local.startsWith('?') ? `/${local}` : local);
  return { path: toRenderPath(normalizePath(path)), query: checkQuery(query), host: absolute?.[1] ?? null };
}

/** All of visible ASCII but `#`, which begins a fragment, and the backslash, which URL parsers read as a slash. */
const PATH = /^[!"$-[\]-~]*$/;

function normalizePath(path: string): string {
  if (!PATH.test(path)) throw refuseTarget('the path holds a character that must be percent-encoded');
  if (path.startsWith('//')) throw refuseTarget('the path begins with two slashes');
  const plain = path.includes('%') ? path.replace(/%[0-9A-Fa-f]{2}/g, decodeUnreserved) : path;
  if (/(?:^|\/)\.\.?(?:\/|$)/.test(plain)) throw refuseTarget('the path has a dot segment');
  return plain;
}

function decodeUnreserved(encoded: string): string {
  const character = String.fromCharCode(Number.parseInt(encoded.slice(1), 16));
  return /[A-Za-z0-9._~-]/.test(character) ? character : encoded;
}

function checkQuery(query: string): string {
  if (query.includes('#')) throw refuseTarget('it has a fragment');
  return query;
}
