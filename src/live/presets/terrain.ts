import type { LiveTerrain } from '../live-catalog.ts';

/** The Copernicus DEM of 30 m, with the attribution that its licence asks for. */
export const copernicusTerrain = (collection: string, files: string): LiveTerrain => ({
  name: 'copernicus-glo-30',
  collection,
  files,
  attribution:
    '© DLR e.V. 2010-2014 and © Airbus Defence and Space GmbH 2014-2018 provided under COPERNICUS by the European Union and ESA; all rights reserved',
});
