/** Fields on the map: their outlines and colours, the one that is open, and clicks that choose one. */
import { computed, effect } from '@preact/signals';
import type { ExpressionSpecification, GeoJSONSource, MapLibreMap, MapMouseEvent } from 'maplibre-gl';
import type { PanelContext } from '../panel-context.ts';
import { colorOf, NO_VALUE, numberOf } from './field-colors.ts';
import type { FieldsModel } from './fields-model.ts';

const SOURCE = 'fields';
const FILL = 'fields-fill';
const LAYERS = [FILL, 'fields-rim', 'fields-marked'] as const;
type GeoJsonData = Parameters<GeoJSONSource['setData']>[0];

const addLayers = (map: MapLibreMap): void => {
  if (map.getSource(SOURCE) !== undefined) return;
  map.addSource(SOURCE, { type: 'geojson', data: { type: 'FeatureCollection', features: [] } });
  const color: ExpressionSpecification = ['get', 'color'];
  const before = 'shape-rim';
  map.addLayer(
    { id: FILL, type: 'fill', source: SOURCE, paint: { 'fill-color': color, 'fill-opacity': 0.7 } },
    before,
  );
  map.addLayer(
    { id: 'fields-rim', type: 'line', source: SOURCE, paint: { 'line-color': '#0e1a22', 'line-width': 1 } },
    before,
  );
  map.addLayer(
    {
      id: 'fields-marked',
      type: 'line',
      source: SOURCE,
      filter: ['==', ['get', 'id'], ''],
      paint: { 'line-color': '#ffffff', 'line-width': 3 },
    },
    before,
  );
};

/** The chosen rows with their outlines and colours. */
const toFeatures = ({ shapes, chosen, coloring, scale }: FieldsModel): object => {
  const outlines = new Map(
    shapes.value.kind === 'ready' ? shapes.value.value.map(({ id, outline }) => [id, outline]) : [],
  );
  const by = coloring.value;
  return {
    type: 'FeatureCollection',
    features: chosen.value.flatMap((row) => {
      const geometry = outlines.get(row.field.id);
      if (geometry === undefined) return [];
      const color = by === 'none' ? NO_VALUE : colorOf(numberOf(row, by), scale.value);
      return [{ type: 'Feature', properties: { id: row.field.id, color }, geometry }];
    }),
  };
};

/** Starts drawing; fields are on the map as long as the panel is open. */
export const drawFields = (model: FieldsModel, { state, map: coming }: PanelContext): void => {
  const { page, hovered, coloring } = model;
  const isShown = computed(() => state.value.panel === 'fields' && state.value.phase.kind === 'ready');
  const isDrawing = computed(() => state.value.drawing.tool !== null);
  const openId = computed(() => (page.value.kind === 'field' ? page.value.id : ''));
  void coming.then(({ gl }) => {
    addLayers(gl);
    effect(() => {
      const visibility = isShown.value ? 'visible' : 'none';
      for (const layer of LAYERS) gl.setLayoutProperty(layer, 'visibility', visibility);
    });
    effect(() => gl.getSource<GeoJSONSource>(SOURCE)?.setData(toFeatures(model) as GeoJsonData) && undefined);
    effect(
      () => gl.setPaintProperty(FILL, 'fill-opacity', coloring.value === 'none' ? 0.12 : 0.7) && undefined,
    );
    effect(() => {
      // The picture is seen where a field is open.
      gl.setFilter(FILL, ['!=', ['get', 'id'], openId.value]);
      gl.setFilter('fields-marked', ['in', ['get', 'id'], ['literal', [openId.value, hovered.value ?? '']]]);
    });
    const idAt = ({ point }: MapMouseEvent): string | null => {
      if (!isShown.value || isDrawing.value) return null;
      const [feature] = gl.queryRenderedFeatures(point, { layers: [FILL] });
      return feature === undefined ? null : String(feature.properties.id);
    };
    gl.on('mousemove', (event) => {
      if (!isShown.value) return;
      hovered.value = idAt(event);
      gl.getCanvas().style.cursor = hovered.value === null ? '' : 'pointer';
    });
    gl.on('click', (event) => {
      // The second click of a double click, which zooms in.
      const id = event.originalEvent.detail > 1 ? null : idAt(event);
      if (id !== null) page.value = { kind: 'field', id };
    });
  });
};
