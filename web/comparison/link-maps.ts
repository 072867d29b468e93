/** Two maps that always show the same view, each with the pointer of the other. */
import type { MapLibreMap, MapMouseEvent } from 'maplibre-gl';

const copyView = (from: MapLibreMap, to: MapLibreMap): void => {
  to.jumpTo({
    center: from.getCenter(),
    zoom: from.getZoom(),
    bearing: from.getBearing(),
    pitch: from.getPitch(),
  });
};

/** Shows on one map where the pointer is on the other. */
const linkPointer = (from: MapLibreMap, to: MapLibreMap): (() => void) => {
  const cross = Object.assign(document.createElement('div'), {
    className: 'other-pointer',
    hidden: true,
    ariaHidden: 'true',
  });
  to.getContainer().append(cross);
  const move = ({ lngLat }: MapMouseEvent): void => {
    const { x, y } = to.project(lngLat);
    cross.hidden = false;
    cross.style.translate = `${x}px ${y}px`;
  };
  const hide = (): void => {
    cross.hidden = true;
  };
  from.on('mousemove', move);
  from.on('mouseout', hide);
  return () => {
    from.off('mousemove', move);
    from.off('mouseout', hide);
    cross.remove();
  };
};

/** Links them; the answer separates them again. */
export const linkMaps = (first: MapLibreMap, second: MapLibreMap): (() => void) => {
  // A jump tells of itself before it returns: without this the two would answer each other for good.
  let isCopying = false;
  const follow = (from: MapLibreMap, to: MapLibreMap) => (): void => {
    if (isCopying) return;
    isCopying = true;
    copyView(from, to);
    isCopying = false;
  };
  const [toSecond, toFirst] = [follow(first, second), follow(second, first)];
  first.on('move', toSecond);
  second.on('move', toFirst);
  toSecond();
  const separations = [linkPointer(first, second), linkPointer(second, first)];
  return () => {
    first.off('move', toSecond);
    second.off('move', toFirst);
    for (const separate of separations) separate();
  };
};
