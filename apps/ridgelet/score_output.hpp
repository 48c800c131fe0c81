/// Scores as `score`, `fit --holdout` and `compare` show them.
#pragma once

#include <string>
#include <vector>

#include "ridgelet/fitting/latent_score.hpp"
#include "ridgelet/fitting/score.hpp"
#include "values.hpp"

namespace ridgelet::app {

Json score_json(const std::string& response, const Score& score);

/// An object, or a list of them for several responses.
Json scores_json(const std::vector<ResponseEncoding>& responses, const std::vector<Score>& scores);

std::string scores_text(const std::vector<ResponseEncoding>& responses, const std::vector<Score>& scores);

/// The same for a response that is not Gaussian.
Json latent_score_json(const std::string& response, const LatentScore& score);
std::string latent_score_text(const std::string& response, const LatentScore& score);

}  // namespace ridgelet::app
