import type { KeyObject } from 'node:crypto';
import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';

/** A certificate and its key, as text that `node:https` takes. */
export interface MadeCertificate {
  readonly cert: string;
  readonly key: string;
  /** To sign others with. */
  readonly signer: Signer;
}

interface Signer {
  readonly name: string;
  readonly privateKey: KeyObject;
}

interface CertificateOptions {
  readonly name: string;
  /** Names and addresses it is good for. */
  readonly hosts?: readonly string[];
  /** Left out: signed by itself. */
  readonly by?: Signer;
  readonly isAuthority?: boolean;
  /** Days from today. */
  readonly fromDay?: number;
  readonly toDay?: number;
}

/** Makes an X.509 certificate (RFC 5280) with a key of its own, so that no key needs to be stored anywhere. */
export function makeCertificate(options: CertificateOptions): MadeCertificate {
  const { name, hosts = [], isAuthority = false, fromDay = -1, toDay = 1 } = options;
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const by = options.by ?? { name, privateKey };
  const algorithm = sequence(ECDSA_SHA256);
  const body = sequence(
    tagged(0xa0, integer(Buffer.of(2))),
    integer(Buffer.concat([Buffer.of(1), randomBytes(15)])),
    algorithm,
    toName(by.name),
    sequence(toTime(fromDay), toTime(toDay)),
    toName(name),
    publicKey.export({ type: 'spki', format: 'der' }),
    tagged(0xa3, sequence(...toExtensions(hosts, isAuthority))),
  );
  const signature = sign('sha256', body, by.privateKey);
  const der = sequence(body, algorithm, tagged(0x03, Buffer.concat([Buffer.of(0), signature])));
  return {
    cert: ['-----BEGIN CERTIFICATE-----', ...toLines(der), '-----END CERTIFICATE-----', ''].join('\n'),
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
    signer: { name, privateKey },
  };
}

const toLines = (der: Buffer): readonly string[] => der.toString('base64').match(/.{1,64}/g) ?? [];

/** Tag, length and content (X.690, DER). */
function tagged(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

const sequence = (...parts: readonly Buffer[]): Buffer => tagged(0x30, ...parts);
const integer = (bytes: Buffer): Buffer => tagged(0x02, bytes);
const identifier = (hex: string): Buffer => tagged(0x06, Buffer.from(hex, 'hex'));
const ECDSA_SHA256 = identifier('2a8648ce3d040302');
const COMMON_NAME = identifier('550403');
const SUBJECT_ALT_NAME = identifier('551d11');
const BASIC_CONSTRAINTS = identifier('551d13');

const toName = (name: string): Buffer =>
  sequence(tagged(0x31, sequence(COMMON_NAME, tagged(0x0c, Buffer.from(name)))));

/** UTCTime: `YYMMDDHHMMSSZ`. */
const toTime = (day: number): Buffer => {
  const text = new Date(Date.now() + day * 86_400_000).toISOString().replace(/\D/g, '').slice(2, 14);
  return tagged(0x17, Buffer.from(`${text}Z`));
};

function toExtensions(hosts: readonly string[], isAuthority: boolean): Buffer[] {
  const constraints = sequence(...(isAuthority ? [tagged(0x01, Buffer.of(0xff))] : []));
  const names = hosts.map((host) =>
    /^[\d.]+$/.test(host)
      ? tagged(0x87, Buffer.from(host.split('.').map(Number)))
      : tagged(0x82, Buffer.from(host)),
  );
  return [
    sequence(BASIC_CONSTRAINTS, tagged(0x01, Buffer.of(0xff)), tagged(0x04, constraints)),
    ...(names.length === 0 ? [] : [sequence(SUBJECT_ALT_NAME, tagged(0x04, sequence(...names)))]),
  ];
}
