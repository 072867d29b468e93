import type { Admission, Route } from '../kit/endpoint.ts';
import { createColormap, deleteColormap, readColormap } from './colormap.ts';
import type { ColorbarDeps } from './colormap-views.ts';
import { colorbar, colormapLegend, colormapList } from './colormap-views.ts';

const read: Admission = { access: 'read', door: 'render', lane: 'tile', answersWhileDraining: false };
const write: Admission = { ...read, access: 'write', door: 'free' };

/** Colormaps, colorbars and legends of colormaps. */
export const colorRoutes = (deps: ColorbarDeps): readonly Route[] => {
  const { colormaps } = deps;
  return [
    {
      ...read,
      method: 'GET',
      path: '/api/render/colormap/:all{[Aa][Ll][Ll]}',
      shownPath: '/api/render/colormap/all',
      endpoint: colormapList,
    },
    { ...write, method: 'POST', path: '/api/render/colormap', cost: 5, endpoint: createColormap(colormaps) },
    { ...read, method: 'GET', path: '/api/render/colormap/:colormap_id', endpoint: readColormap(colormaps) },
    {
      ...write,
      method: 'DELETE',
      path: '/api/render/colormap/:colormap_id',
      endpoint: deleteColormap(colormaps),
    },
    { ...read, method: 'GET', path: '/api/render/colorbar/:colormap_name', endpoint: colorbar(deps) },
    { ...read, method: 'GET', path: '/api/render/legend/:colormap', endpoint: colormapLegend(colormaps) },
  ];
};
