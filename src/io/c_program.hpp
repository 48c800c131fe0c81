/// What an exported C file is made of besides its numbers: a comment at the head, and below the tables a program that
/// refers to them by name. `real` is double or float.
#pragma once

#include <string_view>

namespace ridgelet::c_program {

/// A format, for what mean and sd are those of.
constexpr std::string_view head_of_numbers =
    R"(/* A fitted network: mean and standard deviation of {}.
 *
 *     void ridgelet_predict(const double *x, double *mean, double *sd);
 *
)";

constexpr std::string_view head_of_classes =
    R"(/* A fitted network: probabilities of classes, and mean and standard deviation of the functions that tell them apart (of
 * two classes the logit of the second, of several one a class, whose softmax are the probabilities).
 *
 *     void ridgelet_probability(const double *x, double *probability);
 *     void ridgelet_predict(const double *x, double *mean, double *sd);
 *
)";

/// Below the tables, up to the moments of each output.
constexpr std::string_view predict = R"(
/* Adds up what the features of every layer are multiplied by: sums[l] is what layer l + 1 sees, and sums[LAYERS - 1] are
   the means of all outputs, then the columns of their factors. */
static void evaluate(const network *net, const real *x, real sums[LAYERS][WIDEST])
{
    for (int l = 0; l < LAYERS; ++l)
        for (int r = 0; r < WIDEST; ++r) sums[l][r] = 0;
    for (int l = 0; l < LAYERS; ++l) {
        const real *seen = l == 0 ? x : &sums[l - 1][1];
        const real offset = l == 0 ? 0 : sums[l - 1][0];
        const int inputs = l == 0 ? INPUTS : width[l - 1] - 1;
        const int last = SKIP ? LAYERS - 1 : l;
        for (int i = 0; i < units[l]; ++i) {
            const real *w = net->W[l] + (long)i * inputs;
            real z = net->b[l][i] + offset;
            for (int k = 0; k < inputs; ++k) z += w[k] * seen[k];
            const real h = phi(z);
            for (int t = l; t <= last; ++t) {
                const real *row = net->next[t] + (long)(first[t][l] + i) * width[t];
                for (int r = 0; r < width[t]; ++r) sums[t][r] += h * row[r];
            }
        }
    }
}

/* Inputs in the network's units; returns what is added to every output. */
static double scale_inputs(const double *x, real *t)
{
    double mu = mean_constant;
    for (int k = 0; k < INPUTS; ++k) {
        const double scaled = (x[k] - input_centre[k]) / input_scale[k];
        mu += mean_slope[k] * scaled;
        t[k] = (real)scaled;
    }
    return mu;
}

void ridgelet_predict(const double *x, double *mean, double *sd)
{
    real t[INPUTS];
    double f[OUTPUTS][NETWORKS], v[OUTPUTS][NETWORKS];
    const double mu = scale_inputs(x, t);
    for (int s = 0; s < NETWORKS; ++s) {
        real sums[LAYERS][WIDEST];
        evaluate(&networks[s], t, sums);
        for (int k = 0; k < OUTPUTS; ++k) {
            const real *factor = &sums[LAYERS - 1][OUTPUTS + k * RANK];
            double square = noise[k] * noise[k];
            for (int r = 0; r < RANK; ++r) square += (double)factor[r] * (double)factor[r];
            f[k][s] = mu + (double)sums[LAYERS - 1][k];
            v[k][s] = square;
        }
    }
    for (int k = 0; k < OUTPUTS; ++k) {
        double centre = 0, square = 0;
)";

/// Where some response was fitted as its logarithm: moments of the log-normal distribution, in the response's units.
constexpr std::string_view of_logarithms = R"(        if (logarithm[k])
            for (int s = 0; s < NETWORKS; ++s) {
                const double variance = output_scale[k] * output_scale[k] * v[k][s];
                f[k][s] = exp(output_centre[k] + output_scale[k] * f[k][s] + variance / 2);
                v[k][s] = f[k][s] * f[k][s] * expm1(variance);
            }
)";

constexpr std::string_view of_mixture =
    R"(        for (int s = 0; s < NETWORKS; ++s) centre += (f[k][s] - f[k][0]) / NETWORKS;
        centre += f[k][0];
        for (int s = 0; s < NETWORKS; ++s)
            square += (v[k][s] + (f[k][s] - centre) * (f[k][s] - centre)) / NETWORKS;
)";

constexpr std::string_view in_units = R"(        mean[k] = output_centre[k] + output_scale[k] * centre;
        sd[k] = output_scale[k] * sqrt(square);
)";

constexpr std::string_view in_units_unless_logarithm =
    R"(        mean[k] = logarithm[k] ? centre : output_centre[k] + output_scale[k] * centre;
        sd[k] = (logarithm[k] ? 1 : output_scale[k]) * sqrt(square);
)";

constexpr std::string_view by_logistic = R"(
static void class_probabilities(const double *f, double *p)
{
    p[0] = 1 / (1 + exp(f[0]));
    p[1] = 1 / (1 + exp(-f[0]));
}
)";

constexpr std::string_view by_softmax = R"(
static void class_probabilities(const double *f, double *p)
{
    double top = f[0], sum = 0;
    for (int c = 1; c < CLASSES; ++c) top = f[c] > top ? f[c] : top;
    for (int c = 0; c < CLASSES; ++c) sum += p[c] = exp(f[c] - top);
    for (int c = 0; c < CLASSES; ++c) p[c] /= sum;
}
)";

/// Where there are classes, after one of the two above.
constexpr std::string_view of_classes = R"(
/* The mean over all networks and the draws that their factors hold. */
void ridgelet_probability(const double *x, double *probability)
{
    real t[INPUTS];
    const double mu = scale_inputs(x, t);
    for (int c = 0; c < CLASSES; ++c) probability[c] = 0;
    for (int s = 0; s < NETWORKS; ++s) {
        real sums[LAYERS][WIDEST];
        evaluate(&networks[s], t, sums);
        const real *mean = sums[LAYERS - 1], *factor = mean + OUTPUTS;
        for (int r = 0; r < RANK; ++r) {
            double f[OUTPUTS], p[CLASSES];
            for (int k = 0; k < OUTPUTS; ++k) {
                const double draw = mu + (double)mean[k] + root_of_rank * (double)factor[k * RANK + r];
                f[k] = output_centre[k] + output_scale[k] * draw;
            }
            class_probabilities(f, p);
            for (int c = 0; c < CLASSES; ++c) probability[c] += p[c] / (NETWORKS * RANK);
        }
    }
}
)";

}  // namespace ridgelet::c_program
