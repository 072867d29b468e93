import { exp64, expm164, log64 } from "./exponential";
import { high, join, low, polynomial8, select, withSign } from "./halves";

/** 1/1!, 1/3! … 1/15!. */
const SINH = memory.data<f64>([
  1.0, 1.0 / 6, 1.0 / 120, 1.0 / 5040, 1.0 / 362880, 1.0 / 39916800, 1.0 / 6227020800, 1.0 / 1307674368000,
]);

function sinh64(x: v128): v128 {
  const small = f64x2.mul(x, polynomial8(f64x2.mul(x, x), SINH));
  const grown = exp64(f64x2.abs(x));
  const far = f64x2.mul(f64x2.splat(0.5), f64x2.sub(grown, f64x2.div(f64x2.splat(1), grown)));
  return withSign(select(small, far, f64x2.lt(f64x2.abs(x), f64x2.splat(0.5))), x);
}

function cosh64(x: v128): v128 {
  const grown = exp64(f64x2.abs(x));
  return f64x2.mul(f64x2.splat(0.5), f64x2.add(grown, f64x2.div(f64x2.splat(1), grown)));
}

function tanh64(x: v128): v128 {
  const twice = f64x2.abs(f64x2.add(x, x));
  const grown = expm164(f64x2.min(twice, f64x2.splat(60)));
  return withSign(f64x2.div(grown, f64x2.add(grown, f64x2.splat(2))), x);
}

function arcsinh64(x: v128): v128 {
  const size = f64x2.abs(x);
  const square = f64x2.mul(x, x);
  const one = f64x2.splat(1);
  const far = log64(f64x2.add(size, f64x2.sqrt(f64x2.add(square, one))));
  const small = f64x2.sub(size, f64x2.mul(f64x2.mul(square, size), f64x2.splat(1.0 / 6)));
  return withSign(select(small, far, f64x2.lt(size, f64x2.splat(1e-4))), x);
}

function arccosh64(x: v128): v128 {
  const one = f64x2.splat(1);
  const over = f64x2.sub(x, one);
  const root = f64x2.sqrt(f64x2.mul(over, f64x2.add(x, one)));
  // Far below 0 the root cancels the number, and the logarithm would be of 0.
  return select(f64x2.splat(NaN), log64(f64x2.add(one, f64x2.add(over, root))), f64x2.lt(x, one));
}

function arctanh64(x: v128): v128 {
  const size = f64x2.abs(x);
  const one = f64x2.splat(1);
  const ratio = log64(f64x2.div(f64x2.add(one, size), f64x2.sub(one, size)));
  const far = f64x2.mul(f64x2.splat(0.5), ratio);
  const square = f64x2.mul(x, x);
  const series = f64x2.add(f64x2.splat(1.0 / 3), f64x2.mul(square, f64x2.splat(0.2)));
  const small = f64x2.add(size, f64x2.mul(f64x2.mul(square, size), series));
  return withSign(select(small, far, f64x2.lt(size, f64x2.splat(1e-3))), x);
}

export function sinh(x: v128): v128 {
  return join(sinh64(low(x)), sinh64(high(x)));
}

export function cosh(x: v128): v128 {
  return join(cosh64(low(x)), cosh64(high(x)));
}

export function tanh(x: v128): v128 {
  return join(tanh64(low(x)), tanh64(high(x)));
}

export function arcsinh(x: v128): v128 {
  return join(arcsinh64(low(x)), arcsinh64(high(x)));
}

export function arccosh(x: v128): v128 {
  return join(arccosh64(low(x)), arccosh64(high(x)));
}

export function arctanh(x: v128): v128 {
  return join(arctanh64(low(x)), arctanh64(high(x)));
}
