/** Look: how the shown scene is drawn. */
import type { FunctionComponent } from 'preact';
import { Button } from '../kit/controls.tsx';
import { usePanel, usePart } from '../kit/panel.tsx';
import { Empty } from '../kit/parts.tsx';
import { ColormapChoice } from './colormap-choice.tsx';
import { CompositionChoice } from './composition-choice.tsx';
import { ContrastSection } from './contrast.tsx';
import { ExpressionEditor } from './expression-editor.tsx';
import { IndexList } from './index-list.tsx';
import { Opacity } from './opacity.tsx';
import { Options } from './options.tsx';
import { SceneHead } from './scene-head.tsx';
import { StretchChoice } from './stretch-choice.tsx';
import { TerrainSection } from './terrain.tsx';

/** Pictures of two scenes are chosen under Compare; what both share stays here. */
const TwoScenes: FunctionComponent = () => {
  const {
    actions,
    texts: { look, compare, settings },
  } = usePanel();
  return (
    <div class="of-both">
      <p role="status">{look.twoScenes}</p>
      <div class="pair">
        <Button onClick={actions.leaveComparison}>{compare.modes.single}</Button>
        <Button onClick={() => actions.openPanel('compare')}>{settings.shortcutList.compare}</Button>
      </div>
    </div>
  );
};

/** The panel. */
export const Look: FunctionComponent = () => {
  const { actions, texts } = usePanel();
  const shown = usePart((state) => state.shown);
  const isComparing = usePart(({ comparison }) => comparison !== null);
  if (shown === null) return <Empty text={texts.look.nothing} />;
  return (
    <div class={isComparing ? 'look is-comparing' : 'look'}>
      {isComparing && <TwoScenes />}
      <SceneHead />
      <CompositionChoice scene={shown} />
      <IndexList scene={shown} />
      <ExpressionEditor />
      <ColormapChoice />
      <div class="of-both">
        <Opacity id="opacity" label={texts.look.opacity} />
      </div>
      <StretchChoice />
      <ContrastSection />
      <TerrainSection />
      <Options />
      <Button
        icon="copy"
        onClick={() => void actions.copyTileUrl((text) => navigator.clipboard.writeText(text))}
      >
        {texts.look.copyTileUrl}
      </Button>
      <Button onClick={actions.takeMiddle}>{texts.values.inMiddle}</Button>
    </div>
  );
};
