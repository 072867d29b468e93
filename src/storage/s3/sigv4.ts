import { createHash, createHmac } from 'node:crypto';

/** Keys of an S3 account; never logged, never part of an id or an error. */
export interface S3Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Of temporary keys. */
  readonly sessionToken?: string;
}

/** A request to sign. */
export interface SigningRequest {
  readonly method: string;
  /** Its path is already encoded the way S3 does: everything but unreserved characters and slashes. */
  readonly url: URL;
  /** All of these are signed, and so is the host. */
  readonly headers: Readonly<Record<string, string>>;
  readonly region: string;
  readonly credentials: S3Credentials;
  readonly date: Date;
  /** SHA-256 of the body in hexadecimal; of no body when left out. */
  readonly bodyHash?: string;
}

/** SHA-256 of nothing. */
const EMPTY_HASH = createHash('sha256').digest('hex');

/** The headers that sign a request to S3 (AWS Signature Version 4), to be sent in addition to those given. */
export function signS3Request(request: SigningRequest): Record<string, string> {
  const { method, url, region, credentials, date, bodyHash = EMPTY_HASH } = request;
  // 2013-05-24T00:00:00.000Z → 20130524T000000Z
  const timestamp = date.toISOString().replace(/[-:]|\.\d{3}/g, '');
  const day = timestamp.slice(0, 8);
  const added: Record<string, string> = {
    'x-amz-content-sha256': bodyHash,
    'x-amz-date': timestamp,
    ...(credentials.sessionToken === undefined ? {} : { 'x-amz-security-token': credentials.sessionToken }),
  };
  const headers = Object.entries({ ...request.headers, ...added, host: url.host })
    .map(([name, value]) => [name.toLowerCase(), value.trim().replace(/ +/g, ' ')] as const)
    .sort(([a], [b]) => compare(a, b));
  const signedHeaders = headers.map(([name]) => name).join(';');
  const canonicalRequest = [
    method,
    url.pathname,
    toCanonicalQuery(url.search),
    ...headers.map(([name, value]) => `${name}:${value}`),
    '',
    signedHeaders,
    bodyHash,
  ].join('\n');
  const scope = `${day}/${region}/s3/aws4_request`;
  const hash = createHash('sha256').update(canonicalRequest).digest('hex');
  const toSign = ['AWS4-HMAC-SHA256', timestamp, scope, hash].join('\n');
  const key = [day, region, 's3', 'aws4_request'].reduce<string | Buffer>(
    (secret, part) => hmac(secret, part),
    `AWS4${credentials.secretAccessKey}`,
  );
  const signature = hmac(key, toSign).toString('hex');
  const authorization = `AWS4-HMAC-SHA256 Credential=${credentials.accessKeyId}/${scope},SignedHeaders=${signedHeaders},Signature=${signature}`;
  return { ...added, authorization };
}

/** Encodes all bytes but the unreserved ones of RFC 3986, as the signature wants it; slashes too. */
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

/** By code units, whatever the locale. */
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();
