import { createHash, createHmac, hash } from 'node:crypto';

/** Keys of an S3 account; never logged, never part of an id or an error. */
export interface S3Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Set for temporary credentials. */
  readonly sessionToken?: string;
}

/** A request to sign. */
interface SigningRequest {
  readonly method: string;
  /** Its path is already percent-encoded as S3 requires: everything but unreserved characters and slashes. */
  readonly url: URL;
  /** Headers to sign; the host is signed too. */
  readonly headers: Readonly<Record<string, string>>;
  readonly region: string;
  readonly credentials: S3Credentials;
  readonly date: Date;
  /** SHA-256 of the body in hexadecimal; by default that of an empty body. */
  readonly bodyHash?: string;
}

/** SHA-256 of an empty body. */
const EMPTY_HASH = createHash('sha256').digest('hex');

/** The headers that sign a request to S3 (AWS Signature Version 4), in addition to the given ones. */
export function signS3Request(request: SigningRequest): Record<string, string> {
  const { url, region, credentials, date, bodyHash = EMPTY_HASH } = request;
  const timestamp = toTimestamp(date);
  const added: Record<string, string> = {
    'x-amz-content-sha256': bodyHash,
    'x-amz-date': timestamp,
    ...(credentials.sessionToken === undefined ? {} : { 'x-amz-security-token': credentials.sessionToken }),
  };
  const headers = Object.entries({ ...request.headers, ...added, host: url.host })
    .map(([name, value]) => [name.toLowerCase(), value.trim().replace(/ +/g, ' ')] as const)
    .sort(([a], [b]) => compare(a, b));
  const signedHeaders = headers.map(([name]) => name).join(';');
  const signature = toSignature({ ...request, timestamp, headers, signedHeaders, bodyHash });
  const scope = toScope(timestamp, region);
  const authorization = `AWS4-HMAC-SHA256 Credential=${credentials.accessKeyId}/${scope},SignedHeaders=${signedHeaders},Signature=${signature}`;
  return { ...added, authorization };
}

/** A request whose signature is in its URL. */
interface PresignedRequest extends Pick<SigningRequest, 'url' | 'region' | 'credentials' | 'date'> {
  /** Seconds from `date`; Amazon's limit is 7 days. */
  readonly expiresS: number;
}

/** A presigned URL: anyone who has it may GET the object until it expires. */
export function presignS3Url({ url, region, credentials, date, expiresS }: PresignedRequest): URL {
  const timestamp = toTimestamp(date);
  const query: readonly (readonly [string, string])[] = [
    ['X-Amz-Algorithm', 'AWS4-HMAC-SHA256'],
    ['X-Amz-Credential', `${credentials.accessKeyId}/${toScope(timestamp, region)}`],
    ['X-Amz-Date', timestamp],
    ['X-Amz-Expires', String(expiresS)],
    ...(credentials.sessionToken === undefined
      ? []
      : [['X-Amz-Security-Token', credentials.sessionToken] as const]),
    ['X-Amz-SignedHeaders', 'host'],
  ];
  const signed = new URL(url);
  const parts = query.map(([name, value]) => `${name}=${encodeForS3(value)}`);
  signed.search = [...(url.search.length > 1 ? [url.search.slice(1)] : []), ...parts].join('&');
  const signature = toSignature({
    method: 'GET',
    url: signed,
    region,
    credentials,
    timestamp,
    headers: [['host', url.host]],
    signedHeaders: 'host',
    bodyHash: 'UNSIGNED-PAYLOAD',
  });
  signed.search += `&X-Amz-Signature=${signature}`;
  return signed;
}

/** 2013-05-24T00:00:00.000Z → 20130524T000000Z */
const toTimestamp = (date: Date): string => date.toISOString().replace(/[-:]|\.\d{3}/g, '');

const toScope = (timestamp: string, region: string): string =>
  `${timestamp.slice(0, 8)}/${region}/s3/aws4_request`;

/** The input of the signature. */
interface SignedParts extends Pick<SigningRequest, 'method' | 'url' | 'region' | 'credentials'> {
  readonly timestamp: string;
  /** Lower-case names, sorted. */
  readonly headers: readonly (readonly [string, string])[];
  readonly signedHeaders: string;
  readonly bodyHash: string;
}

function toSignature({ method, url, region, credentials, timestamp, ...parts }: SignedParts): string {
  const canonicalRequest = [
    method,
    url.pathname,
    toCanonicalQuery(url.search),
    ...parts.headers.map(([name, value]) => `${name}:${value}`),
    '',
    parts.signedHeaders,
    parts.bodyHash,
  ].join('\n');
  const digest = hash('sha256', canonicalRequest, 'hex');
  const toSign = ['AWS4-HMAC-SHA256', timestamp, toScope(timestamp, region), digest].join('\n');
  const key = [timestamp.slice(0, 8), region, 's3', 'aws4_request'].reduce<string | Buffer>(
    (secret, part) => hmac(secret, part),
    `AWS4${credentials.secretAccessKey}`,
  );
  return hmac(key, toSign).toString('hex');
}

/** Percent-encodes all bytes but the unreserved ones of RFC 3986, as the signature requires; slashes too. */
export const encodeForS3 = (text: string): string =>
  encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );

function toCanonicalQuery(search: string): string {
  if (search.length <= 1) return '';
  return search
    .slice(1)
    .split('&')
    .map((pair) => {
      const [name = '', ...value] = pair.split('=');
      return [name, value.join('=')].map((part) => encodeForS3(decodeURIComponent(part))).join('=');
    })
    .sort(compare)
    .join('&');
}

/** Compares by code units, independent of the locale. */
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();
