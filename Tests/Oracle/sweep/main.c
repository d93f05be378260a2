// Sweeps the functions of the lane kernels over the whole float range and prints the worst error of each.
//
//   sweep all                       a stratified sample of every function, on every instruction set of this machine
//   sweep range sin 0 ffffffff      every float with bits in a range (hexadecimal), on the baseline
//   sweep digest                    a hash of many results of each function: the same on every machine
//   sweep points FILE               prints the results for the lines `name x-bits y-bits` of a file
//   sweep time                      nanoseconds per 64 lanes
//
// elementary_functions.py builds and runs it.

#include "sweep.h"

static int all(void) {
  sweep_accuracy();
  sweep_exact();
  printf("%s\n", failures ? "FAILED" : "all within their limits, the same bits on every instruction set of this machine");
  return failures != 0;
}

static uint64_t digest_of(int binary, int function) {
  static float x[BLOCK], y[BLOCK], results[BLOCK];
  uint64_t hash = 0xcbf29ce484222325;
  restart_random();
  for (int block = 0; block < 64; block++) {
    for (int i = 0; i < BLOCK; i++) x[i] = float_of(varied_word(i)), y[i] = float_of(varied_word(i / 5));
    if (binary) etalon_probe_binary(ETALON_PROBE_BASELINE, function, x, y, results, BLOCK);
    else etalon_probe_unary(ETALON_PROBE_BASELINE, function, x, results, BLOCK);
    for (int i = 0; i < BLOCK; i++) hash = (hash ^ bits_of(results[i])) * 0x100000001b3;
  }
  return hash;
}

static int digest(void) {
  for (int i = 0; i < etalon_probe_unary_count(); i++)
    printf("%-18s %016llx\n", etalon_probe_unary_name(i), (unsigned long long)digest_of(0, i));
  for (int i = 0; i < etalon_probe_binary_count(); i++)
    printf("%-18s %016llx\n", etalon_probe_binary_name(i), (unsigned long long)digest_of(1, i));
  return 0;
}

static int points(const char *path) {
  FILE *file = fopen(path, "r");
  char name[64];
  uint32_t a, b;
  if (!file) return 2;
  while (fscanf(file, "%63s %x %x", name, &a, &b) == 3) {
    float x = float_of(a), y = float_of(b), result = 0;
    int unary = etalon_probe_find_unary(name);
    if (unary >= 0) etalon_probe_unary(ETALON_PROBE_BASELINE, unary, &x, &result, 1);
    else etalon_probe_binary(ETALON_PROBE_BASELINE, etalon_probe_find_binary(name), &x, &y, &result, 1);
    printf("%08x\n", bits_of(result));
  }
  fclose(file);
  return 0;
}

int main(int count, char **arguments) {
  const char *command = count > 1 ? arguments[1] : "";
  if (count == 2 && !strcmp(command, "all")) return all();
  if (count == 2 && !strcmp(command, "digest")) return digest();
  if (count == 2 && !strcmp(command, "time")) return print_times(), 0;
  if (count == 3 && !strcmp(command, "points")) return points(arguments[2]);
  if (count == 5 && !strcmp(command, "range")) {
    sweep_range(arguments[2], strtoull(arguments[3], NULL, 16), strtoull(arguments[4], NULL, 16));
    return failures != 0;
  }
  fprintf(stderr, "usage: sweep all | digest | time | points FILE | range FUNCTION LOW HIGH\n");
  return 64;
}
