// Highway compiles this file once for each instruction set: foreach_target.h includes it again and again with
// another HWY_NAMESPACE, and the exported functions at the end choose among the results at run time.
#include "activation/lanes.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "activation/lanes.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// These need highway.h before them.
#include <hwy/contrib/math/math-inl.h>

#include "activation/vector_math-inl.hpp"
#include "ridgelet/activation/leaky_relu.hpp"

HWY_BEFORE_NAMESPACE();
namespace ridgelet::lanes::HWY_NAMESPACE {

/// values[i] = f(z[i]). The tail goes through a padded buffer, so every element sees the same instructions
/// wherever it stands. Highway's Exp, and what is built on it, turn NaN into numbers: NaN is put back.
template <class T, class F>
HWY_ATTR void for_each_lane(const T* z, T* values, std::size_t size, F&& f) {
  const hn::ScalableTag<T> d;
  const std::size_t width = hn::Lanes(d);
  const auto guarded = [&](hn::Vec<hn::ScalableTag<T>> x)
                           HWY_ATTR { return hn::IfThenElse(hn::IsNaN(x), x, f(d, x)); };
  std::size_t i = 0;
  for (; i + width <= size; i += width) hn::StoreU(guarded(hn::LoadU(d, z + i)), d, values + i);
  if (i == size) return;
  HWY_ALIGN T buffer[HWY_MAX_BYTES / sizeof(T)] = {};
  for (std::size_t k = i; k < size; ++k) buffer[k - i] = z[k];
  hn::Store(guarded(hn::Load(d, buffer)), d, buffer);
  for (std::size_t k = i; k < size; ++k) values[k] = buffer[k - i];
}

HWY_ATTR void Tanh(const double* z, double* values, std::size_t size) {
  for_each_lane(z, values, size, [](D d, V x) HWY_ATTR { return tanh_of(d, x); });
}

HWY_ATTR void SingleTanh(const float* z, float* values, std::size_t size) {
  for_each_lane(z, values, size, [](SingleD d, SingleV x) HWY_ATTR { return tanh_of(d, x); });
}

/// With e = exp(-|z|) in (0, 1]: 1 / (1 + e) for z >= 0 and e / (1 + e) below, accurate in both tails.
template <class AnyD, class AnyV>
HWY_ATTR HWY_INLINE AnyV sigmoid_of(AnyD d, AnyV x) {
  const AnyV one = hn::Set(d, 1);
  const AnyV e = hn::Exp(d, hn::Neg(hn::Abs(x)));
  const AnyV numerator = hn::IfThenElse(hn::Ge(x, hn::Zero(d)), one, e);
  return hn::Div(numerator, hn::Add(one, e));
}

HWY_ATTR void Sigmoid(const double* z, double* values, std::size_t size) {
  for_each_lane(z, values, size, [](D d, V x) HWY_ATTR { return sigmoid_of(d, x); });
}

HWY_ATTR void SingleSigmoid(const float* z, float* values, std::size_t size) {
  for_each_lane(z, values, size, [](SingleD d, SingleV x) HWY_ATTR { return sigmoid_of(d, x); });
}

HWY_ATTR void Gaussian(const double* z, double* values, std::size_t size) {
  for_each_lane(z, values, size,
                [](D d, V x) HWY_ATTR { return hn::Exp(d, hn::Mul(hn::Set(d, -0.5), hn::Mul(x, x))); });
}

HWY_ATTR void SingleGaussian(const float* z, float* values, std::size_t size) {
  for_each_lane(z, values, size, [](SingleD d, SingleV x) HWY_ATTR {
    return hn::Exp(d, hn::Mul(hn::Set(d, -0.5F), hn::Mul(x, x)));
  });
}

HWY_ATTR void Relu(const double* z, double* values, std::size_t size) {
  for_each_lane(z, values, size, [](D d, V x) HWY_ATTR { return hn::Max(hn::Zero(d), x); });
}

HWY_ATTR void SingleRelu(const float* z, float* values, std::size_t size) {
  for_each_lane(z, values, size, [](SingleD d, SingleV x) HWY_ATTR { return hn::Max(hn::Zero(d), x); });
}

/// e / (1 + e)^2 with e = exp(-rate |x|), the bell that the derivatives of tanh and of the sigmoid share.
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

/// erf(x) near zero, else 1 - erfc(|x|) with the sign of x. From 6 on it is 1 in double precision.
HWY_ATTR void Erf(const double* z, double* values, std::size_t size) {
  for_each_lane(z, values, size, [](D d, V x) HWY_ATTR {
    const V one = hn::Set(d, 1.0), far = hn::Min(hn::Abs(x), hn::Set(d, 6.0));
    const V erfc = hn::Mul(hn::Exp(d, hn::Neg(hn::Mul(far, far))), scaled_erfc(d, far));
    return hn::IfThenElse(hn::Lt(far, one), erf_near_zero(d, x), hn::CopySign(hn::Sub(one, erfc), x));
  });
}

HWY_ATTR void ErfDerivative(const double* z, double* values, std::size_t size) {
  for_each_lane(z, values, size, [](D d, V x) HWY_ATTR {
    return hn::Mul(hn::Set(d, 2 * std::numbers::inv_sqrtpi), hn::Exp(d, hn::Neg(hn::Mul(x, x))));
  });
}

/// The standard normal distribution function and its density times sqrt(2 pi), for |x| <= 40.
struct Normal {
  V distribution;
  V bump;
};

HWY_ATTR HWY_INLINE Normal normal(D d, V x) {
  const V half = hn::Set(d, 0.5), bump = hn::Exp(d, hn::Mul(hn::Set(d, -0.5), hn::Mul(x, x)));
  const V tail =
      hn::Mul(half, hn::Mul(bump, scaled_erfc(d, hn::Mul(hn::Abs(x), hn::Set(d, std::numbers::sqrt2 / 2)))));
  return {hn::IfThenElse(hn::Lt(x, hn::Zero(d)), tail, hn::Sub(hn::Set(d, 1.0), tail)), bump};
}

/// Stops at -40, where phi is 0, so that infinity times 0 never arises.
HWY_ATTR void Gelu(const double* z, double* values, std::size_t size) {
  for_each_lane(z, values, size, [](D d, V x) HWY_ATTR {
    const V near = hn::Clamp(x, hn::Set(d, -40.0), hn::Set(d, 40.0));
    return hn::Mul(hn::Max(x, near), normal(d, near).distribution);
  });
}

HWY_ATTR void GeluDerivative(const double* z, double* values, std::size_t size) {
  for_each_lane(z, values, size, [](D d, V x) HWY_ATTR {
    const V near = hn::Clamp(x, hn::Set(d, -40.0), hn::Set(d, 40.0));
    const Normal at = normal(d, near);
    const V density = hn::Mul(hn::Set(d, std::numbers::inv_sqrtpi / std::numbers::sqrt2), at.bump);
    return hn::MulAdd(near, density, at.distribution);
  });
}

/// Stops at -750, where phi is 0, so that infinity times 0 never arises.
HWY_ATTR void Silu(const double* z, double* values, std::size_t size) {
  for_each_lane(z, values, size,
                [](D d, V x) HWY_ATTR { return hn::Mul(hn::Max(x, hn::Set(d, -750.0)), sigmoid_of(d, x)); });
}

HWY_ATTR void SiluDerivative(const double* z, double* values, std::size_t size) {
  for_each_lane(z, values, size, [](D d, V x) HWY_ATTR {
    const V near = hn::Clamp(x, hn::Set(d, -750.0), hn::Set(d, 750.0));
    return hn::MulAdd(near, bell(d, near, 1), sigmoid_of(d, near));
  });
}

/// max(0, z) + log(1 + e^-|z|).
HWY_ATTR void Softplus(const double* z, double* values, std::size_t size) {
  for_each_lane(z, values, size, [](D d, V x) HWY_ATTR {
    return hn::Add(hn::Max(x, hn::Zero(d)), hn::Log1p(d, hn::Exp(d, hn::Neg(hn::Abs(x)))));
  });
}

HWY_ATTR void LeakyRelu(const double* z, double* values, std::size_t size) {
  for_each_lane(z, values, size, [](D d, V x) HWY_ATTR {
    return hn::Max(x, hn::Mul(hn::Set(d, ridgelet::LeakyRelu::slope), x));
  });
}

HWY_ATTR void LeakyReluDerivative(const double* z, double* values, std::size_t size) {
  for_each_lane(z, values, size, [](D d, V x) HWY_ATTR {
    return hn::IfThenElse(hn::Gt(x, hn::Zero(d)), hn::Set(d, 1.0), hn::Set(d, ridgelet::LeakyRelu::slope));
  });
}

/// The values where |x| is small enough for them, else those of a scalar function, lane by lane.
HWY_ATTR HWY_INLINE V near_or_one_by_one(D d, V x, V values, double (*scalar)(double)) {
  const auto near = hn::Le(hn::Abs(x), hn::Set(d, farthest_angle));
  if (hn::AllTrue(d, near)) return values;
  HWY_ALIGN double buffer[HWY_MAX_BYTES / sizeof(double)] = {};
  hn::Store(x, d, buffer);
  for (std::size_t k = 0; k < hn::Lanes(d); ++k) buffer[k] = scalar(buffer[k]);
  return hn::IfThenElse(near, values, hn::Load(d, buffer));
}

HWY_ATTR void Sine(const double* z, double* values, std::size_t size) {
  for_each_lane(z, values, size, [](D d, V x) HWY_ATTR {
    return near_or_one_by_one(d, x, sine_and_cosine(d, x).sine, std::sin);
  });
}

HWY_ATTR void Cosine(const double* z, double* values, std::size_t size) {
  for_each_lane(z, values, size, [](D d, V x) HWY_ATTR {
    return near_or_one_by_one(d, x, sine_and_cosine(d, x).cosine, std::cos);
  });
}

HWY_ATTR void CosineDerivative(const double* z, double* values, std::size_t size) {
  for_each_lane(z, values, size, [](D d, V x) HWY_ATTR {
    return hn::Neg(near_or_one_by_one(d, x, sine_and_cosine(d, x).sine, std::sin));
  });
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
    // He_1 and He_0; orders are at least 2.
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
      const SineAndCosine of = quarter_turns(d, hn::Mul(hn::Set(d, p.frequency / (std::numbers::pi / 2)), x));
      oscillation = hn::MulAdd(re, of.sine, hn::Mul(im, of.cosine));
    }
    const Exponential decay = exponential(d, hn::Mul(hn::Set(d, -0.5), hn::Mul(x, x)));
    const V height = hn::Mul(hn::Mul(hn::Set(d, p.constant), oscillation), decay.scale);
    return hn::IfThenElseZero(near, hn::MulAdd(height, decay.rest, height));
  });
}

}  // namespace ridgelet::lanes::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace ridgelet::lanes {

// The function that lanes.hpp declares, by the best instruction set of the processor it runs on.
#define RIDGELET_LANES_OF(Number, Implementation, name)          \
  HWY_EXPORT(Implementation);                                    \
  void name(const Number* z, Number* values, std::size_t size) { \
    HWY_DYNAMIC_DISPATCH(Implementation)(z, values, size);       \
  }
#define RIDGELET_LANES(Implementation, name) RIDGELET_LANES_OF(double, Implementation, name)

RIDGELET_LANES(Tanh, tanh)
RIDGELET_LANES(Sigmoid, sigmoid)
RIDGELET_LANES(Gaussian, gaussian)
RIDGELET_LANES(Relu, relu)
RIDGELET_LANES(Erf, erf)
RIDGELET_LANES(Gelu, gelu)
RIDGELET_LANES(Silu, silu)
RIDGELET_LANES(Softplus, softplus)
RIDGELET_LANES(Sine, sine)
RIDGELET_LANES(Cosine, cosine)
RIDGELET_LANES(LeakyRelu, leaky_relu)
RIDGELET_LANES(TanhDerivative, tanh_derivative)
RIDGELET_LANES(SigmoidDerivative, sigmoid_derivative)
RIDGELET_LANES(GaussianDerivative, gaussian_derivative)
RIDGELET_LANES(ReluDerivative, relu_derivative)
RIDGELET_LANES(ErfDerivative, erf_derivative)
RIDGELET_LANES(GeluDerivative, gelu_derivative)
RIDGELET_LANES(SiluDerivative, silu_derivative)
RIDGELET_LANES(CosineDerivative, cosine_derivative)
RIDGELET_LANES(LeakyReluDerivative, leaky_relu_derivative)

RIDGELET_LANES_OF(float, SingleTanh, single_tanh)
RIDGELET_LANES_OF(float, SingleSigmoid, single_sigmoid)
RIDGELET_LANES_OF(float, SingleGaussian, single_gaussian)
RIDGELET_LANES_OF(float, SingleRelu, single_relu)

#undef RIDGELET_LANES
#undef RIDGELET_LANES_OF

HWY_EXPORT(Psi);
void psi(const PsiParameters& parameters, const double* z, double* values, std::size_t size) {
  HWY_DYNAMIC_DISPATCH(Psi)(parameters, z, values, size);
}

}  // namespace ridgelet::lanes
#endif
