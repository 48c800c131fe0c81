/// Vector code of this stage (lanes.cpp): private to it, reached through Activation and ActivationPair.
#pragma once

#include <cstddef>

namespace ridgelet::lanes {

void tanh(const double* z, double* values, std::size_t size);
void sigmoid(const double* z, double* values, std::size_t size);
void gaussian(const double* z, double* values, std::size_t size);
void relu(const double* z, double* values, std::size_t size);
void erf(const double* z, double* values, std::size_t size);
void gelu(const double* z, double* values, std::size_t size);
void silu(const double* z, double* values, std::size_t size);
void softplus(const double* z, double* values, std::size_t size);
void sine(const double* z, double* values, std::size_t size);
void cosine(const double* z, double* values, std::size_t size);
void leaky_relu(const double* z, double* values, std::size_t size);

void tanh_derivative(const double* z, double* values, std::size_t size);
void sigmoid_derivative(const double* z, double* values, std::size_t size);
void gaussian_derivative(const double* z, double* values, std::size_t size);
void relu_derivative(const double* z, double* values, std::size_t size);
void erf_derivative(const double* z, double* values, std::size_t size);
void gelu_derivative(const double* z, double* values, std::size_t size);
void silu_derivative(const double* z, double* values, std::size_t size);
void cosine_derivative(const double* z, double* values, std::size_t size);
void leaky_relu_derivative(const double* z, double* values, std::size_t size);

void single_tanh(const float* z, float* values, std::size_t size);
void single_sigmoid(const float* z, float* values, std::size_t size);
void single_gaussian(const float* z, float* values, std::size_t size);
void single_relu(const float* z, float* values, std::size_t size);

struct PsiParameters {
  double constant;
  double frequency;
  int order;
  double cutoff;
};

void psi(const PsiParameters& parameters, const double* z, double* values, std::size_t size);

}  // namespace ridgelet::lanes
