/** Area: draw, bring, measure, clip, search, profiles of lines, time series and zones. */
import type { FunctionComponent } from 'preact';
import { usePanel, usePart } from '../kit/panel.tsx';
import { OfferedShapes } from './offered-shapes.tsx';
import { SeriesSection } from './series/series-section.tsx';
import { AreaCard, LineCard } from './shape-cards.tsx';
import { Tools } from './tools.tsx';
import { ZonesSection } from './zones/zones-section.tsx';

/** The panel. */
export const AreaPanel: FunctionComponent = () => {
  const { texts } = usePanel();
  const area = usePart((state) => state.area);
  const { line, tool, offered } = usePart((state) => state.drawing);
  const isEmpty = area === null && line === null && tool === null && offered === null;
  return (
    <div class="area">
      <Tools />
      {isEmpty && <p class="muted">{texts.area.none}</p>}
      {offered !== null && <OfferedShapes offered={offered} />}
      {area !== null && <AreaCard area={area} />}
      {line !== null && <LineCard line={line} />}
      {area !== null && (
        <div class="area-sections">
          <SeriesSection />
          <ZonesSection />
        </div>
      )}
    </div>
  );
};
