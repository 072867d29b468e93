import fc from 'fast-check';
import type { Scene } from '../../../src/catalog/index.ts';
import { anyBands } from './any-bands.ts';
import { anyAreaBody, anyColormapBody } from './any-body.ts';
import { anyPictureAddress, anyPositionNear } from './any-position.ts';
import type { QueryParts, StoredNames } from './any-query.ts';
import {
  anyCalibrateQuery,
  anyColorbarQuery,
  anyColormapName,
  anyIntensityQuery,
  anyPictureQuery,
  rarely,
} from './any-query.ts';

/** What an answer of 200 holds. */
export type Promised =
  | 'picture'
  | 'preview'
  | 'thumb'
  | 'colorbar'
  | 'legend'
  | 'point'
  | 'intensity'
  | 'json';

/** One request, ready to be sent. */
export interface AnyRequest {
  readonly promised: Promised;
  /** Below /api/render/, encoded. */
  readonly path: string;
  readonly query: QueryParts;
  /** Absent: it is a GET. */
  readonly body?: string;
  /** Ask once more, and then whether it has changed. */
  readonly isRepeated: boolean;
}

type Named = Omit<AnyRequest, 'isRepeated'>;

/** A segment or several; slashes and commas of band math may be literal or encoded. */
const toSegment = (text: string, isPlain: boolean): string =>
  isPlain ? encodeURIComponent(text).replaceAll('%2C', ',').replaceAll('%2F', '/') : encodeURIComponent(text);

/** A view id, now and then of no scene. */
const anyViewId = (viewId: string): fc.Arbitrary<string> =>
  rarely(
    fc.constantFrom(viewId.replace(/\d/, '9'), viewId.split('/').slice(0, -1).join('/'), `XX/${viewId}`),
    fc.constant(viewId),
  );

function ofScene(scene: Scene, stored: StoredNames): fc.Arbitrary<Named> {
  const common = fc
    .record({ bands: anyBands(scene), isPlain: fc.boolean(), viewId: anyViewId(scene.viewId) })
    .map(({ bands, isPlain, viewId }) => {
      const [sensor = '', ...name] = viewId.split('/');
      return { bands: toSegment(bands, isPlain), sensor, name: name.join('/') };
    });
  const pictureQuery = anyPictureQuery(stored);
  const position = fc.oneof(
    { arbitrary: anyPositionNear(scene).map(([lon, lat]) => `${lat}/${lon}`), weight: 12 },
    { arbitrary: fc.constantFrom('90/0', '-90/180', '91/0', '0/181', 'a/b', '49/', '89.9/-180'), weight: 1 },
  );
  const zoom = fc.oneof(
    { arbitrary: fc.integer({ min: 0, max: 24 }).map(String), weight: 12 },
    { arbitrary: fc.constantFrom('25', '-1', '1.5', 'z'), weight: 1 },
  );
  const picture = fc
    .tuple(common, anyPictureAddress(scene), pictureQuery)
    .map(([{ sensor, name, bands }, at, query]) => ({ path: `${sensor}/${name}/${bands}/${at}`, query }));
  return fc.oneof(
    { arbitrary: picture.map((one) => ({ promised: 'picture' as const, ...one })), weight: 12 },
    {
      arbitrary: picture.map(({ path, query }) => ({
        promised: 'legend' as const,
        path: `legend/${path}`,
        query,
      })),
      weight: 2,
    },
    {
      arbitrary: fc
        .tuple(common, zoom, position, pictureQuery)
        .map(([{ sensor, name, bands }, z, at, query]) => ({
          promised: 'preview' as const,
          path: `${sensor}/preview/${name}/${bands}/${z}/${at}`,
          query,
        })),
      weight: 1,
    },
    {
      arbitrary: common.map(({ sensor, name, bands }) => ({
        promised: 'thumb' as const,
        path: `${sensor}/thumb/${name}${bands.length % 2 === 0 ? '.png' : ''}`,
        query: [],
      })),
      weight: 1,
    },
    {
      arbitrary: fc
        .tuple(common, position, anyCalibrateQuery)
        .map(([{ sensor, name, bands }, at, query]) => ({
          promised: 'point' as const,
          path: `${sensor}/point/${name}/${bands}/${at}`,
          query,
        })),
      weight: 2,
    },
    {
      arbitrary: fc.tuple(common, anyIntensityQuery(stored)).map(([{ sensor, name, bands }, query]) => ({
        promised: 'intensity' as const,
        path: `${sensor}/ir/${name}/${bands}`,
        query,
      })),
      weight: 4,
    },
    {
      arbitrary: common.map(({ sensor, name, bands }) => ({
        promised: 'json' as const,
        path: `${sensor}/parse_vb/${bands}`,
        query: bands.length % 2 === 0 ? [] : [['scene_id', name] as const],
      })),
      weight: 1,
    },
  );
}

/** Requests that name no scene. */
function ofNames(stored: StoredNames): fc.Arbitrary<Named> {
  const name = anyColormapName(stored).map(encodeURIComponent);
  const pairs = fc.tuple(name, anyColorbarQuery);
  return fc.oneof(
    pairs.map(([one, query]) => ({ promised: 'colorbar' as const, path: `colorbar/${one}`, query })),
    pairs.map(([one, query]) => ({ promised: 'legend' as const, path: `legend/${one}`, query })),
    name.map((one) => ({ promised: 'json' as const, path: `colormap/${one}`, query: [] })),
    anyAreaBody.map((body) => ({ promised: 'json' as const, path: 'cropper', query: [], body })),
    anyColormapBody.map((body) => ({ promised: 'json' as const, path: 'colormap', query: [], body })),
  );
}

/** Any request to the render endpoints, over the scenes and what else is stored. */
export function anyRequest(scenes: readonly Scene[], stored: StoredNames): fc.Arbitrary<AnyRequest> {
  const named = fc.oneof(...scenes.map((scene) => ({ arbitrary: ofScene(scene, stored), weight: 1 })), {
    arbitrary: ofNames(stored),
    weight: Math.ceil(scenes.length / 6),
  });
  return fc
    .tuple(named, fc.constantFrom(true, false, false))
    .map(([one, isRepeated]) => ({ ...one, isRepeated }));
}
