// CLOP as a program of the lab: Rémi Coulom's classes, asked for one sample after another. Each
// sample plays one pair of games against the start. The recommendation is CLOP's mean.
//
// The classes come from the folder clop of github.com/spinojara/testbit at 18c637f7:
//
//   g++ -O2 -Drestrict=__restrict__ -Iclop -o clop-lab notebooks/clop.cpp $(ls clop/C*.cpp)
//   lab tuners --exam --problem ENGINE16-20 --games 2000:6 --program "clop=./clop-lab 240"
//
// The argument is CLOP's DrawElo: 100 is its default, 240 makes 60 % of even games draws.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>

#include "CMESampleMean.h"
#include "COutcome.h"
#include "CPFQuadratic.h"
#include "CRegression.h"
#include "CResults.h"
#include "CSPWeight.h"

typedef std::vector<double> point;

// numbers returns all numbers behind a key in a line of JSON, which has no spaces.
static point numbers(const std::string &line, const std::string &key) {
  point list;
  const std::string text = "\"" + key + "\":";
  for (size_t at = line.find(text); at != std::string::npos; at = line.find(text, at)) {
    const char *next = line.c_str() + (at += text.size());
    do {
      char *end;
      list.push_back(std::strtod(next + (*next == '[' || *next == ','), &end));
      next = end;
    } while (*next == ',' && next[1] != '"');
  }
  return list;
}

// json returns a point as a list.
static std::string json(const point &p) {
  std::string text;
  char number[32];
  for (double x : p) {
    std::snprintf(number, sizeof number, "%.17g", x);
    text += (text.empty() ? "[" : ",") + std::string(number);
  }
  return text + "]";
}

// pointOf translates a sample of CLOP, from -1 to 1, into the ranges.
static point pointOf(const double *sample, const point &low, const point &high) {
  point p(low.size());
  for (size_t i = 0; i < p.size(); i++)
    p[i] = std::min(std::max(low[i] + (sample[i] + 1) / 2 * (high[i] - low[i]), low[i]), high[i]);
  return p;
}

// tune answers the line that begins a run.
static void tune(const std::string &opening, double drawElo) {
  // Games of a pair by its points; two halves count as two draws.
  static const COutcome::Value L = COutcome::Loss, D = COutcome::Draw, W = COutcome::Win;
  static const COutcome::Value games[5][2] = {{L, L}, {D, L}, {D, D}, {W, D}, {W, W}};
  const point low = numbers(opening, "min"), high = numbers(opening, "max"), start = numbers(opening, "start");
  const int d = low.size();

  CResults results(d);
  CPFQuadratic quadratic(d);
  CRegression regression(results, quadratic);
  CMESampleMean mean(regression);
  CSPWeight policy(regression, 0, 1000);
  policy.Seed(unsigned(std::fmod(numbers(opening, "seed")[0], 4294967296.0)));
  regression.SetRefreshRate(0.1);
  regression.SetDrawRating(drawElo * std::log(10.0) / 400);
  regression.SetLocalizationHeight(3);
  regression.SetMaxWeightIterations(7);
  quadratic.SetPriorStrength(1e-2);

  for (int pairs = int(numbers(opening, "games")[0]) / 2; pairs > 0; pairs--) {
    const double *next = policy.NextSample(results.GetSamples());
    const point sample(next, next + d);
    std::cout << "{\"a\":" << json(pointOf(&sample[0], low, high)) << ",\"b\":" << json(start) << ",\"pairs\":1}" << std::endl;
    std::string answer;
    std::getline(std::cin, answer);
    const point counts = numbers(answer, "pairs");
    const int points = std::max_element(counts.begin(), counts.end()) - counts.begin();
    for (COutcome::Value game : games[points])
      results.AddSample(&sample[0], game);
  }
  point best(d);
  mean.ComputeLocalWeights();
  mean.MaxParameter(&best[0]);
  std::cout << "{\"best\":" << json(pointOf(&best[0], low, high)) << "}" << std::endl;
}

int main(int count, char **words) {
  for (std::string line; std::getline(std::cin, line);)
    tune(line, count > 1 ? std::atof(words[1]) : 100);
}
