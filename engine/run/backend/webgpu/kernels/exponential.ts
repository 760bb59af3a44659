/**
 * WGSL: `expBelow(values, top)`, e^(x − top) for x ≤ top. x − top = n·ln 2 + r with |r| ≤ ln(2)/2; Taylor to r⁷ leaves 6e-9 (relative).
 * ln 2 comes in two parts, n times the first being exact. Halves first: x − top itself may overflow. The built-in exp may be
 * 3 + 2|x| ulp off. Error ≤ 2 ε; below 2⁻¹²⁶ it is 0.
 */
export const exponential = /* wgsl */ `
const LOWEST = -0x1.fffffep+127f;
fn expBelow(values: vec4f, top: f32) -> vec4f {
  let far = (0.5 * values - 0.5 * top) < vec4f(-52.0);
  let x = select(values - top, vec4f(-104.0), far);
  let n = round(x * 1.44269504f);
  let r = (x - n * 0.693359375f) - n * -2.12194440e-4f;
  var p = vec4f(1.0f / 5040.0f);
  p = p * r + 1.0f / 720.0f;
  p = p * r + 1.0f / 120.0f;
  p = p * r + 1.0f / 24.0f;
  p = p * r + 1.0f / 6.0f;
  p = p * r + 0.5f;
  p = p * r + 1.0f;
  p = p * r + 1.0f;
  let scaled = p * bitcast<vec4f>(vec4u(vec4i(max(n, vec4f(-126.0))) + 127) << vec4u(23u));
  return select(scaled, vec4f(), far | (n < vec4f(-126.0)));
}
`;
