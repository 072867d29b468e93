/** The scene and the picture of one side. */
import { useSignal } from '@preact/signals';
import type { FunctionComponent } from 'preact';
import { bandsOfPicture } from '../../scenes/picture.ts';
import type { Scene } from '../../scenes/scene.ts';
import type { ViewerSensor } from '../../scenes/sensor.ts';
import { titleOfBand, titleOfComposition, wordsOfIndex } from '../../scenes/titles.ts';
import type { Comparison, SideName } from '../../state/comparison.ts';
import type { Texts } from '../../texts/en.ts';
import { formatDate, formatPercent } from '../../texts/format.ts';
import { Select } from '../kit/controls.tsx';
import { usePanel, usePart } from '../kit/panel.tsx';
import { OWN, OwnExpression } from './own-expression.tsx';

const toSceneTitle = ({ date, cloudPercent, sensor }: Scene, { locale, find }: Texts): string =>
  [
    formatDate(date, locale),
    sensor.title,
    ...(cloudPercent === null ? [] : [find.cloud(formatPercent(cloudPercent, locale))]),
  ].join(' · ');

interface Group {
  readonly title: string;
  readonly choices: readonly (readonly [value: string, title: string])[];
}

/** Everything that a sensor can be drawn as, the expression that is shown, and one's own; each once. */
const toGroups = (sensor: ViewerSensor, shown: string, texts: Texts): readonly Group[] => {
  const known = new Set<string>();
  const each = (title: string, choices: Group['choices']): Group => ({
    title,
    choices: choices.filter(([value]) => !known.has(value) && known.add(value)),
  });
  return [
    each(
      texts.look.compositions,
      sensor.compositions.map(({ bands }) => [bands, titleOfComposition(sensor, bands, texts)?.title ?? '']),
    ),
    each(
      texts.look.indices,
      sensor.indices.map((index) => [index.name, `${index.name} ${wordsOfIndex(index, texts).title}`]),
    ),
    each(
      texts.look.bands,
      sensor.bands.map((band) => [band.name, `${band.name} ${titleOfBand(band, texts)}`]),
    ),
    each(texts.compare.expression, [
      [shown, shown],
      [OWN, texts.compare.ownExpression],
    ]),
  ].filter(({ choices }) => choices.length > 0);
};

/** True for what a list of the sensor names: no expression. */
const isListed = ({ compositions, indices, bands }: ViewerSensor, shown: string): boolean =>
  compositions.some((one) => one.bands === shown) || [...indices, ...bands].some((one) => one.name === shown);

interface SideProps {
  readonly name: SideName;
  readonly comparison: Comparison;
}

/** The list of pictures, and the line for an expression. */
const PictureChoice: FunctionComponent<SideProps> = ({ name, comparison }) => {
  const { actions, texts } = usePanel();
  /** An expression was begun, and nothing else has been chosen since. */
  const isWriting = useSignal(false);
  const {
    scene: { sensor, viewId },
    picture,
  } = comparison[name];
  const bands = bandsOfPicture(sensor, picture);
  const choose = (chosen: string): void => actions.chooseSidePicture(name, { bands: chosen, contrast: null });
  return (
    <>
      <select
        id={`${name}-picture`}
        aria-label={`${texts.compare[name]}: ${texts.compare.picture}`}
        value={isWriting.value ? OWN : bands}
        onChange={({ currentTarget }) => {
          isWriting.value = currentTarget.value === OWN;
          if (!isWriting.value) choose(currentTarget.value);
        }}
      >
        {toGroups(sensor, bands, texts).map(({ title, choices }) => (
          <optgroup key={title} label={title}>
            {choices.map(([value, words]) => (
              <option key={value} value={value}>
                {words}
              </option>
            ))}
          </optgroup>
        ))}
      </select>
      {(isWriting.value || !isListed(sensor, bands)) && (
        <OwnExpression
          id={`${name}-expression`}
          label={`${texts.compare[name]}: ${texts.compare.expression}`}
          // The formula of an index is the best beginning of one's own.
          text={sensor.indices.find((one) => one.name === bands)?.expression ?? bands}
          hasFocus={isWriting.value}
          viewIds={[viewId]}
          onShow={(text) => {
            isWriting.value = false;
            choose(text);
          }}
        />
      )}
    </>
  );
};

/** The two lists of a side. */
export const SideChoice: FunctionComponent<SideProps> = ({ name, comparison }) => {
  const { actions, texts } = usePanel();
  const scenes = usePart(({ results }) => results.scenes);
  const { scene } = comparison[name];
  // A scene of an address may not be in the list.
  const isInList = scenes.some(({ viewId }) => viewId === scene.viewId);
  const listed = isInList ? scenes : [scene, ...scenes];
  return (
    <fieldset class="side">
      <legend>{texts.compare[name]}</legend>
      <Select
        id={`${name}-scene`}
        label={`${texts.compare[name]}: ${texts.compare.scene}`}
        choices={listed.map((one) => ({ value: one.viewId, title: toSceneTitle(one, texts) }))}
        value={scene.viewId}
        onChoose={(viewId) => actions.chooseSideScene(name, viewId)}
      />
      {/* A difference is of one measure, and not of two pictures. */}
      {comparison.mode !== 'difference' && <PictureChoice name={name} comparison={comparison} />}
    </fieldset>
  );
};
