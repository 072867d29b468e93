export { encodeVectorTile, type VectorLayer, type VectorLineFeature } from './encode-vector-tile.ts';
