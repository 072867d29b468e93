import type { Areas } from '../../areas/index.ts';
import type { Admission, Route } from '../kit/endpoint.ts';
import { createArea, deleteArea, readArea } from './area.ts';

const read: Admission = { access: 'read', door: 'render', lane: 'tile', answersWhileDraining: false };
const write: Admission = { ...read, access: 'write', door: 'free' };

/** Stored areas of interest. */
export const areaRoutes = ({ areas }: { readonly areas: Areas }): readonly Route[] => [
  { ...write, method: 'POST', path: '/api/render/cropper', cost: 5, endpoint: createArea(areas) },
  { ...read, method: 'GET', path: '/api/render/cropper/:cropper_ref', endpoint: readArea(areas) },
  { ...write, method: 'DELETE', path: '/api/render/cropper/:cropper_ref', endpoint: deleteArea(areas) },
];
