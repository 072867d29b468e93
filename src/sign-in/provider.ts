/** The sign-in provider: its description, the address where people sign in, and the exchange of a code for claims. */

import { isObject } from '../json.ts';
import type { GuardedFetch } from '../net/index.ts';
import { sourceBroken } from './errors.ts';
import type { Claims, Jwk } from './id-token.ts';
import { checkIdToken, findKeys, parseIdToken } from './id-token.ts';

/** A sign-in that has begun: what the browser brings back must match it. */
export interface Attempt {
  readonly state: string;
  readonly nonce: string;
  /** The secret of PKCE (RFC 7636). */
  readonly verifier: string;
  /** Where the provider sends the browser back to. */
  readonly redirectUri: string;
}

/** A provider of OpenID Connect. */
export interface Provider {
  /** The address at which a person signs in; `challenge` is the SHA-256 of the verifier. */
  toSignInAddress(attempt: Omit<Attempt, 'verifier'> & { readonly challenge: string }): Promise<string>;
  /** Exchanges a code for the checked claims of a person. */
  exchange(code: string, attempt: Attempt): Promise<Claims>;
}

interface ProviderDeps {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string | null;
  readonly scopes: string;
  /** Requests to one origin, that of the issuer or one that its description names. */
  readonly fetchFrom: (origin: string) => GuardedFetch;
  readonly nowMs: () => number;
}

/** What a provider says about itself (OpenID Connect Discovery 1.0). */
interface Description {
  readonly authorizationEndpoint: string;
  readonly tokenEndpoint: string;
  readonly jwksUri: string;
  readonly takesBasic: boolean;
}

/** TTL of descriptions and keys, and the shortest time between two reads of the keys for tokens with an unknown one. */
const FRESH_MS = 3_600_000;
const AGAIN_MS = 60_000;
const MAX_BYTES = 524_288;

const failed = (what: string, cause?: unknown): Error =>
  sourceBroken('provider-failed', `The sign-in provider ${what}.`, { cause });

/** A value that is read again after some time. */
interface Read<Value> {
  readonly value: Value;
  readonly atMs: number;
}

/** Builds the client of a provider. */
export function makeProvider(deps: ProviderDeps): Provider {
  const { issuer, clientId, clientSecret, scopes, fetchFrom, nowMs } = deps;
  let described: Read<Description> | null = null;
  let keys: Read<readonly Jwk[]> | null = null;

  async function readJson(url: string, init: { readonly form?: URLSearchParams; readonly basic?: string }) {
    const { form, basic } = init;
    const answer = await fetchFrom(new URL(url).origin)({
      url,
      method: form === undefined ? 'GET' : 'POST',
      headers: {
        accept: 'application/json',
        ...(form === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
        ...(basic === undefined ? {} : { authorization: `Basic ${basic}` }),
      },
      body: form?.toString(),
      limitBody: () => MAX_BYTES,
    }).catch((error: unknown) => {
      throw failed('does not answer', error);
    });
    let value: unknown;
    try {
      value = JSON.parse(new TextDecoder().decode(answer.body));
    } catch {
      throw failed('sent no JSON');
    }
    if (!isObject(value)) throw failed('sent no JSON object');
    return { status: answer.status, value };
  }

  async function describe(): Promise<Description> {
    if (described !== null && nowMs() - described.atMs < FRESH_MS) return described.value;
    const { status, value } = await readJson(
      `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`,
      {},
    );
    if (status !== 200 || value.issuer !== issuer)
      throw failed('does not describe the issuer of the settings');
    const methods = value.token_endpoint_auth_methods_supported;
    const description: Description = {
      authorizationEndpoint: toEndpoint(value.authorization_endpoint),
      tokenEndpoint: toEndpoint(value.token_endpoint),
      jwksUri: toEndpoint(value.jwks_uri),
      takesBasic: !Array.isArray(methods) || methods.includes('client_secret_basic'),
    };
    described = { value: description, atMs: nowMs() };
    return description;
  }

  /** Only a provider that is itself reached without TLS, on this machine, may name such addresses. */
  function toEndpoint(value: unknown): string {
    const url = typeof value === 'string' ? URL.parse(value) : null;
    const isSafe = url !== null && (url.protocol === 'https:' || url.origin === new URL(issuer).origin);
    if (!isSafe) throw failed('names an address that is not https');
    return url.href;
  }

  async function readKeys(ageMs: number): Promise<readonly Jwk[]> {
    if (keys !== null && nowMs() - keys.atMs < ageMs) return keys.value;
    const { status, value } = await readJson((await describe()).jwksUri, {});
    if (status !== 200 || !Array.isArray(value.keys)) throw failed('does not publish its keys');
    keys = { value: value.keys.filter(isObject), atMs: nowMs() };
    return keys.value;
  }

  return {
    async toSignInAddress({ state, nonce, challenge, redirectUri }) {
      const url = new URL((await describe()).authorizationEndpoint);
      const parameters = {
        response_type: 'code',
        client_id: clientId,
        redirect_uri: redirectUri,
        scope: scopes,
        state,
        nonce,
        code_challenge: challenge,
        code_challenge_method: 'S256',
      };
      for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
      return url.href;
    },

    async exchange(code, { nonce, verifier, redirectUri }) {
      const { tokenEndpoint, takesBasic } = await describe();
      const form = new URLSearchParams({
        grant_type: 'authorization_code',
        code,
        redirect_uri: redirectUri,
        code_verifier: verifier,
        client_id: clientId,
      });
      const isBasic = clientSecret !== null && takesBasic;
      if (clientSecret !== null && !isBasic) form.set('client_secret', clientSecret);
      const basic = isBasic ? { basic: toBasic(clientId, clientSecret) } : {};
      const { status, value } = await readJson(tokenEndpoint, { form, ...basic });
      if (status !== 200 || typeof value.id_token !== 'string')
        throw failed(`refused the sign-in (${toShownError(value.error)})`);
      const token = parseIdToken(value.id_token);
      const known = await readKeys(FRESH_MS);
      // Providers replace their keys: a token that was signed with a new one is valid.
      const usable = findKeys(token, known).length > 0 ? known : await readKeys(AGAIN_MS);
      return checkIdToken(token, usable, { issuer, clientId, nonce, nowMs: nowMs() });
    },
  };
}

/** RFC 6749 2.3.1: both are encoded as in a form before they are joined. */
const toBasic = (id: string, secret: string): string =>
  Buffer.from(`${toFormText(id)}:${toFormText(secret)}`).toString('base64');

const toFormText = (text: string): string => new URLSearchParams({ v: text }).toString().slice(2);

/** Error codes of RFC 6749 are plain words; anything else is not repeated. */
const toShownError = (error: unknown): string =>
  typeof error === 'string' && /^[a-z_]{1,40}$/.test(error) ? error : 'no reason given';
