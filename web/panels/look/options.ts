/** Switches of the picture: physical values, sharpening, clouds, interpolation. */
import type { Picture } from '../../scenes/picture.ts';
import { RESAMPLINGS } from '../../scenes/picture.ts';
import type { ViewerState } from '../../state/viewer-state.ts';
import { el } from '../dom.ts';
import type { PanelContext } from '../panel-context.ts';

type SwitchName = 'isCalibrated' | 'isPansharpened' | 'isCloudMasked';

/** Builds them; what the sensor does not have is hidden. */
export const makeOptions = ({ store, actions, texts: { look } }: PanelContext): HTMLElement => {
  const makeSwitch = (
    name: SwitchName,
    title: string,
    isOffered: (state: ViewerState) => boolean,
  ): HTMLElement => {
    const input = el('input', { type: 'checkbox' });
    const label = el('label', { class: 'check' }, input, title);
    input.addEventListener('change', () => {
      const change: Partial<Picture> = { [name]: input.checked };
      // Stored numbers and physical values have other ranges.
      actions.choosePicture(name === 'isCalibrated' ? { ...change, contrast: null } : change);
    });
    store.watch(
      ({ picture }) => picture[name],
      (isOn) => {
        input.checked = isOn;
      },
    );
    store.watch(
      (state) => isOffered(state),
      (isThere) => {
        label.hidden = !isThere;
      },
    );
    return label;
  };
  const select = el(
    'select',
    { id: 'resampling' },
    ...RESAMPLINGS.map((name) => el('option', { value: name }, look.resamplings[name])),
  );
  select.addEventListener('change', () => {
    const chosen = RESAMPLINGS.find((name) => name === select.value) ?? null;
    actions.choosePicture({ resampling: chosen === 'bilinear' ? null : chosen });
  });
  store.watch(
    ({ picture }) => picture.resampling,
    (resampling) => {
      // What the server does by default.
      select.value = resampling ?? 'bilinear';
    },
  );
  return el(
    'details',
    { class: 'section' },
    el('summary', {}, look.options),
    makeSwitch('isCalibrated', look.calibrate, () => true),
    makeSwitch('isPansharpened', look.pansharpen, ({ shown }) => shown?.sensor.hasPansharpening ?? false),
    makeSwitch('isCloudMasked', look.cloudMask, ({ shown }) => shown?.sensor.hasCloudMask ?? false),
    el('div', { class: 'row' }, el('label', { for: 'resampling' }, look.resampling), select),
  );
};
