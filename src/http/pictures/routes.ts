import type { Admission, Route } from '../kit/endpoint.ts';
import { pictureLegend } from './legend.ts';
import type { PictureDeps } from './picture.ts';
import { picture } from './picture.ts';
import { preview } from './preview.ts';
import type { SignedThumbnailDeps } from './thumbnails.ts';
import { makeThumbnailCache, signedThumbnail, thumb } from './thumbnails.ts';

/** What pictures are made of. */
export interface PictureRouteDeps extends PictureDeps {
  /** What is written over previews. */
  readonly watermark: string;
  /** Whether and how hits give addresses of thumbnails that work without a key. */
  readonly thumbnails: 'signed' | 'provider' | 'off';
  readonly readThumbnailLinks: SignedThumbnailDeps['readThumbnailLinks'];
}

const drawn: Admission = { access: 'read', door: 'render', lane: 'tile', answersWhileDraining: false };
/** The signature is the permission; all callers without a key share the slots of one. */
const signed: Admission = { ...drawn, access: 'open' };

const PICTURE = '{view_id}/{bands}/{z}/{x}/{y}';

/** Tiles, images, previews, thumbnails and their legends. */
export function pictureRoutes(deps: PictureRouteDeps): readonly Route[] {
  const thumbnailDeps = { ...deps, thumbnailCache: makeThumbnailCache() };
  const signedThumbnails: readonly Route[] = [
    {
      ...signed,
      method: 'GET',
      path: '/api/render/thumbnails/:signature/*',
      shownPath: '/api/render/thumbnails/{signature}/{view_id}.png',
      endpoint: signedThumbnail(thumbnailDeps),
    },
  ];
  return [...drawnRoutes(deps, thumbnailDeps), ...(deps.thumbnails === 'off' ? [] : signedThumbnails)];
}

const drawnRoutes = (
  deps: PictureRouteDeps,
  thumbnailDeps: PictureRouteDeps & SignedThumbnailDeps,
): readonly Route[] => [
  {
    ...drawn,
    method: 'GET',
    path: '/api/render/*',
    shownPath: `/api/render/${PICTURE}`,
    endpoint: picture(deps),
  },
  {
    ...drawn,
    method: 'GET',
    path: '/api/render/legend/:sensor/*',
    shownPath: `/api/render/legend/${PICTURE}`,
    endpoint: pictureLegend(deps),
  },
  {
    ...drawn,
    method: 'GET',
    path: '/api/render/:sensor/preview/*',
    shownPath: '/api/render/{sensor}/preview/{scene_id}/{bands}/{zoom}/{lat}/{lon}',
    endpoint: preview(deps),
  },
  {
    ...drawn,
    method: 'GET',
    path: '/api/render/:sensor/thumb/*',
    shownPath: '/api/render/{sensor}/thumb/{scene_id}',
    endpoint: thumb(thumbnailDeps),
  },
];
