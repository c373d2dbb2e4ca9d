// A clock for programs under test, loaded before the C library: time passes only while the program sleeps, and sleeping
// takes no time. At its end the program writes how many nanoseconds it slept into the file that SLEPT_FILE names.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static long long slept = 0;
static const long long kBillion = 1000000000;

int clock_gettime(clockid_t clock, struct timespec* now) {
  (void)clock;
  const long long time = 1000 * kBillion + slept;
  now->tv_sec = time / kBillion;
  now->tv_nsec = time % kBillion;
  return 0;
}

int nanosleep(const struct timespec* wanted, struct timespec* left) {
  (void)left;
  slept += wanted->tv_sec * kBillion + wanted->tv_nsec;
  return 0;
}

int clock_nanosleep(clockid_t clock, int flags, const struct timespec* wanted, struct timespec* left) {
  const long long time = wanted->tv_sec * kBillion + wanted->tv_nsec;
  if (!(flags & TIMER_ABSTIME)) return nanosleep(wanted, left);
  (void)clock;
  if (time > 1000 * kBillion + slept) slept = time - 1000 * kBillion;
  return 0;
}

__attribute__((destructor)) static void report(void) {
  FILE* file = fopen(getenv("SLEPT_FILE"), "w");
  if (!file) return;
  fprintf(file, "%lld\n", slept);
  fclose(file);
}
