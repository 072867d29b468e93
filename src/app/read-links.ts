import type { SecretStore } from '../keys/index.ts';
import { obtainLinkSecret } from '../keys/index.ts';

/**
 * Builds what gives the links of a kind: their secret is read, or made, when it is first needed, and then remembered; after
 * a failure it is asked for again.
 */
export function makeReadLinks<Links>(
  secrets: SecretStore,
  kind: Parameters<typeof obtainLinkSecret>[1],
  makeLinks: (secret: string) => Links,
): () => Promise<Links> {
  let links: Promise<Links> | undefined;
  return () => {
    links ??= obtainLinkSecret(secrets, kind).then(makeLinks, (error: unknown) => {
      links = undefined;
      throw error;
    });
    return links;
  };
}
