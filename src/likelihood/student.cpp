#include "ridgelet/likelihood/student.hpp"

#include <boost/math/distributions/students_t.hpp>
#include <boost/math/special_functions/gamma.hpp>
#include <numbers>

#include "parameters.hpp"

namespace ridgelet {

namespace {

/// In doubles, where Boost would take long doubles: a ninth of the time, and the same digits.
using Distribution = boost::math::students_t_distribution<
    double, boost::math::policies::policy<boost::math::policies::promote_double<false>>>;

/// Only with more than this is there a variance.
constexpr double fewest_degrees = 2;

}  // namespace

Student::Student(double scale, double degrees)
    : scale_(above(0, scale, "scale")), degrees_(above(fewest_degrees, degrees, "degrees")) {}

std::vector<LikelihoodParameter> Student::parameters() const {
  return {scale_parameter(scale_), {.name = "degrees", .value = degrees_, .lower = 2.1, .upper = 200}};
}

LikelihoodPointer Student::with_parameters(const VectorView& values) const {
  return std::make_shared<const Student>(values(0), values(1));
}

double Student::log_density_of(double y, double f) const {
  const double z = (y - f) / scale_;
  // Gamma(nu/2) / Gamma((nu + 1)/2) in one call: with many degrees of freedom the two are huge beside their ratio.
  return -std::log(boost::math::tgamma_delta_ratio(degrees_ / 2, 0.5)) -
         0.5 * std::log(degrees_ * std::numbers::pi) - std::log(scale_) -
         (degrees_ + 1) / 2 * std::log1p(z * z / degrees_);
}

double Student::slope_of(double y, double f) const {
  const double r = y - f;
  return (degrees_ + 1) * r / (degrees_ * scale_ * scale_ + r * r);
}

double Student::curvature_of(double y, double f) const {
  const double r2 = (y - f) * (y - f), width = degrees_ * scale_ * scale_;
  return std::max((degrees_ + 1) * (width - r2) / ((width + r2) * (width + r2)), 0.0);
}

double Student::cdf(double y, double f) const {
  return boost::math::cdf(Distribution(degrees_), (y - f) / scale_);
}

double Student::draw_of(double f, double u) const {
  return f + scale_ * boost::math::quantile(boost::math::students_t(degrees_), u);
}

}  // namespace ridgelet
