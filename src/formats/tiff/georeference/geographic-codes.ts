/**
 * GeoTIFF stores a code under one of two keys: latitude/longitude systems under one, projected ones under the other.
 * These ranges hold the geographic codes below 32767 of the EPSG dataset 10 (with PROJ 9.1); between the ends of a
 * range lies no projected code. `npm run node -- test/oracle/tiff/check-writer.ts` compares them with GDAL, code by code.
 */
const GEOGRAPHIC_RANGES = `
3819-3824 3889 3906 4001-4025 4027-4036 4041-4047 4052-4055 4075-4081 4120-4216 4218-4326 4463 4470 4475-4483 4490
4555-4558 4600-4646 4657-4765 4801-4811 4813-4821 4823-4824 4901-5013 5132 5228-5233 5246 5252 5264 5324 5340 5354
5360 5365 5371-5381 5393 5451 5464 5467 5489 5524-5527 5546 5561 5593 5681 5886 6135 6207 6311 6318-6325 6365 6668
6706 6783 6881-6883 6892-6894 6980-6983 6987-6990 7035-7041 7073 7084-7088 7133-7139 7373 7683-7686 7798 7844 7881
7886 8042-8043 8086 8232-8255 8351 8427-8431 8449 8545 8685 8694-8818 8860-8902 8907 8949 8972-9019 9053-9140 9148
9153 9184 9248 9251 9253 9294 9299 9309 9333 9364 9372 9380-9384 9403 9453 9470 9474-9475 9547 9696 9702 9739
9755-9758 9763 9777-9784 9866 9871 9939 9964 9969 9974 9990 20033-20041`
  .trim()
  .split(/\s+/)
  .map((range) => {
    const [first, last] = range.split('-').map(Number);
    return { first: first!, last: last ?? first! };
  });

/** True when the EPSG code is a latitude/longitude system. */
export function isGeographicCode(epsg: number): boolean {
  return GEOGRAPHIC_RANGES.some(({ first, last }) => epsg >= first && epsg <= last);
}
