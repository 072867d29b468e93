/** Natural or automatic contrast: the same on every date, or fitted to each scene. */
import { bandsOfPicture, hasNaturalColor, STRETCHES } from '../../scenes/picture.ts';
import type { PanelContext } from '../panel-context.ts';
import { makeRadios } from '../radios.ts';

/** Builds the switch; it is not there for band math, which has no natural colour. */
export const makeStretchChoice = ({ store, actions, texts: { look } }: PanelContext): HTMLElement => {
  const radios = makeRadios({
    name: 'stretch',
    legend: look.stretch,
    choices: STRETCHES.map((value) => ({ value, ...look.stretches[value] })),
    onChoose(value) {
      const stretch = STRETCHES.find((one) => one === value) ?? 'natural';
      // Natural colour is of calibrated values by itself; handles that were moved from it have switched that on.
      if (stretch === 'natural') actions.choosePicture({ stretch, contrast: null, isCalibrated: false });
      else actions.choosePicture({ stretch, contrast: null });
    },
  });
  const show = (): void => {
    const { shown, picture } = store.read();
    radios.element.hidden =
      shown === null || !hasNaturalColor(shown.sensor, bandsOfPicture(shown.sensor, picture));
    // A contrast by hand is neither.
    radios.show(picture.contrast === null ? picture.stretch : null);
  };
  store.watch(({ shown }) => shown, show);
  store.watch(({ picture }) => picture, show);
  return radios.element;
};
