/** Compositions as segments, and single bands as a list. */
import { isMissing } from '../../scenes/bands.ts';
import { bandsOfPicture } from '../../scenes/picture.ts';
import type { ViewerSensor } from '../../scenes/sensor.ts';
import { titleOfBand, titleOfComposition } from '../../scenes/titles.ts';
import { missingOf } from '../../state/viewer-state.ts';
import { el } from '../dom.ts';
import type { PanelContext } from '../panel-context.ts';
import type { Radios } from '../radios.ts';
import { makeRadios } from '../radios.ts';

/** Builds both; they follow the sensor of the shown scene. */
export const makeCompositionChoice = ({ store, actions, texts }: PanelContext): HTMLElement => {
  let radios: Radios | null = null;
  let offered: ViewerSensor | null = null;
  const host = el('div', {});
  const select = el('select', { id: 'single-band' });
  const none = el('option', { value: '' }, '–');
  const bandRow = el('div', { class: 'row' }, el('label', { for: 'single-band' }, texts.look.bands), select);
  select.addEventListener('change', () => {
    if (offered !== null)
      actions.chooseBands(select.value === '' ? offered.compositions[0].bands : select.value);
  });
  const offer = (sensor: ViewerSensor): void => {
    radios = makeRadios({
      name: 'composition',
      legend: texts.look.compositions,
      choices: sensor.compositions.map(({ bands }) => {
        const words = titleOfComposition(sensor, bands, texts);
        return { value: bands, title: words?.title ?? bands, hint: `${words?.hint ?? ''} (${bands})`.trim() };
      }),
      onChoose: actions.chooseBands,
    });
    host.replaceChildren(radios.element);
    const options = sensor.bands.map((band) =>
      el('option', { value: band.name }, `${band.name}  ${titleOfBand(band, texts)}`),
    );
    select.replaceChildren(none, ...options);
    // A list of what the segments offer already would only take room: radar polarisations, a lone panchromatic band.
    const buttons = new Set(sensor.compositions.map(({ bands }) => bands));
    bandRow.hidden = sensor.bands.every(({ name }) => buttons.has(name));
  };
  const show = (): void => {
    const state = store.read();
    const { shown, picture } = state;
    if (shown === null) return;
    const { sensor, viewId } = shown;
    // Only for another sensor, so that a control in use stays focused.
    if (sensor !== offered) offer(sensor);
    offered = sensor;
    const bands = bandsOfPicture(sensor, picture);
    const missing = missingOf(state, viewId);
    radios?.show(bands);
    radios?.disable((value) => isMissing(sensor, value, missing));
    for (const option of select.options) option.disabled = missing.has(option.value);
    select.value = sensor.bands.some(({ name }) => name === bands) ? bands : '';
  };
  store.watch(({ shown }) => shown, show);
  store.watch(({ picture }) => picture.bands, show);
  store.watch(({ missing }) => missing, show);
  return el('div', { class: 'group' }, host, bandRow);
};
