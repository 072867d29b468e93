/** How the shown scene is drawn. */
import type { Failure } from '../api/failure.ts';
import { isMissing, planOther } from '../scenes/bands.ts';
import type { Picture } from '../scenes/picture.ts';
import { bandsOfPicture } from '../scenes/picture.ts';
import { toTemplate } from '../scenes/scene-template.ts';
import { isTileOf, toOwnAddress } from '../scenes/tile-template.ts';
import { titleOfShown } from '../scenes/titles.ts';
import { templateOnMap } from '../state/on-map.ts';
import { missingOf } from '../state/viewer-state.ts';
import type { ActionParts } from './action-parts.ts';
import type { Report } from './report.ts';

/** What a user does to a picture. */
export interface PictureActions {
  /** Another composition, index, band or expression; contrast goes back to automatic. */
  chooseBands(bands: string): void;
  choosePicture(change: Partial<Omit<Picture, 'bands'>>): void;
  setOpacity(opacity: number): void;
  /** Requests failed tiles again. */
  redraw(): void;
  /** A tile, at this address, could not be drawn because the scene lacks a band: says so and shows or offers others. */
  missBands(failure: Failure, url: string, home: string): void;
  /** Puts the address of the tiles into the clipboard. */
  copyTileUrl(write: (text: string) => Promise<void>): Promise<void>;
}

/** Builds them. */
export const makePictureActions = ({ store, texts }: ActionParts, report: Report): PictureActions => {
  const choosePicture = (change: Partial<Picture>): void => {
    report.clear();
    store.update((state) => ({ ...state, picture: { ...state.picture, ...change } }));
  };
  const chooseBands = (bands: string): void => {
    store.update((state) => ({
      ...state,
      isPictureChosen: true,
      pictureOf: state.shown?.sensor ?? state.pictureOf,
    }));
    choosePicture({ bands, contrast: null });
  };
  return {
    chooseBands,
    choosePicture,
    setOpacity: (opacity) => store.update((state) => ({ ...state, opacity })),
    redraw() {
      report.clear();
      store.update((state) => ({ ...state, redraws: state.redraws + 1 }));
    },
    missBands(failure, url, home) {
      const { shown, picture, isPictureChosen } = store.read();
      // Tiles of the choice before this one may still be failing.
      if (shown === null || !isTileOf(toOwnAddress(toTemplate(shown, picture), home), url)) return;
      const { sensor, viewId } = shown;
      const bands = bandsOfPicture(sensor, picture);
      store.update((state) => ({
        ...state,
        missing: { ...state.missing, [viewId]: [...new Set([...(state.missing[viewId] ?? []), bands])] },
      }));
      const missing = missingOf(store.read(), viewId);
      const other = planOther(sensor, missing);
      if (other === null || isPictureChosen) {
        const action = other && {
          label: texts.look.show(titleOfShown(sensor, other.bands, texts)),
          run: () => chooseBands(other.bands),
        };
        report.showError(failure.message, action);
        return;
      }
      choosePicture({ bands: other.bands });
      const known = [...sensor.compositions.map((one) => one.bands), ...sensor.bands.map(({ name }) => name)];
      const lacked = known.filter((choice, i) => missing.has(choice) && known.indexOf(choice) === i);
      const titles = lacked.filter((choice) => isMissing(sensor, choice, missing));
      report.showDone(
        `${texts.look.missing(titles.map((one) => titleOfShown(sensor, one, texts)).join(', '))} ` +
          texts.look.shownInstead(titleOfShown(sensor, other.bands, texts)),
      );
    },
    async copyTileUrl(write) {
      const template = templateOnMap(store.read());
      if (template === null) return;
      try {
        await write(template);
        report.showDone(texts.look.copied(template.includes('?') ? '&' : '?'));
      } catch {
        // The clipboard needs https or localhost and the person's leave; the address itself still helps.
        report.showError(texts.look.notCopied(template));
      }
    },
  };
};
