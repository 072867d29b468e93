/** Two scenes on the screen: a second map with a divider or next to the first one, or their difference on the first. */

import { makeLatest } from '../actions/latest.ts';
import { readJointRange } from '../api/joint-range.ts';
import { followShapes } from '../map/follow-shapes.ts';
import { followTerrain } from '../map/follow-terrain.ts';
import { isDarkPage, watchDarkPage } from '../map/page-theme.ts';
import { mount } from '../panels/kit/panel.tsx';
import { byId } from '../panels/page.ts';
import type { PanelContext } from '../panels/panel-context.ts';
import { planMeasure } from '../scenes/measure.ts';
import { toTemplate } from '../scenes/scene-template.ts';
import type { Comparison } from '../state/comparison.ts';
import { toComparisonAddress } from '../state/comparison.ts';
import { formatDate } from '../texts/format.ts';
import { mountComparisonLegend } from './comparison-legend.tsx';
import { planRange, roundUp } from './difference.ts';
import { makeDifferenceColors, toDifferenceLegend } from './difference-colors.ts';
import { makeDifferenceLayer } from './difference-layer.ts';
import { Divider } from './divider.tsx';
import { linkMaps } from './link-maps.ts';
import { measureDifference } from './measure-difference.ts';
import type { SecondMap } from './second-map.ts';
import { makeSecondMap } from './second-map.ts';

/** What another second map, or other tiles on it, are needed for; a moved divider is not. */
const toKey = (comparison: Comparison | null): string | null => {
  const address = toComparisonAddress(comparison);
  return address && JSON.stringify({ ...address, split: 0 });
};

/** Follows the comparison of the state, from its beginning to its end, and again. */
export const makeComparisonView = async (context: PanelContext): Promise<void> => {
  const { store, actions, api, texts, preferences } = context;
  const first = await context.map;
  const stage = byId('stage');
  const container = byId('second-map');
  container.setAttribute('aria-label', texts.compare.secondMap);
  const legendHost = byId('compare-legend');
  legendHost.setAttribute('aria-label', texts.frame.legend);
  const legend = mountComparisonLegend(legendHost, context);
  mount(byId('divider'), Divider, context);
  const difference = makeDifferenceLayer(first.gl, api, first.dropRetiredImagery);
  const latest = makeLatest();

  const failAgain = (error: unknown): void =>
    actions.report.fail(error, { label: texts.frame.tryAgain, run: actions.redraw });
  let second: Promise<SecondMap> | null = null;
  const makeSecond = async (): Promise<SecondMap> => {
    const map = await makeSecondMap({
      host: container,
      patience: context.patience,
      isDark: isDarkPage(preferences),
      units: preferences.units,
      labels: texts.mapControls,
      like: first.gl,
      onFailure: failAgain,
    });
    const stops = [
      linkMaps(first.gl, map.gl),
      watchDarkPage(preferences, map.setDark),
      followShapes(store, map),
      followTerrain({ store, map, readTiles: api.readTerrainTiles, onFailure: failAgain }),
    ];
    return {
      ...map,
      remove() {
        for (const stop of stops) stop();
        map.remove();
      },
    };
  };
  const openSecond = (): Promise<SecondMap> => {
    container.hidden = false;
    if (second !== null) return second;
    const made = makeSecond();
    second = made;
    // One that could not be made is made anew the next time.
    made.catch(() => {
      if (second === made) second = null;
    });
    return made;
  };
  const closeSecond = (): void => {
    container.hidden = true;
    second?.then(
      (map) => map.remove(),
      // There is none to remove, and its failure was told when it was opened.
      () => {},
    );
    second = null;
  };

  const showTwo = async (comparison: Comparison): Promise<void> => {
    difference.remove();
    void legend.showSides(comparison);
    const signal = latest.start();
    const map = await openSecond();
    if (signal.aborted) return;
    const { scene, picture } = comparison.right;
    map.loadWorld();
    map.gl.resize();
    map.showImagery(scene, toTemplate(scene, picture), store.read().opacity);
  };

  const showDifference = async ({ left, right, ...comparison }: Comparison): Promise<void> => {
    closeSecond();
    const signal = latest.start();
    const measure = planMeasure(
      { sensor: left.scene.sensor, picture: left.picture },
      { sensor: right.scene.sensor, picture: right.picture },
      comparison.measure,
    );
    if (measure === null) {
      difference.remove();
      first.dropRetiredImagery();
      return legend.showText(texts.compare.difference, texts.compare.noMeasure);
    }
    const title = texts.compare.minus(
      measure,
      formatDate(right.scene.date, texts.locale),
      formatDate(left.scene.date, texts.locale),
    );
    legend.showText(title, texts.compare.measuring);
    try {
      const whole = await Promise.all(
        [left, right].map(({ scene: { viewId }, picture: { isCalibrated } }) =>
          readJointRange(api, { viewId, bands: measure, of: 'all', isCalibrated }, signal),
        ),
      );
      const range = planRange(whole);
      const limit =
        comparison.limit ?? (await measureDifference(api, { left, right, measure, range }, signal));
      if (signal.aborted) return;
      // Without common ground there is nothing to colour.
      const plan = { range, limit: limit ?? roundUp(range.max - range.min) };
      const colors = makeDifferenceColors(store.read().knowledge?.colormaps ?? []);
      difference.show({ left, right, ...comparison }, measure, plan, colors);
      legend.showDifference(title, toDifferenceLegend(colors, plan.limit));
    } catch (error) {
      if (signal.aborted) return;
      difference.remove();
      legend.showText(title, texts.compare.noDifference);
      failAgain(error);
    }
  };

  store.watch(
    ({ comparison, redraws }) => `${toKey(comparison)} ${redraws}`,
    (_, { comparison }) => {
      const mode = comparison?.mode ?? '';
      stage.dataset.compare = mode;
      // The first map has another width in each mode.
      first.resize();
      if (comparison === null) {
        latest.cancel();
        legend.hide();
        difference.remove();
        closeSecond();
        return;
      }
      if (mode === 'difference') void showDifference(comparison);
      else void showTwo(comparison).catch(failAgain);
    },
  );
  store.watch(
    ({ opacity }) => opacity,
    (opacity) => {
      difference.setOpacity(opacity);
      second?.then(
        (map) => map.setOpacity(opacity),
        // A map that could not be made was told of when it was opened.
        () => {},
      );
    },
  );
};
