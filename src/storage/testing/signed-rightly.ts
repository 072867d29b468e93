import { createHash, createHmac } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/**
 * The server's side of Signature Version 4, from the bytes that arrived. Deliberately written apart from our signer, in
 * the order of Amazon's description, so that a common mistake is not made twice.
 */
export function isSignedRightly(
  request: IncomingMessage,
  { accessKeyId, secretAccessKey }: { readonly accessKeyId: string; readonly secretAccessKey: string },
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
  if (request.headers['x-amz-content-sha256'] !== createHash('sha256').update('').digest('hex')) return false;

  const raw = new Map<string, string>();
  for (let i = 0; i < request.rawHeaders.length; i += 2) {
    raw.set(String(request.rawHeaders[i]).toLowerCase(), String(request.rawHeaders[i + 1]));
  }
  // Amazon demands that the host and every x-amz header is signed.
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
  const dayKey = createHmac('sha256', `AWS4${secretAccessKey}`).update(String(day)).digest();
  const regionKey = createHmac('sha256', dayKey).update(String(region)).digest();
  const serviceKey = createHmac('sha256', regionKey).update('s3').digest();
  const key = createHmac('sha256', serviceKey).update('aws4_request').digest();
  return createHmac('sha256', key).update(text).digest('hex') === signature;
}
