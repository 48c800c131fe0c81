#include "ridgelet/core/ranks.hpp"

#include <gtest/gtest.h>

#include "expectations.hpp"
#include "ridgelet/core/packed.hpp"
#include "ridgelet/core/random.hpp"
#include "ridgelet/core/tiles.hpp"
#include "thread_ranks.hpp"

namespace ridgelet {
namespace {

using testing::on_ranks;

/// A sum that also remembers which terms it is of.
struct Sum {
  double value = 0;
  std::vector<Index> terms;

  void add(const Sum& later) {
    value += later.value;
    terms.insert(terms.end(), later.terms.begin(), later.terms.end());
  }
  void pack(Packer& packer) const {
    packer.put(value);
    packer.put(terms.size());
    for (const Index term : terms) packer.put(term);
  }
  static Sum unpack(Unpacker& unpacker) {
    Sum sum{.value = unpacker.get<double>(), .terms = {}};
    for (auto left = unpacker.get<std::size_t>(); left > 0; --left)
      sum.terms.push_back(unpacker.get<Index>());
    return sum;
  }
};

/// Terms whose sum depends on the order in its last digits.
double term(Index index) {
  return std::exp(20 * RandomStream{.seed = 3}.normal(static_cast<std::uint64_t>(index)));
}

Sum sum_of_terms(Index count, const Ranks& ranks) {
  return sum_over_tiles<Sum>(
      count, ranks, [](Index index) { return term(index); },
      [](Index index, double value) {
        return Sum{value, {index}};
      });
}

TEST(PairwiseSum, IsOfAllTermsInTheirOrder) {
  for (const Index count : {1, 2, 3, 7, 8, 100}) {
    const Sum sum = sum_of_terms(count, alone());
    ASSERT_EQ(static_cast<Index>(sum.terms.size()), count);
    double plain = 0;
    for (Index i = 0; i < count; ++i) {
      EXPECT_EQ(sum.terms[static_cast<std::size_t>(i)], i);
      plain += term(i);
    }
    EXPECT_NEAR(sum.value, plain, 1e-13 * plain);
  }
}

TEST(PairwiseSum, HasTheSameBitsHoweverItsTermsAreSharedOut) {
  for (const Index count : {1, 2, 5, 64, 100, 1000, 4096, 5000}) {
    const Sum whole = sum_of_terms(count, alone());
    for (const Index ranks : {2, 3, 4, 7})
      on_ranks(ranks, [&](const Ranks& each) {
        const Sum shared = sum_of_terms(count, each);
        EXPECT_EQ(shared.value, whole.value) << count << " terms on " << ranks << " ranks";
        EXPECT_EQ(shared.terms, whole.terms);
      });
  }
}

TEST(PairwiseSum, HoldsFewNodes) {
  PairwiseSum<Sum> sum;
  for (Index i = 0; i < 1000; ++i) {
    sum.add(i, {1, {}});
    EXPECT_LE(sum.nodes().size(), 10u);
  }
}

TEST(Ranks, ShareAllTilesWithoutOverlap) {
  for (const Index tiles : {1, 3, 64, 1000, 4883})
    for (const Index size : {1, 2, 4, 7}) {
      std::vector<TileRange> shares(static_cast<std::size_t>(size));
      on_ranks(size, [&](const Ranks& ranks) {
        shares[static_cast<std::size_t>(ranks.rank())] = share_of(tiles, ranks);
      });
      Index next = 0;
      for (const TileRange& share : shares) {
        EXPECT_EQ(share.first, next);
        next = share.end;
        if (tiles >= 1000) {
          EXPECT_NEAR(static_cast<double>(share.end - share.first),
                      static_cast<double>(tiles) / static_cast<double>(size),
                      0.07 * static_cast<double>(tiles) / static_cast<double>(size));
        }
      }
      EXPECT_EQ(next, tiles);
    }
}

TEST(Ranks, AllThrowWhatOneOfThemThrew) {
  on_ranks(3, [](const Ranks& ranks) {
    const auto share = [&](const std::function<void()>& failure) {
      (void)ranks.shared(
          [&] {
            if (ranks.rank() == 1) failure();
            return std::string();
          },
          [](std::string earlier, std::string) { return earlier; });
    };
    EXPECT_EQ(testing::complaint_of([&] { share([] { throw InvalidArgument("data", "is not there"); }); }),
              "data: is not there");
    EXPECT_THROW(share([] { throw IoError("a disk"); }), IoError);
    EXPECT_THROW(share([] { throw std::runtime_error("something"); }), std::runtime_error);
    EXPECT_NO_THROW(share([] {}));
  });
}

TEST(Ranks, DoOnTheFirstAloneWhatOneOfThemMustDo) {
  std::atomic<int> done = 0;
  on_ranks(4, [&](const Ranks& ranks) {
    ranks.on_first([&] { ++done; });
    EXPECT_EQ(done, 1);
  });
  on_ranks(2, [](const Ranks& ranks) {
    EXPECT_THROW(ranks.on_first([] { throw IoError("a disk that is full"); }), IoError);
  });
}

TEST(Packed, ReadsBackAsItWasWritten) {
  Packer packer;
  packer.put(0.1);
  packer.put_text(std::string("a\0b", 3));
  packer.put_matrix(Matrix{{1, 2, 3}, {4, 5, 6}});
  packer.put_matrix(Matrix(0, 4));
  packer.put(true);
  const std::string bytes = packer.take();
  Unpacker unpacker(bytes);
  EXPECT_EQ(unpacker.get<double>(), 0.1);
  EXPECT_EQ(unpacker.get_text(), std::string("a\0b", 3));
  EXPECT_EQ(unpacker.get_matrix(), (Matrix{{1, 2, 3}, {4, 5, 6}}));
  EXPECT_EQ(unpacker.get_matrix().cols(), 4);
  EXPECT_TRUE(unpacker.get<bool>());
  EXPECT_TRUE(unpacker.at_end());
  EXPECT_THROW(Unpacker(std::string_view(bytes).substr(0, 12)).get_text(), std::out_of_range);
}

}  // namespace
}  // namespace ridgelet
