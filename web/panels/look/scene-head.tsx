/** What the picture is of: one scene, with the ones next to it in the list, or the clear view. */
import type { FunctionComponent } from 'preact';
import { dayOfClearView } from '../../state/clear-view.ts';
import { formatDate } from '../../texts/format.ts';
import { Button } from '../kit/controls.tsx';
import { usePanel, usePart } from '../kit/panel.tsx';

/** The head. */
export const SceneHead: FunctionComponent = () => {
  const { actions, texts } = usePanel();
  const shown = usePart((state) => state.shown);
  const clearView = usePart((state) => state.clearView);
  const day = usePart(dayOfClearView);
  // A list that grew has scenes next to the shown one that it had not before.
  const index = usePart(({ results }) => results.scenes.findIndex(({ viewId }) => viewId === shown?.viewId));
  const count = usePart(({ results }) => results.scenes.length);
  if (shown === null) return null;
  if (clearView !== null && day !== null)
    return (
      <div class="scene-head">
        <div>
          <h3>{texts.clear.latest}</h3>
          <p class="muted">
            {formatDate(day, texts.locale)} {texts.clear.days(clearView.days)}
          </p>
        </div>
      </div>
    );
  const { previous, next } = texts.settings.shortcutList;
  return (
    <div class="scene-head">
      <Button
        look="plain"
        icon="newer"
        label={previous}
        isDisabled={index <= 0}
        onClick={() => actions.stepScene(-1)}
      />
      <div>
        <h3>{formatDate(shown.date, texts.locale)}</h3>
        <p class="muted">{shown.sensor.title}</p>
      </div>
      <Button
        look="plain"
        icon="older"
        label={next}
        isDisabled={index < 0 || index === count - 1}
        onClick={() => actions.stepScene(1)}
      />
    </div>
  );
};
