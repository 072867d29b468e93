// The functions of band math that have no instruction, each for four pixels, by their names in the tree.
export { cbrt, exp, exp2, expm1, log1p, logaddexp, logaddexp2, power } from "./exponential";
export { ldexp, nextafter } from "./float-bits";
export { arccosh, arcsinh, arctanh, cosh, sinh, tanh } from "./hyperbolic";
export { log, log10, log2 } from "./logarithms";
export { floor_divide, fmod, mod } from "./remainders";
export { arccos, arcsin, arctan, arctan2, cos, hypot, sin, tan } from "./trigonometric";
