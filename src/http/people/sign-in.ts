/** `/auth/…`: people sign in at a provider of OpenID Connect, and out. */

import { isSwathError } from '../../errors.ts';
import type { People, Provider, SignInSeal } from '../../sign-in/index.ts';
import { SIGN_IN_S, toReturnPath } from '../../sign-in/index.ts';
import { badInput, notFound } from '../errors.ts';
import { Answer } from '../kit/answers.ts';
import type { Endpoint } from '../kit/endpoint.ts';
import { defineParameters, text } from '../kit/parameters.ts';
import type { Log } from '../server/error-answer.ts';
import { noStore } from '../tasks/task.ts';
import { readCookie, refuseOtherOrigins, toCookie } from './session-cookie.ts';

/** What signing in needs; null if the operator has set no provider. */
export interface SignInDeps {
  readonly signIn: {
    readonly issuer: string;
    readonly provider: Provider;
    readonly people: People;
    readonly readSeal: () => Promise<SignInSeal>;
    readonly now: () => Date;
    readonly log: Pick<Log, 'warn'>;
  } | null;
}

const beginParameters = defineParameters({
  return: text({
    description: 'The path of this service to return to; / by default, and for anything else.',
    fallback: null,
  }),
});

const callbackParameters = defineParameters({
  code: text({ description: 'The code of the provider.', fallback: null }),
  state: text({ description: 'What the sign-in began with.', fallback: null }),
  error: text({ description: 'Why the provider refused.', fallback: null }),
});

function need({ signIn }: SignInDeps): NonNullable<SignInDeps['signIn']> {
  if (signIn === null) throw notFound('no-sign-in', 'Signing in is not set up here; use a key.');
  return signIn;
}

/** Redirects to the viewer; the address begins with our own, so it leads to no other host. */
const redirect = (location: string, cookie: string): Answer =>
  new Answer(null, { status: 303, headers: { ...noStore, location, 'set-cookie': cookie } });

/** `GET /auth/sign-in`. */
export const beginSignIn = (deps: SignInDeps): Endpoint => ({
  summary: 'Sign in',
  description: 'Sends the browser to the sign-in provider, which sends it back to /auth/callback.',
  tag: 'Service',
  query: beginParameters,
  answers: {
    303: { description: 'To the provider.' },
    404: { description: 'No provider is set (no-sign-in).' },
    502: { description: 'The provider does not answer (provider-failed).' },
  },
  async handle({ query, publicUrl }) {
    const { provider, readSeal } = need(deps);
    const returnTo = toReturnPath(beginParameters.return.read(query) ?? undefined);
    const redirectUri = `${publicUrl}/auth/callback`;
    const { begun, sealed, challenge } = (await readSeal()).begin({ redirectUri, returnTo });
    const { state, nonce } = begun;
    const location = await provider.toSignInAddress({ state, nonce, challenge, redirectUri });
    return redirect(location, toCookie('sign-in', sealed, { publicUrl, maxAgeS: SIGN_IN_S }));
  },
});

/** `GET /auth/callback`. */
export const finishSignIn = (deps: SignInDeps): Endpoint => ({
  summary: 'Finish a sign-in',
  description:
    'Where the provider sends the browser back to. Begins a session, whose cookie no script can read.',
  tag: 'Service',
  query: callbackParameters,
  answers: {
    303: {
      description:
        'To the page that the sign-in began on, or to the first page with the reason of a failure.',
    },
    404: { description: 'No provider is set (no-sign-in).' },
  },
  async handle(request) {
    const { issuer, provider, people, readSeal, now, log } = need(deps);
    const { query, headers, publicUrl } = request;
    try {
      const begun = (await readSeal()).open(readCookie(headers, 'sign-in', publicUrl) ?? '');
      // It comes from another browser, or this one has begun another sign-in since.
      if (begun === null || begun.state !== callbackParameters.state.read(query))
        throw badInput('bad-sign-in', 'The sign-in took too long, or began in another browser; begin again.');
      const code = callbackParameters.code.read(query);
      if (code === null) throw badInput('bad-sign-in', 'The provider did not sign you in.');
      const claims = await provider.exchange(code, begun);
      const { token, expiresAt } = await people.signIn(claims, { issuer, state: begun.state });
      const maxAgeS = Math.floor((Date.parse(expiresAt) - now().getTime()) / 1000);
      return redirect(`${publicUrl}${begun.returnTo}`, toCookie('session', token, { publicUrl, maxAgeS }));
    } catch (error) {
      if (!isSwathError(error)) throw error;
      log.warn({ err: error, code: error.code, request_id: request.id }, 'a sign-in failed');
      // People are in the middle of a page load: the viewer explains what happened.
      return redirect(
        `${publicUrl}/?sign_in=${encodeURIComponent(error.code)}`,
        toCookie('sign-in', '', { publicUrl, maxAgeS: 0 }),
      );
    }
  },
});

/** `POST /auth/sign-out`. */
export const signOut = (deps: SignInDeps): Endpoint => ({
  summary: 'Sign out',
  description: 'Ends the session of the cookie, on all nodes.',
  tag: 'Service',
  answers: {
    204: { description: 'The session has ended.' },
    403: { description: 'The request comes from a page of another origin (other-origin).' },
    404: { description: 'No provider is set (no-sign-in).' },
  },
  async handle({ headers, publicUrl }) {
    const { people } = need(deps);
    refuseOtherOrigins(headers, publicUrl);
    const token = readCookie(headers, 'session', publicUrl);
    if (token !== null) await people.signOut(token);
    return new Answer(null, {
      status: 204,
      headers: { ...noStore, 'set-cookie': toCookie('session', '', { publicUrl, maxAgeS: 0 }) },
    });
  },
});
