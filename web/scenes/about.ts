/** What the operator of the service has set for everyone. */
import { asRecord, asText } from './read-json.ts';

/** Tiles of another server under the scenes: a template with `{z}`, `{x}` and `{y}`, or a TileJSON file. */
export interface BaseMap {
  readonly url: string;
  readonly attribution: string;
}

/** The answer to `GET /api/about`. */
export interface About {
  /** Whom to ask for a key. */
  readonly contact: string | null;
  /** Whether requests without a key may read. */
  readonly hasGuests: boolean;
  /** Whether people can sign in. */
  readonly hasSignIn: boolean;
  readonly baseMap: BaseMap | null;
}

/** A service that says nothing, as an older one does. */
export const NO_ABOUT: About = { contact: null, hasGuests: false, hasSignIn: false, baseMap: null };

/** Reads it; what is not as expected is left out. */
export const parseAbout = (body: unknown): About => {
  const { contact, guests, sign_in: signIn, base_map: baseMap } = asRecord(body);
  const { url, attribution } = asRecord(baseMap);
  const [address, makers] = [asText(url), asText(attribution)];
  return {
    contact: asText(contact),
    hasGuests: guests === true,
    hasSignIn: signIn === true,
    baseMap:
      address === null || makers === null || !address.startsWith('https://')
        ? null
        : { url: address, attribution: makers },
  };
};
