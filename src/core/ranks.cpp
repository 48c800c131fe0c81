#include "ridgelet/core/ranks.hpp"

#include <algorithm>
#include <utility>

#include "ridgelet/core/cancellation.hpp"
#include "ridgelet/core/errors.hpp"
#include "ridgelet/core/packed.hpp"

namespace ridgelet {

namespace {

class Alone : public Ranks {
 public:
  Index size() const override { return 1; }
  Index rank() const override { return 0; }
  std::string reduce(std::string mine, const Combine&) const override { return mine; }
};

/// What became of the work of a rank: bytes, or an exception.
enum class Outcome : char { done, invalid_argument, io_error, cancelled, other };

std::string packed_failure(Outcome outcome, const std::string& argument, const std::string& complaint) {
  Packer packer;
  packer.put(static_cast<char>(outcome));
  packer.put_text(argument);
  packer.put_text(complaint);
  return packer.take();
}

std::string outcome_of(const std::function<std::string()>& work) {
  try {
    Packer packer;
    packer.put(static_cast<char>(Outcome::done));
    packer.put_text(work());
    return packer.take();
  } catch (const InvalidArgument& error) {
    return packed_failure(Outcome::invalid_argument, error.argument(), error.complaint());
  } catch (const IoError& error) {
    return packed_failure(Outcome::io_error, "", error.what());
  } catch (const Cancelled&) {
    return packed_failure(Outcome::cancelled, "", "");
  } catch (const std::exception& error) {
    return packed_failure(Outcome::other, "", error.what());
  }
}

Outcome kind_of(const std::string& outcome) {
  return static_cast<Outcome>(outcome.front());
}

std::string bytes_of(const std::string& outcome) {
  return Unpacker(std::string_view(outcome).substr(1)).get_text();
}

[[noreturn]] void rethrow(const std::string& outcome) {
  const Outcome kind = kind_of(outcome);
  Unpacker unpacker(std::string_view(outcome).substr(1));
  const std::string argument = unpacker.get_text(), complaint = unpacker.get_text();
  if (kind == Outcome::invalid_argument) throw InvalidArgument(argument, complaint);
  if (kind == Outcome::io_error) throw IoError(complaint);
  if (kind == Outcome::cancelled) throw Cancelled();
  throw std::runtime_error(complaint);
}

}  // namespace

std::string Ranks::shared(const std::function<std::string()>& work, const Combine& combine) const {
  if (size() == 1) return work();
  const std::string outcome = reduce(outcome_of(work), [&](std::string earlier, std::string later) {
    if (kind_of(earlier) != Outcome::done) return earlier;
    if (kind_of(later) != Outcome::done) return later;
    return outcome_of([&] { return combine(bytes_of(earlier), bytes_of(later)); });
  });
  if (kind_of(outcome) != Outcome::done) rethrow(outcome);
  return bytes_of(outcome);
}

void Ranks::on_first(const std::function<void()>& work) const {
  (void)shared(
      [&] {
        if (first()) work();
        return std::string();
      },
      [](std::string earlier, std::string) { return earlier; });
}

const Ranks& alone() {
  static const Alone one;
  return one;
}

TileRange share_of(Index tiles, const Ranks& ranks) {
  // Steps of a power of two, 32 to 64 of them for each rank where there are that many tiles.
  Index step = 1;
  while (2 * step * 32 * ranks.size() <= tiles) step *= 2;
  const Index steps = (tiles + step - 1) / step;
  const auto boundary = [&](Index rank) { return std::min(tiles, rank * steps / ranks.size() * step); };
  return {.first = boundary(ranks.rank()), .end = boundary(ranks.rank() + 1)};
}

}  // namespace ridgelet
