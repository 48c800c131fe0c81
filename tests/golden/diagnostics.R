# Makes diagnostics.json: chains, and what the R package posterior says of them.
#   apt-get install -y --no-install-recommends r-cran-posterior r-cran-jsonlite
#   Rscript diagnostics.R > diagnostics.json
# Made with R 4.2.2 and posterior 1.4.0. Draws are rounded, and the answers are those of the numbers as read back
# from the text, so that ties are ties for every reader.
suppressMessages(library(posterior))
library(jsonlite)
set.seed(20210615, kind = "Mersenne-Twister", normal.kind = "Inversion")

autoregression <- function(draws, chains, phi) {
  sapply(seq_len(chains), function(chain) {
    noise <- rnorm(draws, sd = sqrt(1 - phi^2))
    noise[1] <- rnorm(1)
    as.numeric(stats::filter(noise, phi, method = "recursive"))
  })
}
normals <- function(draws, chains) matrix(rnorm(draws * chains), draws)
each_chain <- function(x, by, f) sweep(x, 2, by, f)

stuck <- normals(200, 4)
stuck[, 3] <- 0.7

cases <- list(
  independent_normal = normals(200, 4),
  slow_autoregression = autoregression(200, 4, 0.95),
  antithetic_autoregression = autoregression(200, 4, -0.5),
  slightly_antithetic_autoregression = autoregression(200, 4, -0.2),
  different_means = each_chain(normals(200, 4), c(0, 0, 0.5, 1), `+`),
  different_variances = each_chain(normals(200, 4), c(1, 1, 1, 3), `*`),
  cauchy = matrix(rcauchy(800), 200),
  odd_number_of_draws = autoregression(151, 4, 0.5),
  one_chain = autoregression(300, 1, 0.7),
  two_chains_far_from_zero = 1000 + autoregression(101, 2, 0.8),
  counts_with_ties = matrix(rpois(600, 3), 150),
  ties_at_the_largest_value = matrix(pmin(rpois(400, 3), 4), 100),
  balanced_coin = matrix(rep(c(0, 1, 1, 0, 1, 0, 0, 1), 20), 40),
  one_stuck_chain = stuck,
  alternating_exactly = matrix(rep(c(-1, 1), 40), 40),
  drift = outer(seq(0, 3, length.out = 100), rep(1, 4)) + normals(100, 4),
  constant = matrix(0.3, 50, 4),
  four_draws = normals(4, 3),
  five_draws = normals(5, 3),
  six_draws = normals(6, 3),
  eleven_draws = normals(11, 2),
  twelve_draws = normals(12, 2),
  fifteen_draws = autoregression(15, 2, 0.6),
  # The 5% quantile lies between two draws of 0.9, and 0.65 * 0.9 + 0.35 * 0.9 rounds to below 0.9.
  ties_at_the_smallest_value = pmax(round(2 + normals(42, 4), 1), 0.9)
)

as_stored <- function(x) unname(t(fromJSON(toJSON(t(round(x, 4)), digits = 4))))
number <- function(x) unbox(as.numeric(x))
lines <- vapply(names(cases), function(name) {
  x <- as_stored(cases[[name]])
  toJSON(list(
    name = unbox(name), chains = t(x),
    rhat = number(rhat(x)), bulk = number(ess_bulk(x)), tail = number(ess_tail(x)),
    standard_error = number(mcse_mean(x))
  ), digits = I(15), na = "string")
}, "")
cat("[\n", paste(lines, collapse = ",\n"), "\n]\n", sep = "")
