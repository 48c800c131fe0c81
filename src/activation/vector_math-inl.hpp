// Functions of a vector that Highway does not have, or not accurately enough. Part of lanes.cpp, which Highway
// compiles once for each instruction set: hence the guard, which lets it in once in every pass.
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
using SingleD = hn::ScalableTag<float>;
using SingleV = hn::Vec<SingleD>;

/// A whole number in two forms. Adding 1.5 * 2^52 to a double leaves no place after the point, and the last bits of the
/// sum are those of the integer: rounding and conversion in one addition, for numbers below 2^51.
struct Whole {
  V value;
  hn::Vec<hn::RebindToSigned<D>> bits;  ///< the last ones are those of the integer
};

HWY_ATTR HWY_INLINE Whole nearest_whole(D d, V x) {
  const V shift = hn::Set(d, 0x1.8p52), shifted = hn::Add(x, shift);
  return {hn::Sub(shifted, shift), hn::BitCast(hn::RebindToSigned<D>(), shifted)};
}

/// c_0 + t (c_1 + t (c_2 + ...)).
template <std::size_t count>
HWY_ATTR HWY_INLINE V horner(D d, V t, const double (&c)[count]) {
  V sum = hn::Set(d, c[count - 1]);
  for (std::size_t k = count - 1; k-- > 0;) sum = hn::MulAdd(sum, t, hn::Set(d, c[k]));
  return sum;
}

/// e^y in two parts, e^y = scale (1 + rest): scale is a power of two and rest = e^r - 1 for |r| <= log(2) / 2.
struct Exponential {
  V scale;
  V rest;
};

/// For -700 <= y <= 0. rest = r + r^2 q(r), q of degree 9 through (e^r - 1 - r) / r^2 at Chebyshev's points, computed
/// with 60 digits: off by 4e-17 of itself.
HWY_ATTR HWY_INLINE Exponential exponential(D d, V y) {
  constexpr double q[] = {0x1.0000000000001p-1,  0x1.5555555555556p-3,  0x1.5555555553d37p-5,
                          0x1.11111111109a6p-7,  0x1.6c16c1789d1d7p-10, 0x1.a01a01a7cebcdp-13,
                          0x1.a019b8ca26fcfp-16, 0x1.71de0d85293b8p-19, 0x1.2891d4ffbb0f9p-22,
                          0x1.af390ba7e6f47p-26};
  const Whole n = nearest_whole(d, hn::Mul(y, hn::Set(d, std::numbers::log2e)));
  // log 2 in two parts: n times the first is exact.
  V r = hn::NegMulAdd(n.value, hn::Set(d, 0x1.62e42fefap-1), y);
  r = hn::NegMulAdd(n.value, hn::Set(d, 0x1.cf79abc9e3b3ap-40), r);
  const auto one = hn::BitCast(hn::RebindToSigned<D>(), hn::Set(d, 1.0));
  const V scale = hn::BitCast(d, hn::Add(hn::ShiftLeft<52>(n.bits), one));
  return {scale, hn::MulAdd(hn::Mul(r, r), horner(d, r, q), r)};
}

/// With t = e^{-2|x|} - 1 in (-1, 0]: -t / (2 + t), with the sign of x. From 20 on it is 1 in double precision.
HWY_ATTR HWY_INLINE V tanh_of(D d, V x) {
  const V two = hn::Set(d, 2.0), near = hn::Min(hn::Abs(x), hn::Set(d, 20.0));
  const Exponential e = exponential(d, hn::Mul(hn::Set(d, -2.0), near));
  const V t = hn::MulAdd(e.scale, e.rest, hn::Sub(e.scale, hn::Set(d, 1.0)));
  return hn::CopySign(hn::Div(t, hn::Add(two, t)), x);
}

/// The same in single precision, where it is 1 from 10 on. e^r - 1 for |r| <= log(2) / 2 is its Taylor series up to
/// r^7, off by 2e-8 of itself.
HWY_ATTR HWY_INLINE SingleV tanh_of(SingleD d, SingleV x) {
  constexpr float q[] = {1.0F / 2, 1.0F / 6, 1.0F / 24, 1.0F / 120, 1.0F / 720, 1.0F / 5040};
  const hn::RebindToSigned<SingleD> whole;
  const SingleV one = hn::Set(d, 1.0F), two = hn::Set(d, 2.0F);
  const SingleV y = hn::Mul(hn::Set(d, -2.0F), hn::Min(hn::Abs(x), hn::Set(d, 10.0F)));
  // As in nearest_whole().
  const SingleV shift = hn::Set(d, 0x1.8p23F);
  const SingleV shifted = hn::MulAdd(y, hn::Set(d, std::numbers::log2e_v<float>), shift);
  const SingleV n = hn::Sub(shifted, shift);
  SingleV r = hn::NegMulAdd(n, hn::Set(d, 0x1.62e4p-1F), y);
  r = hn::NegMulAdd(n, hn::Set(d, 0x1.7f7d1cp-20F), r);
  const SingleV scale =
      hn::BitCast(d, hn::Add(hn::ShiftLeft<23>(hn::BitCast(whole, shifted)), hn::BitCast(whole, one)));
  SingleV sum = hn::Set(d, q[5]);
  for (int k = 4; k >= 0; --k) sum = hn::MulAdd(sum, r, hn::Set(d, q[k]));
  const SingleV rest = hn::MulAdd(hn::Mul(r, r), sum, r);
  const SingleV t = hn::MulAdd(scale, rest, hn::Sub(scale, one));
  return hn::CopySign(hn::Div(t, hn::Add(two, t)), x);
}

struct SineAndCosine {
  V sine;
  V cosine;
};

/// sin and cos of (pi/2) turns + t for whole `turns` and |t| <= pi/4 (or a little more): the Taylor series up
/// to t^17, whose remainder is below 1e-17.
HWY_ATTR HWY_INLINE SineAndCosine after_quarter_turns(D d, V turns, V t) {
  // (sin t - t) / t^3 and cos t in powers of t^2.
  constexpr double of_sine[] = {
      -1.0 / 6,        1.0 / 120,        -1.0 / 5040,          1.0 / 362880,
      -1.0 / 39916800, 1.0 / 6227020800, -1.0 / 1307674368000, 1.0 / 355687428096000};
  constexpr double of_cosine[] = {1,
                                  -1.0 / 2,
                                  1.0 / 24,
                                  -1.0 / 720,
                                  1.0 / 40320,
                                  -1.0 / 3628800,
                                  1.0 / 479001600,
                                  -1.0 / 87178291200,
                                  1.0 / 20922789888000};
  const V t2 = hn::Mul(t, t);
  const V sine = hn::MulAdd(hn::Mul(t, t2), horner(d, t2, of_sine), t), cosine = horner(d, t2, of_cosine);
  // An odd number of quarter turns swaps the two; the sign of either is a bit of that number.
  const auto bits = nearest_whole(d, turns).bits;
  const V odd = hn::BitCast(d, hn::ShiftLeft<63>(bits));
  const V minus_sine = hn::And(hn::SignBit(d), hn::BitCast(d, hn::ShiftLeft<62>(bits)));
  const V minus_cosine = hn::Xor(minus_sine, odd);
  return {hn::Xor(minus_sine, hn::IfNegativeThenElse(odd, cosine, sine)),
          hn::Xor(minus_cosine, hn::IfNegativeThenElse(odd, sine, cosine))};
}

/// sin and cos of (pi/2) u; whole quarter turns are taken off exactly.
HWY_ATTR HWY_INLINE SineAndCosine quarter_turns(D d, V u) {
  const V turns = nearest_whole(d, u).value;
  return after_quarter_turns(d, turns, hn::Mul(hn::Sub(u, turns), hn::Set(d, std::numbers::pi / 2)));
}

/// The largest angle for sine_and_cosine(): 2^20 quarter turns, about 1.6 million.
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
