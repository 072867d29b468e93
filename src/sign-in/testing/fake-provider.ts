import type { KeyObject } from 'node:crypto';
import { constants, createHash, createHmac, generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { GuardedFetch } from '../../net/index.ts';

/** A person of the provider. */
export interface FakePerson {
  readonly sub: string;
  readonly [claim: string]: unknown;
}

/** How a token is signed. */
type Signing = 'RS256' | 'PS256' | 'ES256' | 'EdDSA' | 'HS256' | 'none';

/** What a test changes about the provider while it runs. */
interface Behaviour {
  /** Who is signed in at the provider. */
  person: FakePerson;
  signing: Signing;
  /** Changes the claims of a token before it is signed. */
  change: (claims: Record<string, unknown>) => Record<string, unknown>;
  /** Changes a token after it was signed. */
  forge: (token: string) => string;
}

interface Code {
  readonly clientId: string;
  readonly redirectUri: string;
  readonly challenge: string;
  readonly nonce: string;
}

interface Request {
  readonly method: string;
  readonly url: string;
  readonly authorization?: string | undefined;
  readonly body?: string | undefined;
}

interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
}

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

interface FakeProviderOptions {
  readonly issuer?: string;
  readonly clientId?: string;
  readonly clientSecret?: string | null;
  readonly person?: FakePerson;
  readonly nowMs?: () => number;
}

/** One for all providers of a process: an RSA pair takes a tenth of a second to make. */
let rsaPair: ReturnType<typeof makeRsaPair> | undefined;
const makeRsaPair = () => generateKeyPairSync('rsa', { modulusLength: 2048 });

/**
 * A provider of OpenID Connect with real keys: it checks codes, addresses and PKCE as the standards ask, and signs tokens.
 * Everyone who comes to it is signed in at once, as `person`.
 */
export function makeFakeProvider({
  issuer = 'https://id.example.org',
  clientId = 'swath',
  clientSecret = null,
  person = { sub: 'one', email: 'one@example.org', email_verified: true, name: 'One' },
  nowMs = Date.now,
}: FakeProviderOptions = {}) {
  rsaPair ??= makeRsaPair();
  const pairs = {
    RS256: rsaPair,
    PS256: rsaPair,
    ES256: generateKeyPairSync('ec', { namedCurve: 'P-256' }),
    EdDSA: generateKeyPairSync('ed25519'),
  };
  const behaviour: Behaviour = {
    person,
    signing: 'RS256',
    change: (claims) => claims,
    forge: (token) => token,
  };
  const codes = new Map<string, Code>();
  const asked: string[] = [];
  let origin = issuer;

  const jwks = () => ({
    keys: Object.entries(pairs).map(([alg, { publicKey }]) => ({
      ...publicKey.export({ format: 'jwk' }),
      kid: alg,
      alg,
      use: 'sig',
    })),
  });

  function signToken(claims: object): string {
    const { signing } = behaviour;
    const input = `${encode({ alg: signing, kid: signing, typ: 'JWT' })}.${encode(claims)}`;
    return `${input}.${toSignature(signing, Buffer.from(input)).toString('base64url')}`;
  }

  function toSignature(signing: Signing, input: Buffer): Buffer {
    if (signing === 'none') return Buffer.alloc(0);
    // The known trick: the public key as the secret of a signature that needs none.
    const pem = pairs.RS256.publicKey.export({ type: 'spki', format: 'pem' });
    if (signing === 'HS256') return createHmac('sha256', pem).update(input).digest();
    const key: KeyObject = pairs[signing].privateKey;
    if (signing === 'EdDSA') return sign(null, input, key);
    if (signing === 'ES256') return sign('sha256', input, { key, dsaEncoding: 'ieee-p1363' });
    const { RSA_PKCS1_PADDING, RSA_PKCS1_PSS_PADDING, RSA_PSS_SALTLEN_DIGEST } = constants;
    return signing === 'RS256'
      ? sign('sha256', input, { key, padding: RSA_PKCS1_PADDING })
      : sign('sha256', input, { key, padding: RSA_PKCS1_PSS_PADDING, saltLength: RSA_PSS_SALTLEN_DIGEST });
  }

  function authorize(query: URLSearchParams): Reply {
    const get = (name: string): string => query.get(name) ?? '';
    if (get('client_id') !== clientId || get('code_challenge_method') !== 'S256' || get('state') === '')
      return { status: 400, body: 'bad request' };
    const code = randomUUID();
    codes.set(code, {
      clientId,
      redirectUri: get('redirect_uri'),
      challenge: get('code_challenge'),
      nonce: get('nonce'),
    });
    const location = new URL(get('redirect_uri'));
    location.searchParams.set('code', code);
    location.searchParams.set('state', get('state'));
    return { status: 302, headers: { location: location.href }, body: '' };
  }

  function exchange(form: URLSearchParams, authorization: string | undefined): Reply {
    const refuse = (error: string): Reply => ({ status: 400, body: JSON.stringify({ error }) });
    const basic = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`;
    if (clientSecret !== null && authorization !== basic) return refuse('invalid_client');
    const code = codes.get(form.get('code') ?? '');
    // Each code works once.
    codes.delete(form.get('code') ?? '');
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    if (code === undefined || code.challenge !== challenge || code.redirectUri !== form.get('redirect_uri'))
      return refuse('invalid_grant');
    const nowS = Math.floor(nowMs() / 1000);
    const claims = { iss: origin, aud: clientId, iat: nowS, exp: nowS + 300, nonce: code.nonce };
    const idToken = behaviour.forge(signToken(behaviour.change({ ...claims, ...behaviour.person })));
    return {
      status: 200,
      body: JSON.stringify({ id_token: idToken, access_token: 'a', token_type: 'Bearer' }),
    };
  }

  function answer({ method, url, authorization, body = '' }: Request): Reply {
    const { pathname, searchParams } = new URL(url, origin);
    asked.push(`${method} ${pathname}`);
    switch (`${method} ${pathname}`) {
      case 'GET /.well-known/openid-configuration':
        return {
          status: 200,
          body: JSON.stringify({
            issuer: origin,
            authorization_endpoint: `${origin}/authorize`,
            token_endpoint: `${origin}/token`,
            jwks_uri: `${origin}/jwks`,
          }),
        };
      case 'GET /jwks':
        return { status: 200, body: JSON.stringify(jwks()) };
      case 'GET /authorize':
        return authorize(searchParams);
      case 'POST /token':
        return exchange(new URLSearchParams(body), authorization);
      default:
        return { status: 404, body: '' };
    }
  }

  /** Requests of the service, without a network. */
  const fetch: GuardedFetch = async ({ url, method = 'GET', headers = {}, body }) => {
    const reply = answer({
      method,
      url,
      authorization: headers.authorization,
      body: body === undefined ? undefined : String(body),
    });
    return { status: reply.status, header: () => null, body: new TextEncoder().encode(reply.body) };
  };

  return {
    behaviour,
    asked,
    answer,
    fetch,
    signToken,
    readKeys: () => jwks().keys,
    /** Answers at an address of this machine, which then is the issuer. */
    async listen() {
      const server = createServer((request, response) => {
        let body = '';
        request.setEncoding('utf8');
        request.on('data', (text: string) => {
          body += text;
        });
        request.on('end', () => {
          const { method = 'GET', url = '/', headers } = request;
          const reply = answer({ method, url, authorization: headers.authorization, body });
          response.writeHead(reply.status, { 'content-type': 'application/json', ...reply.headers });
          response.end(reply.body);
        });
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      return { issuer: origin, close: () => server.close() };
    },
  };
}
