/** The scene and the picture of one side. */
import { bandsOfPicture } from '../../scenes/picture.ts';
import type { Scene } from '../../scenes/scene.ts';
import type { ViewerSensor } from '../../scenes/sensor.ts';
import { titleOfBand, titleOfComposition, wordsOfIndex } from '../../scenes/titles.ts';
import type { SideName } from '../../state/comparison.ts';
import type { Texts } from '../../texts/en.ts';
import { formatDate, formatPercent } from '../../texts/format.ts';
import { el } from '../dom.ts';
import type { PanelContext } from '../panel-context.ts';
import { makeOwnExpression, OWN } from './own-expression.ts';

const toSceneTitle = ({ date, cloudPercent, sensor }: Scene, { locale, find }: Texts): string =>
  [
    formatDate(date, locale),
    sensor.title,
    ...(cloudPercent === null ? [] : [find.cloud(formatPercent(cloudPercent, locale))]),
  ].join(' · ');

const makeGroup = (label: string, options: readonly HTMLOptionElement[]): readonly HTMLElement[] =>
  options.length === 0 ? [] : [el('optgroup', { label }, ...options)];

/** Everything that a sensor can be drawn as, the expression that is shown, and one's own. */
const makePictureOptions = (sensor: ViewerSensor, shown: string, texts: Texts): readonly HTMLElement[] => {
  const { compositions, indices, bands } = sensor;
  const known = new Set<string>();
  const option = (value: string, title: string): readonly HTMLOptionElement[] => {
    if (known.has(value)) return [];
    known.add(value);
    return [el('option', { value }, title)];
  };
  const groups = [
    ...makeGroup(
      texts.look.compositions,
      compositions.flatMap((one) =>
        option(one.bands, titleOfComposition(sensor, one.bands, texts)?.title ?? ''),
      ),
    ),
    ...makeGroup(
      texts.look.indices,
      indices.flatMap((index) => option(index.name, `${index.name} ${wordsOfIndex(index, texts).title}`)),
    ),
    ...makeGroup(
      texts.look.bands,
      bands.flatMap((band) => option(band.name, `${band.name} ${titleOfBand(band, texts)}`)),
    ),
  ];
  return [
    ...groups,
    ...makeGroup(texts.compare.expression, [
      ...option(shown, shown),
      ...option(OWN, texts.compare.ownExpression),
    ]),
  ];
};

/** True for what a list of the sensor names: no expression. */
const isListed = ({ compositions, indices, bands }: ViewerSensor, shown: string): boolean =>
  compositions.some((one) => one.bands === shown) || [...indices, ...bands].some((one) => one.name === shown);

/** Builds the two lists and the line for an expression; they follow the comparison. */
export const makeSideChoice = (name: SideName, context: PanelContext): HTMLElement => {
  const { store, actions, texts } = context;
  const scenes = el('select', {
    id: `${name}-scene`,
    'aria-label': `${texts.compare[name]}: ${texts.compare.scene}`,
  });
  const pictures = el('select', {
    id: `${name}-picture`,
    'aria-label': `${texts.compare[name]}: ${texts.compare.picture}`,
  });
  scenes.addEventListener('change', () => actions.chooseSideScene(name, scenes.value));
  /** An expression was begun, and nothing else has been chosen since. */
  let isWriting = false;
  const own = makeOwnExpression(context, {
    id: `${name}-expression`,
    label: `${texts.compare[name]}: ${texts.compare.expression}`,
    readViewIds: () => [store.read().comparison?.[name].scene.viewId ?? []].flat(),
    onShow(text) {
      isWriting = false;
      actions.chooseSidePicture(name, { bands: text, contrast: null });
    },
  });
  pictures.addEventListener('change', () => {
    isWriting = pictures.value === OWN;
    if (!isWriting) return actions.chooseSidePicture(name, { bands: pictures.value, contrast: null });
    show();
    own.focus();
  });
  const show = (): void => {
    const { comparison, results } = store.read();
    const side = comparison?.[name];
    if (side === undefined) return;
    const { scene, picture } = side;
    // A scene of an address may not be in the list.
    const isInList = results.scenes.some(({ viewId }) => viewId === scene.viewId);
    const listed = isInList ? results.scenes : [scene, ...results.scenes];
    scenes.replaceChildren(
      ...listed.map((one) => el('option', { value: one.viewId }, toSceneTitle(one, texts))),
    );
    scenes.value = scene.viewId;
    const bands = bandsOfPicture(scene.sensor, picture);
    pictures.replaceChildren(...makePictureOptions(scene.sensor, bands, texts));
    pictures.value = isWriting ? OWN : bands;
    // A difference is of one measure, and not of two pictures.
    const isDifference = comparison?.mode === 'difference';
    pictures.hidden = isDifference;
    const isOpen = !isDifference && (isWriting || !isListed(scene.sensor, bands));
    // The formula of an index is the best beginning of one's own.
    const index = scene.sensor.indices.find((one) => one.name === bands);
    own.show(isOpen ? (index?.expression ?? bands) : null);
  };
  store.watch(({ comparison }) => comparison?.[name], show);
  store.watch(({ comparison }) => comparison?.mode, show);
  store.watch(({ results }) => results.scenes, show);
  return el(
    'fieldset',
    { class: 'side' },
    el('legend', {}, texts.compare[name]),
    scenes,
    pictures,
    own.element,
  );
};
