/**
 * Makes heights unknown that do not lie between `min` and `max`, not-a-numbers among them: their value and their byte
 * of `mask` become 0. Returns whether there are any. Without `isMasked` the mask holds nothing yet: it is filled with
 * ones before the first of them, and not touched if there is none.
 */
export function dropImpossible(values: usize, mask: usize, count: i32, isMasked: i32, min: f32, max: f32): i32 {
  const mins = f32x4.splat(min);
  const maxs = f32x4.splat(max);
  let found = false;
  let i = 0;
  for (; i + 16 <= count; i += 16) {
    const at = values + (<usize>i << 2);
    const first = v128.and(between(v128.load(at), mins, maxs), between(v128.load(at, 16), mins, maxs));
    const last = v128.and(between(v128.load(at, 32), mins, maxs), between(v128.load(at, 48), mins, maxs));
    if (i32x4.all_true(v128.and(first, last))) continue;
    if (!found && isMasked == 0) memory.fill(mask, 1, count);
    found = true;
    for (let j = i; j < i + 16; j++) dropOne(values, mask, j, min, max);
  }
  for (; i < count; i++) {
    if (isBetween(load<f32>(values + (<usize>i << 2)), min, max)) continue;
    if (!found && isMasked == 0) memory.fill(mask, 1, count);
    found = true;
    dropOne(values, mask, i, min, max);
  }
  return i32(found);
}

// @ts-ignore: decorator
@inline function between(heights: v128, mins: v128, maxs: v128): v128 {
  return v128.and(f32x4.gt(heights, mins), f32x4.lt(heights, maxs));
}

// @ts-ignore: decorator
@inline function isBetween(height: f32, min: f32, max: f32): bool {
  return height > min && height < max;
}

function dropOne(values: usize, mask: usize, i: i32, min: f32, max: f32): void {
  const at = values + (<usize>i << 2);
  if (isBetween(load<f32>(at), min, max)) return;
  store<f32>(at, 0.0);
  store<u8>(mask + <usize>i, 0);
}
