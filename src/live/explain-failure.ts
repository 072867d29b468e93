/** Why a server could not be used, in words for the person who operates this service, with what to do about it. */
import { isSwathError } from '../errors.ts';
import type { GuardedResponse } from '../net/index.ts';
import { ProxyFailure, parseRetryAfterMs, Redirection } from '../net/index.ts';

/** A server that was asked. */
export interface AskedServer {
  /** Its address, or that of the file that was asked for. */
  readonly url: string;
  /** Where the files of this server are described: for remedies that change the settings. */
  readonly bucket?: AskedBucket | undefined;
}

/** How a bucket was asked. */
interface AskedBucket {
  readonly region: string;
  readonly hasKey: boolean;
  readonly requesterPays: boolean;
}

/** Explains why no answer came. */
export function explainError(error: unknown, server: AskedServer): string {
  const causes = toCauses(error);
  const host = toHost(server.url);
  const proxy = causes.find((one) => one instanceof ProxyFailure);
  if (proxy !== undefined) return explainProxy(proxy, causes, host);
  const moved = causes.find((one) => one instanceof Redirection);
  if (moved !== undefined) {
    return moved.region === null
      ? `${host} answers with a redirect, which is not followed. Name the new address in SWATH_CATALOGS.`
      : wrongRegion(moved.region, server);
  }
  const [system] = causes.flatMap((one) => codesOf(one)).filter((code) => code in SYSTEM);
  if (system !== undefined) return SYSTEM[system as keyof typeof SYSTEM](host);
  const code = isSwathError(error) ? error.code : '';
  if (code === 'source-untrusted') return explainCertificate(causes, host);
  if (isLate(causes)) return SYSTEM.ETIMEDOUT(host);
  if (code === 'address-not-allowed' || code === 'bad-href') return explainForbidden(causes, host);
  if (code === 'source-unreachable' || code === 'source-cut-off') {
    return `${host} closes the connection without an answer. Try again; if it persists, ask its operator, or the operator of your firewall.`;
  }
  return `${host} cannot be used: ${error instanceof Error ? error.message : String(error)}`;
}

/** Explains an answer that is a refusal or a failure; null for a good one. */
export function explainAnswer(answer: GuardedResponse, server: AskedServer): string | null {
  const { status } = answer;
  if (status >= 200 && status <= 299) return null;
  const host = toHost(server.url);
  const region = answer.header('x-amz-bucket-region');
  const reason = readReason(answer);
  if (region !== null && region !== server.bucket?.region) return wrongRegion(region, server);
  if (reason === 'AuthorizationHeaderMalformed') return wrongRegion(null, server);
  if (status === 429 || reason === 'SlowDown') {
    const waitMs = parseRetryAfterMs(answer.header('retry-after'), Date.now());
    const wait = waitMs === null ? '' : ` It asks for a pause of ${Math.ceil(waitMs / 1_000)} s.`;
    return `${host} limits the rate of requests (${status}).${wait} Lower requestsPerMinute of the catalog in SWATH_CATALOGS, or try later.`;
  }
  if (status === 401 || status === 403) return explainRefusal(reason, server, status);
  if (status === 404 || status === 410)
    return `${host} does not have it (${status}): the address has changed, or the file was removed.`;
  if (status >= 500)
    return `${host} fails (${status}). Try later; its operator may have a page with its state.`;
  return `${host} refuses the request (${status}${reason === '' ? '' : ` ${reason}`}).`;
}

/** What systems say about connections. */
const SYSTEM = {
  ENOTFOUND: (host: string) =>
    `The name ${host} does not resolve (DNS). Check its spelling and the name servers of this machine; if only a proxy leads out of your network, set HTTPS_PROXY.`,
  EAI_AGAIN: (host: string) =>
    `The name ${host} cannot be resolved now (DNS): no name server answers. Check the network of this machine; if only a proxy leads out of it, set HTTPS_PROXY.`,
  ECONNREFUSED: (host: string) =>
    `${host} refuses connections. Check address and port; a firewall may refuse them too.`,
  EHOSTUNREACH: (host: string) => `There is no route to ${host}. Check the network of this machine.`,
  ENETUNREACH: (host: string) => `There is no route to ${host}. Check the network of this machine.`,
  ETIMEDOUT: (host: string) =>
    `${host} does not answer in time. A firewall may drop connections: if only a proxy leads out of your network, set HTTPS_PROXY.`,
};

function explainProxy({ status }: ProxyFailure, causes: readonly Error[], host: string): string {
  if (status === 407) {
    return 'The proxy demands a user name and a password (407), or refuses those it got. Write them into HTTPS_PROXY: http://user:password@proxy:3128.';
  }
  if (status === null) {
    if (causes.some((one) => isSwathError(one) && one.code === 'source-untrusted')) {
      return `The certificate of the proxy is not trusted. ${OWN_AUTHORITY}`;
    }
    const [system = 'no answer'] = causes.flatMap((one) => codesOf(one)).filter((code) => code in SYSTEM);
    return `The proxy cannot be reached (${system}). Check HTTPS_PROXY, and HTTP_PROXY for http addresses.`;
  }
  return status >= 500
    ? `The proxy cannot reach ${host} (${status}). Ask its operator.`
    : `The proxy refuses connections to ${host} (${status}). Ask its operator to allow it, or list it in NO_PROXY if it can be reached directly.`;
}

const OWN_AUTHORITY =
  'If an authority of your own has signed it, or a proxy opens TLS connections, name a file with the certificate of that authority in NODE_EXTRA_CA_CERTS.';

function explainCertificate(causes: readonly Error[], host: string): string {
  const codes = causes.flatMap((one) => codesOf(one));
  if (codes.includes('CERT_HAS_EXPIRED') || codes.includes('CERT_NOT_YET_VALID')) {
    return `The certificate of ${host} is not valid today. Check the clock of this machine (${new Date().toISOString()}).`;
  }
  if (codes.includes('ERR_TLS_CERT_ALTNAME_INVALID')) {
    return `The certificate that ${host} shows is that of another server. Check the address; a firewall may answer in its place.`;
  }
  return `The certificate of ${host} is signed by an authority that this machine does not trust. ${OWN_AUTHORITY}`;
}

/** The reason says which address was refused; only the log and this report learn it. */
function explainForbidden(causes: readonly Error[], host: string): string {
  const reason = causes.at(-1)?.message ?? '';
  const [, address] = / leads to (\S+)$/.exec(reason) ?? [];
  if (address !== undefined) {
    return `The name ${host} leads to ${address}, which is not a public address. List its network in privateNetworks of the catalog's sources in SWATH_CATALOGS, if that is right.`;
  }
  return `The address is not among those that the catalog's sources allow (${reason}).`;
}

function explainRefusal(reason: string, { url, bucket }: AskedServer, status: number): string {
  const host = toHost(url);
  if (reason === 'RequestTimeTooSkewed') {
    return `${host} refuses the signature because of its time. Set the clock of this machine (${new Date().toISOString()}).`;
  }
  if (bucket !== undefined && !bucket.hasKey) {
    return bucket.requesterPays
      ? `The requester pays for this bucket, so ${host} wants to know whom to charge (${status}). Set SWATH_AWS_KEY to the key of an AWS account.`
      : `${host} does not let everybody read this bucket (${status}). State credentials for it, or requesterPays if its requester pays.`;
  }
  if (reason === 'InvalidAccessKeyId' || reason === 'SignatureDoesNotMatch' || reason === 'ExpiredToken') {
    return `${host} refuses the access key (${reason}). Check SWATH_AWS_KEY, SWATH_COPERNICUS_KEY or the credentials of its sources.`;
  }
  if (bucket !== undefined) {
    const payer = bucket.requesterPays ? '' : ' If its requester pays, its sources must state requesterPays.';
    return `${host} refuses this account (${status}${reason === '' ? '' : ` ${reason}`}). Check its key and its rights.${payer}`;
  }
  return `${host} refuses access (${status}): it demands an account or a token. Check the tokens and credentials of the catalog's sources.`;
}

function wrongRegion(region: string | null, { url, bucket }: AskedServer): string {
  const host = toHost(url);
  if (region === null) {
    const stated = bucket === undefined ? 'the stated one' : bucket.region;
    return `The bucket of ${host} lies in another region than ${stated}. State its region in the sources of the catalog.`;
  }
  const stated = bucket === undefined ? '' : `, not in ${bucket.region}`;
  return `The bucket of ${host} lies in the region ${region}${stated}. State that region in the sources of the catalog.`;
}

/** The code of an S3 error document; empty for any other body. */
const readReason = ({ body }: GuardedResponse): string =>
  /<Code>([A-Za-z]{1,60})<\/Code>/.exec(Buffer.from(body).toString('latin1'))?.[1] ?? '';

const toHost = (url: string): string => URL.parse(url)?.host ?? 'the server';

/** Deeper chains add no information. */
const MAX_CAUSES = 8;

/** An error, what it wraps, and the attempts that it stands for. */
function toCauses(error: unknown): readonly Error[] {
  const found: Error[] = [];
  const add = (one: unknown): void => {
    if (!(one instanceof Error) || found.length >= MAX_CAUSES) return;
    found.push(one);
    if (one instanceof AggregateError) for (const attempt of one.errors) add(attempt);
    add(one.cause);
  };
  add(error);
  return found;
}

const codesOf = (error: Error): readonly string[] =>
  'code' in error && typeof error.code === 'string' ? [error.code] : [];

const isLate = (causes: readonly Error[]): boolean =>
  causes.some((one) => (isSwathError(one) && one.tag === 'timed-out') || one.name === 'TimeoutError');
