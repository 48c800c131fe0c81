#include "learning_json.hpp"

#include "ridgelet/fitting/latent_response.hpp"

namespace ridgelet::app {

namespace {

Json start_json(const LearnedSettings& learned, const LearningStart& start) {
  Json json = {{"log_evidence", nullptr},
               {"objective", nullptr},
               {"kernel", nullptr},
               {"noise", nullptr},
               {"mean", nullptr},
               {"evaluations", start.evaluations},
               {"converged", start.converged},
               {"message", start.message}};
  if (!start.process) return json;
  json["log_evidence"] = start.log_evidence;
  json["objective"] = start.objective;
  json["kernel"] = start.process->kernel.text();
  json["mean"] = start.process->mean.text();
  json["noise"] = noise_json(learned, start.noise);
  return json;
}

Json candidate_json(const KernelCandidate& candidate) {
  const LearnedTarget& learned = candidate.learned;
  return {{"form", candidate.form},
          {"log_evidence", learned.log_evidence},
          {"parameters", learned.learned},
          {"score", learned.score()},
          {"kernel", learned.process.kernel.text()}};
}

}  // namespace

Json noise_json(const LearnedSettings& learned, const Vector& noise) {
  const std::string& likelihood = learned.settings.model.likelihood;
  if (is_gaussian(likelihood)) return one_or_several(noise);
  Json numbers = Json::object();
  const std::vector<LikelihoodParameter> parameters = parse_likelihood(likelihood)->parameters();
  for (std::size_t p = 0; p < parameters.size(); ++p)
    numbers[parameters[p].name] = noise(static_cast<Index>(p));
  return numbers;
}

Json learning_json(const LearnedSettings& learned) {
  Json json = {{"starts", Json::array()}, {"refinement", nullptr}};
  for (const LearningStart& start : learned.target->starts)
    json["starts"].push_back(start_json(learned, start));
  if (const auto& refinement = learned.target->refinement)
    json["refinement"] = {
        {"rows", refinement->rows}, {"points", refinement->points}, {"gain", refinement->gain}};
  if (learned.choice)
    for (const KernelCandidate& each : learned.choice->candidates)
      json["candidates"].push_back(candidate_json(each));
  return json;
}

}  // namespace ridgelet::app
