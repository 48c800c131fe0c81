/// Vector code of this stage (lanes.cpp): private to it, reached through Activation and ActivationPair.
#pragma once

#include <cstddef>

namespace ridgelet::lanes {

void tanh(const double* z, double* values, std::size_t size);
void sigmoid(const double* z, double* values, std::size_t size);
void gaussian(const double* z, double* values, std::size_t size);
void relu(const double* z, double* values, std::size_t size);

void tanh_derivative(const double* z, double* values, std::size_t size);
void sigmoid_derivative(const double* z, double* values, std::size_t size);
void gaussian_derivative(const double* z, double* values, std::size_t size);
void relu_derivative(const double* z, double* values, std::size_t size);

struct PsiParameters {
  double constant;
  double frequency;
  int order;
  double cutoff;
};

void psi(const PsiParameters& parameters, const double* z, double* values, std::size_t size);

}  // namespace ridgelet::lanes
