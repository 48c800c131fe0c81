// Highway compiles this file once for each instruction set: foreach_target.h includes it again and again with
// another HWY_NAMESPACE, and the exported functions at the end choose among the results at run time.
#include "activation/lanes.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "activation/lanes.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// Needs highway.h before it.
#include <hwy/contrib/math/math-inl.h>

HWY_BEFORE_NAMESPACE();
namespace ridgelet::lanes::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using D = hn::ScalableTag<double>;
using V = hn::Vec<D>;

/// values[i] = f(z[i]). The tail goes through a padded buffer, so every element sees the same instructions
/// wherever it stands. Highway's Exp, and what is built on it, turn NaN into numbers: NaN is put back.
template <class F>
HWY_ATTR void for_each_lane(const double* z, double* values, std::size_t size, F&& f) {
  const D d;
  const std::size_t width = hn::Lanes(d);
  const auto guarded = [&](V x) HWY_ATTR { return hn::IfThenElse(hn::IsNaN(x), x, f(d, x)); };
  std::size_t i = 0;
  for (; i + width <= size; i += width) hn::StoreU(guarded(hn::LoadU(d, z + i)), d, values + i);
  if (i == size) return;
  HWY_ALIGN double buffer[HWY_MAX_BYTES / sizeof(double)] = {};
  for (std::size_t k = i; k < size; ++k) buffer[k - i] = z[k];
  hn::Store(guarded(hn::Load(d, buffer)), d, buffer);
  for (std::size_t k = i; k < size; ++k) values[k] = buffer[k - i];
}

HWY_ATTR void Tanh(const double* z, double* values, std::size_t size) {
  for_each_lane(z, values, size, [](D d, V x) HWY_ATTR { return hn::Tanh(d, x); });
}

/// With e = exp(-|z|) in (0, 1]: 1 / (1 + e) for z >= 0 and e / (1 + e) below, accurate in both tails.
HWY_ATTR void Sigmoid(const double* z, double* values, std::size_t size) {
  for_each_lane(z, values, size, [](D d, V x) HWY_ATTR {
    const V one = hn::Set(d, 1.0);
    const V e = hn::Exp(d, hn::Neg(hn::Abs(x)));
    const V numerator = hn::IfThenElse(hn::Ge(x, hn::Zero(d)), one, e);
    return hn::Div(numerator, hn::Add(one, e));
  });
}

HWY_ATTR void Gaussian(const double* z, double* values, std::size_t size) {
  for_each_lane(z, values, size,
                [](D d, V x) HWY_ATTR { return hn::Exp(d, hn::Mul(hn::Set(d, -0.5), hn::Mul(x, x))); });
}

HWY_ATTR void Relu(const double* z, double* values, std::size_t size) {
  for_each_lane(z, values, size, [](D d, V x) HWY_ATTR { return hn::Max(hn::Zero(d), x); });
}

/// e / (1 + e)^2 with e = exp(-rate |x|), the bell that both derivatives of a step share.
HWY_ATTR HWY_INLINE V bell(D d, V x, double rate) {
  const V e = hn::Exp(d, hn::Mul(hn::Set(d, -rate), hn::Abs(x)));
  const V sum = hn::Add(hn::Set(d, 1.0), e);
  return hn::Div(e, hn::Mul(sum, sum));
}

HWY_ATTR void TanhDerivative(const double* z, double* values, std::size_t size) {
  for_each_lane(z, values, size, [](D d, V x) HWY_ATTR { return hn::Mul(hn::Set(d, 4.0), bell(d, x, 2)); });
}

HWY_ATTR void SigmoidDerivative(const double* z, double* values, std::size_t size) {
  for_each_lane(z, values, size, [](D d, V x) HWY_ATTR { return bell(d, x, 1); });
}

/// Stops at 40, where exp(-x^2/2) is 0, so that infinity times 0 never arises.
HWY_ATTR void GaussianDerivative(const double* z, double* values, std::size_t size) {
  for_each_lane(z, values, size, [](D d, V x) HWY_ATTR {
    const V near = hn::Clamp(x, hn::Set(d, -40.0), hn::Set(d, 40.0));
    return hn::Neg(hn::Mul(near, hn::Exp(d, hn::Mul(hn::Set(d, -0.5), hn::Mul(near, near)))));
  });
}

HWY_ATTR void ReluDerivative(const double* z, double* values, std::size_t size) {
  for_each_lane(z, values, size, [](D d, V x) HWY_ATTR {
    return hn::IfThenElseZero(hn::Gt(x, hn::Zero(d)), hn::Set(d, 1.0));
  });
}

constexpr double half_pi = 1.5707963267948966;

struct SineAndCosine {
  V sine;
  V cosine;
};

/// sin and cos of (pi/2) u, which Highway 1.0 offers only apart. Whole quarter turns are taken off exactly,
/// and what is left, |t| <= pi/4, goes into the Taylor series up to t^17, whose remainder is below 1e-17.
HWY_ATTR HWY_INLINE SineAndCosine quarter_turns(D d, V u) {
  const V turns = hn::Round(u), half = hn::Set(d, 0.5), one = hn::Set(d, 1.0);
  const V t = hn::Mul(hn::Sub(u, turns), hn::Set(d, half_pi)), t2 = hn::Mul(t, t);
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

/// C Im[ He_n(x - i a) e^{i a x} ] exp(-x^2/2): real and imaginary part of the recurrence side by side; with
/// a = 0 the imaginary part stays zero and the real part is the answer.
HWY_ATTR void Psi(const PsiParameters& p, const double* z, double* values, std::size_t size) {
  for_each_lane(z, values, size, [&p](D d, V x) HWY_ATTR {
    const auto near = hn::Le(hn::Abs(x), hn::Set(d, p.cutoff));
    if (hn::AllFalse(d, near)) return hn::Zero(d);
    // Lanes beyond the cutoff compute at zero instead, where nothing overflows.
    x = hn::IfThenElseZero(near, x);
    const V a = hn::Set(d, p.frequency);
    // He_1 and He_0; orders are even and at least 2.
    V re = x, im = hn::Neg(a), re_before = hn::Set(d, 1.0), im_before = hn::Zero(d);
    for (int k = 1; k < p.order; ++k) {
      const V degree = hn::Set(d, static_cast<double>(k));
      // (x - i a)(re + i im) - k (re_before + i im_before)
      const V re_next = hn::MulAdd(x, re, hn::NegMulAdd(degree, re_before, hn::Mul(a, im)));
      const V im_next = hn::MulAdd(x, im, hn::Neg(hn::MulAdd(degree, im_before, hn::Mul(a, re))));
      re_before = re;
      im_before = im;
      re = re_next;
      im = im_next;
    }
    V oscillation = re;
    if (p.frequency != 0) {
      const SineAndCosine of = quarter_turns(d, hn::Mul(hn::Set(d, p.frequency / half_pi), x));
      oscillation = hn::MulAdd(re, of.sine, hn::Mul(im, of.cosine));
    }
    const V decay = hn::Exp(d, hn::Mul(hn::Set(d, -0.5), hn::Mul(x, x)));
    return hn::IfThenElseZero(near, hn::Mul(hn::Mul(hn::Set(d, p.constant), oscillation), decay));
  });
}

}  // namespace ridgelet::lanes::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace ridgelet::lanes {

HWY_EXPORT(Tanh);
HWY_EXPORT(Sigmoid);
HWY_EXPORT(Gaussian);
HWY_EXPORT(Relu);
HWY_EXPORT(TanhDerivative);
HWY_EXPORT(SigmoidDerivative);
HWY_EXPORT(GaussianDerivative);
HWY_EXPORT(ReluDerivative);
HWY_EXPORT(Psi);

void tanh(const double* z, double* values, std::size_t size) {
  HWY_DYNAMIC_DISPATCH(Tanh)(z, values, size);
}
void sigmoid(const double* z, double* values, std::size_t size) {
  HWY_DYNAMIC_DISPATCH(Sigmoid)(z, values, size);
}
void gaussian(const double* z, double* values, std::size_t size) {
  HWY_DYNAMIC_DISPATCH(Gaussian)(z, values, size);
}
void relu(const double* z, double* values, std::size_t size) {
  HWY_DYNAMIC_DISPATCH(Relu)(z, values, size);
}
void tanh_derivative(const double* z, double* values, std::size_t size) {
  HWY_DYNAMIC_DISPATCH(TanhDerivative)(z, values, size);
}
void sigmoid_derivative(const double* z, double* values, std::size_t size) {
  HWY_DYNAMIC_DISPATCH(SigmoidDerivative)(z, values, size);
}
void gaussian_derivative(const double* z, double* values, std::size_t size) {
  HWY_DYNAMIC_DISPATCH(GaussianDerivative)(z, values, size);
}
void relu_derivative(const double* z, double* values, std::size_t size) {
  HWY_DYNAMIC_DISPATCH(ReluDerivative)(z, values, size);
}
void psi(const PsiParameters& parameters, const double* z, double* values, std::size_t size) {
  HWY_DYNAMIC_DISPATCH(Psi)(parameters, z, values, size);
}

}  // namespace ridgelet::lanes
#endif
