import { createHash, createHmac } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

interface Account {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/**
 * The server's side of Signature Version 4, on the bytes that arrived. It deliberately shares no code with our signer and
 * follows Amazon's description, so that both do not have the same mistake.
 */
export function isSignedRightly(
  request: IncomingMessage,
  { accessKeyId, secretAccessKey }: Account,
  body: Uint8Array | string = '',
): boolean {
  const found =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request,\s*SignedHeaders=([^,]+),\s*Signature=(\w+)$/.exec(
      request.headers.authorization ?? '',
    );
  if (found === null) return false;
  const [, access, day, region, signedHeaders = '', signature] = found as unknown as string[];
  const stamp = String(request.headers['x-amz-date']);
  const ageMs = Math.abs(
    Date.now() - Date.parse(stamp.replace(/^(....)(..)(..T..)(..)(..Z)$/, '$1-$2-$3:$4:$5')),
  );
  if (access !== accessKeyId || !stamp.startsWith(`${day}T`) || !(ageMs < 900_000)) return false;
  if (request.headers['x-amz-content-sha256'] !== createHash('sha256').update(body).digest('hex'))
    return false;

  const raw = new Map<string, string>();
  for (let i = 0; i < request.rawHeaders.length; i += 2) {
    raw.set(String(request.rawHeaders[i]).toLowerCase(), String(request.rawHeaders[i + 1]));
  }
  // Amazon requires the host and every x-amz header to be signed.
  const mustSign = ['host', ...[...raw.keys()].filter((name) => name.startsWith('x-amz-'))];
  const names = signedHeaders.split(';');
  if (mustSign.some((name) => !names.includes(name)) || names.join() !== names.toSorted().join())
    return false;

  const [path, query = ''] = (request.url ?? '').split('?');
  let canonical = `${request.method}\n${path}\n${query.split('&').toSorted().join('&')}\n`;
  for (const name of names) canonical += `${name}:${raw.get(name)?.trim()}\n`;
  canonical += `\n${signedHeaders}\n${raw.get('x-amz-content-sha256')}`;
  const scope = `${day}/${region}/s3/aws4_request`;
  const digest = createHash('sha256').update(canonical, 'utf8').digest('hex');
  const text = `AWS4-HMAC-SHA256\n${stamp}\n${scope}\n${digest}`;
  return toSignature(text, { secretAccessKey, day: String(day), region: String(region) }) === signature;
}

function toSignature(
  text: string,
  { secretAccessKey, day, region }: { secretAccessKey: string; day?: string; region?: string },
): string {
  const dayKey = createHmac('sha256', `AWS4${secretAccessKey}`).update(String(day)).digest();
  const regionKey = createHmac('sha256', dayKey).update(String(region)).digest();
  const serviceKey = createHmac('sha256', regionKey).update('s3').digest();
  const key = createHmac('sha256', serviceKey).update('aws4_request').digest();
  return createHmac('sha256', key).update(text).digest('hex');
}

/** The same for a presigned URL, which must not have expired. */
export function isPresignedRightly(
  request: IncomingMessage,
  { accessKeyId, secretAccessKey }: Account,
): boolean {
  const [path = '', query = ''] = (request.url ?? '').split('?');
  const values = new URLSearchParams(query);
  const [access, day, region, service, end] = (values.get('X-Amz-Credential') ?? '').split('/');
  const stamp = values.get('X-Amz-Date') ?? '';
  const signedMs = Date.parse(stamp.replace(/^(....)(..)(..T..)(..)(..Z)$/, '$1-$2-$3:$4:$5'));
  const isCurrent = Date.now() < signedMs + 1000 * Number(values.get('X-Amz-Expires'));
  if (access !== accessKeyId || service !== 's3' || end !== 'aws4_request' || !isCurrent) return false;
  const signed = query.split('&').filter((pair) => !pair.startsWith('X-Amz-Signature='));
  const canonical = `${request.method}\n${path}\n${signed.toSorted().join('&')}\nhost:${request.headers.host}\n\nhost\nUNSIGNED-PAYLOAD`;
  const digest = createHash('sha256').update(canonical, 'utf8').digest('hex');
  const text = `AWS4-HMAC-SHA256\n${stamp}\n${day}/${region}/s3/aws4_request\n${digest}`;
  const parts = { secretAccessKey, ...(day && region ? { day, region } : {}) };
  return toSignature(text, parts) === values.get('X-Amz-Signature');
}
