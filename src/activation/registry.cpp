#include "activation/registry.hpp"

#include <array>

#include "activation/lanes.hpp"
#include "ridgelet/activation/cosine_wave.hpp"
#include "ridgelet/activation/erf.hpp"
#include "ridgelet/activation/gaussian_bump.hpp"
#include "ridgelet/activation/gelu.hpp"
#include "ridgelet/activation/leaky_relu.hpp"
#include "ridgelet/activation/relu.hpp"
#include "ridgelet/activation/sigmoid.hpp"
#include "ridgelet/activation/silu.hpp"
#include "ridgelet/activation/sine_wave.hpp"
#include "ridgelet/activation/softplus.hpp"
#include "ridgelet/activation/tanh.hpp"

namespace ridgelet {

namespace {

template <ActivationFunction A>
constexpr RegistryEntry entry(Activation::Lanes phi = nullptr, Activation::Lanes derivative = nullptr,
                              Activation::SingleLanes phi_single = nullptr) {
  RegistryEntry made{.functions = {A::name, A::phi, A::derivative, phi, derivative, phi_single},
                     .psi = std::nullopt};
  if constexpr (RidgeletActivation<A>)
    made.psi = {A::bounded,     A::frequency,     A::phi_hat,         A::constant,
                A::least_order, A::default_order, A::integrable_order};
  return made;
}

/// One line for each activation.
constexpr std::array registry = {
    entry<Tanh>(lanes::tanh, lanes::tanh_derivative, lanes::single_tanh),
    entry<Sigmoid>(lanes::sigmoid, lanes::sigmoid_derivative, lanes::single_sigmoid),
    entry<GaussianBump>(lanes::gaussian, lanes::gaussian_derivative, lanes::single_gaussian),
    entry<Relu>(lanes::relu, lanes::relu_derivative, lanes::single_relu),
    entry<Erf>(lanes::erf, lanes::erf_derivative),
    entry<Gelu>(lanes::gelu, lanes::gelu_derivative),
    entry<Silu>(lanes::silu, lanes::silu_derivative),
    entry<Softplus>(lanes::softplus, lanes::sigmoid),
    entry<SineWave>(lanes::sine, lanes::cosine),
    entry<CosineWave>(lanes::cosine, lanes::cosine_derivative),
    entry<LeakyRelu>(lanes::leaky_relu, lanes::leaky_relu_derivative),
};

}  // namespace

std::span<const RegistryEntry> activation_registry() {
  return registry;
}

}  // namespace ridgelet
