// Functions of a vector that Highway does not have, or not accurately enough. Part of lanes.cpp, which Highway
// compiles once for each instruction set: hence the guard, which lets it in once a pass.
#if defined(RIDGELET_ACTIVATION_VECTOR_MATH_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef RIDGELET_ACTIVATION_VECTOR_MATH_INL
#undef RIDGELET_ACTIVATION_VECTOR_MATH_INL
#else
#define RIDGELET_ACTIVATION_VECTOR_MATH_INL
#endif

#include <hwy/highway.h>

#include <cmath>
#include <numbers>

HWY_BEFORE_NAMESPACE();
namespace ridgelet::lanes::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using D = hn::ScalableTag<double>;
using V = hn::Vec<D>;

struct SineAndCosine {
  V sine;
  V cosine;
};

/// sin and cos of (pi/2) turns + t for whole `turns` and |t| <= pi/4 (or a little more): the Taylor series up
/// to t^17, whose remainder is below 1e-17.
HWY_ATTR HWY_INLINE SineAndCosine after_quarter_turns(D d, V turns, V t) {
  const V t2 = hn::Mul(t, t), half = hn::Set(d, 0.5), one = hn::Set(d, 1.0);
  // 1 - t^2 / (k (k + 1)) (1 - t^2 / ((k + 2)(k + 3)) (...)) from the inside out: cos t for k = 1, and
  // (sin t) / t for k = 2.
  const auto series = [&](double k) HWY_ATTR {
    V sum = one;
    for (double n = k + 14; n >= k; n -= 2)
      sum = hn::NegMulAdd(hn::Mul(t2, hn::Set(d, 1 / (n * (n + 1)))), sum, one);
    return sum;
  };
  const V sine = hn::Mul(t, series(2)), cosine = series(1);
  const V pairs = hn::Floor(hn::Mul(turns, half)), quads = hn::Floor(hn::Mul(pairs, half));
  const auto odd = hn::Ne(hn::Add(pairs, pairs), turns), second_half = hn::Ne(hn::Add(quads, quads), pairs);
  const auto signed_by = [&](auto negative, V v) HWY_ATTR { return hn::IfThenElse(negative, hn::Neg(v), v); };
  return {signed_by(second_half, hn::IfThenElse(odd, cosine, sine)),
          signed_by(hn::Xor(odd, second_half), hn::IfThenElse(odd, sine, cosine))};
}

/// sin and cos of (pi/2) u; whole quarter turns are taken off exactly.
HWY_ATTR HWY_INLINE SineAndCosine quarter_turns(D d, V u) {
  const V turns = hn::Round(u);
  return after_quarter_turns(d, turns, hn::Mul(hn::Sub(u, turns), hn::Set(d, std::numbers::pi / 2)));
}

/// As far as sine_and_cosine() goes: 2^20 quarter turns, about 1.6 million.
constexpr double farthest_angle = 0x1p20 * (std::numbers::pi / 2);

/// sin and cos of x for |x| <= farthest_angle. pi/2 is taken in three parts of 33, 33 and 53 bits: the first
/// two times the number of quarter turns, of up to 20 bits, are exact, so that what is left of x keeps its
/// digits even next to a zero (Cody and Waite, 1980).
HWY_ATTR HWY_INLINE SineAndCosine sine_and_cosine(D d, V x) {
  const V turns = hn::Round(hn::Mul(x, hn::Set(d, 2 / std::numbers::pi)));
  V t = x;
  for (const double part : {0x1.921fb544p+0, 0x1.0b4611a6p-34, 0x1.3198a2e037073p-69})
    t = hn::NegMulAdd(turns, hn::Set(d, part), t);
  return after_quarter_turns(d, turns, t);
}

/// erf(x) for |x| <= 1: 2 x / sqrt(pi) sum_n (-x^2)^n / (n! (2 n + 1)) up to n = 17, with a remainder below
/// 1e-17; each term is the one before it times -x^2 (2 n - 1) / (n (2 n + 1)).
HWY_ATTR HWY_INLINE V erf_near_zero(D d, V x) {
  const V x2 = hn::Mul(x, x), one = hn::Set(d, 1.0);
  V sum = one;
  for (double n = 17; n >= 1; n -= 1)
    sum = hn::NegMulAdd(hn::Mul(x2, hn::Set(d, (2 * n - 1) / (n * (2 * n + 1)))), sum, one);
  return hn::Mul(hn::Mul(hn::Set(d, 2 * std::numbers::inv_sqrtpi), x), sum);
}

/// erfc(x) exp(x^2) for x >= 0, to a few units in the last place. (1 + 2x) times it runs from 1 to
/// 2 / sqrt(pi), and is summed as a Chebyshev series in t = (x - 3) / (x + 3) by Clenshaw's recurrence. The
/// coefficients are its interpolant's, computed with 50 digits; those left out sum to less than 1e-17. (The
/// form is that of Shepherd and Laframboise, Mathematics of Computation 36, 1981.)
HWY_ATTR HWY_INLINE V scaled_erfc(D d, V x) {
  constexpr double coefficients[] = {
      1.177562574196560046,      0.005353904539615676769,   -0.09377550342284209052,
      0.0543665255574432205,     -0.01897659670784520739,   0.00445342606146271157,
      -0.000633553171055314694,  1.766171952317159185e-5,   1.284153286405667073e-5,
      -2.007228565905991444e-6,  -1.807522790414837102e-7,  7.549828343825092828e-8,
      1.885668523838602791e-9,   -2.699519049798363997e-9,  -1.460079119939104941e-11,
      1.036160744596948968e-10,  1.475715976623473009e-12,  -4.277340064396910825e-12,
      -2.079224928597989978e-13, 1.813450200317696242e-13,  1.973425574544738834e-14,
      -7.287943737592673157e-15, -1.516987869022811568e-15, 2.351411225878140352e-16,
      1.000611169182166761e-16};
  constexpr int last = static_cast<int>(std::size(coefficients)) - 1;
  const V three = hn::Set(d, 3.0), t = hn::Div(hn::Sub(x, three), hn::Add(x, three)), twice = hn::Add(t, t);
  V sum = hn::Set(d, coefficients[last]), before = hn::Zero(d);
  for (int k = last - 1; k >= 1; --k) {
    const V next = hn::MulAdd(twice, sum, hn::Sub(hn::Set(d, coefficients[k]), before));
    before = sum;
    sum = next;
  }
  const V series = hn::MulAdd(t, sum, hn::Sub(hn::Set(d, coefficients[0]), before));
  return hn::Div(series, hn::MulAdd(hn::Set(d, 2.0), x, hn::Set(d, 1.0)));
}

}  // namespace ridgelet::lanes::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
