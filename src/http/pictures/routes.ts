import type { Admission, Route } from '../endpoint/route.ts';
import type { PictureDeps } from './answer.ts';
import { pictureLegend } from './legend.ts';
import { picture } from './picture.ts';
import { preview } from './preview.ts';
import { thumb } from './thumb.ts';

/** What pictures are made of. */
export interface PictureRouteDeps extends PictureDeps {
  /** What is written over previews. */
  readonly watermark: string;
}

const drawn: Admission = { access: 'read', door: 'render', lane: 'tile', answersWhileDraining: false };

const PICTURE = '{view_id}/{bands}/{z}/{x}/{y}';

/** Tiles, images, previews, thumbnails and their legends. */
export const pictureRoutes = (deps: PictureRouteDeps): readonly Route[] => [
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
    endpoint: thumb(deps),
  },
];
