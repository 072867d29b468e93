/** Colormaps that users make: saved, deleted, and read when an address brings one. */
import { isKeyRefused } from '../api/failure.ts';
import type { ColormapDraft, OwnColormap } from '../scenes/own-colormap.ts';
import { isColormapId, parseColormap, toColormapBody } from '../scenes/own-colormap.ts';
import { asRecord, asText } from '../scenes/read-json.ts';
import { storeOwnColormaps } from '../state/colormap-storage.ts';
import type { ActionParts } from './action-parts.ts';
import type { PictureActions } from './choose-picture.ts';
import { makeLatest } from './latest.ts';
import type { Report } from './report.ts';
import { toFailureOf } from './report.ts';

/** What a user does with own colormaps. */
export interface ColormapActions {
  /** Stores a colormap and shows it; the answer is why the server refused it, or `null`. `replaced` is forgotten here. */
  saveColormap(draft: ColormapDraft, replaced: string | null): Promise<string | null>;
  /** Deletes one here and on the server. */
  deleteColormap(id: string): Promise<void>;
  /** Reads the colours of a colormap that an address brought; others are known. */
  learnColormap(name: string | null): Promise<void>;
}

const PATH = 'api/render/colormap';

/** Builds them. */
export const makeColormapActions = (
  { store, api, texts }: ActionParts,
  { report, pictures }: { readonly report: Report; readonly pictures: PictureActions },
): ColormapActions => {
  const latest = makeLatest();
  const setOwn = (change: (own: readonly OwnColormap[]) => readonly OwnColormap[]): void => {
    store.update((state) => ({ ...state, ownColormaps: change(state.ownColormaps) }));
    storeOwnColormaps(store.read().ownColormaps);
  };
  return {
    async saveColormap(draft, replaced) {
      try {
        const body = toColormapBody(draft);
        const id = asText(asRecord(await api.call(`${PATH}/`, { method: 'POST', body })).id);
        if (id === null || !isColormapId(id)) return texts.look.colormapUnknown;
        setOwn((own) => [
          { ...draft, id, isSaved: true },
          ...own.filter((one) => one.id !== id && one.id !== replaced),
        ]);
        pictures.choosePicture({ colormap: id });
        return null;
      } catch (error) {
        const failure = toFailureOf(error);
        if (isKeyRefused(failure) && failure.code !== 'role-needed') {
          report.fail(failure);
          return null;
        }
        return failure.message;
      }
    },
    async deleteColormap(id) {
      try {
        await api.call(`${PATH}/${id}`, { method: 'DELETE' });
      } catch (error) {
        const failure = toFailureOf(error);
        // Another key made it, or it is gone already: here it is forgotten all the same.
        if (failure.status !== 404 && failure.status !== 403) return report.fail(failure);
      }
      if (store.read().picture.colormap?.replace(/_r$/, '') === id)
        pictures.choosePicture({ colormap: null });
      setOwn((own) => own.filter((one) => one.id !== id));
    },
    async learnColormap(name) {
      const id = (name ?? '').replace(/_r$/, '');
      if (!isColormapId(id) || store.read().ownColormaps.some((one) => one.id === id)) return;
      const signal = latest.start();
      try {
        const draft = parseColormap(await api.call(`${PATH}/${id}`, {}, signal), texts.look.sharedColours);
        if (draft !== null && !signal.aborted) {
          setOwn((own) => [...own, { ...draft, id, isSaved: false }]);
        }
      } catch {
        // The tiles tell what is wrong with it; only its preview is missing.
      }
    },
  };
};
