/* Calls an exported network once: predict_one X1 X2 ... */
#include <stdio.h>
#include <stdlib.h>

void ridgelet_predict(const double *x, double *mean, double *sd);

int main(int count, char **arguments) {
  double x[64], mean, sd;
  for (int i = 1; i < count && i <= 64; ++i) x[i - 1] = atof(arguments[i]);
  ridgelet_predict(x, &mean, &sd);
  printf("mean %.17g\nsd %.17g\n", mean, sd);
  return 0;
}
