import type { Store } from '../../src/adapters/store/index.ts';
import { areaStoreContract } from './area-store-contract.ts';
import { callbackStoreContract } from './callback-store-contract.ts';
import { colormapStoreContract } from './colormap-store-contract.ts';
import { contrastStoreContract } from './contrast-store-contract.ts';
import { coverageStoreContract } from './coverage-store-contract.ts';
import { datasetTextStoreContract } from './dataset-text-store-contract.ts';
import { demSearchContract } from './dem-search-contract.ts';
import { demSearchProperty } from './dem-search-property.ts';
import { demStoreContract } from './dem-store-contract.ts';
import { fieldSearchContract } from './field-search-contract.ts';
import { fieldStoreContract } from './field-store-contract.ts';
import { intensityStoreContract } from './intensity-store-contract.ts';
import { keyStoreContract } from './key-store-contract.ts';
import { knownSceneStoreContract } from './known-scene-store-contract.ts';
import { leaseContract } from './lease-contract.ts';
import { peopleStoreContract } from './people-store-contract.ts';
import { rateStoreContract } from './rate-store-contract.ts';
import { recipeStoreContract } from './recipe-store-contract.ts';
import { resultPlaceStoreContract } from './result-place-store-contract.ts';
import { rotationStoreContract } from './rotation-store-contract.ts';
import { sceneSearchProperty } from './scene-search-property.ts';
import { sceneStatisticsStoreContract } from './scene-statistics-store-contract.ts';
import { sceneStoreContract } from './scene-store-contract.ts';
import { sceneWritingContract } from './scene-writing-contract.ts';
import { secretStoreContract } from './secret-store-contract.ts';
import { stacDoorContract } from './stac-door-contract.ts';
import { syncNoteStoreContract } from './sync-note-store-contract.ts';
import { taskLeaseContract } from './task-lease-contract.ts';
import { taskRoomContract } from './task-room-contract.ts';
import { taskStoreContract } from './task-store-contract.ts';
import { usageStoreContract } from './usage-store-contract.ts';
import { watchStoreContract } from './watch-store-contract.ts';

/** An adapter under test: a fresh, empty store. */
export interface StoreUnderTest extends Store {
  /** Opens the same store again, as a restarted program would. */
  reopen(): Promise<StoreUnderTest>;
}

/** Makes a fresh store. A new adapter is plugged in by passing its own. */
export type OpenStore = () => Promise<StoreUnderTest>;

/** Every promise the store ports make, asked of one adapter. */
export function storeContract(name: string, open: OpenStore): void {
  keyStoreContract(name, open);
  secretStoreContract(name, open);
  rotationStoreContract(name, open);
  datasetTextStoreContract(name, open);
  peopleStoreContract(name, open);
  rateStoreContract(name, open);
  usageStoreContract(name, open);
  sceneStoreContract(name, open);
  sceneWritingContract(name, open);
  sceneSearchProperty(name, open);
  stacDoorContract(name, open);
  knownSceneStoreContract(name, open);
  syncNoteStoreContract(name, open);
  contrastStoreContract(name, open);
  intensityStoreContract(name, open);
  sceneStatisticsStoreContract(name, open);
  coverageStoreContract(name, open);
  areaStoreContract(name, open);
  colormapStoreContract(name, open);
  recipeStoreContract(name, open);
  fieldStoreContract(name, open);
  fieldSearchContract(name, open);
  demStoreContract(name, open);
  demSearchContract(name, open);
  demSearchProperty(name, open);
  taskStoreContract(name, open);
  taskRoomContract(name, open);
  leaseContract(name, open);
  taskLeaseContract(name, open);
  resultPlaceStoreContract(name, open);
  callbackStoreContract(name, open);
  watchStoreContract(name, open);
}
