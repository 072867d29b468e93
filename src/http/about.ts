/** What the service tells everyone about itself, also people without a key. */
import { Answer } from './kit/answers.ts';
import type { Endpoint } from './kit/endpoint.ts';
import { json } from './kit/json-schema.ts';

/** The parts that an operator sets. */
export interface About {
  /** Whom to ask for a key; empty for no one. */
  readonly contact: string;
  /** Whether requests without a key may read. */
  readonly hasGuests: boolean;
  /** Whether people can sign in. */
  readonly hasSignIn: boolean;
  /** Tiles of another server under the scenes. */
  readonly baseMap: { readonly url: string; readonly attribution: string; readonly origin: string } | null;
}

/** `GET /api/about`: whom to ask, whether guests may read, and the base map. */
export const about = ({ contact, hasGuests, hasSignIn, baseMap }: About): Endpoint => ({
  summary: 'Whom to ask for a key, whether guests may read, and the base map',
  tag: 'Service',
  answers: {
    200: {
      description: 'What the operator has set.',
      content: {
        'application/json': json.object({
          contact: json.nullable(json.string({ description: 'Whom to ask for a key.' })),
          guests: json.boolean({ description: 'Whether requests without a key may read.' }),
          sign_in: json.boolean({ description: 'Whether people can sign in at /auth/sign-in.' }),
          base_map: json.nullable(
            json.object({
              url: json.string({ description: 'Tiles with {z}, {x} and {y}, or a TileJSON file.' }),
              attribution: json.string(),
            }),
          ),
        }),
      },
    },
  },
  handle: async () =>
    Answer.json(
      {
        contact: contact === '' ? null : contact,
        guests: hasGuests,
        sign_in: hasSignIn,
        base_map: baseMap === null ? null : { url: baseMap.url, attribution: baseMap.attribution },
      },
      { headers: { 'cache-control': 'no-cache' } },
    ),
});
